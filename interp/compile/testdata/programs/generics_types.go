package main

import (
	"cmp"
	"errors"
	"fmt"
	"strings"
)

type Stack[T any] struct{ items []T }

func (s *Stack[T]) Push(v T) { s.items = append(s.items, v) }
func (s *Stack[T]) Pop() (T, error) {
	var z T
	if len(s.items) == 0 {
		return z, errors.New("empty")
	}
	v := s.items[len(s.items)-1]
	s.items = s.items[:len(s.items)-1]
	return v, nil
}
func (s Stack[T]) Len() int      { return len(s.items) }
func NewStack[T any]() *Stack[T] { return &Stack[T]{} }

type Pair[K comparable, V any] struct {
	Key K
	Val V
}

func (p Pair[K, V]) String() string { return fmt.Sprintf("<%v=%v>", p.Key, p.Val) }

type List[T any] struct {
	head *node[T]
	n    int
}
type node[T any] struct {
	v    T
	next *node[T]
}

func (l *List[T]) Add(v T) { l.head = &node[T]{v, l.head}; l.n++ }
func (l *List[T]) Each(f func(T)) {
	for n := l.head; n != nil; n = n.next {
		f(n.v)
	}
}
func (l *List[T]) All() func(func(int, T) bool) {
	return func(y func(int, T) bool) {
		i := 0
		for n := l.head; n != nil; n = n.next {
			if !y(i, n.v) {
				return
			}
			i++
		}
	}
}

type Tree[K cmp.Ordered, V any] struct {
	k    K
	v    V
	l, r *Tree[K, V]
}

func (t *Tree[K, V]) Put(k K, v V) *Tree[K, V] {
	if t == nil {
		return &Tree[K, V]{k: k, v: v}
	}
	switch c := cmp.Compare(k, t.k); {
	case c < 0:
		t.l = t.l.Put(k, v)
	case c > 0:
		t.r = t.r.Put(k, v)
	default:
		t.v = v
	}
	return t
}
func (t *Tree[K, V]) Walk(f func(K, V)) {
	if t != nil {
		t.l.Walk(f)
		f(t.k, t.v)
		t.r.Walk(f)
	}
}

type Set[T comparable] map[T]struct{}

func (s Set[T]) Add(v T)      { s[v] = struct{}{} }
func (s Set[T]) Has(v T) bool { _, ok := s[v]; return ok }

type Num interface{ ~int | ~float64 }
type Vec[T Num] []T

func (v Vec[T]) Dot(w Vec[T]) (s T) {
	for i := range v {
		s += v[i] * w[i]
	}
	return
}

type Opt[T any] struct{ v *T }

func Some[T any](v T) Opt[T] { return Opt[T]{&v} }
func (o Opt[T]) OrElse(d T) T {
	if o.v == nil {
		return d
	}
	return *o.v
}

type Cache[K comparable, V any] struct {
	m    map[K]V
	load func(K) (V, error)
}

func (c *Cache[K, V]) Get(k K) (V, error) {
	if v, ok := c.m[k]; ok {
		return v, nil
	}
	v, err := c.load(k)
	if err == nil {
		c.m[k] = v
	}
	return v, err
}

type IntStack = Stack[int]
type Event[T any] struct {
	ch   chan T
	subs []func(T)
}

func (e *Event[T]) Fire(v T) {
	for _, s := range e.subs {
		s(v)
	}
}
func main() {
	s := NewStack[string]()
	s.Push("a")
	s.Push("b")
	fmt.Println(s.Pop())
	fmt.Println(s.Len())
	var is IntStack
	is.Push(4)
	fmt.Println(is.Pop())
	_, err := is.Pop()
	fmt.Println(err)
	p := Pair[string, int]{"x", 1}
	fmt.Println(p, []Pair[string, int]{p})
	fmt.Printf("%T %v\n", p, p)
	var l List[float64]
	l.Add(1.5)
	l.Add(2.5)
	l.Each(func(f float64) { fmt.Print(f, " ") })
	for i, v := range l.All() {
		fmt.Print(i, v, ";")
	}
	var t *Tree[string, int]
	for i, w := range strings.Fields("the quick brown fox the") {
		t = t.Put(w, i)
	}
	t.Walk(func(k string, v int) { fmt.Print(k, v, " ") })
	fmt.Println()
	set := Set[int]{}
	set.Add(3)
	fmt.Println(set.Has(3), set.Has(4), len(set))
	fmt.Println(Vec[int]{1, 2}.Dot(Vec[int]{3, 4}), Vec[float64]{.5}.Dot(Vec[float64]{2}))
	fmt.Println(Some(3).OrElse(4), Opt[string]{}.OrElse("d"))
	c := &Cache[string, int]{m: map[string]int{}, load: func(k string) (int, error) { fmt.Print("load "); return len(k), nil }}
	fmt.Println(c.Get("abc"))
	fmt.Println(c.Get("abc"))
	ev := Event[Pair[string, int]]{ch: make(chan Pair[string, int], 1)}
	ev.subs = append(ev.subs, func(p Pair[string, int]) { ev.ch <- p })
	ev.Fire(p)
	fmt.Println(<-ev.ch)
	fmt.Printf("%T %T %T\n", l, set, &is)
}

// Output:
// b <nil>
// 1
// 4 <nil>
// empty
// <x=1> [<x=1>]
// main.Pair[string,int] <x=1>
// 2.5 1.5 0 2.5;1 1.5;brown2 fox3 quick1 the4
// true false 1
// 11 1
// 3 d
// load 3 <nil>
// 3 <nil>
// <x=1>
// main.List[float64] main.Set[int] *main.Stack[int]
