package messaging

import (
	"context"
	"sync"
	"time"
)

// running holds the requests that an interrupt cancels.
type running struct {
	mu      sync.Mutex
	cancels map[int]context.CancelCauseFunc
	next    int
	last    time.Time // when cancel was called last
}

// start returns the context of a request, and a function that ends it.
func (r *running) start() (context.Context, func()) {
	ctx, cancel := context.WithCancelCause(context.Background())
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.cancels == nil {
		r.cancels = make(map[int]context.CancelCauseFunc)
	}
	id := r.next
	r.next++
	r.cancels[id] = cancel
	return ctx, func() {
		r.mu.Lock()
		delete(r.cancels, id)
		r.mu.Unlock()
		cancel(nil)
	}
}

// cancel cancels all.
func (r *running) cancel(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = time.Now()
	for _, cancel := range r.cancels {
		cancel(cause)
	}
}

// cancelled returns when cancel was called last.
func (r *running) cancelled() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}
