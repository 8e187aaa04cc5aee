package main

import (
	"fmt"
	"strings"
)

type ID = int
type Names = map[ID][]string
type B = strings.Builder
type Pt struct{ x, y int }
type Alias = Pt

func (p Alias) Sum() int { return p.x + p.y }

type Pair[T any] = struct{ A, B T }
type Fn = func(ID) string

func main() {
	var n Names = Names{1: {"a"}}
	var b B
	b.WriteString("x")
	p := Alias{1, 2}
	var q Pt = p
	fmt.Println(n, b.String(), p.Sum(), q == p, Pair[int]{1, 2})
	fmt.Printf("%T %T %T\n", ID(1), p, n)
	var f Fn = func(i ID) string { return fmt.Sprint(i) }
	fmt.Println(f(7))
	for _, v := range []any{ID(1), p} {
		switch v.(type) {
		case int:
			fmt.Print("int ")
		case Pt:
			fmt.Print("Pt ")
		}
	}
	fmt.Println()
}

// Output:
// map[1:[a]] x 3 true {1 2}
// int main.Pt map[int][]string
// 7
// int Pt
