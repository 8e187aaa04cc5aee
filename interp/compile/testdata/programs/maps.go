package main

import (
	"fmt"
	"sort"
	"strings"
)

type Key struct{ a, b int }
type Inv map[string][]string

func (i Inv) Add(k, v string) { i[k] = append(i[k], v) }
func main() {
	m := map[string]int{}
	for _, w := range strings.Fields("a b a c a b") {
		m[w]++
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Print(k, m[k], " ")
	}
	if v, ok := m["zz"]; !ok {
		fmt.Print(v, ok, " ")
	}
	delete(m, "a")
	fmt.Println(len(m), m)
	g := map[Key]map[string]bool{}
	if g[Key{1, 2}] == nil {
		g[Key{1, 2}] = map[string]bool{}
	}
	g[Key{1, 2}]["x"] = true
	fmt.Println(g, len(g[Key{9, 9}]))
	inv := Inv{}
	inv.Add("k", "v1")
	inv.Add("k", "v2")
	fmt.Println(inv)
	mp := map[string]*Key{"a": {1, 2}}
	mp["a"].a = 50
	fmt.Println(*mp["a"])
	ms := map[string][]int{}
	ms["x"] = append(ms["x"], 1, 2)
	ms["x"][0] = 7
	fmt.Println(ms)
	ma := map[any]string{1: "int", "1": "string", Key{1, 2}: "key", 1.5: "f"}
	fmt.Println(ma[1], ma["1"], ma[Key{1, 2}], ma[1.5], len(ma), ma[int64(1)] == "")
	fm := map[string]func(float64, float64) float64{"+": func(a, b float64) float64 { return a + b }}
	fmt.Println(fm["+"](1, 2), fm["-"] == nil)
}

// Output:
// a3 b2 c1 0 false 2 map[b:2 c:1]
// map[{1 2}:map[x:true]] 0
// map[k:[v1 v2]]
// {50 2}
// map[x:[7 2]]
// int string key f 4 true
// 3 true
