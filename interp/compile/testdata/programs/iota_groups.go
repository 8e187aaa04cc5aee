package main

import "fmt"

type Weekday int

const (
	Sun Weekday = iota
	Mon
	Tue
)
const (
	_  = iota
	KB = 1 << (10 * iota)
	MB
	GB
)
const (
	A, B = iota, iota * 10
	C, D
	_, _
	E, F
)
const (
	a = "s"
	b
	c = iota
	d
)

type Flag uint8

const (
	F1 Flag = 1 << iota
	F2
	F3
	mask = F1 | F3
)
const big = 1 << 40
const huge = 1 << 100
const (
	x1 = iota + 0.5
	x2
)

func main() {
	fmt.Println(Sun, Mon, Tue, KB, MB, GB, A, B, C, D, E, F, a, b, c, d)
	fmt.Println(F1, F2, F3, mask, big, huge>>98, x1, x2)
	fmt.Printf("%T %T %T\n", Mon, F2, x2)
	const local = iota + 5
	fmt.Println(local)
}

// Output:
// 0 1 2 1024 1048576 1073741824 0 0 1 10 3 30 s s 2 3
// 1 2 4 5 1099511627776 4 0.5 1.5
// main.Weekday main.Flag float64
// 5
