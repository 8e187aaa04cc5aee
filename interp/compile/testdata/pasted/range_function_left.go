package main

import "fmt"

func main() {
	var kept func(int) bool
	keep := func(yield func(int) bool) {
		kept = yield
		yield(1)
	}
	try := func(name string) {
		defer func() { fmt.Println(name, recover()) }()
		kept(2)
	}
	for i := range keep {
		if i == 1 {
			break
		}
	}
	try("left")
outer:
	for range keep {
		outside := kept
		for range keep {
			continue outer
		}
		kept = outside
	}
	try("continued")
	for range keep {
		outside := kept
		for range keep {
			break
		}
		kept = outside
		defer try("runs")
		break
	}
}

// Output:
// left runtime error: range function continued iteration after whole loop exit
// continued runtime error: range function continued iteration after whole loop exit
// runs runtime error: range function continued iteration after whole loop exit
