package explain

// Foreign are the names of other libraries that hints know.
func Foreign() map[string]string { return foreign }

// ForeignDraws are those of package random.
func ForeignDraws() map[string]string { return foreignDraws }
