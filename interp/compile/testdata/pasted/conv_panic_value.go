package main

import "fmt"

func main() {
	defer func() {
		err, ok := recover().(error)
		fmt.Println(ok, err)
	}()
	s := []int{1, 2}
	_ = [3]int(s)
}

// Output:
// true runtime error: cannot convert slice with length 2 to array or pointer to array with length 3
