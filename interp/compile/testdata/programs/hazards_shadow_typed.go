package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"text/template"
)

type Level int

func (l Level) String() string               { return [...]string{"low", "high"}[l] }
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

type Base struct {
	ID     int `json:"id"`
	secret string
}

type Item struct {
	Base
	Level  Level             `json:"level"`
	Levels map[Level][]Level `json:"levels"`
}

func (i Item) Title() string { return strings.ToUpper(i.secret) }

type MyErr struct{}

func (*MyErr) Error() string { return "mine" }

func mayFail(fail bool) error {
	var e *MyErr
	if fail {
		e = &MyErr{}
	}
	return e
}

func kind(v any) string {
	switch v.(type) {
	case error:
		return "error"
	case fmt.Stringer:
		return "stringer"
	case fmt.Formatter:
		return "formatter"
	}
	return "none"
}

func main() {
	it := Item{Base{7, "s"}, 1, map[Level][]Level{0: {0, 1}}}
	data, err := json.Marshal(it)
	fmt.Println(string(data), err)
	fmt.Printf("%v %+v\n", it, it)
	fmt.Printf("%#v\n", it.Base)
	t := template.Must(template.New("t").Parse("{{.Title}} {{.Level}} {{.ID}}\n"))
	fmt.Println(t.Execute(os.Stdout, it))
	fmt.Println(kind(errors.New("x")), kind(Level(1)), kind(&MyErr{}), kind(3))
	fmt.Println(mayFail(false) == nil, mayFail(true) == nil)
	x := 1
	defer fmt.Println("deferred", x)
	x = 2
	var fs []func() int
	for i := 0; i < 3; i++ {
		fs = append(fs, func() int { return i })
	}
	fmt.Println(fs[0](), fs[1](), fs[2]())
	func() {
		defer func() {
			err, ok := recover().(error)
			fmt.Println(ok, err)
		}()
		var p *Item
		_ = p.ID
	}()
	fmt.Println(os.Getpid() > 0)
}

// Output:
// {"id":7,"level":"high","levels":{"low":["low","high"]}} <nil>
// {{7 s} high map[low:[low high]]} {Base:{ID:7 secret:s} Level:high Levels:map[low:[low high]]}
// main.Base{ID:7, secret:"s"}
// S high 7
// <nil>
// error stringer error none
// false false
// 0 1 2
// true runtime error: invalid memory address or nil pointer dereference
// true
// deferred 1
