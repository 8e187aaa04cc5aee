package main

import "fmt"

type T struct {
	n int
	s []int
}

func main() {
	var ts []*T
	for i := range 3 {
		var t T
		t.n += i
		t.s = append(t.s, i)
		ts = append(ts, &t)
	}
	for _, t := range ts {
		fmt.Print(*t, " ")
	}
	for i := 0; i < 3; i++ {
		var m map[string]int
		if m == nil {
			m = map[string]int{}
		}
		m["k"] += i
		var sum int
		sum += i
		var arr [2]int
		arr[0] += i
		fmt.Print(len(m), m["k"], sum, arr, " ")
	}
	var fs []func() int
	for i := range 3 {
		x := i * 10
		y := 0
		fs = append(fs, func() int { x++; y += x; return y })
	}
	for _, f := range fs {
		fmt.Print(f(), f(), " ")
	}
	for i := range 2 {
		a, b := i, i+1
		p := &a
		*p += b
		q := []int{a, b}
		r := q
		r[0] = 100
		fmt.Print(a, b, q, " ")
	}
	for i := range 2 {
		switch z := i; {
		case z == 0:
			z = 5
			fmt.Print(z)
		default:
			var w string
			w += "w"
			fmt.Print(w, z)
		}
	}
	for i := range 2 {
		if v := i * 2; v > 0 {
			v++
			fmt.Print("v", v)
		} else {
			e := v
			e--
			fmt.Print("e", e)
		}
	}
	fmt.Println()
	outer := 0
	for range 2 {
		outer++
		inner := outer
		func() { inner *= 2; outer += inner }()
		fmt.Print(outer, inner, " ")
	}
	for i := range 3 {
		var p *int
		if i == 1 {
			p = &i
		}
		fmt.Print(p == nil, " ")
	}
	for i := range 2 {
		var err error
		if i == 0 {
			err = fmt.Errorf("x")
		}
		fmt.Print(err, " ")
	}
	for i := range 2 {
		var a any
		if i == 0 {
			a = i
		}
		fmt.Print(a, " ")
	}
	for i := range 2 {
		type L struct{ v int }
		l := L{i}
		fmt.Printf("%+v %T ", l, l)
	}
	fmt.Println()
}

// Output:
// {0 [0]} {1 [1]} {2 [2]} 1 0 0 [0 0] 1 1 1 [1 0] 1 2 2 [2 0] 1 3 11 23 21 43 1 1 [100 1] 3 2 [100 2] 5w1e-1v3
// 3 2 12 8 true false true x <nil> 0 <nil> {v:0} main.L {v:1} main.L
