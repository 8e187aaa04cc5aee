package host

import (
	"github.com/goanvil/notebook/anvil/ir"
	"golang.org/x/sys/cpu"
)

// The functions in assembly compute n elements of out. Subnormal operands and results are
// flushed to 0.

//go:noescape
func addVectors32(out, x, y *float32, n int)

//go:noescape
func subVectors32(out, x, y *float32, n int)

//go:noescape
func mulVectors32(out, x, y *float32, n int)

//go:noescape
func divVectors32(out, x, y *float32, n int)

//go:noescape
func addVectors64(out, x, y *float64, n int)

//go:noescape
func subVectors64(out, x, y *float64, n int)

//go:noescape
func mulVectors64(out, x, y *float64, n int)

//go:noescape
func divVectors64(out, x, y *float64, n int)

//go:noescape
func mulNoNaNVectors32(out, x, y *float32, n int)

//go:noescape
func mulNoNaNVectors64(out, x, y *float64, n int)

// vectors32 and vectors64 have the functions above by operation. They are nil if the processor
// lacks AVX.
var vectors32, vectors64 = vectorInstructions()

func vectorInstructions() (f32 map[ir.Code]vectorLoop[float32], f64 map[ir.Code]vectorLoop[float64]) {
	if cpu.X86.HasAVX {
		f32 = map[ir.Code]vectorLoop[float32]{ir.Add: addVectors32, ir.Sub: subVectors32, ir.Mul: mulVectors32,
			ir.Div: divVectors32, ir.MulNoNaN: mulNoNaNVectors32}
		f64 = map[ir.Code]vectorLoop[float64]{ir.Add: addVectors64, ir.Sub: subVectors64, ir.Mul: mulVectors64,
			ir.Div: divVectors64, ir.MulNoNaN: mulNoNaNVectors64}
	}
	return f32, f64
}
