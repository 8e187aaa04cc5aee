package main

import (
	"fmt"
	"runtime"
)

// inner panics in a call that it has deferred, after runtime.Goexit.
func inner() {
	defer func() { panic("inner") }()
	runtime.Goexit()
}

func run(f func()) {
	done := make(chan int)
	go func() {
		defer close(done)
		f()
		fmt.Println("not reached")
	}()
	<-done
}

func main() {
	run(func() {
		defer func() { fmt.Println("recovered", recover()) }()
		defer func() { panic("first") }()
		runtime.Goexit()
	})
	run(func() {
		defer func() { fmt.Println("outer", recover()) }()
		inner()
	})
	run(func() {
		defer func() { fmt.Println("last", recover()) }()
		defer func() { runtime.Goexit() }()
		defer func() { panic("dropped") }()
		runtime.Goexit()
	})
	run(func() {
		defer func() { fmt.Println("again", recover()) }()
		defer func() {
			fmt.Println(recover())
			panic("second")
		}()
		defer func() { panic("first") }()
		runtime.Goexit()
	})
}

// Output:
// recovered first
// outer inner
// last <nil>
// first
// again second
