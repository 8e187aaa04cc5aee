package main

import (
	"cmp"
	"fmt"
	"sync"
)

type Number interface{ ~int | ~float64 }

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

func (p *Pair[K, V]) Set(v V) { p.Val = v }

type IntPair = Pair[string, int]

type Set[T comparable] = map[T]struct{}

type Lesser[T any] interface{ Less(T) bool }

type Age int

func (a Age) Less(b Age) bool { return a < b }

func Min[T Lesser[T]](xs ...T) T {
	m := xs[0]
	for _, x := range xs[1:] {
		if x.Less(m) {
			m = x
		}
	}
	return m
}

func Fresh[T any]() *T { return new(T) }

func Gather[T any](n int, f func(int) T) []T {
	ch := make(chan T, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { ch <- f(i) })
	}
	wg.Wait()
	close(ch)
	var out []T
	for v := range ch {
		out = append(out, v)
	}
	return out
}

func GroupBy[T any, K comparable](xs []T, key func(T) K) map[K][]T {
	m := map[K][]T{}
	for _, x := range xs {
		m[key(x)] = append(m[key(x)], x)
	}
	return m
}

type Ms int64
type Us int64

func (m Ms) String() string { return fmt.Sprintf("%dms", int64(m)) }

const (
	A = iota + 1
	B
)
const (
	C = iota * B
	D
)

func main() {
	p := new(Pair[string, int])
	p.Set(3)
	var q IntPair = *p
	fmt.Printf("%v %T\n", q, q)
	s := Set[string]{"a": {}}
	fmt.Println(len(s), Min[Age](3, 2, 5), *Fresh[float64](), Fresh[[]int]() != nil)
	sum := 0
	for _, v := range Gather[int](10, func(i int) int { return i * i }) {
		sum += v
	}
	fmt.Println(sum, GroupBy([]int{1, 2, 3, 4}, func(i int) bool { return i%2 == 0 }))
	var a, b any = Ms(5), Us(5)
	fmt.Println(a == b, a, b)
	fmt.Printf("%d %v %T %T\n", a, []any{a, b}, a, b)
	fmt.Println(A, B, C, D, cmp.Compare(A, B))
	pairs := map[string]*Pair[string, int]{"k": {"k", 1}}
	fmt.Println(pairs["k"].Key, *pairs["k"])
	f := Age.Less
	fmt.Println(f(1, 2))
	for i := range uint8(3) {
		fmt.Printf("%T%d ", i, i)
	}
	fmt.Println()
}

// Output:
// { 3} main.Pair[string,int]
// 1 2 0 true
// 285 map[false:[1 3] true:[2 4]]
// false 5ms 5
// 5 [5ms 5] main.Ms main.Us
// 1 2 0 2 -1
// k {k 1}
// true
// uint80 uint81 uint82
