package backend

import "github.com/goanvil/notebook/anvil/dtype"

// A Request is what a function that makes an array is asked for. The wrappers
// complete it, so that the function itself always gets a dtype.
type Request struct {
	Op     string
	DType  dtype.DType // Invalid: not said
	Device string      // "": not said
	Item   any         // what the dtype is inferred from: an array's dtype, a relevant number, nil
	Own    dtype.DType // what the function takes by itself where nothing is set
}

// A Wrapper is what happens around every function that makes an array, before
// the function itself.
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

// Wrappers is the function Wrappers.
func (s *Settings) Wrappers() []Wrapper { return append([]Wrapper(nil), s.moment().wrappers()...) }

func (m *moment) wrappers() []Wrapper {
	if m.Backend != "" {
		return restricting
	}
	return wrappers
}

// Complete applies the wrappers to r.
func (s *Settings) Complete(r *Request) error {
	m := s.moment()
	for _, w := range m.wrappers() {
		if err := w.apply(m.State, m.profile, r); err != nil {
			return err
		}
	}
	return nil
}

// inferDType follows Infer as far as something is set; a function that nobody
// has told otherwise takes its own dtype.
func (s State) inferDType(_ Profile, r *Request) error {
	f, open := familyOf(r.Item)
	switch {
	case r.DType != dtype.Invalid:
	case open && s.decides(f):
		r.DType = s.Infer(dtype.Invalid, r.Item).DType
	default:
		r.DType = r.Own
	}
	return nil
}

// familyOf returns the family that decides about an array made of item; open is
// false where item has a dtype of its own.
func familyOf(item any) (f Family, open bool) {
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

// decides reports whether something is set for the family.
func (s State) decides(f Family) bool {
	global := s.Defaults[Global]
	return s.Defaults[f] != dtype.Invalid || f == Global && s.Defaults[Float] != dtype.Invalid || global.Is(familyInfos[f].kind)
}

func (s State) checkDType(p Profile, r *Request) error { return p.Check(r.Op, r.DType) }

func (s State) inferDevice(_ Profile, r *Request) error {
	if r.Device == "" {
		r.Device = s.Device
	}
	return nil
}
