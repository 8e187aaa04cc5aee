package main

import (
	"fmt"
	"iter"
)

// Types that contain themselves, directly, through each other, and through types of a package.

type Tree map[string]Tree

type Ping func(n int) Pong
type Pong func() Ping

type Even []Odd
type Odd [1]*Even

type Walk func() iter.Seq[Walk]
type Pairs []iter.Seq2[int, Pairs]

func (e Even) Depth() int {
	if len(e) == 0 || e[0][0] == nil {
		return len(e)
	}
	return 2 + e[0][0].Depth()
}

func (w Walk) String() string {
	s := "walk"
	for next := range w() {
		s += "(" + next.String() + ")"
	}
	return s
}

func ping(n int) Pong {
	fmt.Print("ping ", n, " ")
	return func() Ping {
		if n == 0 {
			return nil
		}
		return ping
	}
}

func none() iter.Seq[Walk] { return func(func(Walk) bool) {} }

func main() {
	n := 2
	for p := Ping(ping); p != nil; n-- {
		p = p(n)()
	}
	fmt.Println()
	fmt.Println(Even{{&Even{{nil}}}}.Depth(), Even{}.Depth())
	twice := Walk(func() iter.Seq[Walk] {
		return func(yield func(Walk) bool) { _ = yield(none) && yield(none) }
	})
	fmt.Println(twice, any(twice).(fmt.Stringer).String(), Tree{"a": {"b": nil}})
	pairs := Pairs{func(yield func(int, Pairs) bool) { yield(7, Pairs{nil, nil}) }}
	for i, inner := range pairs[0] {
		fmt.Println(i, len(inner))
	}
	fmt.Printf("%T %T %T %T %T\n", ping(0), Even{{}}[0], twice, twice(), pairs[0])
}

// Output:
// ping 2 ping 1 ping 0
// 3 0
// walk(walk)(walk) walk(walk)(walk) map[a:map[b:map[]]]
// 7 2
// ping 0 main.Pong main.Odd main.Walk iter.Seq[main.Walk] iter.Seq2[int,main.Pairs]
