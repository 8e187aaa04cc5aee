package engine

import (
	"context"
	"errors"
	"runtime"
	"sync"
)

// A compiled is a program in memory.
type compiled struct {
	exe     Executable
	origin  Origin
	results int
	ops     int // how many operations it has
}

// size is how much room c takes: on a CPU about the regions of memory that its
// machine code is mapped to, of which a process of Linux may have 65,530. A program
// that finds none left cannot be compiled.
func (c *compiled) size() int {
	if c.origin == InHost {
		return 0
	}
	return 8 + c.ops
}

// programs are compiled programs by key: those used last, at least half of
// maxPrograms, and of their sizes. The others are let go of; the disk has them. Different programs
// are made at the same time, and one that several want is made once.
type programs struct {
	mu         sync.Mutex
	young, old map[string]*compiled
	size       int // of the young ones
	making     map[string]*making
}

// Bounds of what is kept: programs, and their sizes added up.
const (
	maxPrograms = 4096
	maxSize     = 24_576
)

// A making is a program that somebody makes.
type making struct {
	done chan struct{} // closed once c or err is there
	c    *compiled
	err  error
}

// find returns the program of the key, or nil.
func (p *programs) find(key []byte) *compiled {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c := p.young[string(key)]; c != nil {
		return c
	}
	return p.aged(string(key))
}

// aged returns an old program, which is young again.
func (p *programs) aged(key string) *compiled {
	c := p.old[key]
	if c != nil {
		p.add(key, c)
	}
	return c
}

func (p *programs) add(key string, c *compiled) {
	if p.young == nil || len(p.young) >= maxPrograms/2 || p.size+c.size() > maxSize/2 {
		dropped := p.old != nil
		p.old, p.young, p.size = p.young, map[string]*compiled{}, 0
		if dropped {
			runtime.GC() // what is let go of is little for Go, and much for the system
		}
	}
	p.young[key] = c
	p.size += c.size()
}

// get returns the program of the key; where there is none it has it made, or
// waits for who is making it. Whose interrupt ended the making is of no concern
// to those who wait: one of them makes it then. Found says that it was not made
// for this call.
func (p *programs) get(ctx context.Context, key string, produce func() (*compiled, error)) (c *compiled, found bool, err error) {
	for ctx.Err() == nil {
		c, m, mine := p.claim(key)
		if c != nil {
			return c, true, nil
		}
		if mine {
			c, err := p.produce(key, m, produce)
			return c, false, err
		}
		select {
		case <-m.done:
		case <-ctx.Done():
			return nil, false, ctx.Err()
		}
		if m.err == nil || !errors.Is(m.err, context.Canceled) && !errors.Is(m.err, context.DeadlineExceeded) {
			return m.c, true, m.err
		}
	}
	return nil, false, ctx.Err()
}

// claim returns the program of the key, or its making, and whether that is the
// caller's to do.
func (p *programs) claim(key string) (c *compiled, m *making, mine bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if c = p.young[key]; c == nil {
		c = p.aged(key)
	}
	if c != nil {
		return c, nil, false
	}
	if m = p.making[key]; m != nil {
		return nil, m, false
	}
	if p.making == nil {
		p.making = map[string]*making{}
	}
	m = &making{done: make(chan struct{}), err: errUnmade}
	p.making[key] = m
	return nil, m, true
}

var errUnmade = errors.New("engine: a program could not be made")

// produce makes the program of m, and tells those who wait for it, also where
// that panics.
func (p *programs) produce(key string, m *making, produce func() (*compiled, error)) (*compiled, error) {
	defer func() {
		p.mu.Lock()
		defer p.mu.Unlock()
		delete(p.making, key)
		if m.err == nil {
			p.add(key, m.c)
		}
		close(m.done)
	}()
	m.c, m.err = produce()
	return m.c, m.err
}
