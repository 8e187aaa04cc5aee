package main

import (
	"fmt"
	"runtime"
)

func line() {
	_, _, n, _ := runtime.Caller(2)
	fmt.Println(n)
}

func ends() {
	defer func() {
		line()
	}()
	fmt.Print()
}

func returns(early bool) {
	defer func() {
		line()
	}()
	if early {
		return
	}
	fmt.Print()
}

func loops() {
	for range 2 {
		defer func() {
			line()
		}()
	}
	if fmt.Sprint() == "" {
		return
	}
}

func main() {
	ends()
	returns(true)
	returns(false)
	loops()
}

// Output:
// 18
// 25
// 28
// 39
// 39
