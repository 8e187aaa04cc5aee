package main

import "fmt"

type point struct{ X, Y int }

type shape struct {
	point
	Corners [2]point
}

// A literal that is assigned is stored in the variable that there is: pointers to
// it and functions that hold it see it.
func inPlace(b point) (r point) {
	p, see := &b, func() int { return b.X }
	defer func() { fmt.Println("result", r.X) }()
	b = point{5, 6}
	fmt.Println(p.X, see(), b.X)
	b, c := point{7, 8}, "new"
	fmt.Println(p.X, see(), b.X, c)
	func() { b = point{9, 9} }()
	fmt.Println(p.X, see(), b.X)
	b = point(struct{ X, Y int }{10, 10})
	fmt.Println(p.X, see(), b.X)
	b, d, c := made(14), c+"er", c
	fmt.Println(p.X, see(), b.X, c, d)
	b, e := two(15)
	fmt.Println(p.X, see(), b.X, e)
	b, e = two(16)
	fmt.Println(p.X, see(), b.X, e)
	b, known := map[string]point{"a": {17, 18}}["a"]
	fmt.Println(p.X, see(), b.X, known)
	var held any = point{19, 20}
	_, _, b, is := 1, 2, held.(point), "point"
	b, ok := held.(point)
	fmt.Println(p.X, see(), b.X, is, ok)
	b, p.Y = point{11, 12}, 13
	fmt.Println(*p, see(), b)
	return point{1, 2}
}

func made(n int) point { return point{n, n} }

func two(n int) (point, int) { return point{n, n}, n }

func swapped() {
	a, b := point{1, 2}, point{3, 4}
	pa, pb := &a, &b
	a, b = point{b.X, b.Y}, point{a.X, a.Y}
	fmt.Println(*pa, *pb, a, b)
}

// Each turn of a loop has variables of its own.
func turns() {
	var all []*point
	for i := range 3 {
		b := point{i, i}
		c, d := point{10 + i, 0}, point{20 + i, 0}
		all = append(all, &b, &c, &d)
		b = point{i, 100 + i}
	}
	for _, p := range all {
		fmt.Print(*p, " ")
	}
	fmt.Println()
}

type stack[T any] struct{ top *T }

func generic[T any](v, w T) {
	s := stack[T]{&v}
	held := &s
	s = stack[T]{&w}
	fmt.Println(*held.top, *s.top)
}

var global = point{1, 1}

func main() {
	fmt.Println(inPlace(point{}))
	swapped()
	turns()
	generic("a", "b")
	g := &global
	global = point{2, 2}
	fmt.Println(*g)
	s := shape{point{1, 2}, [2]point{{3, 4}, {5, 6}}}
	inner, whole, corner := &s.point, &s, &s.Corners[1]
	s.point = point{7, 8}
	s.Corners[1] = point{9, 10}
	fmt.Println(*inner, *whole, *corner)
	s = shape{point{11, 12}, [2]point{1: {13, 14}}}
	fmt.Println(*inner, *whole, *corner)
	var any any = point{1, 2}
	see := func() { fmt.Println(any) }
	any = point{3, 4}
	see()
	switch q := &global; {
	case q.X == 2:
		global = point{}
		fmt.Println(*q, *g)
	}
	anonymous := struct{ A int }{1}
	at := &anonymous
	anonymous = struct{ A int }{2}
	fmt.Println(at.A)
}

// Output:
// 5 5 5
// 7 7 7 new
// 9 9 9
// 10 10 10
// 14 14 14 new newer
// 15 15 15 15
// 16 16 16 16
// 17 17 17 true
// 19 19 19 point true
// {11 13} 11 {11 13}
// result 1
// {1 2}
// {3 4} {1 2} {3 4} {1 2}
// {0 100} {10 0} {20 0} {1 101} {11 0} {21 0} {2 102} {12 0} {22 0}
// b b
// {2 2}
// {7 8} {{7 8} [{3 4} {9 10}]} {9 10}
// {11 12} {{11 12} [{0 0} {13 14}]} {13 14}
// {3 4}
// {0 0} {0 0}
// 2
