package promote

import "github.com/goanvil/notebook/anvil/dtype"

// AtLeast returns the common dtype of xs (see Result) and d: that of xs, unless
// d is more. A layer that sums half floats asks for no less than f32.
func (s *System) AtLeast(d dtype.DType, xs ...any) dtype.Typed {
	return s.Result(append([]any{d}, xs...)...)
}

// AtLeast returns the common dtype of xs and d under the default system, Anvil.
func AtLeast(d dtype.DType, xs ...any) dtype.Typed { return Anvil.AtLeast(d, xs...) }
