package main

import "fmt"

func greater(x, y int) int { return max(x, y) }
func less(x, y int) int    { return min(x, y) }

func choose(sign, x, y int) int {
	op := greater
	if sign < 0 {
		op = less
	}
	return op(x, y)
}

func fold(n, sign int) int {
	if n == 0 {
		return 5
	}
	op := greater
	if sign < 0 {
		op = less
	}
	return op(fold(n-1, sign), n)
}

func alternate(n int) (sum int) {
	a, b := greater, less
	for i := range n {
		sum = sum*10 + a(i, 2)
		a, b = b, a
	}
	return sum
}

func main() {
	fmt.Println(choose(1, 2, 3), choose(-1, 2, 3))
	fmt.Println(fold(9, 1), fold(9, -1))
	fmt.Println(alternate(5))
	var f func(int, int) int
	switch alternate(1) {
	case 2:
		f = less
	case 3:
		f = greater
	}
	fmt.Println(f(7, 8))
}

// Output:
// 3 2
// 9 1
// 21224
// 7
