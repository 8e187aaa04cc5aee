package dtype

// A Typed is a dtype together with whether it is ambiguous: taken on by
// default, because a literal of the host language has no dtype of its own.
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
