package main

import (
	"fmt"
	"os"
	"strings"
)

type Matrix [][]float64

func (m Matrix) String() string {
	var b strings.Builder
	for _, r := range m {
		for _, v := range r {
			fmt.Fprintf(&b, "%4.1f", v)
		}
		b.WriteString("\n")
	}
	return b.String()
}

type Tree struct {
	L, R *Tree
	V    int
}

func (t *Tree) String() string {
	if t == nil {
		return "()"
	}
	return fmt.Sprintf("(%v %d %v)", t.L, t.V, t.R)
}

type Temp float64

func (t Temp) Format(f fmt.State, c rune) { fmt.Fprintf(f, "<%c %.1f>", c, float64(t)) }

type Secret string

func (Secret) GoString() string { return "Secret(***)" }

type Err string

func (e Err) Error() string { return "err:" + string(e) }
func main() {
	fmt.Print(Matrix{{1, 2}, {3, 4}})
	fmt.Println(&Tree{&Tree{nil, nil, 1}, nil, 2})
	fmt.Printf("%v %d %s\n", Temp(3), Temp(4), []Temp{5})
	fmt.Printf("%#v %v\n", Secret("a"), Secret("b"))
	fmt.Fprintln(os.Stdout, Err("x"), []error{Err("y")}, struct{ E error }{Err("z")})
	var np *Tree
	fmt.Println(np, []*Tree{nil}, map[string]fmt.Stringer{"a": np})
	fmt.Printf("%6v|%-6v|%s\n", Err("q"), Err("r"), error(Err("t")))
	s := fmt.Sprintf("%v", map[Err]Temp{"k": 1})
	fmt.Println(s, len(fmt.Sprint(Matrix{})))
}

// Output:
//  1.0 2.0
//  3.0 4.0
// ((() 1 ()) 2 ())
// <v 3.0> <d 4.0> [<s 5.0>]
// Secret(***) b
// err:x [err:y] {err:z}
// () [()] map[a:()]
//  err:q|err:r |err:t
// map[err:k:<v 1.0>] 0
