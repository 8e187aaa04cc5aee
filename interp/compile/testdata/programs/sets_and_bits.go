package main

import (
	"fmt"
	"sort"
	"strings"
)

type Set map[string]struct{}

func NewSet(xs ...string) Set {
	s := Set{}
	for _, x := range xs {
		s[x] = struct{}{}
	}
	return s
}
func (s Set) Union(t Set) Set {
	u := Set{}
	for k := range s {
		u[k] = struct{}{}
	}
	for k := range t {
		u[k] = struct{}{}
	}
	return u
}
func (s Set) Sorted() []string {
	var r []string
	for k := range s {
		r = append(r, k)
	}
	sort.Strings(r)
	return r
}
func (s Set) String() string { return "{" + strings.Join(s.Sorted(), ",") + "}" }

type Perm uint

const (
	Read Perm = 1 << iota
	Write
	Exec
)

func (p Perm) Has(q Perm) bool { return p&q != 0 }
func (p *Perm) Add(q Perm)     { *p |= q }
func (p Perm) String() string {
	var s []string
	for i, n := range []string{"r", "w", "x"} {
		if p&(1<<i) != 0 {
			s = append(s, n)
		}
	}
	return strings.Join(s, "|")
}

type Bits [2]uint64

func (b *Bits) Set(i int)     { b[i/64] |= 1 << (i % 64) }
func (b Bits) Get(i int) bool { return b[i/64]&(1<<(i%64)) != 0 }
func main() {
	fmt.Println(NewSet("b", "a").Union(NewSet("c")), len(NewSet("x", "x")))
	p := Read | Exec
	fmt.Println(p, p.Has(Write))
	p.Add(Write)
	fmt.Println(p, p&^Read, Perm(0))
	var b Bits
	b.Set(3)
	b.Set(100)
	fmt.Println(b.Get(3), b.Get(4), b.Get(100), b)
}

// Output:
// {a,b,c} 1
// r|x false
// r|w|x w|x
// true false true [8 68719476736]
