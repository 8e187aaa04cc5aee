package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

type P struct {
	n string
	a int
}

func main() {
	x := []int{3, 1, 2}
	slices.Sort(x)
	fmt.Println(x, slices.Contains(x, 2), slices.Index(x, 3), slices.Max(x), slices.Min(x))
	slices.Reverse(x)
	fmt.Println(x)
	ps := []P{{"b", 2}, {"a", 2}, {"c", 1}}
	slices.SortFunc(ps, func(a, b P) int { return cmp.Or(cmp.Compare(a.a, b.a), strings.Compare(a.n, b.n)) })
	fmt.Println(ps)
	slices.SortStableFunc(ps, func(a, b P) int { return -cmp.Compare(a.a, b.a) })
	fmt.Println(ps)
	i, ok := slices.BinarySearch([]string{"a", "c"}, "b")
	fmt.Println(i, ok)
	y := slices.Clone(x)
	y[0] = 9
	fmt.Println(x, y, slices.Equal(x, y))
	fmt.Println(slices.Insert([]int{1, 4}, 1, 2, 3), slices.Delete([]int{1, 2, 3}, 0, 1), slices.Compact([]int{1, 1, 2, 2, 1}))
	fmt.Println(slices.IndexFunc(ps, func(p P) bool { return p.n == "c" }), slices.ContainsFunc(x, func(i int) bool { return i > 5 }))
	fmt.Println(slices.MaxFunc(ps, func(a, b P) int { return cmp.Compare(a.n, b.n) }), slices.Repeat([]int{1}, 3), slices.Concat([]int{1}, []int{2, 3}))
	for c := range slices.Chunk([]int{1, 2, 3}, 2) {
		fmt.Print(c)
	}
	for i, v := range slices.Backward(x) {
		fmt.Print(i, v, " ")
	}
	fmt.Println(slices.IsSorted(x), slices.Collect(slices.Values(x)), cmp.Compare("a", "b"), cmp.Less(1, 2))
}

// Output:
// [1 2 3] true 2 3 1
// [3 2 1]
// [{c 1} {a 2} {b 2}]
// [{a 2} {b 2} {c 1}]
// 1 false
// [3 2 1] [9 2 1] false
// [1 2 3 4] [2 3] [1 2 1]
// 2 false
// {c 1} [1 1 1] [1 2 3]
// [1 2][3]2 1 1 2 0 3 false [3 2 1] -1 true
