package main

import "fmt"

func counter() (func() int, func()) { n := 0; return func() int { n++; return n }, func() { n = 100 } }
func named() (x int, err error) {
	defer func() {
		x *= 2
		if r := recover(); r != nil {
			err = fmt.Errorf("r: %v", r)
		}
	}()
	x = 5
	if x > 3 {
		panic("boom")
	}
	return x, nil
}
func inc() (n int)    { defer func() { n++ }(); return 41 }
func fib() func() int { a, b := 0, 1; return func() int { r := a; a, b = b, a+b; return r } }
func main() {
	c, reset := counter()
	c()
	c()
	fmt.Print(c(), " ")
	reset()
	fmt.Println(c())
	fmt.Println(named())
	fmt.Println(inc())
	f := fib()
	for range 8 {
		fmt.Print(f(), " ")
	}
	var fact func(int) int
	fact = func(n int) int {
		if n <= 1 {
			return 1
		}
		return n * fact(n-1)
	}
	fmt.Println(fact(10))
	adders := map[string]func(int) func(int) int{"add": func(a int) func(int) int { return func(b int) int { return a + b } }}
	fmt.Println(adders["add"](2)(3), func(a, b int) int { return a * b }(4, 5))
	x := 1
	func() { x := 2; x++; _ = x }()
	{
		x := 10
		x++
	}
	if x := 5; x > 3 {
		fmt.Print(x, " ")
	}
	fmt.Println(x)
	memo := map[int]int{}
	var fibm func(int) int
	fibm = func(n int) int {
		if n < 2 {
			return n
		}
		if v, ok := memo[n]; ok {
			return v
		}
		memo[n] = fibm(n-1) + fibm(n-2)
		return memo[n]
	}
	fmt.Println(fibm(50))
}

// Output:
// 3 101
// 10 r: boom
// 42
// 0 1 1 2 3 5 8 13 3628800
// 5 20
// 5 1
// 12586269025
