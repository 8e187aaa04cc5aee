package main

import (
	"context"
	"fmt"
	"sync"
	"time"
)

func producer(n int) <-chan int {
	ch := make(chan int)
	go func() {
		defer close(ch)
		for i := range n {
			ch <- i
		}
	}()
	return ch
}
func main() {
	for v := range producer(3) {
		fmt.Print(v, " ")
	}
	done := make(chan struct{})
	res := make(chan string, 2)
	go func() { defer close(done); res <- "a"; res <- "b" }()
	<-done
	close(res)
	for s := range res {
		fmt.Print(s)
	}
	v, ok := <-res
	fmt.Printf(" %q %v\n", v, ok)
	select {
	case <-time.After(time.Millisecond):
		fmt.Println("timeout")
	case <-make(chan int):
	}
	select {
	case x := <-make(chan int):
		fmt.Println(x)
	default:
		fmt.Println("default")
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	<-ctx.Done()
	fmt.Println(ctx.Err())
	var nilch chan int
	select {
	case nilch <- 1:
	default:
		fmt.Println("nil blocks")
	}
	var x int
	var open bool
	c := make(chan int, 1)
	c <- 5
	select {
	case x, open = <-c:
	}
	fmt.Println(x, open, len(c), cap(c))
	var wg sync.WaitGroup
	jobs, results := make(chan int, 10), make(chan int, 10)
	for w := 0; w < 3; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for j := range jobs {
				results <- j * j
			}
		}()
	}
	for i := range 5 {
		jobs <- i
	}
	close(jobs)
	wg.Wait()
	close(results)
	sum := 0
	for r := range results {
		sum += r
	}
	fmt.Println(sum)
	errc := make(chan error, 1)
	errc <- nil
	fmt.Println(<-errc == nil)
}

// Output:
// 0 1 2 ab "" false
// timeout
// default
// context canceled
// nil blocks
// 5 true 0 1
// 30
// true
