package xla

import "testing"

func TestPoolKeepsABoundedAmount(t *testing.T) {
	var p pool
	a := p.take(5 << 20)
	a[0], a[len(a)-1] = 1, 2
	p.put(a)
	if b := p.take(5<<20 - 7); &b[0] != &a[0] || len(b) != 5<<20-7 {
		t.Error("the pool has a block of that size, but returned another one")
	}
	if b := p.take(5 << 20); &b[0] == &a[0] {
		t.Error("a block is used twice")
	}
	for range 6 {
		p.put(p.take(100 << 20))
	}
	var big [][]byte
	for range 6 {
		big = append(big, p.take(100<<20))
	}
	for _, b := range big {
		p.put(b)
	}
	if p.size > maxPooled || p.size < maxPooled/2 {
		t.Errorf("%d bytes are kept", p.size)
	}
	p.drain()
	if p.size != 0 || len(p.free) != 0 {
		t.Errorf("%d bytes are kept", p.size)
	}
}
