package main

import "fmt"

func main() {
	m := map[string]int{"a": 7}
	var n int
	var ok bool
	for _, k := range []string{"a", "b"} {
		n, ok = m[k]
		fmt.Println(k, n, ok)
	}
	v, ok := m["a"]
	v, found := m["zzz"]
	fmt.Println(v, ok, found)
}

// Output:
// a 7 true
// b 0 false
// 0 true false
