package dtype

// A Typed is a dtype and whether it is ambiguous: the default of a literal of the
// host language, which yields to the dtypes that it meets.
type Typed struct {
	DType     DType
	Ambiguous bool
}

// String returns the dtype with "?" behind it where it is ambiguous: "i32?".
func (t Typed) String() string {
	if t.Ambiguous {
		return t.DType.String() + "?"
	}
	return t.DType.String()
}
