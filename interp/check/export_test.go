package check

// CodeNumbered returns the name of the code of a number.
func CodeNumbered(n int) string { return codes[n] }
