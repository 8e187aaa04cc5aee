package main

import "fmt"

func main() {
	m := map[int][200]byte{1: {7, 8}}
	s := map[string][200]byte{"a": {9}}
	one, a := m[1], s["a"]
	_, ok := m[2]
	fmt.Println(one[:2], a[0], ok)
}

// Output:
// [7 8] 9 false
