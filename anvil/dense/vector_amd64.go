package dense

import "golang.org/x/sys/cpu"

// vectors reports whether the loops below are for this processor.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA

//go:noescape
func dotVectors(x, y *float64, n int) float64

//go:noescape
func addVectors(a float64, x, y *float64, n int)

//go:noescape
func add2Vectors(a float64, x *float64, b float64, z, y *float64, n int)

//go:noescape
func dotAddVectors(a float64, x, v, y *float64, n int) float64

// The tiles add the product of a panel of a, whose rows are lda elements apart, and
// one of b, whose rows of n elements follow each other, to a part of c.

//go:noescape
func tile512(n int, a *float64, lda int, b *float64, c *float64, ldc int)

//go:noescape
func tile256(n int, a *float64, lda int, b *float64, c *float64, ldc int)

// tilings are those that this processor has instructions for, the best one first.
var tilings = append(instructions(), plain)

func instructions() (ts []tiling) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		ts = append(ts, tiling{rows: 8, columns: 24, tile: of(tile512)})
	}
	if vectors {
		ts = append(ts, tiling{rows: 4, columns: 12, tile: of(tile256)})
	}
	return ts
}

// of returns a tile that is given slices.
func of(tile func(n int, a *float64, lda int, b *float64, c *float64, ldc int)) func(n int, a []float64, lda int, b, c []float64, ldc int) {
	return func(n int, a []float64, lda int, b, c []float64, ldc int) { tile(n, &a[0], lda, &b[0], &c[0], ldc) }
}
