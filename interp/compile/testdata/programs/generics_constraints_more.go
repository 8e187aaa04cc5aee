package main

import (
	"fmt"
	"sort"
	"strconv"
	"strings"
)

type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64
}
type Float interface{ ~float32 | ~float64 }
type Number interface{ Integer | Float }
type MyInt int

func SumMap[K comparable, V Number](m map[K]V) V {
	var s V
	for _, v := range m {
		s += v
	}
	return s
}
func Abs[T Number](x T) T {
	if x < 0 {
		return -x
	}
	return x
}
func Convert[To, From Number](f From) To { return To(f) }
func GroupBy[T any, K comparable](xs []T, key func(T) K) map[K][]T {
	g := make(map[K][]T)
	for _, x := range xs {
		k := key(x)
		g[k] = append(g[k], x)
	}
	return g
}
func SortedKeys[K interface{ ~string | ~int }, V any](m map[K]V) []K {
	ks := make([]K, 0, len(m))
	for k := range m {
		ks = append(ks, k)
	}
	sort.Slice(ks, func(i, j int) bool { return ks[i] < ks[j] })
	return ks
}

type Parser[T any] interface{ Parse(string) (T, error) }
type intParser struct{}

func (intParser) Parse(s string) (int, error) { return strconv.Atoi(s) }
func ParseAll[T any, P Parser[T]](p P, ss ...string) (out []T, err error) {
	for _, s := range ss {
		v, err := p.Parse(s)
		if err != nil {
			return nil, err
		}
		out = append(out, v)
	}
	return
}

type Tuple[A, B any] struct {
	First  A
	Second B
}

func MakeTuple[A, B any](a A, b B) Tuple[A, B] { return Tuple[A, B]{a, b} }
func (t Tuple[A, B]) Swap() Tuple[B, A]        { return Tuple[B, A]{t.Second, t.First} }
func Zip[A, B any](a []A, b []B) []Tuple[A, B] {
	var r []Tuple[A, B]
	for i := range min(len(a), len(b)) {
		r = append(r, MakeTuple(a[i], b[i]))
	}
	return r
}

type Matrix[T Number] [][]T

func (m Matrix[T]) Sum() (s T) {
	for _, r := range m {
		for _, v := range r {
			s += v
		}
	}
	return
}
func Chain[T any](fs ...func(T) T) func(T) T {
	return func(x T) T {
		for _, f := range fs {
			x = f(x)
		}
		return x
	}
}

type LinkedList[T comparable] struct {
	head, tail *lnode[T]
	size       int
}
type lnode[T comparable] struct {
	val  T
	next *lnode[T]
}

func (l *LinkedList[T]) Append(vs ...T) *LinkedList[T] {
	for _, v := range vs {
		n := &lnode[T]{val: v}
		if l.tail == nil {
			l.head, l.tail = n, n
		} else {
			l.tail.next = n
			l.tail = n
		}
		l.size++
	}
	return l
}
func (l *LinkedList[T]) Contains(v T) bool {
	for n := l.head; n != nil; n = n.next {
		if n.val == v {
			return true
		}
	}
	return false
}
func (l LinkedList[T]) String() string {
	var b strings.Builder
	for n := l.head; n != nil; n = n.next {
		fmt.Fprintf(&b, "%v->", n.val)
	}
	return b.String() + "nil"
}
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}
func main() {
	fmt.Println(SumMap(map[string]int{"a": 1, "b": 2}), SumMap(map[int]float64{1: .5, 2: 1}), Abs(-3), Abs(MyInt(-4)), Abs(-2.5))
	fmt.Println(Convert[int](3.9), Convert[float64](MyInt(2)), Convert[int8](300))
	g := GroupBy([]string{"apple", "bob", "cat", "alice"}, func(s string) byte { return s[0] })
	fmt.Println(len(g), g['a'], SortedKeys(map[string]bool{"z": true, "y": false}), SortedKeys(map[MyInt]int{2: 1, 1: 1}))
	fmt.Println(ParseAll(intParser{}, "1", "2"))
	_, err := ParseAll[int](intParser{}, "x")
	fmt.Println(err)
	t := MakeTuple("a", 1)
	fmt.Println(t, t.Swap(), Zip([]int{1, 2, 3}, []string{"x", "y"}))
	fmt.Printf("%T %+v\n", t.Swap(), t)
	fmt.Println(Matrix[float64]{{1, 2}, {3}}.Sum(), Chain(func(i int) int { return i + 1 }, func(i int) int { return i * 2 })(3))
	l := (&LinkedList[string]{}).Append("x", "y")
	fmt.Println(l, l.Contains("y"), l.size, *l)
	fmt.Println(Must(strconv.Atoi("7")), SumMap[string, MyInt](nil))
}

// Output:
// 3 1.5 3 4 2.5
// 3 2 44
// 3 [apple alice] [y z] [1 2]
// [1 2] <nil>
// strconv.Atoi: parsing "x": invalid syntax
// {a 1} {1 a} [{1 x} {2 y}]
// main.Tuple[int,string] {First:a Second:1}
// 6 8
// x->y->nil true 2 x->y->nil
// 7 0
