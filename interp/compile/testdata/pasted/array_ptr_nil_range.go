package main

import "fmt"

func main() {
	var p *[3]int
	n := 0
	for i := range p {
		n += i
	}
	fmt.Println(len(p), n)
}

// Output:
// 3 3
