package main

import (
	"fmt"
	"sort"
	"sync"
	"sync/atomic"
	"time"
)

type Job struct {
	ID int
	Fn func(int) int
}
type Result struct {
	Job Job
	Out int
	Err error
}
type Pool struct {
	jobs    chan Job
	results chan Result
	wg      sync.WaitGroup
	done    atomic.Int32
}

func NewPool(n int) *Pool {
	p := &Pool{jobs: make(chan Job), results: make(chan Result, 100)}
	for i := 0; i < n; i++ {
		p.wg.Add(1)
		go p.work(i)
	}
	return p
}
func (p *Pool) work(id int) {
	defer p.wg.Done()
	for j := range p.jobs {
		p.run(j)
	}
}
func (p *Pool) run(j Job) {
	defer func() {
		if r := recover(); r != nil {
			p.results <- Result{Job: j, Err: fmt.Errorf("job %d: %v", j.ID, r)}
		}
	}()
	p.results <- Result{j, j.Fn(j.ID), nil}
	p.done.Add(1)
}
func (p *Pool) Close() []Result {
	close(p.jobs)
	p.wg.Wait()
	close(p.results)
	var rs []Result
	for r := range p.results {
		rs = append(rs, r)
	}
	sort.Slice(rs, func(i, j int) bool { return rs[i].Job.ID < rs[j].Job.ID })
	return rs
}
func main() {
	p := NewPool(3)
	for i := 0; i < 6; i++ {
		p.jobs <- Job{i, func(n int) int {
			if n == 4 {
				panic("four")
			}
			return n * i
		}}
	}
	for _, r := range p.Close() {
		fmt.Println(r.Job.ID, r.Out, r.Err)
	}
	fmt.Println(p.done.Load())
	sem := make(chan struct{}, 2)
	var mu sync.Mutex
	total := 0
	var wg sync.WaitGroup
	for i := 1; i <= 5; i++ {
		wg.Add(1)
		go func(n int) {
			defer wg.Done()
			sem <- struct{}{}
			defer func() { <-sem }()
			mu.Lock()
			total += n
			mu.Unlock()
		}(i)
	}
	wg.Wait()
	fmt.Println(total)
	var once sync.Once
	for i := 0; i < 3; i++ {
		once.Do(func() { fmt.Println("init", i) })
	}
	timer := time.AfterFunc(time.Hour, func() {})
	fmt.Println(timer.Stop())
	errs := make(chan error, 1)
	go func() { defer close(errs); errs <- fmt.Errorf("e") }()
	for e := range errs {
		fmt.Println(e)
	}
}

// Output:
// 0 0 <nil>
// 1 1 <nil>
// 2 4 <nil>
// 3 9 <nil>
// 4 0 job 4: four
// 5 25 <nil>
// 5
// 15
// init 0
// true
// e
