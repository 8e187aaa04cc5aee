package anvil

// Correction returns the ReduceOption of Var and Std that divides by n less than
// the count: 0 is the variance of what is given, 1 estimates that of what it is
// drawn from. Without it it is 0, and 1 under PyTorch.
func Correction(n int) ReduceOption { return correction(n) }

type correction int

func (n correction) reduce(r *reduction) { r.correction = &n }

// freedom returns by how much less than the count a variance divides.
func (c *call) freedom(opts []ReduceOption) int {
	if n := reductionOf(opts).correction; n != nil {
		return int(*n)
	}
	return c.framework.Correction
}
