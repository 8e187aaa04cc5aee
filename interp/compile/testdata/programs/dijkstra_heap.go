package main

import (
	"container/heap"
	"fmt"
	"math"
)

type Edge struct {
	to string
	w  int
}
type Graph map[string][]Edge
type item struct {
	node string
	dist int
}
type pq []item

func (p pq) Len() int           { return len(p) }
func (p pq) Less(i, j int) bool { return p[i].dist < p[j].dist }
func (p pq) Swap(i, j int)      { p[i], p[j] = p[j], p[i] }
func (p *pq) Push(x any)        { *p = append(*p, x.(item)) }
func (p *pq) Pop() any          { o := *p; x := o[len(o)-1]; *p = o[:len(o)-1]; return x }
func (g Graph) Shortest(from string) map[string]int {
	d := map[string]int{}
	for n := range g {
		d[n] = math.MaxInt
	}
	d[from] = 0
	q := &pq{{from, 0}}
	for q.Len() > 0 {
		it := heap.Pop(q).(item)
		if it.dist > d[it.node] {
			continue
		}
		for _, e := range g[it.node] {
			if nd := it.dist + e.w; nd < d[e.to] {
				d[e.to] = nd
				heap.Push(q, item{e.to, nd})
			}
		}
	}
	return d
}
func main() {
	g := Graph{"a": {{"b", 4}, {"c", 1}}, "c": {{"b", 2}, {"d", 7}}, "b": {{"d", 1}}, "d": nil, "z": {}}
	d := g.Shortest("a")
	fmt.Println(d["b"], d["d"], d["z"] == math.MaxInt, len(d))
	type pt struct{ r, c int }
	grid := []string{"..#", ".#.", "..."}
	seen := map[pt]bool{{0, 0}: true}
	queue := []pt{{0, 0}}
	steps := 0
	for len(queue) > 0 {
		n := len(queue)
		for _, p := range queue[:n] {
			for _, dd := range [4]pt{{0, 1}, {1, 0}, {0, -1}, {-1, 0}} {
				q := pt{p.r + dd.r, p.c + dd.c}
				if q.r >= 0 && q.r < 3 && q.c >= 0 && q.c < 3 && grid[q.r][q.c] == '.' && !seen[q] {
					seen[q] = true
					queue = append(queue, q)
				}
			}
		}
		queue = queue[n:]
		steps++
	}
	fmt.Println(len(seen), steps)
}

// Output:
// 3 4 true 5
// 7 6
