package backend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Casting is a set of casting modes. If an operation is declared not to support the dtype of an
// argument, the argument is cast, in the ways that the modes allow, to a dtype that the operation supports.
type Casting uint8

// The modes, in the order in which they are tried.
const (
	// Crosscast casts integers to the default float if no integer dtype is supported, and floats to the default
	// integer if no float dtype is supported.
	Crosscast Casting = 1 << iota

	Upcast   // casts to the next higher supported dtype of the same kind
	Downcast // casts to the next lower supported dtype of the same kind

	CastAll = Crosscast | Upcast | Downcast
)

// castingRules has a row for each mode, in the order in which the modes are tried. to returns the dtype to cast to; ok
// is false if the mode allows no cast.
var castingRules = []struct {
	mode Casting
	rule promote.Rule
	to   func(*casting) (d dtype.DType, ok bool)
}{
	{Crosscast, promote.Rule{Name: "crosscast",
		Doc: "no dtype of this kind is supported: the default dtype of the other kind"}, (*casting).crosscast},
	{Upcast, promote.Rule{Name: "upcast", Doc: "the next higher supported dtype of the same kind"}, (*casting).upcast},
	{Downcast, promote.Rule{Name: "downcast", Doc: "the next lower supported dtype of the same kind"},
		(*casting).downcast},
}

// String returns the names of the modes: "crosscast upcast".
func (c Casting) String() string {
	var names []string
	for _, r := range castingRules {
		if c&r.mode != 0 {
			names = append(names, r.rule.Name)
		}
	}
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

// ladders lists the dtypes of each kind from low to high, for Upcast and Downcast. Ivy puts bf16 below
// f16.
var ladders = [][]dtype.DType{
	{dtype.I8, dtype.I16, dtype.I32, dtype.I64},
	{dtype.U8, dtype.U16, dtype.U32, dtype.U64},
	{dtype.BF16, dtype.F16, dtype.F32, dtype.F64},
	{dtype.C64, dtype.C128},
}

// A casting is the search for a dtype that an operation supports.
type casting struct {
	dtype       dtype.DType // the dtype of the argument after the casts so far
	unsupported []dtype.DType
	profile     Profile
	settings    State
}

// upcast returns the next higher supported dtype.
func (c *casting) upcast() (dtype.DType, bool) {
	rung, ladder := c.rung()
	for _, d := range ladder[min(rung+1, len(ladder)):] {
		if !slices.Contains(c.unsupported, d) {
			return d, true
		}
	}
	return c.dtype, false
}

// downcast returns the next lower supported dtype.
func (c *casting) downcast() (dtype.DType, bool) {
	rung, ladder := c.rung()
	for i := rung - 1; i >= 0; i-- {
		if !slices.Contains(c.unsupported, ladder[i]) {
			return ladder[i], true
		}
	}
	return c.dtype, false
}

// rung returns the index of c.dtype in its ladder, and the ladder. The ladder is nil if c.dtype is in none.
func (c *casting) rung() (int, []dtype.DType) {
	for _, ladder := range ladders {
		if i := slices.Index(ladder, c.dtype); i >= 0 {
			return i, ladder
		}
	}
	return 0, nil
}

// crosscast returns the default dtype of the other kind if the operation supports no dtype of the kind of c.dtype.
// It does not check whether the operation supports that default.
func (c *casting) crosscast() (dtype.DType, bool) {
	switch {
	case c.dtype.Is(dtype.Integral) && c.supportsNone(dtype.Integral):
		return c.settings.Default(Float), true
	case c.dtype.Is(dtype.Floating) && c.supportsNone(dtype.Floating):
		return c.settings.Default(Int), true
	}
	return c.dtype, false
}

// supportsNone reports whether the operation supports no dtype in the set k.
func (c *casting) supportsNone(k dtype.Kind) bool {
	return !slices.ContainsFunc(c.profile.Valid(k),
		func(d dtype.DType) bool { return !slices.Contains(c.unsupported, d) })
}

// castByModes casts by the modes in order until the operation supports c.dtype, and returns the steps.
func (c *casting) castByModes(modes Casting) (steps []promote.Step) {
	for _, r := range castingRules {
		if !slices.Contains(c.unsupported, c.dtype) {
			break
		}
		if modes&r.mode == 0 {
			continue
		}
		if to, ok := r.to(c); ok {
			steps = append(steps, promote.Step{Operands: c.dtype.String(), Result: promote.Known(to), Rule: r.rule})
			c.dtype = to
		}
	}
	return steps
}

// realFunctions are the functions of real numbers that accept integers on every backend: castSuperset casts
// their integer arguments.
var realFunctions = strings.Fields(`acos acosh asin asinh atan atanh cbrt cos cosh erf erfc exp exp2 expm1 log log10
	log1p log2 reciprocal rsqrt sigmoid sin sinh sqrt tan tanh`)

// superset is the rule of castSuperset. "Superset behavior" is Ivy's name for functions that accept whatever one of
// the frameworks accepts.
var superset = promote.Rule{Name: "superset",
	Doc: "some frameworks accept integers here, so every backend does: they become the default float"}

// castSuperset casts an integer argument of one of realFunctions to the default float, whichever modes are on, and
// returns the step.
func (c *casting) castSuperset(op string) []promote.Step {
	if !c.dtype.Is(dtype.Integral) || !slices.Contains(realFunctions, op) {
		return nil
	}
	to := c.settings.Default(Float)
	step := promote.Step{Operands: c.dtype.String(), Result: promote.Known(to), Rule: superset}
	c.dtype = to
	return []promote.Step{step}
}

// A Cast describes how an argument is cast for an operation: from which dtype, to which dtype, and in
// which steps. From and To are equal if the argument is not cast.
type Cast struct {
	From, To dtype.DType
	Steps    []promote.Step
}

// String returns the dtypes of the steps: "f16 -crosscast-> i32".
func (c Cast) String() string {
	s := c.From.String()
	for _, step := range c.Steps {
		s += fmt.Sprintf(" -%s-> %s", step.Rule.Name, step.Result)
	}
	return s
}

// SetCasting switches the given casting modes on and the other modes off. The returned function restores the
// previous setting. Initially no mode is on.
func SetCasting(modes Casting) Restore { return Current().SetCasting(modes) }

// UnsetCasting restores the casting modes that were set before.
func UnsetCasting() { Current().UnsetCasting() }

// CastingModes returns the casting modes that are on.
func CastingModes() Casting { return Current().CastingModes() }

// UpcastDataTypes switches the mode Upcast on, or off if on is false. The returned function restores the modes that
// were on before.
func UpcastDataTypes(on ...bool) Restore { return Current().UpcastDataTypes(on...) }

// DowncastDataTypes switches the mode Downcast (see UpcastDataTypes).
func DowncastDataTypes(on ...bool) Restore { return Current().DowncastDataTypes(on...) }

// CrosscastDataTypes switches the mode Crosscast (see UpcastDataTypes).
func CrosscastDataTypes(on ...bool) Restore { return Current().CrosscastDataTypes(on...) }

// CastDataTypes switches all three modes (see UpcastDataTypes).
func CastDataTypes(on ...bool) Restore { return Current().CastDataTypes(on...) }

// CastOf returns how an argument of dtype d is cast for the operation op, under the active backend and the casting
// modes that are on. It returns an error if op does not accept such an argument.
func CastOf(op string, d dtype.DType) (Cast, error) { return Current().CastOf(op, d) }

// SetCasting is the method form of the function SetCasting.
func (s *Settings) SetCasting(modes Casting) Restore {
	return set(s, &s.casting, modes)
}

// UnsetCasting is the method form of the function UnsetCasting.
func (s *Settings) UnsetCasting() { unset(s, &s.casting) }

// CastingModes is the method form of the function CastingModes.
func (s *Settings) CastingModes() Casting { return s.State().Casting }

// UpcastDataTypes is the method form of the function UpcastDataTypes.
func (s *Settings) UpcastDataTypes(on ...bool) Restore { return s.switchModes(Upcast, on) }

// DowncastDataTypes is the method form of the function DowncastDataTypes.
func (s *Settings) DowncastDataTypes(on ...bool) Restore { return s.switchModes(Downcast, on) }

// CrosscastDataTypes is the method form of the function CrosscastDataTypes.
func (s *Settings) CrosscastDataTypes(on ...bool) Restore { return s.switchModes(Crosscast, on) }

// CastDataTypes is the method form of the function CastDataTypes.
func (s *Settings) CastDataTypes(on ...bool) Restore { return s.switchModes(CastAll, on) }

// switchModes switches modes on, or off if the first element of on is false.
func (s *Settings) switchModes(modes Casting, on []bool) Restore {
	if len(on) > 0 && !on[0] {
		return s.SetCasting(s.CastingModes() &^ modes)
	}
	return s.SetCasting(s.CastingModes() | modes)
}

// CastOf is the method form of the function CastOf.
func (s *Settings) CastOf(op string, d dtype.DType) (Cast, error) {
	return s.CastOn(op, d, s.DefaultDevice())
}

// CastOn is CastOf for an argument on the named device.
func (s *Settings) CastOn(op string, d dtype.DType, device string) (Cast, error) {
	now, p, name := s.State(), s.Active(), opName(op)
	if err := s.checkDevice(name, p, device); err != nil {
		return Cast{From: d, To: d}, err
	}
	declared := s.excluded(name, p, device, "")
	c := &casting{dtype: d, unsupported: union(declared, p.Invalid(dtype.Any)), profile: p, settings: now}
	cast := Cast{From: d, To: d}
	if !slices.Contains(c.unsupported, d) {
		return cast, nil
	}
	if slices.Contains(declared, d) && p.Has(d) { // a dtype that the backend lacks altogether is not cast
		cast.Steps = append(c.castSuperset(name), c.castByModes(now.Casting)...)
		cast.To = c.dtype
	}
	if slices.Contains(c.unsupported, c.dtype) {
		return Cast{From: d, To: d}, s.castError(name, p, cast, c)
	}
	return cast, nil
}

// checkDevice returns an error if the operation is declared not to run on the device.
func (s *Settings) checkDevice(op string, p Profile, device string) error {
	for _, r := range s.rules(op) {
		if r.appliesTo(p, "") && r.excludesDevice(p.Version, device) {
			return &dtype.Error{Op: op, Operands: deviceKind(device),
				Reason: fmt.Sprintf("%s on backend %q does not run on %s", op, p, deviceKind(device)),
				Hint:   "move the tensor with nv.ToDevice"}
		}
	}
	return nil
}

// castError returns the error for an argument of dtype cast.From, which op does not support.
func (s *Settings) castError(op string, p Profile, cast Cast, c *casting) error {
	if !p.Has(cast.From) {
		return p.Check(op, cast.From)
	}
	e := &dtype.Error{Op: op, Operands: cast.From.String(),
		Reason: fmt.Sprintf("%s on backend %q does not support %s", op, p, cast.From)}
	if len(cast.Steps) > 0 {
		e.Reason += fmt.Sprintf(", nor the dtype that the casting modes give (%s)", cast)
	}
	var supported []string
	for _, d := range without(c.unsupported) {
		supported = append(supported, d.String())
	}
	if len(supported) == 0 {
		e.Hint = "it supports no dtype; choose another backend with backend.Set"
		return e
	}
	e.Hint = "it supports " + strings.Join(supported, " ") + ": convert with AsType"
	if mode := c.modeHint(cast.From); mode != "" {
		e.Hint += ", or let " + mode + " do it"
	}
	return e
}

// modeHint returns the call that switches on a casting mode under which the operation accepts d, or "" if
// there is none.
func (c *casting) modeHint(d dtype.DType) string {
	// In the order of castingRules.
	calls := []string{"backend.CrosscastDataTypes()", "backend.UpcastDataTypes()", "backend.DowncastDataTypes()"}
	for i, r := range castingRules {
		try := *c
		try.dtype = d
		try.castByModes(r.mode)
		supported, alreadyOn := !slices.Contains(c.unsupported, try.dtype), c.settings.Casting&r.mode != 0
		if supported && !alreadyOn {
			return calls[i]
		}
	}
	return ""
}

// CastFrontend returns an error if the operation op of Ivy's frontend for a framework does not support arguments of
// dtype d. frontend is the name of the framework.
func (s *Settings) CastFrontend(frontend, op string, d dtype.DType) error {
	p, err := ProfileOf(frontend)
	if err != nil {
		return err
	}
	if ds := s.excluded(opName(op), p, "", frontend); slices.Contains(ds, d) {
		return &dtype.Error{Op: op, Operands: d.String(),
			Reason: fmt.Sprintf("%s of the frontend %q does not support %s", opName(op), p, d),
			Hint:   "convert with AsType"}
	}
	return nil
}
