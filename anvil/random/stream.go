package random

import (
	"fmt"
	"sync"

	nv "github.com/goanvil/notebook/anvil"
)

//go:generate go run ./gen

// A Stream is a source of random numbers with a state. Each draw splits the stream's key, keeps the first new
// key and uses the second. A Stream has a method for each sampler of this package (stream_gen.go). It is safe
// for concurrent use, but then the numbers that each goroutine draws are not reproducible.
type Stream struct {
	mu  sync.Mutex
	key PRNGKey
}

// New returns a stream that begins with the key of a seed.
func New(seed int) *Stream { return In(nv.Default()).New(seed) }

// New returns a stream that begins with the key of a seed, as the function New does.
func (s Source) New(seed int) *Stream { return s.Key(seed).Stream() }

// Stream returns a stream that begins with k.
func (k PRNGKey) Stream() *Stream {
	k.check("Stream")
	return &Stream{key: k}
}

// String returns a text with the key that the next draw will split.
func (r *Stream) String() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return fmt.Sprintf("random.Stream with the key %v", nv.Values[uint32](r.key.Data))
}

// Key returns a new key. It panics while a function is being traced: the compiled function
// would use the same key in every call.
func (r *Stream) Key() PRNGKey {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.key.Data.Context().Tracing() {
		panic(&nv.Error{Op: "random.Stream", Reason: "a traced function would draw the same numbers in every call",
			Hint: "pass it a random.PRNGKey as an argument: f(x, r.Key())"})
	}
	next, k := r.key.Split()
	r.key = next
	return k
}
