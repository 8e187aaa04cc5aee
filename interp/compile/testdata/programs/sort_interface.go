package main

import (
	"container/heap"
	"fmt"
	"sort"
)

type byLen []string

func (b byLen) Len() int           { return len(b) }
func (b byLen) Less(i, j int) bool { return len(b[i]) < len(b[j]) }
func (b byLen) Swap(i, j int)      { b[i], b[j] = b[j], b[i] }

type IntHeap []int

func (h IntHeap) Len() int           { return len(h) }
func (h IntHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h IntHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *IntHeap) Push(x any)        { *h = append(*h, x.(int)) }
func (h *IntHeap) Pop() any          { old := *h; n := len(old); x := old[n-1]; *h = old[:n-1]; return x }

type Item struct {
	v          string
	pri, index int
}
type PQ []*Item

func (q PQ) Len() int           { return len(q) }
func (q PQ) Less(i, j int) bool { return q[i].pri > q[j].pri }
func (q PQ) Swap(i, j int)      { q[i], q[j] = q[j], q[i]; q[i].index = i; q[j].index = j }
func (q *PQ) Push(x any)        { it := x.(*Item); it.index = len(*q); *q = append(*q, it) }
func (q *PQ) Pop() any {
	o := *q
	n := len(o)
	it := o[n-1]
	o[n-1] = nil
	*q = o[:n-1]
	return it
}
func main() {
	s := []string{"ccc", "a", "bb", "dddd"}
	sort.Sort(byLen(s))
	fmt.Println(s)
	sort.Sort(sort.Reverse(byLen(s)))
	fmt.Println(s, sort.IsSorted(byLen(s)))
	h := &IntHeap{5, 2, 8}
	heap.Init(h)
	heap.Push(h, 3)
	for h.Len() > 0 {
		fmt.Print(heap.Pop(h), " ")
	}
	fmt.Println()
	q := &PQ{}
	for i, w := range []string{"x", "y", "z"} {
		heap.Push(q, &Item{v: w, pri: (i * 7) % 5})
	}
	it := (*q)[2]
	it.pri = 100
	heap.Fix(q, it.index)
	for q.Len() > 0 {
		it := heap.Pop(q).(*Item)
		fmt.Print(it.v, it.pri, " ")
	}
	fmt.Println()
	people := []struct {
		n string
		a int
	}{{"A", 30}, {"B", 25}}
	sort.Slice(people, func(i, j int) bool { return people[i].a < people[j].a })
	fmt.Println(people)
}

// Output:
// [a bb ccc dddd]
// [dddd ccc bb a] false
// 2 3 5 8
// y100 z4 x0
// [{B 25} {A 30}]
