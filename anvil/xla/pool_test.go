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

// TestPoolReturnsTheBestBlock checks that a block is used again for the sizes that fit well into it, and that
// the smallest block that fits is used first.
func TestPoolReturnsTheBestBlock(t *testing.T) {
	const size = 16 << 20
	for _, c := range []struct {
		free []int
		n    int
		want int // the index of the block in free, or -1 for a new block
	}{
		{nil, size, -1},
		{[]int{size}, size, 0},
		{[]int{size}, size + 1, -1},        // too small
		{[]int{4 * size}, size, -1},        // much too large
		{[]int{size + hugePage}, size, 0},  // a little too large
		{[]int{size - hugePage}, size, -1}, // a little too small
		{[]int{size + 2*hugePage, size + hugePage}, size, 1},
		{[]int{size + hugePage, size + 2*hugePage}, size, 0},
		{[]int{2 * hugePage}, hugePage + 1, 0}, // the block that is made for this size
		{[]int{size - hugePage, 4 * size, size + hugePage}, size, 2},
	} {
		var p pool
		var kept int64
		at := map[*byte]int{}
		for i, n := range c.free {
			b := newBlock(n)
			at[&b[0]] = i
			kept += int64(n)
			p.put(b)
		}
		b := p.take(c.n)
		got, known := at[&b[0]]
		if !known {
			got = -1
		} else {
			kept -= int64(c.free[got])
		}
		if got != c.want || len(b) != c.n || p.size != kept {
			t.Errorf("of %d bytes for %d: block %d of %d bytes, %d kept, want block %d",
				c.free, c.n, got, len(b), p.size, c.want)
		}
		p.put(b)
		p.drain()
	}
}
