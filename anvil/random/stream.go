package random

import (
	"fmt"
	"sync"

	nv "github.com/goanvil/notebook/anvil"
)

//go:generate go run ./gen

// A Stream is a source of random numbers that goes on: each draw splits its key,
// keeps the first half and uses the second. Several goroutines may draw from
// one; which gets which numbers is then open. It has a method for each function
// of this package that draws (stream_gen.go).
type Stream struct {
	mu  sync.Mutex
	key PRNGKey
}

// New returns the stream that begins with the key of a seed.
func New(seed int) *Stream { return In(nv.Default()).New(seed) }

// New is the function New.
func (s Source) New(seed int) *Stream { return s.Key(seed).Stream() }

// Stream returns the stream that begins with k.
func (k PRNGKey) Stream() *Stream {
	k.check("Stream")
	return &Stream{key: k}
}

// String returns the stream with the key that the next draw splits.
func (r *Stream) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("random.Stream with the key %v", nv.Values[uint32](r.key.Data))
}

// Key returns a new key, and goes on. It is an error while a function is
// traced: the function would hold the same key for ever.
func (r *Stream) Key() PRNGKey {
	if r.key.Data.Context().Tracing() {
		panic(&nv.Error{Op: "random.Stream", Reason: "a function that is being traced would draw the same numbers at every call",
			Hint: "give it a random.PRNGKey as an argument: f(x, r.Key())"})
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	next, k := r.key.Split()
	r.key = next
	return k
}
