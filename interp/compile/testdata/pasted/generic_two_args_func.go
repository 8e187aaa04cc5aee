package main

import "fmt"

type Pair[A, B any] struct {
	A A
	B B
}

func main() {
	p := Pair[string, func() (int, error)]{"a", func() (int, error) { return 1, nil }}
	n, err := p.B()
	fmt.Println(p.A, n, err)
}

// Output:
// a 1 <nil>
