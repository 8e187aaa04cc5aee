package main

import (
	"fmt"
	"runtime"
)

type B struct{}

func (B) value() string    { return name() }
func (*B) pointer() string { return name() }
func (B) literal() string  { return func() string { return name() }() }

type G[T any] struct{}

func (G[T]) value() string    { return name() }
func (*G[T]) pointer() string { return name() }

func generic[T any](T) string { return name() }

func name() string {
	pc, _, _, _ := runtime.Caller(1)
	return runtime.FuncForPC(pc).Name()
}

func main() {
	defer runtime.Caller(0)
	fmt.Println(B{}.value(), new(B).pointer(), B{}.literal())
	fmt.Println(G[int]{}.value(), new(G[B]).pointer(), generic(1))
	func() { fmt.Println(name(), func() string { return name() }()) }()
	frames := runtime.CallersFrames(nil)
	defer frames.Next()
}

// Output:
// main.B.value main.(*B).pointer main.B.literal.func1
// main.G[...].value main.(*G[...]).pointer main.generic[...]
// main.main.func1 main.main.func1.1
