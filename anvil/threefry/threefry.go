// Package threefry implements the pseudorandom function Threefry-2x32 with 20 rounds, which maps a key and a
// counter to random words. Key, counter and result are two 32-bit words each, packed into a uint64 with the
// first word in the high half. Source: Salmon, Moraes, Dror and Shaw, Parallel random numbers: as easy as 1,
// 2, 3, SC 2011.
package threefry

import "math/bits"

// Rotations has the distances by which the rounds rotate bits. Groups of four rounds use the two rows
// alternately.
var Rotations = [2][4]int{{13, 15, 26, 6}, {17, 29, 16, 24}}

// Parity is the constant whose XOR with the words of a key is the third key word.
const Parity = 0x1BD11BDA

// Hash returns the random words of a key and a counter.
func Hash(key, counter uint64) uint64 {
	k0, k1 := uint32(key>>32), uint32(key)
	ks := [3]uint32{k0, k1, k0 ^ k1 ^ Parity}
	a, b := uint32(counter>>32)+k0, uint32(counter)+k1
	for i := range 5 { // groups of four rounds
		for _, r := range Rotations[i%2] {
			a += b
			b = bits.RotateLeft32(b, r) ^ a
		}
		a += ks[(i+1)%3]
		b += ks[(i+2)%3] + uint32(i+1)
	}
	return uint64(a)<<32 | uint64(b)
}
