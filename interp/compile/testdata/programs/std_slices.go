package main

import (
	"cmp"
	"fmt"
	"math"
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
	operands()
	compared()
	for _, f := range []func(){
		func() { slices.Replace([]int{1, 2, 3}, 3, 1) },
		func() { slices.Replace(make([]int, 1, 3), 0, 2) },
		func() { slices.Insert([]int{1, 2, 3}, 5) },
		func() { slices.Repeat([]int{1, 2}, math.MaxInt) },
	} {
		func() {
			defer func() { fmt.Println(recover()) }()
			f()
		}()
	}
	fmt.Println(slices.Repeat([]int{}, math.MaxInt), slices.Repeat([]string(nil), 2) == nil, slices.Repeat([]int{1, 2}, 3))
}

// operands shows that a result in a new array leaves the operand as it was.
func operands() {
	s := []int{1, 2, 3}
	t := slices.Insert(s, 0, 9)
	fmt.Println(s, t, cap(t))
	t = slices.Insert(s, 3, 9)
	fmt.Println(s, t, cap(t))
	t = slices.Replace(s, 0, 1, 8, 9)
	fmt.Println(s, t, cap(t))
	room := append(make([]int, 0, 8), 1, 2, 3)
	t = slices.Insert(room, 1, room[1:]...)
	fmt.Println(room, t, &room[0] == &t[0])
	t = slices.Replace(t, 0, 3, 7)
	fmt.Println(t, t[:5], &room[0] == &t[0])
	slices.Grow(s[:1], 2)
	fmt.Println(s, len(slices.Grow(s, 5)), cap(slices.Grow(s, 5)) >= 8)
}

// compared shows the order of the operands of comparisons.
func compared() {
	fmt.Println(slices.CompactFunc([]int{1, 2, 4, 3}, func(a, b int) bool { return a > b }))
	fmt.Println(slices.IsSortedFunc([]int{3, 1, 2}, func(a, b int) int {
		fmt.Print(a, " ", b, "; ")
		return cmp.Compare(a, b)
	}))
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
// [1 2 3] [9 1 2 3] 6
// [1 2 3] [1 2 3 9] 6
// [1 2 3] [8 9 2 3] 6
// [1 2 3] [1 2 3 2 3] true
// [7 2 3] [7 2 3 0 0] true
// [1 2 3] 3 true
// [1 3]
// 2 1; 1 3; false
// runtime error: slice bounds out of range [3:1]
// runtime error: slice bounds out of range [2:1]
// runtime error: slice bounds out of range [5:3]
// the result of (len(x) * count) overflows
// [] false [1 2 1 2 1 2]
