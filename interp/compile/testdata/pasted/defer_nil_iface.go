package main

import "fmt"

type C interface{ Close() }

func f() (s string) {
	defer func() { recover(); s += " recovered" }()
	var c C
	defer c.Close()
	s = "reached"
	return
}
func main() { fmt.Println(f()) }

// Output:
//  recovered
