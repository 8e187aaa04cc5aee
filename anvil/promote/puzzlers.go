package promote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Puzzler is a question that systems answer differently, with a score.
type Puzzler struct {
	Rank     int // 1 is the most surprising
	Question Question
	Answers  []Explanation // of each system that has the dtypes of the question
	Score    int
	Why      []string // the parts of the score
}

// Puzzlers returns questions that the systems answer differently, the most surprising first.
// Without arguments it asks all systems. A question is asked of the systems that have its dtypes.
func Puzzlers(systems ...*System) []Puzzler {
	checkGiven("promote.Puzzlers", systems...)
	if len(systems) == 0 {
		systems = Systems()
	}
	var ps []Puzzler
	for _, q := range puzzlerQuestions() {
		p := Puzzler{Question: q}
		for _, s := range systems {
			if q.Knows(s) {
				p.Answers = append(p.Answers, q.Ask(s))
			}
		}
		if p.distinct() > 1 {
			p.rate()
			ps = append(ps, p)
		}
	}
	slices.SortStableFunc(ps, func(a, b Puzzler) int { return cmp.Compare(b.Score, a.Score) })
	ps = withoutRepeats(ps)
	for i := range ps {
		ps[i].Rank = i + 1
	}
	return ps
}

// puzzlerDTypes are the dtypes in the questions, wide and narrow of each kind.
var puzzlerDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64}

// puzzlerLiterals are the numbers in the questions; ui8 does not hold 300 and -1.
var puzzlerLiterals = []any{true, 1, 300, -1, 1.5, 1i}

// puzzlerQuestions returns the questions among which Puzzlers chooses.
func puzzlerQuestions() []Question {
	var qs []Question
	for i, a := range puzzlerDTypes {
		for _, b := range puzzlerDTypes[i+1:] {
			qs = append(qs, AskCommon(a, b), AskCommon(a, Operand{Typed: Known(b)}),
				AskCommon(Operand{Typed: Known(a)}, b))
		}
		for _, v := range puzzlerLiterals {
			qs = append(qs, AskCommon(a, v))
		}
		qs = append(qs, AskDivide(a, a), AskReduce(Sum, a), AskReduce(Mean, a), AskReduce(Index, a))
	}
	return append(qs, AskCommon(1, 1.5), AskCommon(true, 1), AskCommon(true, true),
		AskCommon(dtype.I8, dtype.U8, dtype.F16), AskCommon(dtype.I8, dtype.U16, dtype.F32),
		AskCommon(dtype.I16, dtype.U64, dtype.BF16))
}

// distinct returns the number of different answers.
func (p Puzzler) distinct() int { return len(p.groups()) }

// An answerGroup is an answer and the systems that give it.
type answerGroup struct {
	answer  string
	systems []string
}

// groups returns the different answers with the systems that give them, the most frequent
// first.
func (p Puzzler) groups() (gs []answerGroup) {
	for _, e := range p.Answers {
		i := slices.IndexFunc(gs, func(g answerGroup) bool { return g.answer == e.Answer() })
		if i < 0 {
			i, gs = len(gs), append(gs, answerGroup{answer: e.Answer()})
		}
		gs[i].systems = append(gs[i].systems, e.System.name)
	}
	slices.SortStableFunc(gs, func(a, b answerGroup) int { return cmp.Compare(len(b.systems), len(a.systems)) })
	return gs
}

// surprises are the properties of answers that make a question surprising, and
// their points.
var surprises = []struct {
	points int
	text   string
	holds  func(Question, Explanation) bool
}{
	{6, "numbers of the operands get lost under: %s", losesNumbers},
	{5, "a dtype that no operand has: %s", hasNewDType},
	{4, "refused by: %s", func(_ Question, e Explanation) bool { return e.Err != nil }},
}

// rate scores the question: ten points for every answer after the first, and the
// points of each surprise that holds for some systems and not for others.
func (p *Puzzler) rate() {
	n := p.distinct()
	p.Score = 10 * (n - 1)
	p.Why = []string{fmt.Sprintf("%d different answers of %d systems", n, len(p.Answers))}
	for _, s := range surprises {
		var who []string
		for _, e := range p.Answers {
			if s.holds(p.Question, e) {
				who = append(who, e.System.name)
			}
		}
		if len(who) > 0 && len(who) < len(p.Answers) {
			p.Score += s.points
			p.Why = append(p.Why, fmt.Sprintf(s.text, strings.Join(who, ", ")))
		}
	}
}

// losesNumbers reports whether the result does not hold a number of an operand's
// dtype.
func losesNumbers(q Question, e Explanation) bool {
	return e.Err == nil && slices.ContainsFunc(q.dtypes(), func(d dtype.DType) bool {
		_, lost := lossOf(Pair{Known(d), Known(d), e.Result}, Known(d))
		return lost
	})
}

// hasNewDType reports whether the result has none of the operands' dtypes.
func hasNewDType(q Question, e Explanation) bool {
	ds := q.dtypes()
	return e.Err == nil && len(ds) > 0 && !slices.Contains(ds, e.Result.DType)
}

// withoutRepeats returns ps without puzzlers whose question has the same form as an earlier
// one, or the same categories of dtypes and the same answers.
func withoutRepeats(ps []Puzzler) (kept []Puzzler) {
	seen := map[string]bool{}
	for _, p := range ps {
		form, answers := p.Question.form(), p.Question.categories()+p.Summary()
		if !seen[form] && !seen[answers] {
			kept = append(kept, p)
		}
		seen[form], seen[answers] = true, true
	}
	return kept
}

// categories returns the categories of the question's dtypes as text, sorted.
func (q Question) categories() string {
	var words []string
	for _, d := range q.dtypes() {
		words = append(words, dtype.CategoryOf(d).String())
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// form returns the kind of the question and the categories of its operands, as text.
func (q Question) form() string {
	words := []string{q.kind.text}
	for _, x := range q.xs {
		switch x := x.(type) {
		case dtype.DType:
			words = append(words, dtype.CategoryOf(x).String())
		case Operand:
			words = append(words, "rank 0", dtype.CategoryOf(x.DType).String())
		default:
			words = append(words, fmt.Sprint(x))
		}
	}
	return strings.Join(words, " ")
}

// Title returns the rank, the question and the number of different answers.
func (p Puzzler) Title() string {
	return fmt.Sprintf("%d. %s: %d answers", p.Rank, p.Question, p.distinct())
}

// Summary returns the answers with the systems that give them.
func (p Puzzler) Summary() string {
	var parts []string
	for _, g := range p.groups() {
		parts = append(parts, g.answer+" ("+strings.Join(g.systems, ", ")+")")
	}
	return strings.Join(parts, "; ")
}

// String returns the title and each system's answer with its reason.
func (p Puzzler) String() string {
	var b strings.Builder
	b.WriteString(p.Title())
	for _, e := range p.Answers {
		fmt.Fprintf(&b, "\n   %-18s %-6s %s", e.System, e.Answer(), e.Reason())
	}
	for _, w := range p.Why {
		b.WriteString("\n   * " + w)
	}
	return b.String()
}
