package xla

import "sync"

// A pool keeps the memory of earlier large uploads for later ones, since allocating memory
// takes several times as long as filling it.
type pool struct {
	mu   sync.Mutex
	free [][]byte
	size int64 // the number of bytes in free
}

// maxPooled is the greatest number of bytes that a pool keeps.
const maxPooled = 512 << 20

// hugePage is the size of a huge page in bytes. The sizes of blocks are multiples of it.
const hugePage = 2 << 20

// take returns n bytes with arbitrary contents. Their address is a multiple of 64.
func (p *pool) take(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i, b := range p.free {
		fits := cap(b) >= n && cap(b) <= n+n/4+hugePage // large enough, and not much too large
		if fits && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return newBlock((n + hugePage - 1) &^ (hugePage - 1))[:n]
	}
	b := p.free[best]
	p.size -= int64(cap(b))
	p.free = append(p.free[:best], p.free[best+1:]...)
	return b[:n]
}

// put gives b, a result of take, back to the pool. It frees the oldest blocks if the
// pool is too large.
func (p *pool) put(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b[:cap(b)])
	p.size += int64(cap(b))
	for p.size > maxPooled {
		p.dropOldest()
	}
}

// dropOldest frees the oldest block.
func (p *pool) dropOldest() {
	p.size -= int64(cap(p.free[0]))
	freeBlock(p.free[0])
	p.free = p.free[1:]
}

// drain frees all blocks.
func (p *pool) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.free) > 0 {
		p.dropOldest()
	}
}
