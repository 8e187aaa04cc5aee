package main

import "fmt"

type P struct{ X, Y int }

func main() {
	m := map[string]*P{"a": {1, 2}, "b": {Y: 3}}
	fmt.Println(*m["a"], m["b"].Y)
	s := []*P{{1, 2}, {3, 4}}
	fmt.Println(*s[1], len(s))
	mm := map[P][]P{{1, 2}: {{3, 4}, {5, 6}}}
	fmt.Println(mm[P{1, 2}][1].X, mm)
	a := [...]string{2: "c", 0: "a"}
	fmt.Println(len(a), a)
	nested := [][]map[string]int{{{"x": 1}}, {}}
	fmt.Println(nested, len(nested[1]))
	arr := [2][2]P{{{1, 1}, {2, 2}}, {}}
	fmt.Println(arr)
	pp := &[]int{1, 2}
	(*pp)[0] = 9
	pm := &map[string]int{"k": 1}
	pa := &[3]int{1, 2, 3}
	for i, v := range pa {
		fmt.Print(i, v, " ")
	}
	fmt.Println(*pp, (*pm)["k"], pa[1], len(pa), pa[1:])
	anon := []struct {
		name string
		v    any
	}{{"a", 1}, {"b", P{1, 2}}}
	for _, t := range anon {
		fmt.Print(t.name, t.v, " ")
	}
	b := []byte{'a', 2: 'c'}
	fmt.Println(b, []rune{'x'}, [...]float32{1, 2.5}, map[bool]string{true: "t"})
}

// Output:
// {1 2} 3
// {3 4} 2
// 5 map[{1 2}:[{3 4} {5 6}]]
// 3 [a  c]
// [[map[x:1]] []] 0
// [[{1 1} {2 2}] [{0 0} {0 0}]]
// 0 1 1 2 2 3 [9 2] 1 2 3 [2 3]
// a1 b{1 2} [97 0 99] [120] [1 2.5] map[true:t]
