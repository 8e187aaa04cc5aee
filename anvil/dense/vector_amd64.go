package dense

import "golang.org/x/sys/cpu"

// vectors is true if this processor has the instructions that all functions in assembly but tile512 use.
var vectors = cpu.X86.HasAVX2 && cpu.X86.HasFMA

// The functions with the suffix Vectors implement the functions of vector.go.

//go:noescape
func dotVectors(x, y *float64, n int) float64

//go:noescape
func addVectors(a float64, x, y *float64, n int)

//go:noescape
func add2Vectors(a float64, x *float64, b float64, z, y *float64, n int)

//go:noescape
func dotAddVectors(a float64, x, v, y *float64, n int) float64

// tile512 and tile256 implement the type tileFunc, for tiles of 8 x 24 and 4 x 12 elements.

//go:noescape
func tile512(n int, a *float64, lda int, b *float64, c *float64, ldc int)

//go:noescape
func tile256(n int, a *float64, lda int, b *float64, c *float64, ldc int)

// tilings has the tilings that this processor can run, the fastest first.
var tilings = append(vectorTilings(), genericTiling)

// vectorTilings returns the tilings in assembly that this processor can run.
func vectorTilings() (ts []tiling) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		ts = append(ts, tiling{rows: 8, columns: 24, tile: sliceTile(tile512)})
	}
	if vectors {
		ts = append(ts, tiling{rows: 4, columns: 12, tile: sliceTile(tile256)})
	}
	return ts
}

// sliceTile returns t as a tileFunc, whose arguments are slices.
func sliceTile(t func(n int, a *float64, lda int, b *float64, c *float64, ldc int)) tileFunc {
	return func(n int, a []float64, lda int, b, c []float64, ldc int) { t(n, &a[0], lda, &b[0], &c[0], ldc) }
}
