package main

import (
	"fmt"
	"os"
	"text/template"
)

type Item struct {
	Name  string
	Price float64
	qty   int
}

func (i Item) Total(n int) string { return fmt.Sprintf("%.2f", i.Price*float64(n)) }
func (i *Item) Upper() string     { return "<" + i.Name + ">" }

type List struct {
	Items []Item
	Owner *Item
}

func (l List) Count() int { return len(l.Items) }
func main() {
	t := template.Must(template.New("x").Funcs(template.FuncMap{"twice": func(s string) string { return s + s }}).Parse("{{.Count}} {{range $i, $e := .Items}}{{$i}}:{{.Name}} {{.Total 3}} {{end}}{{.Owner.Upper | twice}}\n"))
	if err := t.Execute(os.Stdout, List{[]Item{{"a", 1.5, 1}, {"b", 2, 2}}, &Item{"o", 0, 0}}); err != nil {
		fmt.Println(err)
	}
	err := template.Must(template.New("y").Parse("{{.qty}}")).Execute(os.Stdout, Item{})
	fmt.Println(err != nil)
}

// Output:
// 2 0:a 4.50 1:b 6.00 <o><o>
// true
