package main

import "fmt"

func main() {
	var fs []func()
	for i := 0; i < 3; i++ {
		fs = append(fs, func() { fmt.Print(i, " "); i++ })
	}
	for _, f := range fs {
		f()
		f()
	}
	var ps []*int
	for i := 0; i < 3; i++ {
		ps = append(ps, &i)
	}
	for _, p := range ps {
		fmt.Print(*p, " ")
	}
	for i := 0; i < 6; i++ {
		fs = append(fs, func() { fmt.Print("c", i) })
		if i%2 == 0 {
			i++
			continue
		}
	}
	for _, f := range fs[3:] {
		f()
	}
	var g []func() string
	for k, v := range map[string]int{"x": 5} {
		g = append(g, func() string { return fmt.Sprint(k, v) })
	}
	for i, s := range []string{"p", "q"} {
		g = append(g, func() string { return fmt.Sprint(i, s) })
	}
	for _, f := range g {
		fmt.Print(f(), " ")
	}
	for i, j := 0, 10; i < j; i, j = i+1, j-2 {
		defer func() { fmt.Print("d", i, j, " ") }()
	}
	fmt.Println()
}

// Output:
// 0 1 1 2 2 3 0 1 2 c1c3c5x5 0p 1q
// d3 4 d2 6 d1 8 d0 10
