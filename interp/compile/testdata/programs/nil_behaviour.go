package main

import "fmt"

type L struct {
	next *L
	v    int
}

func (l *L) Len() int {
	if l == nil {
		return 0
	}
	return 1 + l.next.Len()
}

type M map[string]int

func (m M) Get(k string) int { return m[k] }
func main() {
	var l *L
	fmt.Println(l.Len(), (&L{}).Len())
	var m M
	fmt.Println(m.Get("x"), len(m), m == nil)
	var s []int
	for range s {
		fmt.Println("no")
	}
	s = append(s, 1)
	fmt.Println(s, s[:0] == nil, len(s[:0]))
	var f func()
	fmt.Println(f == nil)
	var c chan int
	fmt.Println(c == nil, len(c))
	var i interface{ Len() int }
	fmt.Println(i == nil)
	i = l
	fmt.Println(i == nil, i.Len())
	var e error
	fmt.Printf("%v %T\n", e, e)
	var p **int
	fmt.Println(p == nil)
	var a [2]*int
	fmt.Println(a[0] == nil, a)
	defer func() { fmt.Println(recover()) }()
	fmt.Println(l.v)
}

// Output:
// 0 1
// 0 0 true
// [1] false 0
// true
// true 0
// true
// false 0
// <nil> <nil>
// true
// true [<nil> <nil>]
// runtime error: invalid memory address or nil pointer dereference
