package host

import "golang.org/x/sys/cpu"

// A tile adds the product of two panels of length n to rows x columns elements of
// c: its rows are ldc elements apart, those of a lda, and b has its rows one
// after the other. Subnormal numbers are taken for 0.
//
//go:noescape
func tile512(n int, a *float64, lda int, b *float64, c *float64, ldc int)

//go:noescape
func tile256(n int, a *float64, lda int, b *float64, c *float64, ldc int)

// multipliers are the tilings that this processor has instructions for, the best
// one first.
var multipliers = instructions()

func instructions() (ms []multiplier) {
	if cpu.X86.HasAVX512F && cpu.X86.HasAVX512DQ {
		ms = append(ms, multiplier{rows: 8, columns: 24, tile: tile512})
	}
	if cpu.X86.HasAVX2 && cpu.X86.HasFMA {
		ms = append(ms, multiplier{rows: 4, columns: 12, tile: tile256})
	}
	return ms
}
