package anvil

// Correction makes Var, Std and Cov divide by the count minus n: 0 gives the variance of the elements, 1 an
// unbiased estimate of the variance of the distribution that they are drawn from. The default is 0, and 1 under
// PyTorch; that of Cov is 1.
func Correction(n int) ReduceOption { return correction(n) }

type correction int

func (n correction) reduce(r *reduceOptions) { r.correction = &n }

// correctionOf returns the number that a variance subtracts from the count before it divides.
func (c *call) correctionOf(opts []ReduceOption) int {
	if n := reduceOptionsOf(opts).correction; n != nil {
		return int(*n)
	}
	return c.framework.Correction
}
