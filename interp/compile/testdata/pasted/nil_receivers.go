package main

import "fmt"

type T int

type I interface{ F() }

func (t T) F() {}

type U struct{ T }

type W struct{ *U }

func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return
}

var t *T
var i I = t

func main() {
	fmt.Println(caught(func() { i.F() }))
	fmt.Println(caught(func() { t.F() }))
	fmt.Println(caught(func() { (*T).F(t) }))
	for _, i := range []I{(*U)(nil), W{}} {
		fmt.Println(caught(func() { i.F() }))
	}
}

// Output:
// value method main.T.F called using nil *T pointer
// runtime error: invalid memory address or nil pointer dereference
// value method main.T.F called using nil *T pointer
// runtime error: invalid memory address or nil pointer dereference
// runtime error: invalid memory address or nil pointer dereference
