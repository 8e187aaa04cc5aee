package main

import "fmt"

type Node struct {
	v    int
	next *Node
}
type W struct {
	p  *int
	pp **int
}

func inc(p *int)        { *p++ }
func swap(a, b *string) { *a, *b = *b, *a }
func newInt(v int) *int { return &v }
func reset(n *Node)     { *n = Node{v: -1} }
func main() {
	x := 1
	p := &x
	inc(p)
	*p *= 10
	fmt.Println(x, *p == x, p == &x)
	a, b := "a", "b"
	swap(&a, &b)
	fmt.Println(a, b)
	pp := &p
	**pp = 5
	*pp = newInt(7)
	fmt.Println(x, *p, **pp)
	n := &Node{1, &Node{2, nil}}
	for c := n; c != nil; c = c.next {
		c.v *= 2
	}
	fmt.Println(n.v, n.next.v)
	reset(n)
	fmt.Println(*n)
	w := W{p: &x, pp: &p}
	*w.p = 9
	**w.pp = 8
	fmt.Println(x, *p)
	arr := [3]int{1, 2, 3}
	ap := &arr
	ap[1] = 20
	for i := range ap {
		ap[i]++
	}
	fmt.Println(arr, len(ap))
	s := []Node{{v: 1}}
	sp := &s[0]
	sp.v = 50
	fmt.Println(s[0].v)
	ps := &s
	*ps = append(*ps, Node{v: 2})
	(*ps)[1].v = 60
	fmt.Println(len(s), s[1].v)
	m := map[string]*int{"x": &x}
	*m["x"]++
	fmt.Println(x)
	var np *Node
	fmt.Println(np == nil, np)
	f := &struct{ a, b int }{1, 2}
	f.a += f.b
	fmt.Println(*f)
	q := new(Node)
	q.next = q
	fmt.Println(q.next.next == q)
	fp := func() *Node { return &Node{v: 3} }
	fp().v = 4
	fmt.Println(fp().v)
	var iface any = &x
	*iface.(*int) = 77
	fmt.Println(x)
	y := new(5)
	*y += 1
	fmt.Println(*y, *new("s"))
}

// Output:
// 20 true true
// b a
// 5 7 7
// 2 4
// {-1 <nil>}
// 9 8
// [2 21 4] 3
// 50
// 2 60
// 10
// true <nil>
// {3 2}
// true
// 3
// 77
// 6 s
