package backend

import "github.com/goanvil/notebook/anvil/dtype"

// A Request holds the arguments of a function that makes an array. Wrappers fill in the dtype
// and the device if they are not given.
type Request struct {
	Op     string
	DType  dtype.DType // Invalid if it is not given
	Device string      // "" if it is not given
	Item   any         // the argument item of Infer: the dtype of an array, a number, or nil
	Own    dtype.DType // the function's own default dtype, used if no default is set
}

// A Wrapper completes or checks a Request before the function runs.
type Wrapper struct {
	Name, Doc string
	apply     func(State, Profile, *Request) error
}

// String returns the wrapper's name: "infer dtype".
func (w Wrapper) String() string { return w.Name }

var (
	inferDType  = Wrapper{"infer dtype", "chooses the dtype where none is given", State.inferDType}
	checkDType  = Wrapper{"check dtype", "refuses a dtype that the active backend lacks", State.checkDType}
	inferDevice = Wrapper{"infer device", "chooses the default device where none is given", State.inferDevice}

	// The wrappers that are applied if no backend is active, and if one is.
	plainWrappers   = []Wrapper{inferDType, inferDevice}
	backendWrappers = []Wrapper{inferDType, checkDType, inferDevice}
)

// Wrappers is the method form of the function Wrappers.
func (s *Settings) Wrappers() []Wrapper { return append([]Wrapper(nil), s.snapshot().wrappers()...) }

// wrappers returns the wrappers that are applied under the settings m.
func (m *snapshot) wrappers() []Wrapper {
	if m.Backend != "" {
		return backendWrappers
	}
	return plainWrappers
}

// Complete applies the wrappers to r.
func (s *Settings) Complete(r *Request) error {
	m := s.snapshot()
	for _, w := range m.wrappers() {
		if err := w.apply(m.State, m.profile, r); err != nil {
			return err
		}
	}
	return nil
}

// inferDType sets the dtype of r if it is not given: to the result of Infer if a default is set
// for r.Item, and otherwise to r.Own.
func (s State) inferDType(_ Profile, r *Request) error {
	f, ok := familyOf(r.Item)
	switch {
	case r.DType != dtype.Invalid: // the dtype is given
	case ok && s.isSet(f):
		r.DType = s.Infer(dtype.Invalid, r.Item).DType
	default:
		r.DType = r.Own
	}
	return nil
}

// familyOf returns the family whose default is the dtype of an array made of item. ok is false if
// item has its own dtype.
func familyOf(item any) (f Family, ok bool) {
	switch item.(type) {
	case nil:
		return Global, true
	case int:
		return Int, true
	case float64:
		return Float, true
	case complex128:
		return Complex, true
	}
	return 0, false
}

// isSet reports whether a default is set that determines the default dtype of the family.
func (s State) isSet(f Family) bool {
	global := s.Defaults[Global]
	return s.Defaults[f] != dtype.Invalid || f == Global && s.Defaults[Float] != dtype.Invalid ||
		global.Is(familyInfos[f].kind)
}

func (s State) checkDType(p Profile, r *Request) error { return p.Check(r.Op, r.DType) }

func (s State) inferDevice(_ Profile, r *Request) error {
	if r.Device == "" {
		r.Device = s.Device
	}
	return nil
}
