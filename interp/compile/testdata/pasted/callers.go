package main

import (
	"fmt"
	"reflect"
	"runtime"
)

type T struct{}

func (*T) where() string { return where(1) }

func where(skip int) string {
	pc, _, line, ok := runtime.Caller(skip)
	return fmt.Sprint(runtime.FuncForPC(pc).Name(), " ", line, " ", ok)
}

func stack() {
	pcs := make([]uintptr, 10)
	pcs = pcs[:runtime.Callers(1, pcs)]
	frames := runtime.CallersFrames(pcs)
	for {
		f, more := frames.Next()
		fmt.Println(f.Function, f.Line)
		if !more || f.Function == "main.main" {
			break
		}
	}
}

func main() {
	fmt.Println(where(0))
	fmt.Println(where(1))
	fmt.Println(new(T).where())
	f := func() {
		fmt.Println(where(1))
		stack()
	}
	f()
	for _, f := range []any{stack, f, where} {
		fmt.Println(runtime.FuncForPC(reflect.ValueOf(f).Pointer()).Name())
	}
}

// Output:
// main.where 14 true
// main.main 33 true
// main.(*T).where 11 true
// main.main.func1 36 true
// main.stack 20
// main.main.func1 37
// main.main 39
// main.stack
// main.main.func1
// main.where
