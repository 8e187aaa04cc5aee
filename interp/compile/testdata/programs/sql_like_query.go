package main

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

type Row struct {
	Name, Dept string
	Age        int
	Pay        float64
}
type Query[T any] struct{ rows []T }

func From[T any](rows []T) Query[T] { return Query[T]{slices.Clone(rows)} }
func (q Query[T]) Where(f func(T) bool) Query[T] {
	return Query[T]{slices.DeleteFunc(slices.Clone(q.rows), func(t T) bool { return !f(t) })}
}
func (q Query[T]) OrderBy(less func(a, b T) int) Query[T] {
	r := slices.Clone(q.rows)
	slices.SortStableFunc(r, less)
	return Query[T]{r}
}
func Select[T, U any](q Query[T], f func(T) U) []U {
	out := make([]U, 0, len(q.rows))
	for _, r := range q.rows {
		out = append(out, f(r))
	}
	return out
}
func GroupBy[T any, K comparable](q Query[T], f func(T) K) map[K]Query[T] {
	m := map[K]Query[T]{}
	for _, r := range q.rows {
		g := m[f(r)]
		g.rows = append(g.rows, r)
		m[f(r)] = g
	}
	return m
}
func Avg[T any](q Query[T], f func(T) float64) float64 {
	s := 0.0
	for _, r := range q.rows {
		s += f(r)
	}
	return s / float64(len(q.rows))
}
func main() {
	rows := []Row{{"ann", "x", 30, 10}, {"bob", "y", 25, 20}, {"cid", "x", 35, 30}}
	q := From(rows)
	fmt.Println(Select(q.Where(func(r Row) bool { return r.Age > 26 }).OrderBy(func(a, b Row) int { return cmp.Compare(b.Age, a.Age) }), func(r Row) string { return strings.ToUpper(r.Name) }))
	g := GroupBy(q, func(r Row) string { return r.Dept })
	for _, k := range slices.Sorted(maps.Keys(g)) {
		fmt.Printf("%s %.1f %d; ", k, Avg(g[k], func(r Row) float64 { return r.Pay }), len(g[k].rows))
	}
	i, ok := slices.BinarySearchFunc(rows, "bob", func(r Row, n string) int { return strings.Compare(r.Name, n) })
	fmt.Println(i, ok, slices.ContainsFunc(rows, func(r Row) bool { return r.Pay > 25 }))
	fmt.Println(slices.MinFunc(rows, func(a, b Row) int { return cmp.Compare(a.Age, b.Age) }), slices.Index(rows, rows[2]), slices.Equal(rows, slices.Clone(rows)), slices.Compact([]string{"a", "a", "b"}))
}

// Output:
// [CID ANN]
// x 20.0 2; y 20.0 1; 1 true true
// {bob y 25 20} 2 true [a b]
