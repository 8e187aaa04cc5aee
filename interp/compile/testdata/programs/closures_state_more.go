package main

import (
	"fmt"
	"sort"
	"strings"
)

type op struct {
	name string
	fn   func(float64, float64) (float64, error)
}
type stack []float64

func (s *stack) push(v float64) { *s = append(*s, v) }
func (s *stack) pop() float64   { old := *s; v := old[len(old)-1]; *s = old[:len(old)-1]; return v }

type handlers map[string]func(args ...string) string
type Counter struct {
	hits map[string]int
	hook func(*Counter, string)
}

func (c *Counter) Hit(k string) {
	if c.hits == nil {
		c.hits = make(map[string]int)
	}
	c.hits[k]++
	if c.hook != nil {
		c.hook(c, k)
	}
}
func debounce(n int) func(func()) bool {
	calls := 0
	return func(f func()) bool {
		calls++
		if calls%n == 0 {
			f()
			return true
		}
		return false
	}
}
func main() {
	ops := []op{{"add", func(a, b float64) (float64, error) { return a + b, nil }}, {"div", func(a, b float64) (float64, error) {
		if b == 0 {
			return 0, fmt.Errorf("div by zero")
		}
		return a / b, nil
	}}}
	for _, o := range ops {
		r, err := o.fn(6, 0)
		fmt.Println(o.name, r, err)
	}
	var s stack
	table := map[byte]func(){'+': func() { s.push(s.pop() + s.pop()) }, '*': func() { s.push(s.pop() * s.pop()) }}
	for _, c := range "34+5*" {
		if f, ok := table[byte(c)]; ok {
			f()
		} else {
			s.push(float64(c - '0'))
		}
	}
	fmt.Println(s, len(s))
	h := handlers{}
	h["echo"] = func(a ...string) string { return strings.Join(a, "+") }
	h["count"] = func(a ...string) string { return fmt.Sprint(len(a), len(h)) }
	fmt.Println(h["echo"]("a", "b"), h["count"]("x"), h["none"] == nil)
	c := &Counter{}
	c.hook = func(c *Counter, k string) {
		if c.hits[k] == 2 {
			c.hook = nil
			c.Hit("twice-" + k)
		}
	}
	c.Hit("a")
	c.Hit("a")
	c.Hit("a")
	fmt.Println(c.hits)
	d := debounce(3)
	n := 0
	for range 7 {
		d(func() { n++ })
	}
	fmt.Println(n)
	acc := func() func(int) []int { var l []int; return func(i int) []int { l = append(l, i); return l } }()
	acc(1)
	fmt.Println(acc(2))
	fns := make([]func(int) int, 3)
	for i := range fns {
		fns[i] = func(x int) int { return x + i }
	}
	sort.Slice(fns, func(i, j int) bool { return fns[i](0) > fns[j](0) })
	for _, f := range fns {
		fmt.Print(f(10), " ")
	}
	x := 0
	incr := func() int { x++; return x }
	fmt.Println(incr()+incr()*10, x)
	func() { defer func() { x *= 2 }(); x += 5 }()
	fmt.Println(x)
}

// Output:
// add 6 <nil>
// div 0 div by zero
// [35] 1
// a+b 1 2 true
// map[a:3 twice-a:1]
// 2
// [1 2]
// 12 11 10 21 2
// 14
