package anvil_test

import (
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestSignOfUnsigned: the sign of an unsigned integer is 0 or 1 at its dtype.
func TestSignOfUnsigned(t *testing.T) {
	want(t, nv.Sign(nv.New([]uint8{0, 3, 255})), "ui8{3} [0 1 1]")
	want(t, nv.New([]uint64{0, 1 << 63}).Sign(), "ui64{2} [0 1]")
	want(t, nv.With(promote.Torch).Sign(nv.New([]uint8{0, 3})), "ui8{2} [0 1]")
	want(t, nv.With(promote.NumPy).Sign(nv.New([]uint16{0, 3})), "ui16{2} [0 1]")
}
