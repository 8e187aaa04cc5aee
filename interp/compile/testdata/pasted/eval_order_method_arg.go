package main

import "fmt"

type S struct{}

func (S) add(a, b int) int { return a + b }
func main() {
	ok := false
	f := func() S { ok = true; return S{} }
	g := func() (int, int) {
		fmt.Println(ok)
		return 1, 2
	}
	fmt.Println(f().add(g()))
}

// Output:
// true
// 3
