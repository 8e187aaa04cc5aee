package main

import "fmt"

type P struct{ x, y int }

func two() (int, error) { return 2, nil }
func main() {
	a, b, c := 1, 2, 3
	a, b, c = c, a, b
	fmt.Println(a, b, c)
	s := []int{1, 2, 3}
	i := 0
	i, s[i] = 2, 9
	s[0], s[2] = s[2], s[0]
	fmt.Println(i, s)
	p := &P{1, 2}
	p.x, p.y = p.y, p.x
	fmt.Println(*p)
	m := map[string]int{}
	m["a"], m["b"] = 1, 2
	m["a"], m["b"] = m["b"], m["a"]
	fmt.Println(m)
	var x any
	var err error
	x, err = two()
	fmt.Println(x, err)
	n, err := two()
	var e2 error
	n, e2 = n+1, err
	fmt.Println(n, e2 == nil)
	var v any = 5
	k, ok := v.(int)
	fmt.Println(k, ok)
	_, ok = v.(string)
	fmt.Println(ok)
	var st fmt.Stringer
	st, ok = v.(fmt.Stringer)
	fmt.Println(st == nil, ok)
	q, r := 17/5, 17%5
	q, r = r, q
	fmt.Println(q, r)
	var fa, fb func() int = func() int { return 1 }, func() int { return 2 }
	fa, fb = fb, fa
	fmt.Println(fa(), fb())
	arr := [2]P{{1, 2}, {3, 4}}
	arr[0], arr[1] = arr[1], arr[0]
	fmt.Println(arr)
}

// Output:
// 3 1 2
// 2 [3 2 9]
// {2 1}
// map[a:2 b:1]
// 2 <nil>
// 3 true
// 5 true
// false
// true false
// 2 3
// 2 1
// [{3 4} {1 2}]
