package main

import "fmt"

type E struct{}

func (*E) Error() string { return "E" }
func f(fail bool) error {
	var e *E
	if fail {
		e = &E{}
	}
	return e
}
func g() error { return nil }
func main() {
	fmt.Println(f(false) == nil, f(true) == nil, g() == nil)
	var e *E
	var err error = e
	fmt.Println(err != nil, err == (*E)(nil))
	var x any = e
	fmt.Println(x == nil, x == any(e))
	var y any
	fmt.Println(y == nil, y == x)
	var s fmt.Stringer
	fmt.Println(s == nil)
	var p *int
	var z any = p
	fmt.Println(z == nil, z == (*int)(nil))
	if err := g(); err != nil {
		fmt.Println("bad")
	} else {
		fmt.Println("good")
	}
}

// Output:
// false false true
// true true
// false true
// true false
// true
// false true
// good
