package display

// Options are how much of a tensor is shown.
type Options struct {
	MaxRows  int // lines of elements; all where negative
	MaxWidth int // characters of a line; not limited where not positive
}

// DefaultOptions are those of R anvil.
var DefaultOptions = Options{MaxRows: 30, MaxWidth: 85}
