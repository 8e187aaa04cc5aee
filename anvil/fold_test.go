package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
)

// TestComplexConstantsAreConverted converts complex constants to real dtypes. When
// XLA's compiler folded such a conversion, it once ended the process.
func TestComplexConstantsAreConverted(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Compiled: true})
	defer c.Close()
	for _, from := range []nv.DType{nv.C64, nv.C128} {
		for _, to := range []nv.DType{nv.I1, nv.I8, nv.U32, nv.I64, nv.BF16, nv.F32, nv.F64, nv.C64, nv.C128} {
			one := nv.Jit(func(x nv.Tensor) nv.Tensor { return x.Prod().AsType(to) })(c.Zeros(nv.Shape{0, 2}, from))
			if got := one.AsType(nv.F64).Item(); got != 1.0 {
				t.Errorf("1 of %v as %v is %v", from, to, got)
			}
		}
	}
}
