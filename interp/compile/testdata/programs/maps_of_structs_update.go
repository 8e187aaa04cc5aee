package main

import (
	"fmt"
	"sort"
	"strings"
)

type Stat struct {
	n    int
	sum  float64
	tags []string
}
type Key struct {
	a string
	b int
}
type DB struct {
	byID  map[int]*Rec
	idx   map[string][]int
	cache map[Key]Stat
}
type Rec struct {
	ID    int
	Name  string
	Attrs map[string]any
}

func (db *DB) Add(name string, kv ...any) *Rec {
	r := &Rec{ID: len(db.byID) + 1, Name: name, Attrs: map[string]any{}}
	for i := 0; i+1 < len(kv); i += 2 {
		r.Attrs[kv[i].(string)] = kv[i+1]
	}
	db.byID[r.ID] = r
	db.idx[name] = append(db.idx[name], r.ID)
	return r
}
func main() {
	stats := map[string]Stat{}
	for i, w := range strings.Fields("a b a c a") {
		s := stats[w]
		s.n++
		s.sum += float64(i)
		s.tags = append(s.tags, fmt.Sprint(i))
		stats[w] = s
	}
	keys := make([]string, 0)
	for k := range stats {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Print(k, stats[k], " ")
	}
	fmt.Println(len(stats))
	db := &DB{map[int]*Rec{}, map[string][]int{}, map[Key]Stat{}}
	db.Add("x", "k", 1, "f", 2.5).Attrs["late"] = []string{"z"}
	db.Add("x")
	db.byID[2].Name = "renamed"
	fmt.Println(db.idx, *db.byID[1], db.byID[2].Name, db.byID[3] == nil)
	db.cache[Key{"q", 1}] = Stat{n: 1}
	c, ok := db.cache[Key{"q", 1}]
	_, no := db.cache[Key{"q", 2}]
	fmt.Println(c.n, ok, no)
	if v, ok := db.byID[1].Attrs["f"].(float64); ok {
		fmt.Println(v * 2)
	}
	nested := map[string]map[string]int{}
	for _, p := range []string{"a.x", "a.y", "b.x"} {
		k, v, _ := strings.Cut(p, ".")
		if nested[k] == nil {
			nested[k] = map[string]int{}
		}
		nested[k][v]++
	}
	fmt.Println(nested)
	type set = map[string]bool
	var u set = set{"a": true}
	fmt.Println(u["a"], u["b"])
	arr := map[string][2]int{"p": {1, 2}}
	q := arr["p"]
	q[0] = 9
	fmt.Println(arr, q)
	fm := map[bool]func() string{true: func() string { return "T" }}
	fmt.Println(fm[1 < 2]())
	for k := range stats {
		delete(stats, k)
	}
	fmt.Println(len(stats))
	var nilm map[string]int
	fmt.Println(nilm["x"], len(nilm))
	for range nilm {
		fmt.Println("never")
	}
}

// Output:
// a{3 6 [0 2 4]} b{1 1 [1]} c{1 3 [3]} 3
// map[x:[1 2]] {1 x map[f:2.5 k:1 late:[z]]} renamed true
// 1 true false
// 5
// map[a:map[x:1 y:1] b:map[x:1]]
// true false
// map[p:[1 2]] [9 2]
// T
// 0
// 0 0
