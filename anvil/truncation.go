package anvil

import "github.com/goanvil/notebook/anvil/dtype"

// A Truncation says what happens where a layer with a real dtype would drop the
// imaginary parts of complex numbers.
type Truncation uint8

const (
	RefuseTruncation Truncation = iota // an error
	WarnTruncation                     // a line in the log of the Context
	AllowTruncation                    // nothing is said
)

// SetTruncation sets what happens in layers with tensors of c. The default is
// RefuseTruncation.
func (c *Context) SetTruncation(t Truncation) { c.truncation.Store(uint32(t)) }

// truncate returns the real parts of x as dtype d, for the operation op. It panics if the
// Context of x refuses that (SetTruncation).
func truncate(op string, x Tensor, d DType) Tensor {
	c := x.must(op).ctx
	reason := "the imaginary parts would be lost at " + d.String()
	switch Truncation(c.truncation.Load()) {
	case RefuseTruncation:
		panic(&Error{Op: op, Operands: describe(x), Reason: reason,
			Hint: "leave DType out, take x.Real(), or call nn.OnComplexTruncation(nn.Silent)"})
	case WarnTruncation:
		c.log("warning: " + op + "(" + describe(x) + "): the imaginary parts are lost at " + d.String())
	}
	if x.DType().Is(dtype.Complex) {
		x = c.Real(x)
	}
	return c.AsType(x, d)
}
