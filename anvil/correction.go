package anvil

// Correction makes Var, Std and Cov divide by the count minus n: 0 gives the variance of the elements, 1 an
// unbiased estimate of the variance of the distribution that they are drawn from. The default is 1 for Cov and under
// PyTorch, and 0 otherwise.
func Correction(n int) ReduceOption { return correction(n) }

type correction int

func (n correction) reduce(r *reduceOptions) { r.correction = &n }

// correctionOf returns the n of the option Correction in opts, or the framework's default.
func (c *call) correctionOf(opts []ReduceOption) int {
	if n := reduceOptionsOf(opts).correction; n != nil {
		return int(*n)
	}
	return c.framework.Correction
}
