package promote_test

import (
	"errors"
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestTensorFlowConverts checks that an operation that does not promote converts a
// number to the dtype of the tensor beside it, which may be weak, and the second of
// two numbers to that of the first.
func TestTensorFlowConverts(t *testing.T) {
	weak := promote.Amb(dtype.F64)
	for _, c := range []struct {
		op   string
		x, y any
		want string
	}{
		{"less", weak, 1, "i1"},
		{"less", 0.5, weak, "i1"},
		{"tf.where", 1, weak, "f64"},
		{"tf.where", weak, 1i, "TypeError: Cannot convert 1j to EagerTensor of dtype double"},
		{"tf.where", 1i, weak, "TypeError: Cannot convert 1j to EagerTensor of dtype double"},
		{"tf.where", 2.0, true, "f32"},
		{"tf.where", true, 2.0, "TypeError: Cannot convert 2.0 to EagerTensor of dtype bool"},
		{"tf.where", 300, 0.5, "TypeError: Cannot convert 0.5 to EagerTensor of dtype int32"},
		{"add", weak, 1i, "c128?"},
		{"tf.where", true, 1e6, "TypeError: Cannot convert 1000000.0 to EagerTensor of dtype bool"},
		{"tf.where", true, 1e-5, "TypeError: Cannot convert 1e-05 to EagerTensor of dtype bool"},
		{"tf.where", true, 1e16, "TypeError: Cannot convert 1e+16 to EagerTensor of dtype bool"},
		{"tf.where", true, math.Inf(1), "TypeError: Cannot convert inf to EagerTensor of dtype bool"},
		{"tf.where", true, math.Inf(-1), "TypeError: Cannot convert -inf to EagerTensor of dtype bool"},
		{"tf.where", true, math.NaN(), "TypeError: Cannot convert nan to EagerTensor of dtype bool"},
		{"tf.where", true, 1234567.5 - 1i, "TypeError: Cannot convert (1234567.5-1j) to EagerTensor of dtype bool"},
	} {
		for _, s := range []*promote.System{promote.TensorFlowAll, promote.TensorFlowLegacy} {
			if s == promote.TensorFlowLegacy && (c.x == weak || c.y == weak) {
				continue // nothing is weak there
			}
			got, err := s.Operation(c.op, c.x, c.y)
			if text := foreign(got, err); text != c.want {
				t.Errorf("%s: %s of %v and %v: %s, want %s", s, c.op, c.x, c.y, text, c.want)
			}
		}
	}
}

// foreign returns a dtype, or an error in the form of the real system.
func foreign(x dtype.Typed, err error) string {
	var refusal *promote.Refusal
	switch {
	case errors.As(err, &refusal):
		return refusal.Foreign()
	case err != nil:
		return err.Error()
	}
	return x.String()
}
