package explain

// ForeignNames returns a section of foreign.txt.
func ForeignNames(section string) map[string]string { return foreignNames()[section] }
