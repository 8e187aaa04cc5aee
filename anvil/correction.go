package anvil

// Correction returns the ReduceOption of Var and Std that divides by the count minus n: with 0
// the variance of the elements, with 1 an unbiased estimate of that of the distribution they are
// drawn from. The default is 0, and 1 under PyTorch.
func Correction(n int) ReduceOption { return correction(n) }

type correction int

func (n correction) reduce(r *reduction) { r.correction = &n }

// freedom returns the number that a variance subtracts from the count before it divides.
func (c *call) freedom(opts []ReduceOption) int {
	if n := reductionOf(opts).correction; n != nil {
		return int(*n)
	}
	return c.framework.Correction
}
