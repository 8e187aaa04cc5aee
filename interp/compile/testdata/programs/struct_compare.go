package main

import "fmt"

type A struct {
	x  int
	s  string
	in struct{ f float64 }
}
type K struct{ v any }

func main() {
	a, b := A{x: 1, s: "x"}, A{1, "x", struct{ f float64 }{}}
	fmt.Println(a == b, a != b, &a == &b, [2]A{a} == [2]A{b})
	b.in.f = 1
	fmt.Println(a == b)
	m := map[A]int{a: 1}
	m[b]++
	m[a] += 5
	fmt.Println(m[a], m[b], len(m))
	fmt.Println(K{1} == K{1}, K{1} == K{int64(1)}, K{a} == K{a})
	var x, y any = a, b
	fmt.Println(x == y, x == any(a))
	defer func() { fmt.Println(recover()) }()
	var p, q any = []int{1}, []int{1}
	fmt.Println(p == q)
}

// Output:
// true false false true
// false
// 6 1 2
// true false true
// false true
// runtime error: comparing uncomparable type []int
