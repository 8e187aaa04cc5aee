package check

// CodeNumbered returns the name of the code numbered n.
func CodeNumbered(n int) string { return codes[n] }
