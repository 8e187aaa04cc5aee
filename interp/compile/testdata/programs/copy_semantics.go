package main

import "fmt"

type In struct{ v [2]int }
type S struct {
	a  [3]int
	s  []int
	m  map[string]int
	in In
	p  *int
}

func change(s S) { s.a[0] = 100; s.s[0] = 100; s.m["k"] = 100; s.in.v[1] = 100; *s.p = 100 }
func main() {
	n := 1
	x := S{[3]int{1, 2, 3}, []int{1}, map[string]int{"k": 1}, In{}, &n}
	y := x
	y.a[1] = 50
	y.in.v[0] = 7
	change(y)
	fmt.Println(x.a, x.s, x.m, x.in, n, y.a, y.in)
	arr := [2]S{x, y}
	brr := arr
	brr[0].a[2] = -1
	fmt.Println(arr[0].a, brr[0].a)
	l := []S{x}
	e := l[0]
	e.a[0] = -5
	l[0].in.v[0] = 9
	fmt.Println(l[0].a, l[0].in, e.in)
	m := map[string]S{"x": x}
	z := m["x"]
	z.a[0] = 77
	fmt.Println(m["x"].a[0])
	f := func() S { return x }
	w := f()
	w.a[0] = 8
	fmt.Println(x.a[0])
	ch := make(chan S, 1)
	ch <- x
	x.a[0] = 66
	fmt.Println((<-ch).a[0])
	var i any = x
	x.a[0] = 55
	fmt.Println(i.(S).a[0])
	p := &x
	d := *p
	p.a[0] = 44
	fmt.Println(d.a[0], x.a[0])
	for _, v := range l {
		v.a[0] = 1234
	}
	fmt.Println(l[0].a[0])
	c := struct {
		S
		k int
	}{x, 1}
	c.S.a[0] = 3
	fmt.Println(x.a[0], c.a[0])
	g := [2][2]int{{1, 2}, {3, 4}}
	row := g[0]
	row[0] = 9
	fmt.Println(g, row)
	func(a [2][2]int) { a[1][1] = 0 }(g)
	fmt.Println(g[1])
}

// Output:
// [1 2 3] [100] map[k:100] {[0 0]} 100 [1 50 3] {[7 0]}
// [1 2 3] [1 2 -1]
// [1 2 3] {[9 0]} {[0 0]}
// 1
// 1
// 1
// 66
// 55 44
// 1
// 44 3
// [[1 2] [3 4]] [9 2]
// [3 4]
