package main

import (
	"fmt"
	"sync"
	"time"
)

type Once[T any] struct {
	once sync.Once
	v    T
}

func (o *Once[T]) Do(f func() T) T { o.once.Do(func() { o.v = f() }); return o.v }
func main() {
	var o Once[string]
	fmt.Println(o.Do(func() string { return "a" }), o.Do(func() string { return "b" }))
	f := sync.OnceValues(func() (int, error) { fmt.Print("calc "); return 7, nil })
	fmt.Println(f())
	fmt.Println(f())
	start := time.Now()
	time.Sleep(2 * time.Millisecond)
	fmt.Println(time.Since(start) >= 2*time.Millisecond)
	done := make(chan bool)
	time.AfterFunc(time.Millisecond, func() { done <- true })
	fmt.Println(<-done)
	d, err := time.ParseDuration("1h15m")
	fmt.Println(d, d.Minutes(), err)
	_, err = time.Parse("2006", "x")
	fmt.Println(err != nil)
}

// Output:
// a a
// calc 7 <nil>
// 7 <nil>
// true
// true
// 1h15m0s 75 <nil>
// true
