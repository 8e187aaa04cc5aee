package main

import "fmt"

type P struct {
	Name   string
	Kids   []*P
	parent *P
	m      map[string]*P
}

func (p *P) Add(k *P) *P { k.parent = p; p.Kids = append(p.Kids, k); return p }
func (p *P) Path() string {
	if p.parent == nil {
		return p.Name
	}
	return p.parent.Path() + "/" + p.Name
}
func main() {
	r := (&P{Name: "r"}).Add(&P{Name: "a"}).Add((&P{Name: "b"}).Add(&P{Name: "c"}))
	var walk func(*P, int)
	walk = func(p *P, d int) {
		fmt.Printf("%*s%s\n", d*2, "", p.Path())
		for _, k := range p.Kids {
			walk(k, d+1)
		}
	}
	walk(r, 0)
	fmt.Println(len(r.Kids), r.Kids[1].Kids[0].parent.parent == r, r.parent == nil)
	fmt.Printf("%v %+v %T\n", P{Name: "x"}, P{}, r)
	pp := &struct{ A *int }{}
	fmt.Printf("%v %+v\n", *pp, *pp)
	a := &[]int{1}
	b := &map[string]int{"k": 1}
	c := &[2]bool{}
	fmt.Println(a, b, c)
}

// Output:
// r
//   r/a
//   r/b
//     r/b/c
// 2 true true
// {x [] <nil> map[]} {Name: Kids:[] parent:<nil> m:map[]} *main.P
// {<nil>} {A:<nil>}
// &[1] &map[k:1] &[false false]
