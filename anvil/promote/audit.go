package promote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A JoinFunc is a rule for the common dtype of two, as Audit looks at it.
type JoinFunc func(a, b dtype.Typed) (dtype.Typed, error)

// Findings are what Audit found of a rule: whether the order of operands
// matters, what is wider than its operands, and which values get lost.
type Findings struct {
	Name       string
	States     []dtype.Typed // what was joined with each other
	Pairs      int           // how many unordered pairs there are, each dtype with itself among them
	Undefined  int           // how many of these have no common dtype
	Asymmetric []Asymmetry   // pairs whose order matters
	Triples    int           // how many unordered triples of different dtypes there are
	Dependent  []Triple      // those among them whose result depends on the order
	Unflagged  []Triple      // those where the result of two is taken as known, as a table of dtypes does
	Repeats    int           // how many triples there are in which a dtype comes twice or three times
	Repeated   []Triple      // those among them whose result depends on the order
	Wider      []Pair        // pairs whose result has more bits than either
	Losses     []Loss        // pairs of which one has a value that the result does not
}

// A Pair is two dtypes and their common one.
type Pair struct{ A, B, Result dtype.Typed }

// String returns "i8 with ui8 gives i16".
func (p Pair) String() string { return fmt.Sprintf("%s with %s gives %s", p.A, p.B, p.Result) }

// An Asymmetry is two dtypes that give one result in one order and another in
// the other; an outcome is a dtype, or "error".
type Asymmetry struct {
	A, B              dtype.Typed
	Forward, Backward string
}

// String returns "i8 with f32 gives f32, f32 with i8 gives error".
func (a Asymmetry) String() string {
	return fmt.Sprintf("%s with %s gives %s, %s with %s gives %s", a.A, a.B, a.Forward, a.B, a.A, a.Backward)
}

// A Triple is three dtypes and what joining two of them first, and then the
// third, gives for each choice of the third: Outcomes[i] has X[i] join last.
type Triple struct {
	X        [3]dtype.Typed
	Outcomes [3]string
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
		if last == 1 {
			a, b = b, a
		}
		ways = append(ways, fmt.Sprintf("(%s with %s) with %s gives %s", a, b, t.X[last], outcome))
	}
	return strings.Join(ways, ", ")
}

// Audit examines the join of a system over dtypes, those of its tables where
// none are given: symmetry, associativity, widening and loss.
func Audit(s *System, ds ...dtype.DType) Findings {
	given("promote.Audit", s)
	if len(ds) == 0 {
		ds = s.dtypes
	}
	ts := make([]dtype.Typed, len(ds))
	for i, d := range ds {
		ts[i] = Known(d)
	}
	return AuditStates(s, ts...)
}

// given panics where one of systems is nil.
func given(op string, systems ...*System) {
	if slices.Contains(systems, nil) {
		panic(&dtype.Error{Op: op, Operands: "nil", Reason: "nil is no promotion system", Hint: "give one, such as promote.Torch"})
	}
}

// AuditStates is Audit over dtypes that may be ambiguous too.
func AuditStates(s *System, ts ...dtype.Typed) Findings {
	return AuditJoin(s.name, func(a, b dtype.Typed) (dtype.Typed, error) {
		return s.Join(Operand{Typed: a, Rank: 1}, Operand{Typed: b, Rank: 1})
	}, ts...)
}

// AuditJoin is Audit of any rule, a learner's own too.
func AuditJoin(name string, join JoinFunc, ts ...dtype.Typed) Findings {
	f := Findings{Name: name, States: slices.Clone(ts)}
	known := func(a, b dtype.Typed) (dtype.Typed, error) {
		t, err := join(a, b)
		return Known(t.DType), err
	}
	for i, a := range ts {
		for j, b := range ts[i:] {
			f.pair(join, a, b)
			for k, c := range ts[i+j:] {
				f.triple(join, [3]dtype.Typed{a, b, c}, j > 0 && k > 0)
				if t := threeWays(known, [3]dtype.Typed{a, b, c}); t.dependent() && j > 0 && k > 0 {
					f.Unflagged = append(f.Unflagged, t)
				}
			}
		}
	}
	slices.SortStableFunc(f.Losses, func(a, b Loss) int { return cmp.Compare(b.weight(), a.weight()) })
	return f
}

// failed stands for an outcome without a dtype.
const failed = "error"

func outcome(t dtype.Typed, err error) string {
	if err != nil {
		return failed
	}
	return t.String()
}

func (f *Findings) pair(join JoinFunc, a, b dtype.Typed) {
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
	for i, x := range []dtype.Typed{a, b} {
		if l, ok := lossOf(p, x); ok && (i == 0 || a != b) {
			f.Losses = append(f.Losses, l)
			break
		}
	}
}

func (f *Findings) triple(join JoinFunc, x [3]dtype.Typed, distinct bool) {
	t := threeWays(join, x)
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

func threeWays(join JoinFunc, x [3]dtype.Typed) Triple {
	return Triple{x, [3]string{fold(join, x[1], x[2], x[0]), fold(join, x[0], x[2], x[1]), fold(join, x[0], x[1], x[2])}}
}

func (t Triple) dependent() bool {
	return t.Outcomes[0] != t.Outcomes[1] || t.Outcomes[1] != t.Outcomes[2]
}

func fold(join JoinFunc, a, b, c dtype.Typed) string {
	t, err := join(a, b)
	if err != nil {
		return failed
	}
	return outcome(join(t, c))
}

// shownFindings is how many examples of each finding its text has.
const shownFindings = 5

// Sections returns the findings in words: of each a line, and examples.
func (f Findings) Sections() []Section {
	sections := []Section{
		sectionOf(fmt.Sprintf("defined: %d of %d pairs have a common dtype", f.Pairs-f.Undefined, f.Pairs), []Pair(nil)),
		sectionOf(fmt.Sprintf("symmetry: the order of two matters in %d of %d pairs", len(f.Asymmetric), f.Pairs), f.Asymmetric),
		sectionOf(fmt.Sprintf("associativity: the order of three matters in %d of %d triples", len(f.Dependent), f.Triples), f.Dependent),
		sectionOf(fmt.Sprintf("associativity with a dtype twice: the order matters in %d of %d triples", len(f.Repeated), f.Repeats), f.Repeated),
		sectionOf(fmt.Sprintf("widening: %d of %d pairs give a dtype with more bits than either", len(f.Wider), f.Pairs), f.Wider),
		sectionOf(fmt.Sprintf("loss: in %d of %d pairs the common dtype lacks a number of one of them", len(f.Losses), f.Pairs), f.Losses),
	}
	if len(f.Unflagged) != len(f.Dependent) {
		line := fmt.Sprintf("associativity without flags: where the result of two counts as known the order matters in %d of %d triples", len(f.Unflagged), f.Triples)
		sections = slices.Insert(sections, 3, sectionOf(line, f.Unflagged))
	}
	return sections
}

// A Section is a line of a report, and examples of what it says.
type Section struct {
	Line     string
	Examples []string
	More     int // examples left out
}

func sectionOf[T fmt.Stringer](line string, found []T) Section {
	s := Section{Line: line, More: max(0, len(found)-shownFindings)}
	for _, x := range found[:len(found)-s.More] {
		s.Examples = append(s.Examples, x.String())
	}
	return s
}

// Title returns what was examined.
func (f Findings) Title() string {
	words := make([]string, len(f.States))
	for i, t := range f.States {
		words[i] = t.String()
	}
	return "audit of " + f.Name + " over " + strings.Join(words, " ")
}

// String returns the title and the sections, with some examples of each.
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
