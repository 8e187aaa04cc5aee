package main

import "fmt"

type P struct{ X, Y int }

func strs() []string { return []string{"a"} }
func main() {
	i, p := 5, P{1, 2}
	n, seen := 1, map[string]bool{}
	best, path := 100, []int{}
	if got, want := strs(), []string{"a"}; true {
		fmt.Println(got, want)
	}
	fmt.Println(i, p, n, seen, best, path)
}

// Output:
// [a] [a]
// 5 {1 2} 1 map[] 100 []
