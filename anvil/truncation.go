package anvil

// A Truncation says what happens if a layer with a real dtype would drop the imaginary
// parts of complex numbers.
type Truncation uint8

const (
	RefuseTruncation Truncation = iota // the layer fails
	WarnTruncation                     // the imaginary parts are dropped, with a warning in the log of the Context
	AllowTruncation                    // the imaginary parts are dropped without a warning
)

// SetTruncation sets the Truncation of layers with tensors of c. The default is
// RefuseTruncation.
func (c *Context) SetTruncation(t Truncation) { c.truncation.Store(uint32(t)) }

// truncate returns the real parts of x, which is complex, at the real dtype d, for the layer op. It panics if
// the Context of x refuses truncation (SetTruncation).
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
	return c.AsType(c.Real(x), d)
}
