package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type SafeMap[K comparable, V any] struct {
	mu sync.RWMutex
	m  map[K]V
}

func (s *SafeMap[K, V]) Set(k K, v V) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.m == nil {
		s.m = make(map[K]V)
	}
	s.m[k] = v
}
func (s *SafeMap[K, V]) Get(k K) (V, bool) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	v, ok := s.m[k]
	return v, ok
}

type Future[T any] struct {
	ch  chan struct{}
	v   T
	err error
}

func Async[T any](f func() (T, error)) *Future[T] {
	fu := &Future[T]{ch: make(chan struct{})}
	go func() { defer close(fu.ch); fu.v, fu.err = f() }()
	return fu
}
func (f *Future[T]) Await() (T, error) { <-f.ch; return f.v, f.err }
func parallel(n int, f func(int) error) error {
	errs := make([]error, n)
	var wg sync.WaitGroup
	for i := range n {
		wg.Add(1)
		go func() { defer wg.Done(); errs[i] = f(i) }()
	}
	wg.Wait()
	return errors.Join(errs...)
}

type ticker struct {
	stop chan struct{}
	n    int
	done chan int
}

func (t *ticker) run() {
	for {
		select {
		case <-t.stop:
			t.done <- t.n
			return
		default:
			t.n++
			time.Sleep(time.Microsecond)
		}
	}
}
func main() {
	var m SafeMap[string, int]
	var wg sync.WaitGroup
	for i := range 10 {
		wg.Add(1)
		go func() { defer wg.Done(); m.Set(fmt.Sprint("k", i%3), i%3) }()
	}
	wg.Wait()
	fmt.Println(m.Get("k2"))
	fmt.Println(m.Get("zz"))
	fmt.Println(len(m.m))
	f := Async(func() (string, error) { return "done", nil })
	g := Async(func() (int, error) { return 0, errors.New("failed") })
	fmt.Println(f.Await())
	fmt.Println(g.Await())
	fmt.Println(parallel(4, func(i int) error {
		if i%2 == 1 {
			return fmt.Errorf("e%d", i)
		}
		return nil
	}))
	t := &ticker{stop: make(chan struct{}), done: make(chan int)}
	go t.run()
	close(t.stop)
	fmt.Println(<-t.done >= 0)
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errors.New("why"))
	fmt.Println(context.Cause(ctx))
	ch := make(chan int)
	go func() {
		defer close(ch)
		for i := range 3 {
			select {
			case ch <- i:
			case <-time.After(time.Second):
				return
			}
		}
	}()
	for v := range ch {
		fmt.Print(v)
	}
	var mu sync.Mutex
	c := sync.NewCond(&mu)
	q := []int{}
	go func() { mu.Lock(); q = append(q, 1); mu.Unlock(); c.Signal() }()
	mu.Lock()
	for len(q) == 0 {
		c.Wait()
	}
	mu.Unlock()
	fmt.Println(q)
	res := make(chan int, 3)
	for _, n := range []int{1, 2, 3} {
		go func(n int) { res <- n * n }(n)
	}
	s := 0
	for range 3 {
		s += <-res
	}
	fmt.Println(s)
}

// Output:
// 2 true
// 0 false
// 3
// done <nil>
// 0 failed
// e1
// e3
// true
// why
// 012[1]
// 14
