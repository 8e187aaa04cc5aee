package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"
)

// A compiled is a program that is ready to run.
type compiled struct {
	exe     Executable
	origin  Origin
	results int // number of results
	ops     int // number of operations
}

// size returns the cost of keeping c in memory. On a CPU this is about the number of memory
// mappings of its machine code. Linux allows a process 65,530 mappings (vm.max_map_count);
// when there are so many, compiling fails.
func (c *compiled) size() int {
	if c.origin == InHost {
		return 0
	}
	return 8 + c.ops
}

// programs is a cache of compiled programs by key. It has two generations: when the young generation is full, the old
// one is dropped and the young one becomes the old one. So the most recently used programs stay in the cache: at least
// maxPrograms/2 of them, or fewer if their sizes add up to maxSize/2. Different programs are compiled in parallel, but
// a program is not compiled twice at the same time.
type programs struct {
	mu         sync.Mutex
	young, old map[string]*compiled
	size       int // sum of the sizes of the programs in young
	pending    map[string]*pendingProgram
}

// Limits for both generations together.
const (
	maxPrograms = 4096
	maxSize     = 24_576 // sum of compiled.size
)

// A pendingProgram is a program that is being compiled.
type pendingProgram struct {
	done chan struct{} // closed when c or err is set
	c    *compiled
	err  error
}

// find returns the program with the given key, or nil.
func (p *programs) find(key []byte) *compiled {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.young[string(key)]; c != nil {
		return c
	}
	return p.promote(string(key))
}

// promote adds the program with the given key to the young generation if it is in the old one. It returns the
// program, or nil if the old generation does not have it.
func (p *programs) promote(key string) *compiled {
	c := p.old[key]
	if c != nil {
		p.add(key, c)
	}
	return c
}

// add adds a program to the young generation. If that is full, it begins a new young generation first.
func (p *programs) add(key string, c *compiled) {
	full := len(p.young) >= maxPrograms/2 || p.size+c.size() > maxSize/2
	if p.young == nil || full {
		dropped := p.old != nil
		p.old, p.young, p.size = p.young, map[string]*compiled{}, 0
		if dropped {
			runtime.GC() // frees the dropped programs, which are small in Go's heap but large in the plugin's memory
		}
	}
	p.young[key] = c
	p.size += c.size()
}

// get returns the program with the given key. If the cache does not have it, get calls compile, or waits for
// another call of get that is compiling the program. If that call is interrupted, one of the waiting calls compiles
// the program instead. found is false if this call has compiled the program.
func (p *programs) get(
	ctx context.Context, key string, compile func() (*compiled, error),
) (c *compiled, found bool, err error) {
	for ctx.Err() == nil {
		c, m, mine := p.claim(key)
		if c != nil {
			return c, true, nil
		}
		if mine {
			c, err := p.produce(key, m, compile)
			return c, false, err
		}
		select {
		case <-m.done:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
		interrupted := errors.Is(m.err, context.Canceled) || errors.Is(m.err, context.DeadlineExceeded)
		if !interrupted {
			return m.c, true, m.err
		}
	}
	return nil, false, ctx.Err()
}

// claim returns the program with the given key, or, if another call of get is compiling it, that call's
// pendingProgram m. If neither exists, claim makes m and mine is true: the caller must call produce with m.
func (p *programs) claim(key string) (c *compiled, m *pendingProgram, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c = p.young[key]; c == nil {
		c = p.promote(key)
	}
	if c != nil {
		return c, nil, false
	}
	if m = p.pending[key]; m != nil {
		return nil, m, false
	}
	if p.pending == nil {
		p.pending = map[string]*pendingProgram{}
	}
	m = &pendingProgram{done: make(chan struct{}), err: errPanicked} // produce replaces the error unless compile panics
	p.pending[key] = m
	return nil, m, true
}

var errPanicked = errors.New("engine: compiling a program panicked")

// produce calls compile, sets the program or the error of m, and wakes the goroutines that wait for m. It wakes
// them even if compile panics.
func (p *programs) produce(
	key string, m *pendingProgram, compile func() (*compiled, error),
) (*compiled, error) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.pending, key)
		if m.err == nil {
			p.add(key, m.c)
		}
		close(m.done)
	}()
	m.c, m.err = compile()
	return m.c, m.err
}
