package promote_test

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// checkTexts compares each first text of a pair with the second, which it should be.
func checkTexts(t *testing.T, pairs ...string) {
	t.Helper()
	for i := 0; i < len(pairs); i += 2 {
		if got, want := pairs[i], pairs[i+1]; got != want {
			t.Errorf("%s\nwant\n%s", got, want)
		}
	}
}

// TestSystemsAreDescribed compares each system's name, framework and sentence with testdata/systems.txt.
func TestSystemsAreDescribed(t *testing.T) {
	want, err := os.ReadFile("testdata/systems.txt")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	for _, s := range promote.Systems() {
		fmt.Fprintf(&got, "%s (%s): %s\n", s.Name(), s.Framework(), s.Doc())
	}
	checkTexts(t, got.String(), string(want))
	for _, s := range promote.Systems() {
		err := promote.Computes(s)
		if promote.OnlyTable(s) != (s.Framework() == "" && s != promote.Anvil && s != promote.AnvilRData) ||
			(err != nil) != promote.OnlyTable(s) {
			t.Errorf("%s: only a table %t, %v", s, promote.OnlyTable(s), err)
		}
	}
	checkTexts(t, promote.Computes(promote.Julia).Error(), "promote(julia): julia is a table of dtypes for comparison, "+
		"without computations; show it with display.Table or display.Compare")
	_, err = promote.ByName("pascal")
	checkTexts(t, err.Error()[:61], `promote.ByName("pascal"): no promotion system has this name; `)
}

// TestTextsOfQuestions checks the texts of questions, quizzes and their answers.
func TestTextsOfQuestions(t *testing.T) {
	scalar := promote.Operand{Typed: promote.Known(dtype.I32)}
	checkTexts(t,
		promote.AskCommon(dtype.I32, 0.5, true).String(),
		"the common dtype of i32 with the literal 0.5 with the literal true",
		promote.AskCommon(scalar, promote.Amb(dtype.F32)).String(), "the common dtype of zero-dimensional i32 with f32?",
		promote.AskCommon(promote.Wrap(int8(5))).String(), "the common dtype of int8(5)",
		promote.AskDivide(dtype.I32, 2).String(), "the dtype of a true division of i32 with the literal 2",
		promote.Question{}.String(), "nothing",
	)
	for r, words := range map[promote.Reduction]string{promote.Sum: "sum", promote.Extreme: "maximum",
		promote.Mean: "mean", promote.Logical: "any or all", promote.Index: "position of the maximum",
		promote.Compare: "comparison"} {
		checkTexts(t, promote.AskReduce(r, dtype.F32).String(), "the dtype of the "+words+" of f32")
	}
	var names []string
	for r := promote.Sum; r <= promote.Compare+1; r++ {
		names = append(names, r.String())
	}
	checkTexts(t, strings.Join(names, " "), "sum extreme mean logical index compare compare")

	narrow := promote.AskCommon(dtype.F8E5M2, dtype.F8E4M3)
	q := promote.NewQuiz(promote.Anvil, promote.AskCommon(dtype.I32, 0.5), promote.AskCommon(dtype.F32, dtype.F64), narrow)
	how := `answer with Answer(1, "f32"), with "f32?" where it is ambiguous, or with "error"`
	checkTexts(t,
		q.String(), "quiz on anvil: none answered yet; 3 to go\n 0  the common dtype of i32 with the literal 0.5\n"+
			" 1  the common dtype of f32 with f64\n 2  the common dtype of f8e5m2 with f8e4m3",
		q.Ask(1).String(), "question 1 (of 0 to 2): what, under anvil, is the common dtype of f32 with f64?\n"+how,
		q.Answer(1, "f63").String(), `not understood: no dtype is called "f63"; `+how,
		q.Answer(0, "f32").Line(),
		"nearly: you said f32, and under anvil the common dtype of i32 with the literal 0.5 is f32?",
		q.Answer(0, "i8").Line(),
		"not so: you said i8, and under anvil the common dtype of i32 with the literal 0.5 is f32?",
		q.Answer(2, "error").Line(),
		"right: you said error, and under anvil the common dtype of f8e5m2 with f8e4m3 is error",
		q.Answer(2, "error").Steps()[0], narrow.Ask(promote.Anvil).Err.Error(),
		q.Score().String(), "1 right of 2 answered; 1 to go",
		promote.Verdict(9).String(), "right",
	)
	right := q.Answer(0, "f32?")
	steps := promote.Anvil.Explain(dtype.I32, 0.5).Steps
	checkTexts(t, right.String(), right.Line()+"\n 1. "+steps[0].String()+"\n 2. "+steps[1].String())
	if len(q.Answer(1, "f63").Steps()) != 0 || len(right.Steps()) != 2 {
		t.Error("the steps of an answer")
	}
}

// TestTextsOfExplanations checks titles, reasons, and what is said about numbers beyond a dtype.
func TestTextsOfExplanations(t *testing.T) {
	last := func(e promote.Explanation) string { return e.Steps[len(e.Steps)-1].String() }
	refusal := func(e promote.Explanation) string { rule, _ := e.Refusal(); return rule.Doc }
	wraps := promote.Torch.Explain(dtype.U8, 300)
	checkTexts(t,
		wraps.Title(), "ui8, 300 -> ui8",
		last(wraps), "300 at ui8: ui8 (number beyond the dtype: ui8 holds 0 to 255: 300 becomes 44 there, without an error)",
		last(promote.Torch.Explain(dtype.F16, 1e6)),
		"1e+06 at f16: f16 (number beyond the dtype: f16 holds up to 65504: 1e+06 becomes +Inf there, without an error)",
		wraps.Reason(),
		"kind stays: an operand of a lower class (numbers < zero-dimensional tensors < tensors with dimensions) "+
			"changes the dtype only if its kind is higher (bool < integer < float < complex)",
		refusal(promote.Anvil.Explain(dtype.I8, 300)), "i8 holds -128 to 127, not 300: an error under anvil",
		refusal(promote.Anvil.Explain(dtype.F16, 1e6)), "f16 holds up to 65504, not 1e+06: an error under anvil",
		refusal(promote.NumPy.ExplainOperation("power", dtype.I32, -1)), "an integer to a negative power is not an integer",
		refusal(promote.NumPy.ExplainOperation("no_op", dtype.I32)), "the operation is not defined for these dtypes",
		promote.Anvil.Explain(dtype.I32).Reason(), "there is one operand",
		promote.Anvil.Explain().Title(), "anvil(): nothing to join; give at least one operand",
		promote.Anvil.Explain(1.0, true, 2.5, 1i).Title(), "1.0, true, 2.5, (0+1i) -> c64?",
		last(promote.Anvil.ExplainReduction(promote.Mean, dtype.I32))[:11], "i32: f32? (",
		last(promote.Torch.ExplainDivision(dtype.I32, 2)),
		"i32: f32 (division of integers: integers are divided in the default dtype)",
	)
	if got := last(promote.Torch.ExplainOperation("eq", dtype.U8, 300)); strings.Contains(got, "beyond") {
		t.Errorf("a comparison wraps no number: %s", got)
	}
	// A function of reals computes integers as if a float literal were beside them.
	steps := promote.Anvil.Computed("Exp", promote.Known(dtype.I32), promote.Amb(dtype.F32))
	checkTexts(t, steps[0].Rule.Doc,
		"a function of reals promotes an integer or bool as if the literal 1.0 were another operand",
		steps[len(steps)-1].String(), "Exp of f32?: f32? (function of reals: it is computed in floats)")
	for _, c := range []struct{ common, result, want string }{
		{"f32", "f32", "keeps the dtype: the result has the dtype and ambiguity of its operands"},
		{"f32", "c64", "made complex: two floats are the parts of a complex number"},
		{"c64", "f32", "real result: the result is real, with the width of the complex dtype's parts"},
		{"i32?", "i1?", "truth, ambiguous: the result is a bool, i1; the result is ambiguous (?)"},
	} {
		steps := promote.Anvil.Computed("Op", typed(t, c.common), typed(t, c.result))
		checkTexts(t, fmt.Sprint(len(steps), " ", steps[0]), "1 Op of "+c.common+": "+c.result+" ("+c.want+")")
	}
}

// TestTextsOfFindings checks the texts of tables, losses, differences, and findings of an audit.
func TestTextsOfFindings(t *testing.T) {
	i8, u8, f16 := promote.Known(dtype.I8), promote.Known(dtype.U8), promote.Known(dtype.F16)
	triple := promote.Triple{X: [3]dtype.Typed{i8, u8, f16}, Outcomes: [3]string{"f32", "f16", "f32"}}
	checkTexts(t,
		triple.String(),
		"(ui8 with f16) with i8 gives f32, (i8 with f16) with ui8 gives f16, (i8 with ui8) with f16 gives f32",
		strings.Join(triple.Distinct(), " "), "f16 f32",
		promote.Pair{A: i8, B: u8, Result: promote.Known(dtype.I16)}.String(), "i8 with ui8 gives i16",
		promote.NumPy.Table().Caption(), "numpy: common dtype of row and column, both known",
		promote.NumPy.Table(true, true).Caption(), "numpy: common dtype of row and column, both ambiguous",
		promote.NumPy.Table(false, true).Caption(), "numpy: common dtype of row (known) and column (ambiguous)",
		promote.Table{Title: "own"}.Caption(), "own",
		promote.Lost(dtype.I32, dtype.F32), "16777217 becomes 16777216",
		promote.Lost(dtype.I32, dtype.I64), "",
		promote.Lost(dtype.I64, dtype.I8), "129 is out of range",
		promote.Lost(dtype.U8, dtype.I8), "129 is out of range",
		promote.Lost(dtype.I8, dtype.U8), "-1 is out of range",
		promote.Lost(dtype.F32, dtype.I32), "0.5 becomes 0",
		promote.Lost(dtype.F64, dtype.F32), "0.1 becomes 0.10000000149011612",
		promote.Lost(dtype.C128, dtype.C64), "0.1 becomes 0.10000000149011612",
		promote.Lost(dtype.F32, dtype.F32), "",
		promote.Lost(dtype.I1, dtype.F16), "",
	)
	d := promote.Diff(promote.ArrayAPI, promote.Arrow)
	notes := d.Notes()
	checkTexts(t, d.Title(), fmt.Sprintf("arrayapi and arrow differ in %d of %d answers", len(d.Found), d.Questions),
		notes[0], "not compared, only in arrayapi: c64 c128",
		d.String(), d.Title()+"\n"+strings.Join(notes, "\n")+"\n  "+strings.Join(texts(d.Found), "\n  "))
	if got := promote.Shared(); got != nil {
		t.Errorf("no systems share %v", got)
	}
}

// texts returns the texts of xs.
func texts[T fmt.Stringer](xs []T) (words []string) {
	for _, x := range xs {
		words = append(words, x.String())
	}
	return words
}

// TestTorchNames checks PyTorch's names of scalar types: those of c10::ScalarType.
func TestTorchNames(t *testing.T) {
	checkTexts(t, promote.TorchName(dtype.Invalid), "Undefined")
	for name, want := range map[string]string{"i64": "Long", "ui8": "Byte", "c32": "ComplexHalf",
		"f8e8m0fnu": "Float8_e8m0fnu", "ui3": "UInt3", "i1_int": "Int1", "i7": "Int7", "quint8": "QUInt8", "qint32": "QInt32",
		"quint4x2":    "QUInt4x2",
		"f4e2m1fn_x2": "Float4_e2m1fn_x2", "bits8": "Bits8", "f8e3m4": "Float8_e3m4"} {
		checkTexts(t, promote.TorchName(named(t, name)), want)
	}
}

// TestTorchNumbers checks where PyTorch's functions take numbers, and which numbers fit.
func TestTorchNumbers(t *testing.T) {
	s := promote.TorchExt
	outside := "is outside the representable range of Char"
	overflow := func(ctype string) string {
		return "RuntimeError: value cannot be converted to type " + ctype + " without overflow"
	}
	for _, c := range []struct {
		op   string
		xs   []any
		want string
	}{
		{"maximum", []any{dtype.F32, 5}, "TypeError: maximum(): argument 'other' (position 2) must be Tensor, not int"},
		{"maximum", []any{5.5, dtype.F32}, "TypeError: maximum(): argument 'input' (position 1) must be Tensor, not float"},
		{"fmod", []any{dtype.F32, 5}, "f32"},
		{"fmod", []any{5, dtype.F32}, "TypeError: fmod() received an invalid combination of arguments - got (int, Tensor), " +
			"but expected one of:"},
		{"cat", []any{dtype.F32, 1i}, "TypeError: expected Tensor as element 1 in argument 0, but got complex"},
		{"where", []any{dtype.U8, 300}, overflow("uint8_t")},
		{"where", []any{dtype.U8, -255}, "ui8"}, // negatives wrap
		{"where", []any{dtype.U8, -256}, overflow("uint8_t")},
		{"where", []any{dtype.F32, 1e39}, overflow("float")},
		{"where", []any{dtype.F16, 1e39}, "f16"},
		{"pow", []any{dtype.I8, 127}, "i8"},
		{"pow", []any{dtype.I8, 128}, overflow("int8_t")},
		{"pow", []any{dtype.F16, 65504.0}, "f16"},
		{"pow", []any{dtype.F16, 65505.0}, overflow("c10::Half")},
		{"pow", []any{dtype.F32, 1e39}, "f32"},
		{"add", []any{dtype.I8, 300}, "i8"},
		{"clamp", []any{dtype.F32, 0, 1}, "f32"},
		{"clamp", []any{dtype.F32, 0, 1.5}, "f32"},
		{"clamp", []any{dtype.I32, 0, 1.5}, "f32"},
		{"clamp", []any{dtype.I32, 0, 1}, "i32"},
		{"clamp", []any{dtype.F32, 0, 1e39}, overflow("float")},
		{"clamp", []any{dtype.F32, 0, 1i}, overflow("double")},
		{"clamp", []any{dtype.C64, 0, 1}, "NotImplementedError: clamp is not supported for complex types"},
		{"clamp", []any{dtype.I32, 0, 1i}, "NotImplementedError: clamp is not supported for complex types"},
		{"clamp", []any{dtype.I1, false, true}, `NotImplementedError: "clamp_scalar_cpu" not implemented for 'Bool'`},
		{"clamp", []any{dtype.F8E5M2, 0, 1}, `NotImplementedError: "clamp_scalar_cpu" not implemented for 'Float8_e5m2'`},
		{"clamp", []any{dtype.I8, -1000, 1000}, "i8"}, // bounds beyond the range, but on its sides
		{"clamp", []any{dtype.I8, 1000, 2000}, "RuntimeError: Clamp min value 1000 " + outside},
		{"clamp", []any{dtype.I8, -2000, -1000}, "RuntimeError: Clamp max value -1000 " + outside},
	} {
		got, err := s.Operation(c.op, c.xs...)
		if text := foreign(got, err); text != c.want {
			t.Errorf("%s of %v: %s, want %s", c.op, c.xs, text, c.want)
		}
	}
}

// TestFamilies checks the rules of division and of families of reductions.
func TestFamilies(t *testing.T) {
	for _, c := range []struct {
		s                                                   *promote.System
		from                                                string
		divide, sum, extreme, mean, logical, index, compare string
	}{
		{promote.Torch, "i32", "f32", "i64", "i32", "i32", "i1", "i64", "i1"},
		{promote.Torch, "ui8", "f32", "i64", "ui8", "ui8", "ui8", "i64", "i1"},
		{promote.Torch, "f16", "f16", "f16", "f16", "f16", "i1", "i64", "i1"},
		{promote.JAX, "i32", "f32", "i32", "i32", "f32", "i1", "i32", "i1"},
		{promote.JAX64, "i64?", "f64?", "i64", "i64", "f64", "i1", "i64", "i1?"},
		{promote.NumPy, "i8", "f64", "i64", "i8", "f64", "i1", "i64", "i1"},
		{promote.NumPy, "ui8", "f64", "ui64", "ui8", "f64", "i1", "i64", "i1"},
		{promote.NumPy, "f32", "f32", "f32", "f32", "f32", "i1", "i64", "i1"},
		{promote.ArrayAPI, "f32", "f32", "f32", "f32", "f32", "i1", "i64", "i1"},
		{promote.IvyPrecise, "i64", "f32", "i64", "i64", "f64", "i1", "i64", "i1"},
	} {
		x, want := typed(t, c.from), []string{c.divide, c.sum, c.extreme, c.mean, c.logical, c.index, c.compare}
		got := []string{c.s.Division(x).String()}
		for r := promote.Sum; r <= promote.Compare; r++ {
			got = append(got, c.s.Reduction(r, x).String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s of %s: %v, want %v", c.s, c.from, got, want)
		}
	}
}

// TestLattices checks the joins of lattices, their nodes and their edges.
func TestLattices(t *testing.T) {
	l := promote.JAX64.Lattice()
	for _, c := range [][3]string{{"i8", "ui8", "i16"}, {"i32?", "i8", "i8"}, {"i32?", "f32?", "f*"}, {"ui64", "i8", "f*"},
		{"i1?", "i1", "i1"}, {"f16", "bf16", "f32"}, {"c64?", "f64", "c128"}, {"f8e5m2", "f16", ""}} {
		got, ok := l.Join(typed(t, c[0]), typed(t, c[1]))
		if got != c[2] || ok != (c[2] != "") {
			t.Errorf("%s with %s: %q, want %q", c[0], c[1], got, c[2])
		}
	}
	nodes := l.Nodes()
	if i, ok := l.Node(promote.Amb(dtype.U16)); !ok || nodes[i] != "i*" {
		t.Errorf("the node of ui16? is %d of %v", i, nodes)
	}
	if _, ok := l.Node(promote.Known(dtype.Invalid)); ok {
		t.Error("no dtype has a node")
	}
	checkTexts(t, strings.Join(l.Above("f64"), " "), "c128", strings.Join(l.Above("f32"), " "), "f64 c64",
		strings.Join(l.Above("nothing"), " "), "")
	if promote.NumPy.Lattice() != nil || promote.ArrayAPI.Lattice() == nil {
		t.Error("which systems have a lattice")
	}
	for n, want := range map[int]string{64: "promote: no dtype n0",
		65: "promote: a lattice of 65 nodes; at most 64 are supported"} {
		func() {
			defer func() { checkTexts(t, fmt.Sprint(recover()), want) }()
			var hasse strings.Builder
			for i := range n {
				fmt.Fprintf(&hasse, "n%d\n", i)
			}
			promote.NewLattice(hasse.String())
		}()
	}
}

// A pointedTensor is a tensor whose methods have a pointer receiver.
type pointedTensor struct{ d dtype.DType }

func (p *pointedTensor) DType() dtype.DType { return p.d }
func (p *pointedTensor) Ambiguous() bool    { return true }
func (p *pointedTensor) Rank() int          { return 3 }

// TestOperands checks what may be an operand, and the errors of operations that a system does not have.
func TestOperands(t *testing.T) {
	s := promote.Anvil
	for _, c := range []struct {
		x    any
		want promote.Operand
	}{
		{dtype.I8, promote.Operand{Typed: promote.Known(dtype.I8), Rank: 1}},
		{promote.Amb(dtype.I8), promote.Operand{Typed: promote.Amb(dtype.I8), Rank: 1}},
		{&pointedTensor{dtype.F16}, promote.Operand{Typed: promote.Amb(dtype.F16), Rank: 3}},
		{2.5, promote.Operand{Typed: promote.Amb(dtype.F32), Literal: 2.5}},
		{int8(5), promote.Operand{Typed: promote.Known(dtype.I8), Literal: int8(5)}},
	} {
		if got, err := s.Operand(c.x); got != c.want || err != nil {
			t.Errorf("%v: %+v, %v", c.x, got, err)
		}
	}
	_, err := s.Operand((*pointedTensor)(nil))
	checkTexts(t, err.Error(), "Operand(*promote_test.pointedTensor): the pointer is nil; give the tensor itself")
	missing := "the system has no operation with this name and number of operands; " +
		"give the operation's name in the framework itself: add, div, sum"
	for _, e := range []error{s.ExplainOperation("Add", 1, 2).Err, s.ExplainAssignment("Add", 1, 2).Err} {
		checkTexts(t, e.Error(), "Add(anvil): "+missing)
	}
	_, err = s.Operation("Add", 1, 2)
	checkTexts(t, err.Error(), "Add(anvil): "+missing)
	_, err = s.CanCast(dtype.I8, dtype.I16, "")
	checkTexts(t, err.Error(), "can_cast(anvil): the system has no rule for casts; "+
		"give promote.NumPy, promote.Torch, promote.ArrayAPI or promote.Ivy")
	_, err = promote.NumPy.CanCast(dtype.I8, dtype.I16, "Safe")
	checkTexts(t, err.Error(), `can_cast("Safe"): there is no such casting rule; give no, equiv, safe, same_kind or unsafe`)
	_, err = promote.ArrayAPI.Assignment("ilt", dtype.I8, dtype.I8)
	checkTexts(t, err.Error(), "ilt(arrayapi): "+missing)
	_, err = promote.JAXPromoteTypes(promote.NumPy, dtype.I8, dtype.F32)
	checkTexts(t, err.Error(), "promote_types(numpy): the system is not one of JAX's; "+
		"give promote.JAX, JAX64, JAXStrict or JAXStrict64")
	for _, call := range []func() error{
		func() error { _, err := promote.NumPy.Operation("add", "x"); return err },
		func() error { _, err := promote.NumPy.Assignment("iadd", "x", 1); return err },
		func() error { return promote.NumPy.ExplainOperation("add", "x").Err },
		func() error { _, err := promote.JAXResultType(promote.JAX, "x"); return err },
	} {
		if err := call(); err == nil || !strings.Contains(err.Error(), "not a number") {
			t.Errorf("a text is an operand: %v", err)
		}
	}
	if err := s.Store("add", dtype.I8, dtype.I8); err != nil || !promote.NumPy.Operates() || s.Operates() {
		t.Errorf("%v", err)
	}
	checkTexts(t, s.Store("add", dtype.I8, dtype.I16).Error(), "add(i8 into i16): the result is i8, which anvil does not "+
		"convert to i16; convert an operand or the result with AsType")
	_, err = promote.TorchDefault(dtype.F8E5M2)
	checkTexts(t, err.Error(), "set_default_dtype: only floating-point types are supported as the default type")
	if s, err := promote.TorchDefault(dtype.F16); err != nil || s.Name() != "torchext default f16" {
		t.Error(s, err)
	}
	var refusal *promote.Refusal
	if _, err := promote.Anvil.ResolvePair(promote.Operand{Typed: promote.Known(dtype.I8)}, promote.Operand{
		Typed: promote.Amb(dtype.I32), Literal: 300}); err == nil || errors.As(err, &refusal) {
		t.Errorf("300 fits i8: %v", err)
	}
}
