package main

import (
	"fmt"
	"runtime"
)

type chain struct{}

func (c *chain) at() *chain {
	_, file, line, _ := runtime.Caller(1)
	fmt.Println(file, line)
	return c
}

func at(...any) *chain { return new(chain).at() }

func where() string {
	_, _, line, _ := runtime.Caller(1)
	return fmt.Sprint(line)
}

type shower interface{ show() }

func main() {
//line :1
	new(chain).at()
//line a/names.go:10
	new(chain).at()
//line /b/names.go:10:20
	new(chain).at()
//line :11:22
	new(chain).at()
	/*line :10*/ new(chain).at()
//line calls.go:30
	new(chain).
		at().
		at()
	fmt.Println(
		where(),
		where())
	func() {
		defer func() {
			fmt.Println(recover())
			for skip := range 8 {
				if _, file, line, _ := runtime.Caller(skip); file == "calls.go" {
					fmt.Println(file, line)
				}
			}
		}()
		var s shower
		s.
			show()
	}()
}

// Output:
// ?? 1
// a/names.go 10
// /b/names.go 10
// /b/names.go 11
// ?? 10
// calls.go 31
// calls.go 32
// 34 35
// runtime error: invalid memory address or nil pointer dereference
// calls.go 40
// calls.go 47
// calls.go 48
