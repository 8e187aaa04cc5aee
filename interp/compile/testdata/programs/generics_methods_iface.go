package main

import (
	"fmt"
	"sort"
)

type Ordered interface{ Less(o any) bool }
type Container[T any] interface {
	Put(T)
	Get() T
	Len() int
}
type Q[T any] struct{ xs []T }

func (q *Q[T]) Put(x T)  { q.xs = append(q.xs, x) }
func (q *Q[T]) Get() T   { x := q.xs[0]; q.xs = q.xs[1:]; return x }
func (q *Q[T]) Len() int { return len(q.xs) }
func drain[T any](c Container[T]) (out []T) {
	for c.Len() > 0 {
		out = append(out, c.Get())
	}
	return
}

type sorter[T any] struct {
	xs   []T
	less func(a, b T) bool
}

func (s sorter[T]) Len() int                       { return len(s.xs) }
func (s sorter[T]) Less(i, j int) bool             { return s.less(s.xs[i], s.xs[j]) }
func (s sorter[T]) Swap(i, j int)                  { s.xs[i], s.xs[j] = s.xs[j], s.xs[i] }
func SortBy[T any](xs []T, less func(a, b T) bool) { sort.Sort(sorter[T]{xs, less}) }

type Eq[T any] interface{ Equal(T) bool }
type P struct{ x int }

func (p P) Equal(q P) bool { return p.x == q.x }
func Contains[T Eq[T]](xs []T, v T) bool {
	for _, x := range xs {
		if x.Equal(v) {
			return true
		}
	}
	return false
}
func main() {
	var c Container[string] = &Q[string]{}
	c.Put("a")
	c.Put("b")
	fmt.Println(drain(c))
	xs := []P{{3}, {1}, {2}}
	SortBy(xs, func(a, b P) bool { return a.x < b.x })
	fmt.Println(xs, Contains(xs, P{2}), Contains(xs, P{9}))
}

// Output:
// [a b]
// [{1} {2} {3}] true false
