package dtype

// Options are the settings of a constructor besides its data. A zero field leaves
// the choice to the constructor.
type Options struct {
	DType     DType
	Ambiguous *bool
	Device    string
}

// An Option sets one of Options. A DType is itself one.
type Option interface{ Apply(*Options) }

// Apply makes d the dtype.
func (d DType) Apply(o *Options) { o.DType = d }
