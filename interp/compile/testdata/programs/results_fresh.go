package main

import (
	"fmt"
	"strconv"
)

type E struct{}

func (*E) Error() string { return "E" }
func sum(n int) (t int) {
	for i := range n {
		t += i
	}
	return
}
func maybe(fail bool) (s string, err error) {
	if fail {
		err = &E{}
		return
	}
	s = "ok"
	return
}
func swap(a, b int) (x, y int) { x, y = a, b; return y, x }
func acc(xs ...int) (m map[int]int, l []int) {
	m = map[int]int{}
	for _, x := range xs {
		m[x]++
		l = append(l, x)
	}
	return
}
func blank() (_ int, s string) { s = "b"; return }
func tree(n int) (leaves int, depth int) {
	if n == 0 {
		return 1, 0
	}
	for range 2 {
		l, d := tree(n - 1)
		leaves += l
		depth = max(depth, d+1)
	}
	return
}
func main() {
	var x int
	var s string
	var err error
	for i := range 3 {
		x = sum(i + 2)
		fmt.Print(x, " ")
	}
	for _, f := range []bool{true, false, true, false} {
		s, err = maybe(f)
		fmt.Print(s, err, ";")
	}
	a, b := 1, 2
	for range 3 {
		a, b = swap(a, b)
	}
	fmt.Println(a, b)
	for i := range 2 {
		m, l := acc(i, i)
		fmt.Print(m, l)
	}
	for range 2 {
		n, t := blank()
		fmt.Print(n, t)
	}
	fmt.Println(tree(3))
	for _, v := range []any{"s", 1, nil, "t"} {
		str, ok := v.(string)
		fmt.Printf("%q%v ", str, ok)
		n, ok := v.(int)
		fmt.Print(n, ok, " ")
		var st fmt.Stringer
		st, ok = v.(fmt.Stringer)
		fmt.Print(st == nil, ok, ";")
	}
	var e error = &E{}
	for i := range 2 {
		if i == 1 {
			e = nil
		}
		fmt.Print(e == nil, " ")
	}
	x = 7
	x = func() (r int) { r += x; return }()
	fmt.Println(x)
	total := 0
	for _, w := range []string{"1", "x", "3"} {
		if n, err := strconv.Atoi(w); err == nil {
			total += n
		}
	}
	fmt.Println(total)
	f := func(n int) (out []int) {
		for i := range n {
			out = append(out, i)
		}
		return
	}
	for i := range 3 {
		fmt.Print(f(i))
	}
	g := func() (n int, err error) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("%v", r)
			}
		}()
		n++
		if n == 1 {
			panic("p")
		}
		return
	}
	for range 2 {
		fmt.Print(g())
	}
	fmt.Println()
}

// Output:
// 1 3 6 E;ok<nil>;E;ok<nil>;2 1
// map[0:2] [0 0]map[1:2] [1 1]0b0b8 3
// "s"true 0 false true false;""false 1 true true false;""false 0 false true false;"t"true 0 false true false;false true 7
// 4
// [][0][0 1]1 p1 p
