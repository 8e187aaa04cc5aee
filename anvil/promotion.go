package anvil

// Promote returns xs, tensors and numbers, at the dtype that they have in
// common under the promotion system, each in its own shape: what an operation
// on them does first.
func (l *Lib) Promote(xs ...any) []Tensor {
	c := l.call("Promote", xs...)
	t := c.common(xs...)
	promoted := make([]Tensor, len(xs))
	for i, x := range xs {
		promoted[i] = c.result(c.at(x, t.DType), t.Ambiguous)
	}
	return promoted
}
