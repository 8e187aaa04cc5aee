package main

import (
	"errors"
	"fmt"
)

type R struct{ name string }

func (r *R) Close() { fmt.Println("close", r.name) }
func handler() {
	if r := recover(); r != nil {
		fmt.Println("handled", r)
	}
}
func a() { defer handler(); panic("a") }

type G struct{}

func (G) rescue(tag string) {
	if r := recover(); r != nil {
		fmt.Println(tag, r)
	}
}
func b() { var g G; defer g.rescue("b:"); panic("bb") }
func c() (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("c: %v", r)
		}
	}()
	defer func() { panic("second") }()
	panic("first")
}
func d() (n int) { defer func() { n *= 10 }(); defer func() { n += 2 }(); return 3 }
func e()         { defer fmt.Println("runs anyway"); defer func() { panic("again") }(); fmt.Println("body") }
func f() (s string, err error) {
	r := &R{"f"}
	defer r.Close()
	for i := range 3 {
		defer func(k int) { s += fmt.Sprint(k) }(i)
	}
	return "x", errors.New("e")
}
func nested() {
	defer func() { defer func() { fmt.Println("inner", recover()) }(); panic("in deferred") }()
	fmt.Println("nested body")
}
func noPanic() any { return recover() }
func rethrow() {
	defer func() { fmt.Println("outer", recover()) }()
	func() { defer func() { r := recover(); panic(fmt.Sprint("re-", r)) }(); panic("x") }()
}
func main() {
	a()
	b()
	fmt.Println(c())
	fmt.Println(d())
	func() { defer func() { fmt.Println("got", recover()) }(); e() }()
	fmt.Println(f())
	nested()
	fmt.Println(noPanic())
	rethrow()
	defer func() { fmt.Println("main end", recover()) }()
	cleanup := func() { fmt.Println("cleanup") }
	defer cleanup()
	var nilf func()
	defer nilf()
	fmt.Println("last")
}

// Output:
// handled a
// b: bb
// c: second
// 50
// body
// runs anyway
// got again
// close f
// x210 e
// nested body
// inner in deferred
// <nil>
// outer re-x
// last
// cleanup
// main end runtime error: invalid memory address or nil pointer dereference
