package main

import "fmt"

func try(n string, f func()) {
	defer func() { fmt.Println(n, recover() != nil) }()
	f()
}
func main() {
	var p *int
	m := map[int]int{}
	try("map", func() { m[0] = *p })
	try("println", func() { println(*p) })
	try("maplit", func() { _ = map[int]int{1: *p} })
	try("blank", func() { _ = *p })
	fmt.Println(m)
}

// Output:
// map true
// println true
// maplit true
// blank true
// map[]
