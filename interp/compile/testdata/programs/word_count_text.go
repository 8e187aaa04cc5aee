package main

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"strings"
	"text/tabwriter"
	"unicode"
)

type kv struct {
	k string
	v int
}
type byCount []kv

func (b byCount) Len() int { return len(b) }
func (b byCount) Less(i, j int) bool {
	if b[i].v != b[j].v {
		return b[i].v > b[j].v
	}
	return b[i].k < b[j].k
}
func (b byCount) Swap(i, j int) { b[i], b[j] = b[j], b[i] }
func main() {
	text := "The cat, the dog; the END. A cat?"
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) })
	m := map[string]int{}
	for _, w := range words {
		m[w]++
	}
	var l byCount
	for k, v := range m {
		l = append(l, kv{k, v})
	}
	sort.Sort(l)
	fmt.Println(l[:2], len(l))
	w := tabwriter.NewWriter(os.Stdout, 0, 8, 1, '.', 0)
	for _, e := range l[:2] {
		fmt.Fprintf(w, "%s\t%d\n", e.k, e.v)
	}
	w.Flush()
	sc := bufio.NewScanner(strings.NewReader("k=v\n# c\nx = 1\n"))
	conf := map[string]string{}
	for sc.Scan() {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		k, v, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		conf[strings.TrimSpace(k)] = strings.TrimSpace(v)
	}
	fmt.Println(conf)
	r := strings.NewReplacer("<", "&lt;", ">", "&gt;")
	fmt.Println(r.Replace("<b>"))
	fmt.Println(strings.Title("x"), strings.EqualFold("Go", "GO"), strings.TrimFunc("123abc456", unicode.IsDigit), strings.Index("chicken", "ken"))
}

// Output:
// [{the 3} {cat 2}] 5
// the.3
// cat.2
// map[k:v x:1]
// &lt;b&gt;
// X true abc 4
