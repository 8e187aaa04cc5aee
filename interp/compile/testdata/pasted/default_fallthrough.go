package main

import "fmt"

func main() {
	for i := 0; i < 4; i++ {
		r := ""
		switch i {
		case 1:
			r += "1"
			fallthrough
		default:
			r += "d"
			fallthrough
		case 2:
			r += "2"
		}
		fmt.Println(i, r)
	}
}

// Output:
// 0 d2
// 1 1d2
// 2 2
// 3 d2
