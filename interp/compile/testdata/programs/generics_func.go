package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

type Number interface{ ~int | ~int64 | ~float64 }

func Map[T, U any](xs []T, f func(T) U) []U {
	var r []U
	for _, x := range xs {
		r = append(r, f(x))
	}
	return r
}
func Filter[T any](xs []T, f func(T) bool) []T {
	var r []T
	for _, x := range xs {
		if f(x) {
			r = append(r, x)
		}
	}
	return r
}
func Reduce[T, A any](xs []T, a A, f func(A, T) A) A {
	for _, x := range xs {
		a = f(a, x)
	}
	return a
}
func Sum[T Number](xs ...T) (s T) {
	for _, x := range xs {
		s += x
	}
	return
}
func Max[T cmp.Ordered](a, b T) T {
	if a > b {
		return a
	}
	return b
}
func Keys[M ~map[K]V, K comparable, V any](m M) int { return len(m) }
func Ptr[T any](v T) *T                             { return &v }
func Zero[T any]() T                                { var z T; return z }
func Join[T fmt.Stringer](xs []T) string {
	var p []string
	for _, x := range xs {
		p = append(p, x.String())
	}
	return strings.Join(p, ",")
}

type ID int

func (i ID) String() string { return fmt.Sprintf("#%d", int(i)) }
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
func Index[T comparable](xs []T, v T) int {
	for i, x := range xs {
		if x == v {
			return i
		}
	}
	return -1
}
func Compose[A, B, C any](f func(A) B, g func(B) C) func(A) C { return func(a A) C { return g(f(a)) } }
func Kind[T any](v T) string {
	switch any(v).(type) {
	case int:
		return "int"
	case string:
		return "string"
	case ID:
		return "ID"
	}
	return fmt.Sprintf("%T", v)
}

type Setter[T any] interface {
	*T
	Set(string)
}
type Conf struct{ s string }

func (c *Conf) Set(s string)               { c.s = s }
func Build[T any, P Setter[T]](s string) T { var t T; P(&t).Set(s); return t }
func main() {
	fmt.Println(Map([]int{1, 2, 3}, func(i int) string { return fmt.Sprint(i * i) }))
	fmt.Println(Filter([]string{"a", "bb"}, func(s string) bool { return len(s) > 1 }))
	fmt.Println(Reduce([]int{1, 2, 3}, 0.5, func(a float64, x int) float64 { return a + float64(x) }))
	fmt.Println(Sum(1, 2, 3), Sum(1.5, 2), Sum[int64](), Max("a", "b"), Max(2.5, 1))
	fmt.Println(Keys(map[string]int{"a": 1}), *Ptr(5), *Ptr("x"), Zero[int](), Zero[*int]() == nil, Zero[string]() == "")
	fmt.Println(Join([]ID{1, 2}), Must(fmt.Sprint("ok"), nil), Index([]string{"x", "y"}, "y"), Index([]ID{3}, 4))
	fmt.Println(Compose(func(i int) string { return fmt.Sprint(i) }, func(s string) int { return len(s) })(12345))
	fmt.Println(Kind(1), Kind("s"), Kind(ID(1)), Kind(2.5), Kind([]ID{1}))
	f := Max[int]
	fmt.Println(f(3, 4), Build[Conf]("hey"))
	fmt.Printf("%T %T %v\n", Zero[ID](), Map[int, ID], Sum[ID](1, 2))
	defer func() { fmt.Println("r", recover()) }()
	Must(1, errors.New("bad"))
}

// Output:
// [1 4 9]
// [bb]
// 6.5
// 6 3.5 0 b 2.5
// 1 5 x 0 true true
// #1,#2 ok 1 -1
// 5
// int string ID float64 []main.ID
// 4 {hey}
// main.ID func([]int, func(int) main.ID) []main.ID #3
// r bad
