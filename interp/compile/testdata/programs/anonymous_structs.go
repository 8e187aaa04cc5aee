package main

import (
	"encoding/json"
	"fmt"
)

func main() {
	cfg := struct {
		Host string
		Port int
		tls  bool
		Opts struct{ A, B int }
	}{Host: "h", Port: 80}
	cfg.Opts.A = 3
	cfg.tls = true
	fmt.Printf("%+v\n", cfg)
	tests := []struct {
		in   string
		want int
		fn   func(string) int
	}{{"a", 1, func(s string) int { return len(s) }}, {in: "bb", want: 3, fn: func(s string) int { return len(s) }}}
	for _, tc := range tests {
		fmt.Print(tc.fn(tc.in) == tc.want, " ")
	}
	m := map[string]struct{ X, Y int }{"p": {1, 2}}
	fmt.Println(m["p"].Y, m["q"])
	var p *struct{ v int }
	fmt.Println(p == nil)
	p = &struct{ v int }{4}
	p.v++
	fmt.Println(p.v)
	b, _ := json.Marshal(struct {
		Name string `json:"name"`
		skip int
		Sub  any `json:"sub,omitempty"`
	}{"n", 1, nil})
	fmt.Println(string(b))
	a, c := struct{ x int }{1}, struct{ x int }{1}
	fmt.Println(a == c, any(a) == any(c))
	fmt.Printf("%T %v\n", struct {
		A int
		b string
	}{}, struct{ E error }{})
	for _, e := range [...]struct {
		k string
		v any
	}{{"i", 1}, {"s", "t"}} {
		fmt.Print(e.k, e.v, " ")
	}
	fmt.Println()
}

// Output:
// {Host:h Port:80 tls:true Opts:{A:3 B:0}}
// true false 2 {0 0}
// true
// 5
// {"name":"n"}
// true true
// struct { A int; b string } {<nil>}
// i1 st
