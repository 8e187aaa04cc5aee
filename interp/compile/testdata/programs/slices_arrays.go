package main

import "fmt"

func modify(s []int)         { s[0] = 100 }
func modArr(a [3]int) [3]int { a[0] = 100; return a }
func main() {
	a := [3]int{1, 2, 3}
	b := modArr(a)
	s := a[:]
	modify(s)
	fmt.Println(a, b, s, len(s[1:2]), cap(s[1:2]), cap(s[1:2:2]))
	var n []int
	fmt.Println(n == nil, len(n), append(n, 1, 2))
	grid := make([][]rune, 2)
	for i := range grid {
		grid[i] = []rune("..")
	}
	grid[1][0] = '#'
	for _, r := range grid {
		fmt.Print(string(r), " ")
	}
	x := []int{1, 2, 3, 4, 5}
	copy(x[1:], x)
	fmt.Println(x)
	x = append(x[:1], x[2:]...)
	fmt.Println(x, len(x))
	y := append([]int(nil), x...)
	y[0] = -1
	fmt.Println(x[0], y[0])
	bs := append([]byte("ab"), "cd"...)
	fmt.Println(string(bs))
	fmt.Println(copy(bs, "xyz"), string(bs))
	arr2 := [2][3]int{{1, 2, 3}}
	arr3 := arr2
	arr3[0][0] = 9
	fmt.Println(arr2, arr3, arr2 == arr3)
	for i, v := range a {
		a[2] = 10
		if i == 2 {
			fmt.Println(v)
		}
	}
	for i, v := range s {
		s[2] = 20
		if i == 2 {
			fmt.Println(v)
		}
	}
	pa := &a
	pa[1] = 77
	fmt.Println(a, len(pa))
	q := [4]int(append(x, 0)[:4])
	fmt.Println(q)
	st := []struct{ n int }{{1}, {2}}
	for _, e := range st {
		e.n = 0
	}
	for i := range st {
		st[i].n *= 2
	}
	fmt.Println(st)
	i := 0
	i, x[i] = 1, 99
	fmt.Println(i, x[0])
	x[0], x[1] = x[1], x[0]
	fmt.Println(x)
}

// Output:
// [100 2 3] [100 2 3] [100 2 3] 1 2 1
// true 0 [1 2]
// .. #. [1 1 2 3 4]
// [1 2 3 4] 4
// 1 -1
// abcd
// 3 xyzd
// [[1 2 3] [0 0 0]] [[9 2 3] [0 0 0]] false
// 3
// 20
// [100 77 20] 3
// [1 2 3 4]
// [{2} {4}]
// 1 99
// [2 99 3 4]
