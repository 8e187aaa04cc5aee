package main

import (
	"fmt"
	"io"
)

type T struct{}

func caught(f func()) (v any) {
	defer func() { v = recover() }()
	f()
	return
}

func main() {
	var v any = T{}
	fmt.Println(caught(func() { _ = v.(interface{ show(s string) string }) }))
	fmt.Println(caught(func() {
		_ = v.(interface {
			put(io.Writer, ...*T) (n int, err error)
			Get() map[string]T
		})
	}))
	var i interface{ Get() T }
	fmt.Println(caught(func() { _ = i.(interface{ Close() error }) }))
	var e interface{ Error() string } = fmt.Errorf("e")
	fmt.Println(caught(func() { _ = e.(*T2) }))
}

type T2 struct{ T }

func (*T2) Error() string { return "" }

// Output:
// interface conversion: main.T is not interface { main.show(string) string }: missing method show
// interface conversion: main.T is not interface { Get() map[string]main.T; main.put(io.Writer, ...*main.T) (int, error) }: missing method Get
// interface conversion: interface is nil, not interface { Close() error }
// interface conversion: interface { Error() string } is *errors.errorString, not *main.T2
