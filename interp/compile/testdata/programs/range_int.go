package main

import "fmt"

func main() {
	for i := range 3 {
		fmt.Print(i, " ")
	}
	var n int8 = 4
	for i := range n {
		fmt.Printf("%T%d ", i, i)
	}
	for range 2 {
		fmt.Print("x")
	}
	const c uint16 = 3
	for i := range c {
		fmt.Printf("%T ", i)
	}
	var fs []func() int
	for i := range 3 {
		fs = append(fs, func() int { i += 10; return i })
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	k := 7
	for k = range 5 {
		if k == 3 {
			break
		}
	}
	for i := range len("abc") {
		if i == 1 {
			continue
		}
		fmt.Print(i)
	}
	fmt.Println(k)
}

// Output:
// 0 1 2 int80 int81 int82 int83 xxuint16 uint16 uint16 10 11 12 023
