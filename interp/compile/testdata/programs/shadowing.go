package main

import "fmt"

type string2 = string

func len2(s string) int { return len(s) }
func main() {
	len := 3
	max := func(a, b int) int {
		if a > b {
			return a
		}
		return b
	}
	string := "text"
	new, make, any, nil2, true2 := 1, 2, 3, 4, 5
	fmt.Println(len, max(1, len), string, new, make, any, nil2, true2, len2(string))
	copy := []int{1}
	for range copy {
		int := "int"
		fmt.Println(int)
	}
	x := 1
	{
		x := x + 1
		x++
		fmt.Println(x)
	}
	if x := "inner"; x != "" {
		fmt.Println(x)
	}
	for x := 0; x < 1; x++ {
		x := x * 10
		fmt.Println(x)
	}
	fmt.Println(x)
	func(x string2) { fmt.Println(x) }("param")
	fmt := "shadowed"
	println2 := func(s string2) string2 { return s + fmt }
	_ = println2("a")
	var error error
	_ = error
}

// Output:
// 3 3 text 1 2 3 4 5 4
// int
// 3
// inner
// 0
// 1
// param
