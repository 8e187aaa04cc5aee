package main

import "fmt"

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := 0; i < n; i++ {
			if !yield(i) {
				fmt.Print("stop ")
				return
			}
		}
	}
}
func pairs(m []string) func(func(int, string) bool) {
	return func(yield func(int, string) bool) {
		for i, s := range m {
			if !yield(i, s) {
				return
			}
		}
	}
}
func find(n int) (int, bool) {
	for i := range count(10) {
		for j := range count(10) {
			if i*j == n {
				return i*100 + j, true
			}
		}
	}
	return -1, false
}
func named() (s string, err error) {
	for i := range count(5) {
		s += fmt.Sprint(i)
		if i == 3 {
			return s + "!", nil
		}
	}
	return
}
func main() {
	for i := range count(3) {
		fmt.Print(i, " ")
	}
	for i := range count(10) {
		if i == 2 {
			continue
		}
		if i == 4 {
			break
		}
		fmt.Print(i, " ")
	}
	for i, s := range pairs([]string{"a", "b"}) {
		fmt.Print(i, s, " ")
	}
	fmt.Println(find(42))
	fmt.Println(find(97))
	fmt.Println(named())
outer:
	for i := range count(5) {
		for j := range count(5) {
			if j == 2 {
				continue outer
			}
			if i == 3 {
				break outer
			}
			fmt.Print(i, j, ";")
		}
	}
	fmt.Println()
	for range count(2) {
		fmt.Print("*")
	}
	x := 0
	for x = range count(4) {
	}
	fmt.Println(x)
}

// Output:
// 0 1 2 0 1 3 stop 0a 1b stop stop 607 true
// -1 false
// stop 0123! <nil>
// 0 0;0 1;stop 1 0;1 1;stop 2 0;2 1;stop stop stop
// **3
