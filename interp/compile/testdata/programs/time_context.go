package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"
)

type key struct{}
type userKey string
type User struct{ Name string }

func worker(ctx context.Context, out chan<- string) {
	select {
	case <-ctx.Done():
		out <- "cancelled: " + ctx.Err().Error()
	case <-time.After(5 * time.Second):
		out <- "late"
	}
}
func main() {
	ctx := context.WithValue(context.Background(), key{}, &User{"ann"})
	ctx = context.WithValue(ctx, userKey("id"), 42)
	u, ok := ctx.Value(key{}).(*User)
	fmt.Println(u.Name, ok, ctx.Value(userKey("id")), ctx.Value("id"), ctx.Value(userKey("zz")) == nil)
	c, cancel := context.WithTimeout(ctx, time.Millisecond)
	defer cancel()
	out := make(chan string)
	go worker(c, out)
	fmt.Println(<-out, errors.Is(c.Err(), context.DeadlineExceeded))
	var once sync.Once
	for range 3 {
		once.Do(func() { fmt.Println("once") })
	}
	var m sync.Map
	m.Store(userKey("k"), User{"bob"})
	v, _ := m.Load(userKey("k"))
	_, no := m.Load("k")
	fmt.Println(v.(User).Name, no)
	t := time.Date(2024, time.March, 5, 10, 30, 0, 0, time.UTC)
	fmt.Println(t.Weekday(), t.Add(36*time.Hour).Format("2006-01-02 15:04"), t.Sub(t.AddDate(0, 0, -1)), t.Month() == time.March)
	tick := time.NewTicker(time.Millisecond)
	<-tick.C
	tick.Stop()
	var mu sync.RWMutex
	mu.RLock()
	mu.RUnlock()
	pool := sync.Pool{New: func() any { return &User{"pooled"} }}
	fmt.Println(pool.Get().(*User).Name)
	cond := sync.NewCond(&sync.Mutex{})
	ready := false
	go func() { cond.L.Lock(); ready = true; cond.L.Unlock(); cond.Broadcast() }()
	cond.L.Lock()
	for !ready {
		cond.Wait()
	}
	cond.L.Unlock()
	fmt.Println("ready")
}

// Output:
// ann true 42 <nil> true
// cancelled: context deadline exceeded true
// once
// bob false
// Tuesday 2024-03-06 22:30 24h0m0s true
// pooled
// ready
