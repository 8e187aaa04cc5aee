package main

import (
	"fmt"
	"io"
)

type E interface{ Error() string }

type T struct{ n int }

func (t *T) Error() string { return fmt.Sprint("T", t.n) }

func get() (E, error) { return fmt.Errorf("from fmt"), &T{1} }

func main() {
	var e interface{ Error() string } = fmt.Errorf("e")
	fmt.Println(e, e.Error())
	_, ok := e.(*T)
	fmt.Println(ok)
	var named E = e
	var err error = named
	fmt.Println(err.Error(), error(E(err)) == e, named == err)
	a, b := get()
	a, b = b, a
	fmt.Println(a.Error(), b.Error(), E(nil) == nil, error(E(nil)) == nil)
	f := func(es ...interface{ Error() string }) (n int) {
		for _, e := range es {
			n += len(e.Error())
		}
		return n
	}
	fmt.Println(f(a, b, err))
	var r interface{ Read([]byte) (int, error) } = io.LimitReader(nil, 0)
	n, err := io.Reader(r).Read(nil)
	fmt.Println(n, err)
}

// Output:
// e e
// false
// e true true
// T1 from fmt true true
// 11
// 0 EOF
