package promote_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A recording holds the operands of an operation in another library, in names of dtypes
// and of Python's numbers, and what the library returned.
type recording struct {
	System, Op, A, B, SA, SB string
	Args                     []string // three operands, each with its state
	Mode                     string   // of TensorFlow
	X64                      bool     // a mode of JAX
	Precise                  any      // a mode of Ivy, and in its pairs the result in that mode
	From, To, Kind, DType    string

	Result, Strict          any // a dtype or a bool
	Error                   string
	StrictError             string `json:"strict_error"`
	ResultType              any    `json:"result_type"`
	Nonprecise, Canonical   string
	Add, Operator           *recording
	InTable                 bool `json:"in_array_api_table"`
	No, Equiv, Safe, Unsafe bool
	SameKind                bool `json:"same_kind"`
}

// pythonNumbers are the values of the numbers in recordings.
var pythonNumbers = map[string]any{"pybool": true, "pyint": 1, "pyfloat": 1.0, "pycomplex": 1i}

// recordedOperand returns a number or a tensor. A tensor in the state "zero" has rank 0.
func recordedOperand(t *testing.T, s *promote.System, name, state string) promote.Operand {
	t.Helper()
	if v, ok := pythonNumbers[name]; ok {
		x, err := s.Operand(v)
		if err != nil {
			t.Fatal(err)
		}
		return x
	}
	bare, weak := strings.CutSuffix(name, "?")
	x := promote.Operand{Typed: dtype.Typed{DType: named(t, bare), Ambiguous: weak}, Rank: 1}
	if state == "zero" {
		x.Rank = 0
	}
	return x
}

// operands returns the operands of r, of which there are one to three.
func (r recording) operands(t *testing.T, s *promote.System) (xs []any) {
	if r.A != "" {
		xs = append(xs, recordedOperand(t, s, r.A, r.SA))
	}
	if r.B != "" {
		xs = append(xs, recordedOperand(t, s, r.B, r.SB))
	}
	for _, arg := range r.Args {
		name, state, _ := strings.Cut(arg, ":")
		xs = append(xs, recordedOperand(t, s, name, state))
	}
	return xs
}

// system returns the system that reproduces a file's library in the mode of r.
func (r recording) system(file string) *promote.System {
	switch {
	case file == "jax" && r.X64:
		return promote.JAX64
	case file == "ivy" && r.Precise == false:
		return promote.IvyFast
	case file == "tensorflow":
		file = r.Mode
	case file == "other":
		file = r.System
	}
	return map[string]*promote.System{"torch": promote.TorchExt, "numpy": promote.NumPy, "array_api": promote.ArrayAPI,
		"jax": promote.JAX, "ivy": promote.IvyPrecise, "off": promote.TensorFlow, "legacy": promote.TensorFlowLegacy,
		"all": promote.TensorFlowAll, "safe": promote.TensorFlowSafe, "mlx": promote.MLX, "polars": promote.Polars,
		"pyarrow": promote.Arrow, "julia": promote.Julia}[file]
}

// eachRecording calls f for every recording of a file in ../../cmd/oracle/testdata.
func eachRecording(t *testing.T, file string, f func(list string, r recording)) {
	t.Helper()
	packed, err := os.Open("../../cmd/oracle/testdata/" + file + ".jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer packed.Close()
	text, err := gzip.NewReader(packed)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(text)
	lines.Buffer(nil, 1<<20)
	for rows := 0; lines.Scan(); {
		_, line, _ := strings.Cut(lines.Text(), `"list":"`)
		list, line, _ := strings.Cut(line, `","row":`)
		if !slices.Contains(recordedLists, list) {
			continue // a list with rows of another form
		}
		if rows++; list == "binary_ops" && rows%3 > 0 {
			continue // these lists are long
		}
		var r recording
		if err := json.NewDecoder(strings.NewReader(line)).Decode(&r); err != nil {
			t.Fatalf("%s: %v", lines.Bytes(), err)
		}
		f(list, r)
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
}

// recordedLists are the lists about dtypes.
var recordedLists = []string{"pairs", "result_type", "result_type_three", "result_type_scalar",
	"array_plus_numpy_scalar", "weak_pairs", "scalar_pairs", "scalar", "binary_ops", "scalar_ops", "unary_ops", "inplace",
	"can_cast", "isdtype", "canonical", "rows"}

// A checker compares the results of systems with recordings.
type checker struct {
	t         *testing.T
	checked   int
	explained map[promote.Rule]bool // the rules of the explanations
}

// check compares a result, or an error with the first characters of the recorded one.
func (c *checker) check(r recording, got any, err error, want any, wantError string) {
	c.t.Helper()
	c.checked++
	var refusal *promote.Refusal
	switch wanted := fmt.Sprint(want); {
	case err == nil && want != nil && wanted == fmt.Sprint(got):
	case err != nil && want == nil && errors.As(err, &refusal) && sameError(refusal.Verbatim(), wantError):
	default:
		if c.t.Failed() {
			return // one example is enough
		}
		c.t.Errorf("%+v: %v, %v; want %v %s", r, got, err, want, wantError)
	}
}

// sameError reports whether an error begins with the recorded text. TensorFlow adds the name of
// the node, and JAX names dtypes in any order.
func sameError(text, recorded string) bool {
	recorded, _, _ = strings.Cut(recorded, " [Op:")
	if strings.HasPrefix(text, recorded) {
		return true
	}
	jax, start := "TypePromotionError: Input dtypes (", strings.Index(recorded, ")")
	if !strings.HasPrefix(recorded, jax) || start != strings.Index(text, ")") {
		return false
	}
	names := func(s string) []string { return slices.Sorted(slices.Values(strings.Split(s[len(jax):start], ", "))) }
	return slices.Equal(names(text), names(recorded)) && strings.HasPrefix(text[start:], recorded[start:])
}

// explain checks that an explanation has the result, by rules that have names and sentences.
func (c *checker) explain(r recording, e promote.Explanation, got dtype.Typed, err error) {
	c.t.Helper()
	if (e.Err == nil) != (err == nil) || err == nil && e.Result != got {
		c.t.Errorf("%+v: %s, %v; explained %s", r, got, err, e)
	}
	if rule, refused := e.Refusal(); refused {
		c.explained[rule] = true
	}
	for _, step := range e.Steps {
		c.explained[step.Rule] = true
		if step.Operands == "" || step.Rule.Name == "" || step.Rule.Doc == "" {
			c.t.Errorf("%+v: step %s", r, step)
		}
	}
}

// TestRecordedResults checks each system against what the library that it reproduces
// returned: the common dtypes, the results of operations, the casts, and the errors.
func TestRecordedResults(t *testing.T) {
	explained := map[promote.Rule]bool{}
	for file, least := range map[string]int{"torch": 14000, "jax": 25000, "numpy": 9500, "array_api": 2200, "ivy": 4000,
		"tensorflow": 11000, "other": 2500} {
		t.Run(file, func(t *testing.T) {
			c := &checker{t: t, explained: explained}
			eachRecording(t, file, func(list string, r recording) {
				if !c.ownList(file, list, r) {
					c.operation(list, r, r.system(file))
				}
			})
			if c.checked < least {
				t.Errorf("only %d results", c.checked)
			}
		})
	}
	checkRules(t, explained)
}

// checkRules compares the rules of explanations with testdata/rules.txt, which has a name and a
// sentence per line, with "@" for a dtype or an operation that depends on the operands.
func checkRules(t *testing.T, explained map[promote.Rule]bool) {
	t.Helper()
	text, err := os.ReadFile("testdata/rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	var patterns []*regexp.Regexp
	for line := range strings.Lines(string(text)) {
		quoted := strings.ReplaceAll(regexp.QuoteMeta(strings.TrimSuffix(line, "\n")), "@", `\w+`)
		patterns = append(patterns, regexp.MustCompile("^"+quoted+"$"))
	}
	used := map[*regexp.Regexp]bool{}
	for rule := range explained {
		line := rule.Name + ": " + rule.Doc
		i := slices.IndexFunc(patterns, func(p *regexp.Regexp) bool { return p.MatchString(line) })
		if i < 0 {
			t.Errorf("a rule that is not in testdata/rules.txt: %s", line)
			continue
		}
		used[patterns[i]] = true
	}
	for _, p := range patterns {
		if !used[p] {
			t.Errorf("nothing is explained by the rule %s", p)
		}
	}
}

// operation checks a recording of a list that several libraries have.
func (c *checker) operation(list string, r recording, s *promote.System) {
	xs := r.operands(c.t, s)
	switch list {
	case "can_cast":
		ok, err := s.CanCast(named(c.t, r.From), named(c.t, r.To), "")
		c.check(r, ok, err, r.Result, r.Error)
	case "inplace":
		got, err := s.Assignment(r.Op, xs[0], xs[1])
		c.check(r, got, err, r.Result, r.Error)
		c.explain(r, s.ExplainAssignment(r.Op, xs[0], xs[1]), got, err)
	case "pairs", "result_type", "array_plus_numpy_scalar":
		a, b := xs[0].(promote.Operand), xs[1].(promote.Operand)
		got, err := s.Join(a, b)
		c.check(r, got, err, r.Result, r.Error)
		c.explain(r, s.ExplainJoin(a, b), got, err)
	default:
		got, err := s.Operation(r.Op, xs...)
		c.check(r, got, err, r.Result, r.Error)
		c.explain(r, s.ExplainOperation(r.Op, xs...), got, err)
	}
}

// ownList checks a recording of a list whose rows have the form of one library. It reports
// whether the list is one.
func (c *checker) ownList(file, list string, r recording) bool {
	s := r.system(file)
	switch file {
	case "torch":
		switch list {
		case "result_type_three":
			r.Op = "clamp"
		case "scalar_ops": // rsub has the operands of sub in the order of the expression
			if plain, ok := strings.CutPrefix(r.Op, "r"); ok && plain != "emainder" && plain != "true_divide" {
				r.Op = plain
			}
		}
		c.operation(strings.Replace(list, "result_type_three", "clamp", 1), r, s)
		return true
	case "jax":
		c.jax(list, r)
		return true
	case "numpy":
		return c.numpy(list, r)
	case "array_api":
		return c.arrayAPI(list, r)
	case "ivy":
		return c.ivy(list, r)
	case "tensorflow":
		return c.tensorFlow(list, r, s)
	}
	return c.other(r, s)
}

// jax checks a recording of JAX in the standard and the strict mode.
func (c *checker) jax(list string, r recording) {
	strictMode := promote.JAXStrict
	if r.X64 {
		strictMode = promote.JAXStrict64
	}
	standard := r.system("jax")
	if list == "canonical" {
		got, err := standard.Resolve(recordedOperand(c.t, standard, r.DType, ""))
		c.check(r, got, err, r.Canonical, "")
		return
	}
	ask := func(s *promote.System) (dtype.Typed, promote.Explanation, error) {
		xs := r.operands(c.t, s)
		switch {
		case list == "pairs":
			a, b := named(c.t, r.A), named(c.t, r.B)
			d, err := promote.JAXPromoteTypes(s, a, b)
			return promote.Known(d), promote.JAXExplainTypes(s, a, b), err
		case r.Op == "" && r.B == "":
			x := xs[0].(promote.Operand)
			return x.Typed, promote.Explanation{System: s, Operands: []promote.Operand{x}, Result: x.Typed}, nil
		case r.Op == "":
			d, err := promote.JAXResultType(s, xs...)
			return d, promote.JAXExplainResult(s, xs...), err
		}
		d, err := s.Operation(r.Op, xs...)
		return d, s.ExplainOperation(r.Op, xs...), err
	}
	if list == "weak_pairs" && r.Op != "" { // the result of an operation that keeps the common dtype
		got, err := standard.Operation("maximum", r.operands(c.t, standard)...)
		c.check(r, got, err, r.Op, "")
		r.Op = ""
	}
	got, e, err := ask(standard)
	c.check(r, got, err, r.Result, r.Error)
	c.explain(r, e, got, err)
	if want, ok := r.ResultType.(string); ok && list == "pairs" {
		if got, err := promote.JAXResultType(standard, r.operands(c.t, standard)...); want == "error" && err == nil ||
			want != "error" && got.String() != want {
			c.t.Errorf("%+v: result type %s, %v", r, got, err)
		}
	}
	want := r.Strict
	if results, ok := want.(map[string]any); ok {
		r.StrictError, _ = results["error"].(string)
		want = results["result"]
	}
	if want == nil && r.StrictError == "" && (list == "unary_ops" || list == "scalar_pairs" && r.B == "") {
		return // the list has no results of the strict mode
	}
	got, e, err = ask(strictMode)
	c.check(r, got, err, want, r.StrictError)
	c.explain(r, e, got, err)
}

// numpy checks a recording of a list that only NumPy has.
func (c *checker) numpy(list string, r recording) bool {
	s := promote.NumPy
	switch list {
	case "can_cast":
		for rule, want := range map[string]bool{"no": r.No, "equiv": r.Equiv, "safe": r.Safe, "same_kind": r.SameKind,
			"unsafe": r.Unsafe, "": r.Safe} {
			ok, err := s.CanCast(named(c.t, r.From), named(c.t, r.To), rule)
			c.check(r, ok, err, want, "")
		}
	case "result_type_scalar":
		a, b := recordedOperand(c.t, s, r.A, ""), recordedOperand(c.t, s, r.B, "")
		got, err := s.Join(a, b)
		c.check(r, got, err, r.Result, r.Error)
		c.explain(r, s.ExplainJoin(a, b), got, err)
		if r.Add != nil {
			got, err := promote.NumPyAdd(a.DType, b.DType)
			c.check(r, got, err, r.Add.Result, r.Add.Error)
		}
	default:
		return false
	}
	return true
}

// arrayAPI checks a recording of a list that only the Array API has.
func (c *checker) arrayAPI(list string, r recording) bool {
	s := promote.ArrayAPI
	switch list {
	case "isdtype":
		c.check(r, promote.IsDType(named(c.t, r.DType), r.Kind), nil, r.Result, "")
	case "scalar":
		a, b := recordedOperand(c.t, s, r.A, ""), recordedOperand(c.t, s, r.B, "")
		want, _ := r.ResultType.(map[string]any)
		text, _ := want["error"].(string)
		got, err := s.Join(a, b)
		c.check(r, got, err, want["result"], text)
		op := "add"
		if r.B == "pybool" {
			op = "bitwise_and"
		}
		got, err = s.Operation(op, a, b)
		c.check(r, got, err, r.Operator.Result, r.Operator.Error)
	default:
		return false
	}
	return true
}

// ivy checks a recording of a list that only Ivy has.
func (c *checker) ivy(list string, r recording) bool {
	switch list {
	case "pairs":
		a, b := named(c.t, r.A), named(c.t, r.B)
		c.check(r, promote.IvyPrecise.Common(promote.Known(a), promote.Known(b)), nil, r.Precise, "")
		c.check(r, promote.IvyFast.Common(promote.Known(a), promote.Known(b)), nil, r.Nonprecise, "")
		c.check(r, promote.IvyStandard(a, b), nil, r.InTable, "")
	case "result_type": // that of the backend, NumPy
		c.operation("pairs", r, promote.NumPy)
	case "can_cast":
		if r.From == "bf16" || r.To == "bf16" {
			return true // the recording is about the backend, which has no bf16
		}
		return false
	default:
		return false
	}
	return true
}

// tensorFlow checks a recording of a pair under s, which TensorFlow refuses with the error of an
// addition, or of result_type, which is NumPy's if the mode is off and never returns a weak dtype.
func (c *checker) tensorFlow(list string, r recording, s *promote.System) bool {
	if list != "pairs" && list != "result_type" {
		return false
	}
	joins := s
	if list == "result_type" && s == promote.TensorFlow {
		joins = promote.NumPy
	}
	xs := r.operands(c.t, joins)
	got, err := joins.Join(xs[0].(promote.Operand), xs[1].(promote.Operand))
	var refusal *promote.Refusal
	switch {
	case err != nil && list == "pairs":
		got, err = s.Operation("add", xs...)
	case errors.As(err, &refusal) && refusal.Kind == "DTypePromotionError": // NumPy's
		got, err = promote.TensorFlow.Operation("tnp.add", r.operands(c.t, promote.TensorFlow)...)
	}
	if list == "result_type" {
		got.Ambiguous = false
	}
	c.check(r, got, err, r.Result, r.Error)
	return true
}

// other checks a recording of a system that only has a table.
func (c *checker) other(r recording, s *promote.System) bool {
	switch {
	case r.A == "":
		return true // a row of values
	case r.Op == "promote_type" || r.Op == "add":
	case strings.HasPrefix(r.Op, "supertype"):
		s = promote.PolarsSupertype
	case strings.HasPrefix(r.Op, "unify"):
		s = promote.ArrowUnify
	default:
		return false
	}
	c.operation("pairs", r, s)
	return true
}
