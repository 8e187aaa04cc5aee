package main

import (
	"fmt"
	"runtime"
)

func report(f func()) {
	defer func() {
		err, ok := recover().(runtime.Error)
		fmt.Println(err, ok)
	}()
	f()
}

func twice(yield func(int) bool) { yield(1); yield(2) }

func quiet(yield func(int) bool) {
	defer func() { recover() }()
	yield(1)
}

func quietTwice(yield func(int) bool) {
	quiet(yield)
	yield(2)
}

func main() {
	report(func() {
		for range twice {
			break
		}
	})
	report(func() {
		for range quiet {
			panic("in the body")
		}
	})
	report(func() {
		for range quietTwice {
			panic("in the body")
		}
	})
	report(func() {
		var kept func(int) bool
		for range func(yield func(int) bool) { kept = yield } {
		}
		kept(1)
	})
}

// Output:
// runtime error: range function continued iteration after function for loop body returned false true
// runtime error: range function recovered a loop body panic and did not resume panicking true
// runtime error: range function continued iteration after loop body panic true
// runtime error: range function continued iteration after whole loop exit true
