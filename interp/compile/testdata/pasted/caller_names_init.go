package main

import (
	"fmt"
	"runtime"
)

func init() {
	fmt.Println(name())
	func() { fmt.Println(name()) }()
}

func init() { fmt.Println(name()) }

func name() string {
	pc, _, _, _ := runtime.Caller(1)
	return runtime.FuncForPC(pc).Name()
}

func main() { fmt.Println(name()) }

// Output:
// main.init.0
// main.init.0.func1
// main.init.1
// main.main
