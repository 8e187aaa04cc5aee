package main

import "fmt"

type pair[A, B any] struct {
	a A
	b B
}

func local[T any](x T) {
	type in struct{ x T }
	fmt.Printf("%T %T %T\n", in{x}, pair[in, T]{}, []pair[*in, []in]{})
	fmt.Printf("%T\n", func() any {
		type deep struct{ in }
		return deep{}
	}())
}

func plain() {
	type in struct{}
	fmt.Printf("%T %T\n", in{}, pair[in, int]{})
}

func main() {
	local(1)
	local("a")
	local(pair[int, string]{})
	plain()
}

// Output:
// main.in[int] main.pair[main.in[int]·1,int] []main.pair[*main.in[int]·1,[]main.in[int]·1]
// main.deep[int]
// main.in[string] main.pair[main.in[string]·1,string] []main.pair[*main.in[string]·1,[]main.in[string]·1]
// main.deep[string]
// main.in[main.pair[int,string]] main.pair[main.in[main.pair[int,string]]·1,main.pair[int,string]] []main.pair[*main.in[main.pair[int,string]]·1,[]main.in[main.pair[int,string]]·1]
// main.deep[main.pair[int,string]]
// main.in main.pair[main.in·3,int]
