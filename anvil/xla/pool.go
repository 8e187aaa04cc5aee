package xla

import "sync"

// A pool keeps the memory that large uploads were copied to, for the next ones:
// fresh memory takes several times as long to be made as to be filled.
type pool struct {
	mu   sync.Mutex
	free [][]byte
	size int64 // of free
}

// pooled is how much memory a pool keeps at most.
const pooled = 512 << 20

// blockSize is what sizes of blocks are multiples of: a huge page.
const blockSize = 2 << 20

// take returns n bytes, whatever they are, at an address that is a multiple of
// 64.
func (p *pool) take(n int) []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	best := -1
	for i, b := range p.free {
		if cap(b) >= n && cap(b) <= n+n/4+blockSize && (best < 0 || cap(b) < cap(p.free[best])) {
			best = i
		}
	}
	if best < 0 {
		return newBlock((n + blockSize - 1) &^ (blockSize - 1))[:n]
	}
	b := p.free[best]
	p.size -= int64(cap(b))
	p.free = append(p.free[:best], p.free[best+1:]...)
	return b[:n]
}

// put gives back what take returned. What has been there longest goes where it
// would be too much.
func (p *pool) put(b []byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.free = append(p.free, b[:cap(b)])
	p.size += int64(cap(b))
	for p.size > pooled {
		p.drop()
	}
}

func (p *pool) drop() {
	p.size -= int64(cap(p.free[0]))
	freeBlock(p.free[0])
	p.free = p.free[1:]
}

// drain gives all that is free back to the system.
func (p *pool) drain() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for len(p.free) > 0 {
		p.drop()
	}
}
