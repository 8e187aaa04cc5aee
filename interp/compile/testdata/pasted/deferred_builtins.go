package main

import "fmt"

func removed(m map[int]bool) int {
	func() {
		for k := range m {
			defer delete(m, k)
		}
	}()
	return len(m)
}

func panics() (v any) {
	defer func() { v = recover() }()
	defer panic("second")
	panic("first")
}

// recover is no call of the function that panics.
func early() (v any) {
	defer func() { v = recover() }()
	defer recover()
	panic("early")
}

func inner() (v any) {
	defer func() { v = recover() }()
	defer func() { defer recover() }()
	panic("inner")
}

type T struct{ seen *any }

func (t T) Recover() { *t.seen = recover() }

func byMethod() (v any) {
	defer func() { recover() }()
	var r interface{ Recover() } = T{&v}
	defer r.Recover()
	panic("method")
}

func byValue() (v any) {
	f := T{&v}.Recover
	defer f()
	panic("value")
}

var copied [2]int

func main() {
	func() {
		defer copy(copied[:], []int{4, 5})
		copied[0] = 1
	}()
	fmt.Println(removed(map[int]bool{1: true, 2: true}), copied)
	fmt.Println(panics(), early(), inner(), byMethod(), byValue())
}

// Output:
// 0 [4 5]
// second early <nil> method value
