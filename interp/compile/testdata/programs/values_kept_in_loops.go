package main

import "fmt"

// Each function computes a value that becomes the next value of a variable of a loop, and is used elsewhere too.

// added uses the first value of s in the loop.
func added(n int) int {
	v := n + 1
	s := v
	for range 3 {
		s += v
	}
	return s
}

// later uses the first value of s after the loop.
func later(n int) (int, int) {
	v := n * 2
	s := v
	for i := 0; i < 3; i++ {
		s += i
	}
	return s, v
}

// twice gives two variables the same value.
func twice(n int) (x, y int) {
	for range n {
		v := x + 1
		x, y = v, v
		y *= 3
	}
	return
}

// chosen gives a variable the value on one of two ways.
func chosen(n int) (x, y int) {
	for i := range n {
		v := x + 1
		if i%2 == 0 {
			y = 7
			x = v
			continue
		}
		x, y = v, v
	}
	return
}

// passedOn assigns to a variable the value that another one had before.
func passedOn(n int) (x, y, z int) {
	x, y = 1, 2
	for range n {
		v := x + 1
		x, y, z = y, v, x
	}
	return
}

// old uses the old values after the new ones are computed.
func old(n int) (x, y int, s string) {
	for x < 2*n {
		v := x + 1
		y += x * 10
		s += fmt.Sprint(x, y)
		x = v
	}
	return
}

// exchanged has variables that take the old values of others.
func exchanged(n int) (x, y, z int) {
	y = 5
	for x < 3*n {
		v := x + 2
		z = x - y
		y = x
		x = v
	}
	return
}

// nested has the value in the inner of two loops.
func nested(n int) (s int) {
	for i := range n {
		v := i + s
		t := v
		for t < 10 {
			t = t*2 + 1
			s += v
		}
		s += t - v
	}
	return s
}

// negated has values that are no sums.
func negated(n int) (x float64, y uint8, z bool) {
	x = 1.5
	for i := range n {
		before, small := -x, uint8(i*100)
		x, y = before, small
		for range 2 {
			x += before
			y += small
		}
		z = !z
	}
	return
}

func main() {
	for n := range 5 {
		fmt.Println(added(n), nested(n))
		fmt.Println(later(n))
		fmt.Println(twice(n))
		fmt.Println(chosen(n))
		fmt.Println(passedOn(n))
		fmt.Println(old(n))
		fmt.Println(exchanged(n))
		fmt.Println(negated(n))
	}
}

// Output:
// 4 0
// 3 0
// 0 0
// 0 0
// 1 2 0
// 0 0
// 0 5 0
// 1.5 0 false
// 8 15
// 5 2
// 1 3
// 1 7
// 2 2 1
// 2 10 0 01 10
// 4 2 2
// -4.5 0 true
// 12 15
// 7 4
// 2 6
// 2 2
// 2 3 2
// 4 60 0 01 102 303 60
// 6 4 2
// 13.5 44 false
// 16 15
// 9 6
// 3 9
// 3 7
// 3 3 2
// 6 150 0 01 102 303 604 1005 150
// 10 8 2
// -40.5 88 true
// 20 15
// 11 8
// 4 12
// 4 4
// 3 4 3
// 8 280 0 01 102 303 604 1005 1506 2107 280
// 12 10 2
// 121.5 132 false
