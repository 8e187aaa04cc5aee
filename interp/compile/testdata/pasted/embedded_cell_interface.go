package main

import "fmt"

type Name interface{ String() string }

type N int

func (n N) String() string { return fmt.Sprintf("N%d", int(n)) }

type Held struct{ Name }
type Deep struct{ *Held }

func main() {
	fmt.Println(Held{N(1)}, &Held{N(2)}, Deep{&Held{N(3)}}, []any{Held{new(N)}})
	fmt.Println(Held{})
}

// Output:
// N1 N2 N3 [N0]
// %!v(PANIC=String method: runtime error: invalid memory address or nil pointer dereference)
