package main

import (
	"fmt"
	"strconv"
)

func main() {
	m := map[string]int{}
	var err error
	m["a"], err = strconv.Atoi("12")
	var x any = "s"
	ms := map[string]string{}
	var ok bool
	ms["k"], ok = x.(string)
	fmt.Println(m, err, ms, ok)
	m["b"], m["c"] = func() (int, int) { return 1, 2 }()
	fmt.Println(m)
}

// Output:
// map[a:12] <nil> map[k:s] true
// map[a:12 b:1 c:2]
