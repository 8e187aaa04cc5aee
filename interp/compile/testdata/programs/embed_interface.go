package main

import (
	"fmt"
	"io"
	"sort"
	"strings"
)

type rev struct{ sort.Interface }

func (r rev) Less(i, j int) bool { return r.Interface.Less(j, i) }

type Logger interface{ Log(string) string }
type base struct{ p string }

func (b base) Log(s string) string { return b.p + s }

type Service struct {
	Logger
	name string
}
type upper struct{ io.Reader }

func (u upper) Read(p []byte) (int, error) {
	n, err := u.Reader.Read(p)
	copy(p, strings.ToUpper(string(p[:n])))
	return n, err
}

type wrapErr struct {
	error
	op string
}

func main() {
	x := []int{3, 1, 2}
	sort.Sort(rev{sort.IntSlice(x)})
	fmt.Println(x)
	s := Service{base{"> "}, "n"}
	fmt.Println(s.Log("hi"), s.Logger.Log("x"))
	var l Logger = s
	fmt.Println(l.Log("via"))
	b, err := io.ReadAll(upper{strings.NewReader("shout")})
	fmt.Println(string(b), err)
	var e error = wrapErr{fmt.Errorf("inner"), "op"}
	fmt.Println(e, e.Error())
}

// Output:
// [3 2 1]
// > hi > x
// > via
// SHOUT <nil>
// inner inner
