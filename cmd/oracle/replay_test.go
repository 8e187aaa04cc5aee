package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A replayer computes the result of an explanation from its operands and from the text and
// the rule's name of each step. For that it has an implementation of the rules of its own,
// which follows their meaning. It uses the system's name and lattice, but not the results of
// the steps.
type replayer struct {
	system   string
	above    map[string][]string // the lattice's edges
	operands []promote.Operand
	used     map[string]int // by the text of a literal, how many operands have been read
}

// newReplayer returns a replayer of e.
func newReplayer(e promote.Explanation) *replayer {
	r := &replayer{system: e.System.Name(), operands: e.Operands, above: map[string][]string{}, used: map[string]int{}}
	if l := e.System.Lattice(); l != nil {
		for _, n := range l.Nodes() {
			r.above[n] = l.Above(n)
		}
	}
	return r
}

// replay returns the replayed dtype of the last step. If an earlier step is wrong, it
// returns a description of that in wrong.
func replay(e promote.Explanation) (last dtype.Typed, wrong string) {
	r := newReplayer(e)
	for i, s := range e.Steps {
		var err error
		if last, err = r.apply(s.Rule.Name, r.read(s.Operands)); err != nil {
			return last, err.Error()
		}
		if i < len(e.Steps)-1 && last != s.Result {
			return last, fmt.Sprintf("step %d gives %s, replayed %s", i+1, s.Result, last)
		}
	}
	return last, ""
}

// read returns the dtypes in a step's operands. A literal has the dtype that it has
// among the operands of the explanation.
func (r *replayer) read(words string) (xs []dtype.Typed) {
	for _, word := range strings.FieldsFunc(words, func(c rune) bool { return c == ' ' || c == ',' }) {
		bare, weak := strings.CutSuffix(word, "?")
		if d, ok := promote.Named(bare); ok {
			xs = append(xs, dtype.Typed{DType: d, Ambiguous: weak})
			continue
		}
		if len(word) == 2 && word[1] == '*' {
			xs = append(xs, r.atNode(word))
			continue
		}
		var found []promote.Operand
		for _, x := range r.operands {
			if x.Literal != nil && x.String() == word {
				found = append(found, x)
			}
		}
		if len(found) > 0 {
			xs = append(xs, found[r.used[word]%len(found)].Typed)
			r.used[word]++
		}
	}
	return xs
}

// apply applies the rule with the given name to xs. The name may end in the dtype of the
// result: "counted in i64".
func (r *replayer) apply(name string, xs []dtype.Typed) (dtype.Typed, error) {
	if len(xs) == 0 {
		return dtype.Typed{}, fmt.Errorf("%s of nothing", name)
	}
	if f, ok := replayed[name]; ok {
		return f(r, name, xs)
	}
	bare, weak := strings.CutSuffix(name, ", weak")
	if !weak {
		bare, weak = strings.CutSuffix(name, ", ambiguous")
	}
	for _, prefix := range []string{
		"counted in ", "widened to ", "integers in ", "result in ", "division of integers in ", "no wider signed: ",
		"number beside an extension: ",
	} {
		if d, ok := promote.Named(strings.TrimPrefix(bare, prefix)); ok && bare != d.String() {
			return dtype.Typed{DType: d, Ambiguous: weak}, nil
		}
	}
	if f, ok := replayed[strings.TrimSuffix(name, ", known")]; ok {
		return known(f(r, name, xs))
	}
	if f, ok := replayed[bare]; ok && weak {
		t, err := f(r, name, xs)
		t.Ambiguous = true
		return t, err
	}
	return dtype.Typed{}, fmt.Errorf("no rule %q", name)
}

// A replayRule returns the result of a rule for the dtypes in a step's operands.
type replayRule = func(r *replayer, name string, xs []dtype.Typed) (dtype.Typed, error)

// replayed are the rules by name.
var replayed map[string]replayRule

func init() {
	replayed = map[string]replayRule{
		// A single operand.
		"literal": takeFirst, "typed value": takeFirst, "one operand": takeFirst, "first operand": takeFirst, "cast back": takeFirst,
		"keeps the dtype":            takeFirst,
		"keeps the dtype, known":     to(func(x dtype.Typed) dtype.Typed { return promote.Known(x.DType) }),
		"keeps the dtype, weak":      to(func(x dtype.Typed) dtype.Typed { return promote.Amb(x.DType) }),
		"float to an integer, known": to(func(x dtype.Typed) dtype.Typed { return promote.Known(x.DType) }),
		"signed with unsigned":       to(func(dtype.Typed) dtype.Typed { return promote.Known(dtype.I1) }),
		"truth":                      to(func(dtype.Typed) dtype.Typed { return promote.Known(dtype.I1) }),
		"product with a bool":        to(func(dtype.Typed) dtype.Typed { return promote.Known(dtype.I1) }),
		"real result":                to(func(x dtype.Typed) dtype.Typed { return promote.Known(halfOf(x.DType)) }),
		"64-bit dtypes are off":      to(func(x dtype.Typed) dtype.Typed { return dtype.Typed{DType: narrowed(x.DType), Ambiguous: x.Ambiguous} }),
		"float to an integer, weak":  to(func(x dtype.Typed) dtype.Typed { return x }),
		"integer power":              to(func(x dtype.Typed) dtype.Typed { return unlessBool(x, dtype.I32) }),
		"function of reals":          takeFirst,
		"reduction":                  takeFirst,
		"division":                   takeFirst,
		"integer division":           takeFirst,
		"made complex":               to(func(x dtype.Typed) dtype.Typed { return dtype.Typed{DType: complexOf(x.DType), Ambiguous: x.Ambiguous} }),
		"converted":                  second,
		"any, all":                   to(func(dtype.Typed) dtype.Typed { return promote.Known(dtype.I1) }),
		"truth, ambiguous":           to(func(dtype.Typed) dtype.Typed { return promote.Amb(dtype.I1) }),
		"position": func(r *replayer, _ string, _ []dtype.Typed) (dtype.Typed, error) {
			return promote.Known(r.index()), nil
		},
		"mean": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			if xs[0].DType.Is(dtype.Inexact) {
				return xs[0], nil
			}
			return dtype.Typed{DType: dtype.F32, Ambiguous: r.system == "anvil"}, nil
		},
		"sum of integers":       to(func(dtype.Typed) dtype.Typed { return promote.Known(dtype.I64) }),
		"weak default":          weakDefault,
		"copied":                stored,
		"float between numbers": takeFirst,
		"stored":                stored,
		"same_kind":             stored,
		// Two of a kind.
		"same dtype":            both(func(x, _ dtype.DType) dtype.DType { return x }),
		"one dtype":             both(func(x, _ dtype.DType) dtype.DType { return x }),
		"bool is lowest":        both(func(x, y dtype.DType) dtype.DType { return other(x, y, dtype.I1) }),
		"wider integer":         both(wider),
		"wider float":           both(wider),
		"two halves":            both(func(_, _ dtype.DType) dtype.DType { return dtype.F32 }),
		"signed holds unsigned": both(func(x, y dtype.DType) dtype.DType { return ofKind(x, y, dtype.Signed) }),
		"signed of twice the width": both(func(x, y dtype.DType) dtype.DType {
			return integer(min(2*ofKind(x, y, dtype.Unsigned).Bits(), 64))
		}),
		"float over integer":  both(func(x, y dtype.DType) dtype.DType { return ofKind(x, y, dtype.Floating) }),
		"extra, fast":         both(func(x, y dtype.DType) dtype.DType { return ofKind(x, y, dtype.Floating) }),
		"float wide enough":   both(floatFor),
		"complex":             both(func(x, y dtype.DType) dtype.DType { return complexWith(x, y, false) }),
		"complex wide enough": both(func(x, y dtype.DType) dtype.DType { return complexWith(x, y, true) }),
		"the complex dtype":   both(func(_, _ dtype.DType) dtype.DType { return dtype.C64 }),
		"bools are counted":   both(func(_, _ dtype.DType) dtype.DType { return dtype.U32 }),
		"two numbers":         both(higher),
		"higher of the two":   both(registered),
		"f8e5m2 as a half":    both(asHalf),
		// A literal beside a dtype.
		"ambiguous yields":           takeKnown,
		"takes the array's dtype":    takeKnown,
		"number":                     takeKnown,
		"number beside an array":     takeKnown,
		"ambiguous of a higher kind": takeAmbiguous,
		"ambiguous over bool":        takeAmbiguous,
		"number beside bools, weak":  takeAmbiguous,
		"number beside bools": func(r *replayer, n string, xs []dtype.Typed) (dtype.Typed, error) {
			return known(takeAmbiguous(r, n, xs))
		},
		"takes the default dtype": func(r *replayer, n string, xs []dtype.Typed) (dtype.Typed, error) {
			return known(takeAmbiguous(r, n, xs))
		},
		"number of a higher kind": beside(func(_, n dtype.DType) dtype.Typed { return promote.Known(wideOf(n)) }),
		"number beside integers":  beside(func(_, n dtype.DType) dtype.Typed { return promote.Amb(wideOf(n)) }),
		"float number in f64":     beside(func(_, _ dtype.DType) dtype.Typed { return promote.Known(dtype.F64) }),
		"complex number in c128":  beside(func(_, _ dtype.DType) dtype.Typed { return promote.Known(dtype.C128) }),
		"complex number in c128, weak beside integers": beside(func(d, _ dtype.DType) dtype.Typed {
			return dtype.Typed{DType: dtype.C128, Ambiguous: d.Is(dtype.Integral)}
		}),
		"complex number":                 beside(func(d, _ dtype.DType) dtype.Typed { return promote.Known(complexOf(d)) }),
		"complex number beside a float":  beside(func(d, _ dtype.DType) dtype.Typed { return promote.Known(complexOf(d)) }),
		"ambiguous complex, known float": beside(func(d, _ dtype.DType) dtype.Typed { return promote.Amb(complexOf(d)) }),
		// A lattice.
		"climb": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return r.climb(xs) },
		"climb in 64 bits": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			t, err := r.climb(xs)
			return promote.Amb(wideOf(t.DType)), err
		},
		"least upper bound": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return r.bound(xs) },
		"weak kind":         func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return r.bound(xs) },
		"weak kind in 64 bits": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			t, err := r.bound(xs)
			return promote.Amb(wideOf(t.DType)), err
		},
		"all weak": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			t, err := r.bound(allKnown(xs))
			return dtype.Typed{DType: t.DType, Ambiguous: t.DType != dtype.I1}, err
		},
		"all weak, by mode ALL": func(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			t, err := newReplayer(promote.Explanation{System: promote.TensorFlowAll}).bound(allKnown(xs))
			return dtype.Typed{DType: t.DType, Ambiguous: t.DType != dtype.I1}, err
		},
		"holds the other": func(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			if last := xs[len(xs)-1]; r.reaches(xs[0].DType.String())[last.DType.String()] {
				return last, nil
			}
			return xs[0], nil
		},
		// PyTorch's classes.
		"tensors with dimensions": intoClass, "zero-dimensional tensors": intoClass, "plain numbers": intoClass,
		"complex stays": takeFirst, "float stays": takeFirst, "kind stays": takeFirst,
		"complex beside integers": second,
		"higher kind": func(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			return promote.Known(torchTypes(xs[0].DType, xs[len(xs)-1].DType)), nil
		},
		"float made complex": to(func(x dtype.Typed) dtype.Typed { return promote.Known(torchComplex(x.DType)) }),
		"double precision": func(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
			if slices.ContainsFunc(xs, func(x dtype.Typed) bool { return x.DType.Is(dtype.Complex) }) {
				return promote.Known(dtype.C128), nil
			}
			return promote.Known(dtype.F64), nil
		},
		// NumPy's loops.
		"first loop that fits, from i1": loop, "first loop that fits, from i8": loop, "first loop that fits, from f16": loop, "first loop that fits, from f64": loop,
	}
}

func takeFirst(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return xs[0], nil }

func second(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return xs[len(xs)-1], nil }

func stored(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return xs[len(xs)-1], nil }

// to returns the rule that applies f to the first dtype.
func to(f func(dtype.Typed) dtype.Typed) replayRule {
	return func(_ *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) { return f(xs[0]), nil }
}

// both returns the rule that applies f to two dtypes. The result is ambiguous if both are.
func both(f func(x, y dtype.DType) dtype.DType) replayRule {
	return func(_ *replayer, name string, xs []dtype.Typed) (dtype.Typed, error) {
		if len(xs) == 1 && name == "same dtype" {
			return xs[0], nil
		}
		if len(xs) < 2 {
			return dtype.Typed{}, fmt.Errorf("%s: %v", name, xs)
		}
		return dtype.Typed{DType: f(xs[0].DType, xs[1].DType), Ambiguous: xs[0].Ambiguous && xs[1].Ambiguous && name != "two numbers"}, nil
	}
}

// beside returns the rule that applies f to the known dtype of a tensor and the ambiguous one of a
// literal.
func beside(f func(d, number dtype.DType) dtype.Typed) replayRule {
	return func(r *replayer, name string, xs []dtype.Typed) (dtype.Typed, error) {
		k, err := takeKnown(r, name, xs)
		a, _ := takeAmbiguous(r, name, xs)
		return f(k.DType, a.DType), err
	}
}

// takeKnown is the rule that the known dtype is the result.
func takeKnown(_ *replayer, name string, xs []dtype.Typed) (dtype.Typed, error) {
	return pick(name, xs, false)
}

// takeAmbiguous is the rule that the ambiguous dtype is the result.
func takeAmbiguous(_ *replayer, name string, xs []dtype.Typed) (dtype.Typed, error) {
	return pick(name, xs, true)
}

func pick(name string, xs []dtype.Typed, ambiguous bool) (dtype.Typed, error) {
	for _, x := range xs {
		if x.Ambiguous == ambiguous {
			return x, nil
		}
	}
	return dtype.Typed{}, fmt.Errorf("%s: %v", name, xs)
}

// known returns t as a known dtype.
func known(t dtype.Typed, err error) (dtype.Typed, error) { return promote.Known(t.DType), err }

// allKnown returns xs as known dtypes.
func allKnown(xs []dtype.Typed) []dtype.Typed {
	ys := make([]dtype.Typed, len(xs))
	for i, x := range xs {
		ys[i] = promote.Known(x.DType)
	}
	return ys
}
