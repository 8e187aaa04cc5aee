package main

import (
	"errors"
	"fmt"
	"runtime"
)

func try(f func()) (err error) {
	defer func() {
		if r := recover(); r != nil {
			if re, ok := r.(runtime.Error); ok {
				err = re
				return
			}
			err = fmt.Errorf("panic: %v", r)
		}
	}()
	f()
	return nil
}

type node struct {
	next *node
	v    int
}
type E struct{ code int }

func (e E) Error() string { return fmt.Sprint("E", e.code) }
func main() {
	var n *node
	fmt.Println(try(func() { fmt.Println(n.v) }))
	zero := 0
	fmt.Println(try(func() { fmt.Println(1 / zero) }))
	var m map[string]int
	fmt.Println(try(func() { m["a"] = 1 }))
	fmt.Println(try(func() { panic("own") }))
	fmt.Println(try(func() { panic(E{3}) }))
	var x any = "s"
	fmt.Println(try(func() { fmt.Println(x.(int)) }))
	fmt.Println(try(func() { fmt.Println(x.(fmt.Stringer)) }))
	fmt.Println(errors.Is(try(func() { panic(fmt.Errorf("w")) }), nil))
	func() { defer func() { e := recover().(error); fmt.Println(e) }(); var p *int; *p = 1 }()
	fmt.Println(recover())
}

// Output:
// runtime error: invalid memory address or nil pointer dereference
// runtime error: integer divide by zero
// assignment to entry in nil map
// panic: own
// panic: E3
// interface conversion: interface {} is string, not int
// interface conversion: string is not fmt.Stringer: missing method String
// false
// runtime error: invalid memory address or nil pointer dereference
// <nil>
