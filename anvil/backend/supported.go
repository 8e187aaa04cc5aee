package backend

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// SetCasting sets which casting modes are on, and returns what restores the
// stack as it was before. None is on to begin with.
func SetCasting(modes Casting) Restore { return Current().SetCasting(modes) }

// UnsetCasting goes back to the casting modes that were set before.
func UnsetCasting() { Current().UnsetCasting() }

// CastingModes returns the casting modes that are on.
func CastingModes() Casting { return Current().CastingModes() }

// UpcastDataTypes switches the mode Upcast on, or with false off, and returns
// what restores the modes as they were before.
func UpcastDataTypes(on ...bool) Restore { return Current().UpcastDataTypes(on...) }

// DowncastDataTypes is UpcastDataTypes of the mode Downcast.
func DowncastDataTypes(on ...bool) Restore { return Current().DowncastDataTypes(on...) }

// CrosscastDataTypes is UpcastDataTypes of the mode Crosscast.
func CrosscastDataTypes(on ...bool) Restore { return Current().CrosscastDataTypes(on...) }

// CastDataTypes is UpcastDataTypes of all three modes.
func CastDataTypes(on ...bool) Restore { return Current().CastDataTypes(on...) }

// CastOf returns the dtype in which the operation op takes an argument of d
// under the active backend and the casting modes that are on; an error where it
// does not.
func CastOf(op string, d dtype.DType) (Cast, error) { return Current().CastOf(op, d) }

// Declare says what frameworks support of the operation op, in place of what
// was said before and of what the tables say of these frameworks. It panics
// with a *dtype.Error where the rules contradict each other.
func Declare(op string, rules ...Rule) { Current().Declare(op, rules...) }

// WithRule calls f, which names to its Block the functions and modules that
// the rule holds for, besides what is declared of them one by one.
func WithRule(r Rule, f func(*Block)) { Current().WithRule(r, f) }

// Rules returns what is declared of an operation: here, then by the tables.
func Rules(op string) []Rule { return Current().Rules(op) }

// SetCasting is the function SetCasting.
func (s *Settings) SetCasting(modes Casting) Restore {
	return set(s, &s.casting, modes)
}

// UnsetCasting is the function UnsetCasting.
func (s *Settings) UnsetCasting() { unset(s, &s.casting) }

// CastingModes is the function CastingModes.
func (s *Settings) CastingModes() Casting { return s.State().Casting }

// UpcastDataTypes is the function UpcastDataTypes.
func (s *Settings) UpcastDataTypes(on ...bool) Restore { return s.turn(Upcast, on) }

// DowncastDataTypes is the function DowncastDataTypes.
func (s *Settings) DowncastDataTypes(on ...bool) Restore { return s.turn(Downcast, on) }

// CrosscastDataTypes is the function CrosscastDataTypes.
func (s *Settings) CrosscastDataTypes(on ...bool) Restore { return s.turn(Crosscast, on) }

// CastDataTypes is the function CastDataTypes.
func (s *Settings) CastDataTypes(on ...bool) Restore { return s.turn(CastAll, on) }

func (s *Settings) turn(modes Casting, on []bool) Restore {
	if len(on) > 0 && !on[0] {
		return s.SetCasting(s.CastingModes() &^ modes)
	}
	return s.SetCasting(s.CastingModes() | modes)
}

// CastOf is the function CastOf.
func (s *Settings) CastOf(op string, d dtype.DType) (Cast, error) {
	return s.CastOn(op, d, s.DefaultDevice())
}

// CastOn is CastOf for an argument on the device of that name.
func (s *Settings) CastOn(op string, d dtype.DType, device string) (Cast, error) {
	now, p, name := s.State(), s.Active(), opName(op)
	if err := s.checkDevice(name, p, device); err != nil {
		return Cast{From: d, To: d}, err
	}
	declared := s.excluded(name, p, device, "")
	c := &casting{at: d, lacks: union(declared, p.Invalid(dtype.Any)), profile: p, defaults: now}
	cast := Cast{From: d, To: d}
	if !slices.Contains(c.lacks, d) {
		return cast, nil
	}
	if slices.Contains(declared, d) && p.Has(d) { // what the whole backend lacks is not cast
		cast.Steps = append(c.superset(name), c.run(now.Casting)...)
		cast.To = c.at
	}
	if slices.Contains(c.lacks, c.at) {
		return Cast{From: d, To: d}, s.refuse(name, p, cast, c)
	}
	return cast, nil
}

// excluded returns the dtypes that the rules of an operation rule out: those
// about the backend p, or those about a frontend.
func (s *Settings) excluded(op string, p Profile, device, frontend string) []dtype.DType {
	var out [][]dtype.DType
	for _, r := range s.rules(op) {
		if r.speaks(p, frontend) {
			out = append(out, r.excluded(p.Version, device))
		}
	}
	return union(out...)
}

// speaks reports whether the rule is about the frontend, or where that is ""
// about the backend p.
func (r Rule) speaks(p Profile, frontend string) bool {
	if frontend != "" {
		return r.Frontend == frontend
	}
	return r.Frontend == "" && p.Name != "" && r.Framework == p.Name
}

func (s *Settings) checkDevice(op string, p Profile, device string) error {
	for _, r := range s.rules(op) {
		if r.speaks(p, "") && r.excludes(p.Version, device) {
			return &dtype.Error{Op: op, Operands: deviceKind(device), Reason: fmt.Sprintf("%s on backend %q does not run on %s", op, p, deviceKind(device)),
				Hint: "move the tensor with nv.ToDevice"}
		}
	}
	return nil
}

// refuse says that op does not take the dtype that a cast began with.
func (s *Settings) refuse(op string, p Profile, cast Cast, c *casting) error {
	if !p.Has(cast.From) {
		return p.Check(op, cast.From)
	}
	e := &dtype.Error{Op: op, Operands: cast.From.String(),
		Reason: fmt.Sprintf("%s on backend %q does not support %s", op, p, cast.From.Long())}
	if len(cast.Steps) > 0 {
		e.Reason += fmt.Sprintf(", nor what the casting modes make of it (%s)", cast)
	}
	var taken []string
	for _, d := range without(c.lacks) {
		taken = append(taken, d.String())
	}
	e.Hint = "it supports " + strings.Join(taken, " ") + ": convert with AsType"
	if mode := c.mode(cast.From); mode != "" {
		e.Hint += ", or let " + mode + " do it"
	}
	return e
}

// mode returns the call that switches on a casting mode which would serve for d.
func (c *casting) mode(d dtype.DType) string {
	calls := []string{"backend.CrosscastDataTypes()", "backend.UpcastDataTypes()", "backend.DowncastDataTypes()"}
	for i, r := range castingRules {
		try := *c
		try.at = d
		if try.run(r.mode); !slices.Contains(c.lacks, try.at) && c.defaults.Casting&r.mode == 0 {
			return calls[i]
		}
	}
	return ""
}

// CastFrontend returns the dtype in which Ivy's frontend of a framework takes
// an argument of d to op: d, or an error.
func (s *Settings) CastFrontend(frontend, op string, d dtype.DType) error {
	p, err := ProfileOf(frontend)
	if err != nil {
		return err
	}
	if ds := s.excluded(opName(op), p, "", frontend); slices.Contains(ds, d) {
		return &dtype.Error{Op: op, Operands: d.String(), Reason: fmt.Sprintf("%s of the frontend %q does not support %s", opName(op), p, d.Long()),
			Hint: "convert with AsType"}
	}
	return nil
}
