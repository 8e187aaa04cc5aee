package main

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
)

type Tree[K cmp.Ordered, V any] struct {
	root *node[K, V]
	n    int
}
type node[K cmp.Ordered, V any] struct {
	k    K
	v    V
	l, r *node[K, V]
}

func (t *Tree[K, V]) Set(k K, v V) {
	p := &t.root
	for *p != nil {
		switch {
		case k < (*p).k:
			p = &(*p).l
		case k > (*p).k:
			p = &(*p).r
		default:
			(*p).v = v
			return
		}
	}
	*p = &node[K, V]{k: k, v: v}
	t.n++
}
func (t *Tree[K, V]) All() iter.Seq2[K, V] { return func(yield func(K, V) bool) { t.root.walk(yield) } }
func (n *node[K, V]) walk(yield func(K, V) bool) bool {
	return n == nil || n.l.walk(yield) && yield(n.k, n.v) && n.r.walk(yield)
}
func (t *Tree[K, V]) Keys() iter.Seq[K] {
	return func(yield func(K) bool) {
		for k := range t.All() {
			if !yield(k) {
				return
			}
		}
	}
}
func Take[T any](s iter.Seq[T], n int) iter.Seq[T] {
	return func(yield func(T) bool) {
		if n <= 0 {
			return
		}
		i := 0
		for v := range s {
			if !yield(v) {
				return
			}
			if i++; i >= n {
				return
			}
		}
	}
}
func Enumerate[T any](s iter.Seq[T]) iter.Seq2[int, T] {
	return func(yield func(int, T) bool) {
		i := 0
		for v := range s {
			if !yield(i, v) {
				return
			}
			i++
		}
	}
}
func Fib() iter.Seq[int] {
	return func(yield func(int) bool) {
		a, b := 0, 1
		for yield(a) {
			a, b = b, a+b
		}
	}
}
func main() {
	t := &Tree[string, int]{}
	for i, w := range []string{"m", "c", "x", "a", "m"} {
		t.Set(w, i)
	}
	for k, v := range t.All() {
		fmt.Print(k, v, " ")
		if k == "m" {
			break
		}
	}
	fmt.Println(t.n, slices.Collect(t.Keys()), slices.Collect(Take(Fib(), 8)))
	for i, k := range Enumerate(Take(t.Keys(), 2)) {
		fmt.Print(i, k, ";")
	}
	s := slices.SortedFunc(t.Keys(), func(a, b string) int { return -cmp.Compare(a, b) })
	fmt.Println(s)
	next, stop := iter.Pull2(t.All())
	k, v, ok := next()
	fmt.Println(k, v, ok)
	stop()
	_, _, ok = next()
	fmt.Println(ok)
	func() {
		defer func() { fmt.Println("r", recover()) }()
		for v := range Fib() {
			if v > 5 {
				panic(v)
			}
		}
	}()
	fmt.Println(func() string {
		for v := range Fib() {
			if v > 100 {
				return fmt.Sprint("ret ", v)
			}
		}
		return ""
	}())
}

// Output:
// a3 c1 m4 4 [a c m x] [0 1 1 2 3 5 8 13]
// 0a;1c;[x m c a]
// a 3 true
// false
// r 8
// ret 144
