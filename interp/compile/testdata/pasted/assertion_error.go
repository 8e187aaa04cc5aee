package main

import (
	"errors"
	"fmt"
	"io"
	"runtime"
)

type T struct{ n int }

func try(f func()) {
	defer func() {
		r := recover()
		e, ok := r.(*runtime.TypeAssertionError)
		fmt.Printf("%T %v\n", r, r)
		var as *runtime.TypeAssertionError
		fmt.Println(ok, e == r, errors.As(r.(error), &as))
	}()
	f()
}

func main() {
	var x any = 1
	try(func() { _ = x.(string) })
	try(func() { _ = x.(fmt.Stringer) })
	try(func() { _ = x.(T) })
	var none any
	try(func() { _ = none.(int) })
	try(func() { _ = none.(error) })
	var r io.Reader
	try(func() { _ = r.(io.Writer) })
	x = T{1}
	try(func() { _ = x.(int) })
}

// Output:
// *runtime.TypeAssertionError interface conversion: interface {} is int, not string
// true true true
// *runtime.TypeAssertionError interface conversion: int is not fmt.Stringer: missing method String
// true true true
// *runtime.TypeAssertionError interface conversion: interface {} is int, not main.T
// true true true
// *runtime.TypeAssertionError interface conversion: interface {} is nil, not int
// true true true
// *runtime.TypeAssertionError interface conversion: interface is nil, not error
// true true true
// *runtime.TypeAssertionError interface conversion: interface is nil, not io.Writer
// true true true
// *runtime.TypeAssertionError interface conversion: interface {} is main.T, not int
// true true true
