package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
)

func main() {
	m := map[string]int{"x": 1, "y": 2}
	n := maps.Clone(m)
	n["z"] = 3
	fmt.Println(len(m), len(n), maps.Equal(m, n))
	maps.DeleteFunc(n, func(k string, v int) bool { return v > 1 })
	fmt.Println(n)
	maps.Copy(n, map[string]int{"q": 7})
	fmt.Println(n)
	fmt.Println(slices.Sorted(maps.Keys(m)), slices.Collect(maps.Values(map[int]string{1: "one"})))
	f := sync.OnceValue(func() int { fmt.Print("once "); return 42 })
	fmt.Println(f(), f())
	var c atomic.Int64
	c.Add(5)
	fmt.Println(c.Load())
	o := sync.OnceFunc(func() { fmt.Println("o") })
	o()
	o()
	for l := range strings.SplitSeq("a,b", ",") {
		fmt.Print(l, ";")
	}
	for l := range strings.Lines("p\nq\n") {
		fmt.Printf("%q", l)
	}
	fmt.Println(maps.Collect(slices.All([]string{"a"})))
}

// Output:
// 2 3 false
// map[x:1]
// map[q:7 x:1]
// [x y] [one]
// once 42 42
// 5
// o
// a;b;"p\n""q\n"map[0:a]
