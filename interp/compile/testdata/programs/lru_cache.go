package main

import (
	"container/list"
	"fmt"
)

type entry struct {
	k string
	v int
}
type LRU struct {
	cap     int
	ll      *list.List
	m       map[string]*list.Element
	onEvict func(string, int)
}

func New(n int) *LRU { return &LRU{cap: n, ll: list.New(), m: make(map[string]*list.Element)} }
func (c *LRU) Get(k string) (v int, ok bool) {
	if e, hit := c.m[k]; hit {
		c.ll.MoveToFront(e)
		return e.Value.(*entry).v, true
	}
	return
}
func (c *LRU) Put(k string, v int) {
	if e, ok := c.m[k]; ok {
		e.Value.(*entry).v = v
		c.ll.MoveToFront(e)
		return
	}
	c.m[k] = c.ll.PushFront(&entry{k, v})
	if c.ll.Len() > c.cap {
		last := c.ll.Back()
		en := c.ll.Remove(last).(*entry)
		delete(c.m, en.k)
		if c.onEvict != nil {
			c.onEvict(en.k, en.v)
		}
	}
}
func main() {
	c := New(2)
	c.onEvict = func(k string, v int) { fmt.Println("evict", k, v) }
	c.Put("a", 1)
	c.Put("b", 2)
	fmt.Println(c.Get("a"))
	c.Put("c", 3)
	fmt.Println(c.Get("b"))
	c.Put("a", 10)
	fmt.Println(c.Get("a"))
	for e := c.ll.Front(); e != nil; e = e.Next() {
		fmt.Print(e.Value.(*entry).k, " ", *e.Value.(*entry), " ")
	}
	fmt.Println()
}

// Output:
// 1 true
// evict b 2
// 0 false
// 10 true
// a {a 10} c {c 3}
