package promote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A JoinFunc returns the common dtype of two dtypes.
type JoinFunc func(a, b dtype.Typed) (dtype.Typed, error)

// Findings are the results of an Audit: where the order of operands matters, where
// the result is wider than the operands, and which values the result does not hold.
type Findings struct {
	Name       string
	States     []dtype.Typed // the dtypes that were joined
	Pairs      int           // the number of unordered pairs, including each dtype with itself
	Undefined  int           // the number of pairs without a common dtype
	Asymmetric []Asymmetry   // pairs whose order matters
	Triples    int           // the number of unordered triples of different dtypes
	Dependent  []Triple      // the triples of different dtypes whose result depends on the order
	Unflagged  []Triple      // as Dependent, but with the result of each join taken as known, not ambiguous
	Repeats    int           // the number of unordered triples in which a dtype repeats
	Repeated   []Triple      // the triples with a repeated dtype whose result depends on the order
	Wider      []Pair        // pairs whose result has more bits than either operand
	Losses     []Loss        // values of an operand that the result of the pair does not hold, one for each pair
}

// A Pair is two dtypes and their common dtype.
type Pair struct{ A, B, Result dtype.Typed }

// String returns "i8 with ui8 gives i16".
func (p Pair) String() string { return fmt.Sprintf("%s with %s gives %s", p.A, p.B, p.Result) }

// An Asymmetry is a pair of dtypes whose result depends on the order.
type Asymmetry struct {
	A, B              dtype.Typed
	Forward, Backward string // the results of (A, B) and of (B, A): a dtype or "error"
}

// String returns "i8 with f32 gives f32, f32 with i8 gives error".
func (a Asymmetry) String() string {
	return fmt.Sprintf("%s with %s gives %s, %s with %s gives %s", a.A, a.B, a.Forward, a.B, a.A, a.Backward)
}

// A Triple is three dtypes with the results of the three ways of joining them in pairs.
type Triple struct {
	X        [3]dtype.Typed
	Outcomes [3]string // Outcomes[i] is the result if X[i] is joined last: a dtype or "error"
}

// Distinct returns the different outcomes, sorted.
func (t Triple) Distinct() []string {
	out := slices.Clone(t.Outcomes[:])
	slices.Sort(out)
	return slices.Compact(out)
}

// String returns the three ways: "(i8 with ui8) with f16 gives f32, ...".
func (t Triple) String() string {
	var ways []string
	for last, outcome := range t.Outcomes {
		a, b := t.X[(last+1)%3], t.X[(last+2)%3]
		if last == 1 { // joinThreeWays joins X[0] with X[2], in this order
			a, b = b, a
		}
		ways = append(ways, fmt.Sprintf("(%s with %s) with %s gives %s", a, b, t.X[last], outcome))
	}
	return strings.Join(ways, ", ")
}

// Audit joins all pairs and triples of ds, or of the system's dtypes if none are given,
// under s. It reports where the join is not symmetric or not associative, where it widens,
// and where it loses values.
func Audit(s *System, ds ...dtype.DType) Findings {
	checkGiven("promote.Audit", s)
	if len(ds) == 0 {
		ds = s.dtypes
	}
	ts := make([]dtype.Typed, len(ds))
	for i, d := range ds {
		ts[i] = Known(d)
	}
	return AuditStates(s, ts...)
}

// checkGiven panics if one of systems is nil.
func checkGiven(op string, systems ...*System) {
	if slices.Contains(systems, nil) {
		panic(&dtype.Error{Op: op, Operands: "nil", Reason: "the promotion system is nil",
			Hint: "give one, such as promote.Torch"})
	}
}

// AuditStates is Audit for dtypes each of which may be known or ambiguous.
func AuditStates(s *System, ts ...dtype.Typed) Findings {
	return AuditJoin(s.name, func(a, b dtype.Typed) (dtype.Typed, error) {
		return s.Join(Operand{Typed: a, Rank: 1}, Operand{Typed: b, Rank: 1})
	}, ts...)
}

// AuditJoin is AuditStates for any function that joins two dtypes.
func AuditJoin(name string, join JoinFunc, ts ...dtype.Typed) Findings {
	f := Findings{Name: name, States: slices.Clone(ts)}
	joinKnown := func(a, b dtype.Typed) (dtype.Typed, error) {
		t, err := join(a, b)
		return Known(t.DType), err
	}
	for i, a := range ts {
		for j, b := range ts[i:] {
			f.auditPair(join, a, b)
			for k, c := range ts[i+j:] {
				triple, distinct := [3]dtype.Typed{a, b, c}, j > 0 && k > 0
				f.auditTriple(join, triple, distinct)
				if t := joinThreeWays(joinKnown, triple); distinct && t.dependent() {
					f.Unflagged = append(f.Unflagged, t)
				}
			}
		}
	}
	// The report shows only the first losses. Those of narrow dtypes have the smallest numbers.
	slices.SortStableFunc(f.Losses,
		func(a, b Loss) int { return cmp.Compare(a.From.DType.Bits(), b.From.DType.Bits()) })
	return f
}

// failed is the outcome of a join without a common dtype.
const failed = "error"

// outcome returns the result of a join as text.
func outcome(t dtype.Typed, err error) string {
	if err != nil {
		return failed
	}
	return t.String()
}

// auditPair adds the findings for a and b.
func (f *Findings) auditPair(join JoinFunc, a, b dtype.Typed) {
	f.Pairs++
	t, err := join(a, b)
	if forward, backward := outcome(t, err), outcome(join(b, a)); forward != backward {
		f.Asymmetric = append(f.Asymmetric, Asymmetry{a, b, forward, backward})
	}
	if err != nil {
		f.Undefined++
		return
	}
	p := Pair{a, b, t}
	if t.DType.Bits() > max(a.DType.Bits(), b.DType.Bits()) {
		f.Wider = append(f.Wider, p)
	}
	for _, x := range []dtype.Typed{a, b} {
		if l, ok := lossOf(p, x); ok {
			f.Losses = append(f.Losses, l)
			break // one example for each pair
		}
	}
}

// auditTriple adds the findings for the three dtypes x; distinct reports whether no two are equal.
func (f *Findings) auditTriple(join JoinFunc, x [3]dtype.Typed, distinct bool) {
	t := joinThreeWays(join, x)
	if distinct {
		f.Triples++
	} else {
		f.Repeats++
	}
	switch {
	case t.dependent() && distinct:
		f.Dependent = append(f.Dependent, t)
	case t.dependent():
		f.Repeated = append(f.Repeated, t)
	}
}

// joinThreeWays returns the Triple of x.
func joinThreeWays(join JoinFunc, x [3]dtype.Typed) Triple {
	fold := func(a, b, c dtype.Typed) string {
		t, err := join(a, b)
		if err != nil {
			return failed
		}
		return outcome(join(t, c))
	}
	return Triple{x, [3]string{fold(x[1], x[2], x[0]), fold(x[0], x[2], x[1]), fold(x[0], x[1], x[2])}}
}

// dependent reports whether the result depends on the order.
func (t Triple) dependent() bool {
	return t.Outcomes[0] != t.Outcomes[1] || t.Outcomes[1] != t.Outcomes[2]
}

// shownFindings is the number of examples of each finding in the report.
const shownFindings = 5

// Sections returns the report of the findings: a line for each, and examples.
func (f Findings) Sections() []Section {
	sections := []Section{
		sectionOf(fmt.Sprintf("defined: %d of %d pairs have a common dtype", f.Pairs-f.Undefined, f.Pairs), []Pair(nil)),
		sectionOf(fmt.Sprintf("symmetry: the order of two matters in %d of %d pairs", len(f.Asymmetric), f.Pairs),
			f.Asymmetric),
		sectionOf(fmt.Sprintf("associativity: the order of three matters in %d of %d triples", len(f.Dependent),
			f.Triples), f.Dependent),
		sectionOf(fmt.Sprintf("associativity with a dtype twice: the order matters in %d of %d triples",
			len(f.Repeated), f.Repeats), f.Repeated),
		sectionOf(fmt.Sprintf("widening: %d of %d pairs give a dtype with more bits than either", len(f.Wider),
			f.Pairs), f.Wider),
		sectionOf(fmt.Sprintf("loss: in %d of %d pairs the common dtype lacks a number of one of them", len(f.Losses),
			f.Pairs), f.Losses),
	}
	if len(f.Unflagged) != len(f.Dependent) {
		line := fmt.Sprintf("associativity if every result counts as known: the order of three matters in %d of %d triples",
			len(f.Unflagged), f.Triples)
		sections = slices.Insert(sections, 3, sectionOf(line, f.Unflagged)) // after "associativity"
	}
	return sections
}

// A Section is a line of a report with examples.
type Section struct {
	Line     string
	Examples []string
	More     int // examples left out
}

// sectionOf returns the section with the given line and the first of the findings as examples.
func sectionOf[T fmt.Stringer](line string, found []T) Section {
	s := Section{Line: line, More: max(0, len(found)-shownFindings)}
	for _, x := range found[:len(found)-s.More] {
		s.Examples = append(s.Examples, x.String())
	}
	return s
}

// Title returns the name of the system and the dtypes.
func (f Findings) Title() string { return "audit of " + f.Name + " over " + joinTexts(f.States, " ") }

// String returns the title and the sections.
func (f Findings) String() string {
	var b strings.Builder
	b.WriteString(f.Title())
	for _, s := range f.Sections() {
		b.WriteString("\n" + s.Line)
		for _, x := range s.Examples {
			b.WriteString("\n  " + x)
		}
		if s.More > 0 {
			fmt.Fprintf(&b, "\n  and %d more", s.More)
		}
	}
	return b.String()
}
