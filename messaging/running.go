package messaging

import (
	"context"
	"sync"
	"time"
)

// running is the set of requests in progress, which an interrupt cancels.
type running struct {
	mu      sync.Mutex
	cancels map[int]context.CancelCauseFunc // by request number
	next    int                             // the next request number
	last    time.Time                       // when cancel was last called
}

// start adds a request and returns its context. The caller must call done when
// the request is answered.
func (r *running) start() (ctx context.Context, done func()) {
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

// cancel cancels every request in progress.
func (r *running) cancel(cause error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last = time.Now()
	for _, cancel := range r.cancels {
		cancel(cause)
	}
}

// lastCancel returns the time of the last call of cancel.
func (r *running) lastCancel() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last
}
