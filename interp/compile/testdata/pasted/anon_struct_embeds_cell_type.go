package main

import "fmt"

type S struct{}

func (S) Val() int { return 1 }

type I interface{ Val() int }

func f(i I) int { return i.Val() }
func main() {
	var x any = struct{ S }{}
	_, ok := x.(I)
	fmt.Println(ok, f(struct{ S }{}))
}

// Output:
// true 1
