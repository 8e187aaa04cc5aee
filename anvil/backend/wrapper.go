package backend

import "github.com/goanvil/notebook/anvil/dtype"

// A Request holds the arguments of a function that makes an array. The wrappers
// fill in what is not given, so that the function always has a dtype.
type Request struct {
	Op     string
	DType  dtype.DType // Invalid: not given
	Device string      // "": not given
	Item   any         // for Infer: an array's dtype, a number, nil
	Own    dtype.DType // the function's own default, used if no default is set
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

	wrappers    = []Wrapper{inferDType, inferDevice}
	restricting = []Wrapper{inferDType, checkDType, inferDevice}
)

// Wrappers is the method form of the function Wrappers.
func (s *Settings) Wrappers() []Wrapper { return append([]Wrapper(nil), s.snapshot().wrappers()...) }

// wrappers returns the wrappers that apply under the settings m.
func (m *snapshot) wrappers() []Wrapper {
	if m.Backend != "" {
		return restricting
	}
	return wrappers
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

// inferDType sets the dtype of r if none is given: to that of Infer if a default is set for
// the item, and otherwise to the function's own.
func (s State) inferDType(_ Profile, r *Request) error {
	f, ok := familyOf(r.Item)
	switch {
	case r.DType != dtype.Invalid: // it is given
	case ok && s.isSet(f):
		r.DType = s.Infer(dtype.Invalid, r.Item).DType
	default:
		r.DType = r.Own
	}
	return nil
}

// familyOf returns the family whose default dtype an array made of item has. ok is false if
// item has a dtype of its own.
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

// isSet reports whether a default is set that decides for the family.
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
