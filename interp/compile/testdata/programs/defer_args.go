package main

import (
	"fmt"
	"os"
	"strings"
)

type T struct{ n int }

func (t T) Show()           { fmt.Println("T", t.n) }
func (t *T) PShow()         { fmt.Println("*T", t.n) }
func trace(s string) string { fmt.Println("enter", s); return s }
func un(s string)           { fmt.Println("leave", s) }
func main() {
	x := 1
	defer fmt.Println("deferred", x)
	defer fmt.Fprintln(os.Stdout, "out", x)
	x = 2
	t := T{1}
	defer t.Show()
	defer t.PShow()
	t.n = 5
	f := func(a int) { fmt.Println("f", a) }
	defer f(x)
	f = func(a int) { fmt.Println("other") }
	x = 3
	defer un(trace("main"))
	var b strings.Builder
	defer func() { fmt.Println(b.String()) }()
	defer b.WriteString("tail")
	for i := 0; i < 3; i++ {
		defer fmt.Print(i, " ")
	}
	b.WriteString("head ")
}

// Output:
// enter main
// 2 1 0 head tail
// leave main
// f 2
// *T 5
// T 1
// out 1
// deferred 1
