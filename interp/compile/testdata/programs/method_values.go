package main

import (
	"fmt"
	"strings"
	"time"
)

type T struct{ n int }

func (t T) Get() int                       { return t.n }
func (t *T) Set(n int)                     { t.n = n }
func (t T) Add(a, b int) int               { return t.n + a + b }
func (t T) Var(p string, xs ...int) string { return fmt.Sprint(p, t.n, xs) }

type N int

func (n N) Double() N                { return n * 2 }
func apply(f func(int, int) int) int { return f(1, 2) }
func main() {
	t := T{5}
	get := t.Get
	set := t.Set
	set(9)
	fmt.Println(get(), t.Get(), apply(t.Add))
	e := T.Get
	s := (*T).Set
	s(&t, 11)
	fmt.Println(e(t), (*T).Get(&t), T.Add(t, 1, 1))
	fmt.Println(T.Var(t, "x", 1, 2), t.Var("y"))
	v := t.Var
	fmt.Println(v("z", 3))
	fmt.Println(N.Double(4), strings.ToUpper("x"), time.Duration.String(time.Second))
	up := strings.NewReplacer("a", "b").Replace
	fmt.Println(up("banana"))
	fs := map[string]func(int){"set": t.Set}
	fs["set"](3)
	fmt.Println(t.n)
	var st fmt.Stringer = time.Minute
	str := st.String
	fmt.Println(str(), fmt.Stringer.String(st))
}

// Output:
// 5 9 12
// 11 11 13
// x11 [1 2] y11 []
// z11 [3]
// 8 X 1s
// bbnbnb
// 3
// 1m0s 1m0s
