package promote_test

import (
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

func TestAtLeast(t *testing.T) {
	for d, want := range map[dtype.DType]dtype.DType{dtype.F16: dtype.F32, dtype.BF16: dtype.F32, dtype.I8: dtype.F32, dtype.F64: dtype.F64, dtype.C64: dtype.C64} {
		if got := promote.JAX64.AtLeast(dtype.F32, d); got != promote.Known(want) {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	if got := promote.AtLeast(dtype.I32, dtype.U8, 2); got != promote.Known(dtype.I32) {
		t.Errorf("anvil: %s", got)
	}
}
