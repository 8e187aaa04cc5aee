package main

import "fmt"

type Node struct {
	Val         int
	Left, Right *Node
}

func (n *Node) Insert(v int) *Node {
	if n == nil {
		return &Node{Val: v}
	}
	if v < n.Val {
		n.Left = n.Left.Insert(v)
	} else {
		n.Right = n.Right.Insert(v)
	}
	return n
}
func (n *Node) Walk(f func(int)) {
	if n == nil {
		return
	}
	n.Left.Walk(f)
	f(n.Val)
	n.Right.Walk(f)
}
func (n *Node) Height() int {
	if n == nil {
		return 0
	}
	return 1 + max(n.Left.Height(), n.Right.Height())
}

type Graph struct{ nodes map[string]*GNode }
type GNode struct {
	name   string
	edges  []*GNode
	parent *Graph
	attrs  map[string]GNode
}

func (g *Graph) Get(n string) *GNode {
	if x, ok := g.nodes[n]; ok {
		return x
	}
	x := &GNode{name: n, parent: g}
	g.nodes[n] = x
	return x
}

type A struct {
	b    *B
	list []A
}
type B struct {
	a A
	m map[string]*A
	f func(*A) B
}
type Tree map[string]Tree
type Visitor func(n *Node) Visitor
type Expr interface{ Eval() float64 }
type Num float64
type Bin struct {
	op   byte
	l, r Expr
}

func (n Num) Eval() float64 { return float64(n) }
func (b Bin) Eval() float64 {
	switch b.op {
	case '+':
		return b.l.Eval() + b.r.Eval()
	case '*':
		return b.l.Eval() * b.r.Eval()
	}
	return 0
}
func main() {
	var root *Node
	for _, v := range []int{5, 2, 8, 1, 9} {
		root = root.Insert(v)
	}
	root.Walk(func(v int) { fmt.Print(v, " ") })
	fmt.Println(root.Height(), root.Left.Val)
	g := &Graph{nodes: map[string]*GNode{}}
	a, b := g.Get("a"), g.Get("b")
	a.edges = append(a.edges, b, g.Get("c"))
	b.edges = append(b.edges, a)
	fmt.Println(len(g.nodes), a.edges[0].edges[0].name, a.parent == g)
	x := A{b: &B{m: map[string]*A{}}}
	x.b.m["self"] = &x
	x.list = append(x.list, A{}, x)
	x.b.a = x
	x.b.f = func(p *A) B { return *p.b }
	fmt.Println(x.b.m["self"] == &x, len(x.b.a.list), len(x.b.f(&x).m))
	t := Tree{"a": {"b": {}, "c": nil}}
	fmt.Println(len(t["a"]), t["a"]["b"] != nil, t)
	var seen int
	var visit Visitor
	visit = func(n *Node) Visitor {
		seen++
		if n == nil {
			return nil
		}
		return visit
	}
	for v := visit; v != nil; {
		if seen > 3 {
			break
		}
		v = v(root)
	}
	fmt.Println(seen)
	var e Expr = Bin{'+', Num(2), Bin{'*', Num(3), Num(4)}}
	fmt.Println(e.Eval(), e)
	fmt.Printf("%v %+v\n", *root.Left.Left, Bin{'+', Num(1), nil})
}

// Output:
// 1 2 5 8 9 3 2
// 3 a true
// true 2 1
// 2 true map[a:map[b:map[] c:map[]]]
// 4
// 14 {43 2 {42 3 4}}
// {1 <nil> <nil>} {op:43 l:1 r:<nil>}
