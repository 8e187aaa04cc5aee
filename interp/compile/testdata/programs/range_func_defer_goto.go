package main

import "fmt"

func count(n int) func(func(int) bool) {
	return func(yield func(int) bool) {
		for i := range n {
			if !yield(i) {
				fmt.Println("stopped at", i)
				return
			}
		}
	}
}

func deferring() (s string) {
	for i := range count(3) {
		defer func() { s += fmt.Sprint(i) }()
		defer fmt.Println("deferred", i)
	}
	fmt.Println("loop is over")
	return "r"
}

func recovering() (err error) {
	for i := range count(3) {
		defer func() {
			if r := recover(); r != nil {
				err = fmt.Errorf("recovered %v in %d", r, i)
			}
		}()
		if i == 1 {
			panic("one")
		}
	}
	return nil
}

func jumping() {
	tries := 0
again:
	tries++
	for i := range count(4) {
		for j := range count(4) {
			if j == 2 && tries < 3 {
				goto again
			}
			if j == 3 {
				goto done
			}
			if i > 5 {
				goto inner
			}
			continue
		inner:
			fmt.Println("never")
		}
	}
done:
	fmt.Println("tries", tries)
}

func inside() {
	for i := range count(2) {
		n := 0
	more:
		n++
		if n < 3 {
			goto more
		}
		fmt.Println(i, n)
	}
}

func main() {
	fmt.Println(deferring())
	fmt.Println(recovering())
	jumping()
	inside()
}

// Output:
// loop is over
// deferred 2
// deferred 1
// deferred 0
// r210
// recovered one in 1
// stopped at 2
// stopped at 0
// stopped at 2
// stopped at 0
// stopped at 3
// stopped at 0
// tries 3
// 0 3
// 1 3
