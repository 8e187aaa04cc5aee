package dtype

// Options are what a constructor may be told besides its data. Their zero
// values mean: choose.
type Options struct {
	DType     DType
	Ambiguous *bool
	Device    string
}

// An Option sets one of Options. A DType is itself one.
type Option interface{ Apply(*Options) }

// Apply makes d the dtype.
func (d DType) Apply(o *Options) { o.DType = d }
