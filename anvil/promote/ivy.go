package promote

import (
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// IvyPrecise and IvyFast are Ivy in and out of its precise mode, Ivy the mode
// it starts in.
var (
	IvyPrecise = newIvy("ivy-precise", "Ivy's precise mode: a float wide enough for the integer", ivy{precise: true})
	IvyFast    = newIvy("ivy-fast", "Ivy out of precise mode: a float keeps its width beside integers", ivy{})
	Ivy        = newIvy("ivy", "Ivy as it starts: in precise mode", ivy{precise: true})
)

// ivy is what varies between Ivy's modes.
type ivy struct{ precise bool }

func newIvy(name, doc string, v ivy) *System {
	return New(name, doc, tensorflowDTypes, Rules{ // the same fifteen
		Literal: ivyLiteral,
		Convert: numpyConvert,
		Join:    v.join,
		Divide: func(t dtype.Typed) (dtype.Typed, Rule) {
			if t.DType.Is(dtype.Bits) {
				return Known(dtype.F32), ivyDivision
			}
			return t, Rule{"division", "computed in the common dtype"}
		},
		Reduce:  numpyReduce,
		Operate: v.operate,
		CanCast: func(from, to dtype.DType, _ string) (bool, error) { return v.canCast(from, to) },
	})
}

// ivyLiteral: a number by itself has Ivy's default dtypes, of 32 bits.
func ivyLiteral(v any) (dtype.Typed, error) {
	return defaultOf(v, dtype.I32, dtype.F32, dtype.C64)
}

var (
	ivyIntegers = Rule{"integers", "the integer, or for ui64 with a signed one the float f64, that holds both"}
	ivyFloats   = Rule{"floats and complex", "the narrowest float or complex dtype that holds both"}
	ivyExtra    = Rule{"extra, fast", "an integer takes on the float's dtype"}
	ivyPrecise  = Rule{"extra, precise", "a float wide enough for the integer: f32 for 16 bits, f64 for more"}
	ivyNumber   = Rule{"number", "the number takes the array's dtype where its kind is not higher"}
	ivyHigher   = Rule{"number of a higher kind", "an integer array meets a float in f64, a bool array in the default dtype; a complex number in c128, beside c64 and bools in c64"}
	ivyDivision = Rule{"division of integers", "integers are divided in the default float, f32"}
)

func (v ivy) join(a, b Operand) (dtype.Typed, Rule, error) {
	if a.Ambiguous && !b.Ambiguous {
		a, b = b, a
	}
	if b.Ambiguous && !a.Ambiguous {
		return ivyScalar(a.DType, b.DType)
	}
	x, y := a.DType, b.DType
	if !slices.Contains(tensorflowDTypes, x) || !slices.Contains(tensorflowDTypes, y) {
		return dtype.Typed{}, Rule{}, refuse("promote_types", "IvyException", "these dtypes (%s and %s) are not type promotable", x.Long(), y.Long())
	}
	if x.Is(dtype.Inexact) {
		x, y = y, x
	}
	switch {
	case x.Is(dtype.Inexact):
		return Known(torchLattice.joinDTypes(x, y)), ivyFloats, nil
	case y.Is(dtype.Bits):
		return Known(numpyPairs()[x][y]), ivyIntegers, nil
	case !v.precise:
		return Known(y), ivyExtra, nil
	}
	// Beside integers bf16 counts as a float of its width; f16 says which.
	if wide := numpyPairs()[x][dtype.F16]; y == dtype.BF16 && wide != dtype.F16 {
		return Known(wide), ivyPrecise, nil
	} else if y == dtype.BF16 {
		return Known(y), ivyPrecise, nil
	}
	return Known(numpyPairs()[x][y]), ivyPrecise, nil
}

// ivyScalar returns the dtype of an array of d beside a Python number.
func ivyScalar(d, number dtype.DType) (dtype.Typed, Rule, error) {
	switch {
	case kindRank(number) <= kindRank(d):
		return Known(d), ivyNumber, nil
	case d == dtype.I1:
		return Known(number), ivyHigher, nil
	case number.Is(dtype.Complex):
		return Known(dtype.C128), ivyHigher, nil
	}
	return Known(dtype.F64), ivyHigher, nil
}

// ivyNames are the operations that NumPy, Ivy's backend here, calls otherwise.
var ivyNames = map[string]string{"atan2": "arctan2", "concat": "concatenate", "pow": "power", "abs": "absolute"}

func (v ivy) operate(op string, xs []Operand) (dtype.Typed, []Step, error) {
	if len(xs) == 1 {
		return ivyUnary(op, xs[0].Typed)
	}
	var t dtype.Typed
	var r Rule
	var err error
	if op == "matmul" { // not promoted by Ivy, so by its backend
		t, r, err = numpyJoin(xs[0], xs[1])
	} else {
		t, r, err = v.join(xs[0], xs[1])
	}
	if err != nil {
		return t, nil, err
	}
	steps := []Step{{operands(xs), t, r}}
	switch {
	case op == "bitwise_and" && (xs[0].DType == dtype.I1) != (xs[1].DType == dtype.I1):
		return t, steps, refuse(op, "IvyBackendException", "numpy: bitwise_and: these dtypes (%s and %s) are not type promotable", xs[0].DType.Long(), xs[1].DType.Long())
	case op == "divide" && t.DType.Is(dtype.Bits):
		return Known(dtype.F32), append(steps, Step{"divide of " + t.String(), Known(dtype.F32), ivyDivision}), nil
	case op == "divide":
		return t, append(steps, kernelStep(op, t, t)), nil
	}
	name := op
	if n, ok := ivyNames[op]; ok {
		name = n
	}
	if t.DType == dtype.I1 && (name == "power" || name == "floor_divide") {
		return t, append(steps, Step{op + " of bools", t, Rule{"cast back", "the backend's result is cast to the common dtype"}}), nil
	}
	same := Operand{Typed: t, Rank: 1}
	d, more, err := numpyOperate(name, []Operand{same, same})
	if err != nil {
		return d, steps, refuse(op, "IvyBackendException", "numpy: %s: %s", op, err)
	}
	return d, append(steps, more...), nil
}

var ivyTable = sync.OnceValue(func() map[string]section { return sections("ivy") })

func ivyUnary(op string, t dtype.Typed) (dtype.Typed, []Step, error) {
	k, ok := ivyTable()["unary"][op]
	if !ok {
		return dtype.Typed{}, nil, unnamed("ivy", op)
	}
	r, err := k.at(op, Known(t.DType), dtype.DType.Long)
	if err != nil {
		return r, nil, err
	}
	return r, []Step{kernelStep(op, t, r)}, nil
}

// canCast: a dtype may be cast to what promotion with it gives.
func (v ivy) canCast(from, to dtype.DType) (bool, error) {
	t, _, err := v.join(Operand{Typed: Known(from)}, Operand{Typed: Known(to)})
	return err == nil && t.DType == to, err
}
