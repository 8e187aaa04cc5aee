package threefry

import "testing"

// TestHash compares with the authors' known answers (kat_vectors of Random123) for
// threefry2x32 of 20 rounds.
func TestHash(t *testing.T) {
	for _, v := range []struct{ key, counter, want uint64 }{
		{0, 0, 0x6b20015999ba4efe},
		{1<<64 - 1, 1<<64 - 1, 0x1cb996fcbb002be7},
		{0x13198a2e03707344, 0x243f6a8885a308d3, 0xc4923a9c483df7a0},
	} {
		if got := Hash(v.key, v.counter); got != v.want {
			t.Errorf("Hash(%#x, %#x) = %#x, want %#x", v.key, v.counter, got, v.want)
		}
	}
}
