package promote

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Puzzler is a question that systems answer differently, and how much they
// do so.
type Puzzler struct {
	Rank     int // 1 is the most surprising
	Question Question
	Answers  []Explanation // of each system that has the dtypes of the question
	Score    int
	Why      []string // what the score is made of, in words
}

// Puzzlers returns questions on which systems disagree, the most surprising
// first. Answers and reasons are the systems' own, computed when asked. Where
// no systems are given they are all that there are; dtypes that only some have
// are asked of those.
func Puzzlers(systems ...*System) []Puzzler {
	if len(systems) == 0 {
		systems = Systems()
	}
	var ps []Puzzler
	for _, q := range puzzlerQuestions() {
		if p := puzzle(q, systems); len(p.Answers) > 1 && p.distinct() > 1 {
			ps = append(ps, p)
		}
	}
	slices.SortStableFunc(ps, func(a, b Puzzler) int { return cmp.Compare(b.Score, a.Score) })
	ps = diverse(ps)
	for i := range ps {
		ps[i].Rank = i + 1
	}
	return ps
}

// puzzlerDTypes are those that the questions are made of, wide and narrow of
// each kind.
var puzzlerDTypes = []dtype.DType{dtype.I1, dtype.I8, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64}

// puzzlerLiterals stand beside each dtype; 300 and -1 are no numbers of ui8.
var puzzlerLiterals = []any{true, 1, 300, -1, 1.5, 1i}

func puzzlerQuestions() []Question {
	var qs []Question
	for i, a := range puzzlerDTypes {
		for _, b := range puzzlerDTypes[i+1:] {
			qs = append(qs, AskCommon(a, b), AskCommon(a, Operand{Typed: Known(b)}), AskCommon(Operand{Typed: Known(a)}, b))
		}
		for _, v := range puzzlerLiterals {
			qs = append(qs, AskCommon(a, v))
		}
		qs = append(qs, AskDivide(a, a), AskReduce(Sum, a), AskReduce(Mean, a), AskReduce(Index, a))
	}
	return append(qs, AskCommon(1, 1.5), AskCommon(true, 1), AskCommon(true, true),
		AskCommon(dtype.I8, dtype.U8, dtype.F16), AskCommon(dtype.I8, dtype.U16, dtype.F32), AskCommon(dtype.I16, dtype.U64, dtype.BF16))
}

func puzzle(q Question, systems []*System) Puzzler {
	p := Puzzler{Question: q}
	for _, s := range systems {
		if q.Knows(s) {
			p.Answers = append(p.Answers, q.Ask(s))
		}
	}
	p.rate()
	return p
}

func (p Puzzler) distinct() int { return len(p.groups()) }

// An answerGroup is systems of one answer.
type answerGroup struct {
	answer  string
	systems []string
}

// groups returns the answers, most frequent first, each with its systems.
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

// A reason to be surprised: its points for each answer that it holds of.
var surprises = []struct {
	points int
	words  string
	of     func(Question, Explanation) bool
}{
	{6, "numbers of the operands get lost under: %s", losesNumbers},
	{5, "a dtype that is none of the operands': %s", isNew},
	{4, "refused by: %s", func(_ Question, e Explanation) bool { return e.Err != nil }},
}

// rate scores the question: ten points for every other answer, and once for
// each surprise that some systems have and others not.
func (p *Puzzler) rate() {
	n := p.distinct()
	p.Score = 10 * (n - 1)
	p.Why = []string{fmt.Sprintf("%d different answers of %d systems", n, len(p.Answers))}
	for _, s := range surprises {
		var who []string
		for _, e := range p.Answers {
			if s.of(p.Question, e) {
				who = append(who, e.System.name)
			}
		}
		if len(who) > 0 && len(who) < len(p.Answers) {
			p.Score += s.points
			p.Why = append(p.Why, fmt.Sprintf(s.words, strings.Join(who, ", ")))
		}
	}
}

// losesNumbers reports whether the result lacks a number that an operand's
// dtype has.
func losesNumbers(q Question, e Explanation) bool {
	return e.Err == nil && slices.ContainsFunc(q.dtypes(), func(d dtype.DType) bool {
		_, lost := lossOf(Pair{Known(d), Known(d), e.Result}, Known(d))
		return lost
	})
}

func isNew(q Question, e Explanation) bool {
	ds := q.dtypes()
	return e.Err == nil && len(ds) > 0 && !slices.Contains(ds, e.Result.DType)
}

// diverse keeps the first question of each group, and of those with the same
// answers about the same dtypes.
func diverse(ps []Puzzler) (kept []Puzzler) {
	seen := map[string]bool{}
	for _, p := range ps {
		group := p.Question.group()
		told := p.Question.categories() + p.Summary()
		if !seen[group] && !seen[told] {
			kept = append(kept, p)
		}
		seen[group], seen[told] = true, true
	}
	return kept
}

// categories names the categories of the dtypes, in any order.
func (q Question) categories() string {
	var words []string
	for _, d := range q.dtypes() {
		words = append(words, dtype.CategoryOf(d).String())
	}
	slices.Sort(words)
	return strings.Join(words, " ")
}

// group names what is asked of which kinds of operands.
func (q Question) group() string {
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

// Title returns the rank, the question and how many answers there are.
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
