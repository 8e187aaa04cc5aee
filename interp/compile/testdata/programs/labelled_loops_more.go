package main

import "fmt"

func find(m [][]int, t int) (r, c int, ok bool) {
search:
	for i, row := range m {
		for j, v := range row {
			if v == t {
				r, c, ok = i, j, true
				break search
			}
			if v < 0 {
				continue search
			}
		}
	}
	return
}
func main() {
	fmt.Println(find([][]int{{1, 2}, {-1, 9}, {3, 9}}, 9))
	n := 0
outer:
	for {
		switch {
		case n > 5:
			break outer
		case n%2 == 0:
			n += 3
			continue outer
		default:
			n++
		}
		for range 2 {
			if n > 4 {
				continue outer
			}
			n++
		}
	}
	fmt.Println(n)
	var fs []func() int
L:
	for i := 0; i < 5; i++ {
		switch i {
		case 1:
			continue L
		case 4:
			break L
		}
		for j := range 3 {
			if j == 1 {
				continue L
			}
			fs = append(fs, func() int { return i*10 + j })
		}
	}
	for _, f := range fs {
		fmt.Print(f(), " ")
	}
	i := 0
retry:
	i++
	if i < 3 {
		goto retry
	}
	fmt.Println(i)
	for i, j := 0, 10; ; i, j = i+1, j-1 {
		if i >= j {
			fmt.Println(i, j)
			break
		}
	}
	k := 0
	for k < 3 {
		k++
	}
	for k < 6 {
		k += 2
	}
	fmt.Println(k)
}

// Output:
// 2 1 true
// 6
// 0 20 30 3
// 5 5
// 7
