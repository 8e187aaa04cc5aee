package anvil_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/autodiff"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A conventionRow is a row of testdata/conventions.json, which testdata/conventions.py describes.
type conventionRow struct {
	Name, Category, Go, DType string
	Order                     int
	Operands                  []conventionOperand
	Answers                   map[string]json.RawMessage
}

// A conventionOperand is an operand as nested lists. The last axis of a complex operand holds the real and imaginary
// parts.
type conventionOperand struct {
	shape  nv.Shape
	values []float64
}

// UnmarshalJSON reads nested lists of numbers, and the strings "NaN", "Infinity" and "-Infinity".
func (o *conventionOperand) UnmarshalJSON(data []byte) error {
	var v any
	if err := json.Unmarshal(data, &v); err != nil {
		return err
	}
	for at := v; ; {
		list, ok := at.([]any)
		if !ok {
			break
		}
		o.shape = append(o.shape, len(list))
		at = list[0]
	}
	o.add(v)
	return nil
}

func (o *conventionOperand) add(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			o.add(e)
		}
	default:
		o.values = append(o.values, callFloat(v))
	}
}

// tensor returns o as a tensor of dtype d.
func (o conventionOperand) tensor(d dtype.DType) nv.Tensor {
	x := nv.Reshape(nv.From(o.values), o.shape)
	if d == dtype.C128 {
		return nv.Complex(x.At(nv.Ellipsis, 0), x.At(nv.Ellipsis, 1))
	}
	return nv.AsType(x, d)
}

// TestConventions checks that the expression of each row of the conventions table can be computed from its operands, and
// that the row has an answer of JAX, PyTorch or TensorFlow.
func TestConventions(t *testing.T) {
	table := readConventions(t)
	if len(table.Rows) != len(conventionCases) {
		t.Errorf("%d rows, want %d", len(table.Rows), len(conventionCases))
	}
	for _, row := range table.Rows {
		if len(row.Answers) == 0 {
			t.Errorf("%s: no answer", row.Name)
		}
		f, ok := conventionCases[row.Name]
		if !ok {
			t.Errorf("conventionCases lacks %q", row.Name)
			continue
		}
		d, err := dtype.Parse(row.DType)
		if err != nil {
			t.Fatal(err)
		}
		in := make([]nv.Tensor, len(row.Operands))
		for i, o := range row.Operands {
			in[i] = o.tensor(d)
		}
		if err := nv.Try(func() { f(in).Values() }); err != nil {
			t.Errorf("%s: %s: %v", row.Name, row.Go, err)
		}
	}
}

// gradient returns the gradient of the sum of f, in the form of an answer: a list for each operand with its elements in
// row-major order, a complex one as its two parts. If the order of the row is 2, it is the gradient of the sum of the
// gradient by the first operand. err is the value that f panics with.
func (row conventionRow) gradient(t *testing.T, f func(in []nv.Tensor) nv.Tensor, opts ...nv.GradOption) (answer []any, err error) {
	d, parsed := dtype.Parse(row.DType)
	if parsed != nil {
		t.Fatal(parsed)
	}
	in := make([]nv.Tensor, len(row.Operands))
	for i, o := range row.Operands {
		in[i] = o.tensor(d)
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	err = nv.Try(func() {
		g := nv.Grad(func(in []nv.Tensor) nv.Tensor { return nv.Sum(f(in)) }, opts...)
		if row.Order == 2 {
			first := g
			g = nv.Grad(func(in []nv.Tensor) nv.Tensor { return nv.Sum(first(in)[0]) }, opts...)
		}
		for _, x := range g(in) {
			if d == dtype.C128 {
				x = nv.Stack(nv.Axis(-1), nv.Real(x), nv.Imag(x))
			}
			var values []any
			for v := range slices.Values(nv.AsType(nv.Reshape(x, nv.Shape{-1}), nv.F64).Values().([]float64)) {
				values = append(values, v)
			}
			answer = append(answer, values)
		}
	})
	return answer, err
}

// answerNumbers returns the numbers of an answer as one list, and whether it consists only of numbers.
func answerNumbers(v any) (ns []float64, ok bool) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n, ok := answerNumbers(e)
			if !ok {
				return nil, false
			}
			ns = append(ns, n...)
		}
		return ns, true
	case float64, string:
		return []float64{callFloat(v)}, true
	}
	return nil, false
}

// agreeing reports whether two answers have the same numbers, to a relative error of 1e-6. None counts as zero.
func agreeing(x, y any) bool {
	a, okA := answerNumbers(withoutNone(x, y))
	b, okB := answerNumbers(withoutNone(y, x))
	if !okA || !okB || len(a) != len(b) {
		return false
	}
	for i := range a {
		same := a[i] == b[i] || math.IsNaN(a[i]) && math.IsNaN(b[i])
		if !same && !(math.Abs(a[i]-b[i]) <= 1e-6*math.Abs(b[i])) {
			return false
		}
	}
	return true
}

// withoutNone returns the answer x with zeros, as many as y has, for each operand without a gradient.
func withoutNone(x, y any) any {
	xs, _ := x.([]any)
	ys, _ := y.([]any)
	if len(xs) != len(ys) {
		return x
	}
	out := slices.Clone(xs)
	for i, v := range out {
		if n, ok := answerNumbers(ys[i]); v == nil && ok {
			zeros := make([]any, len(n))
			for i := range zeros {
				zeros[i] = 0.0
			}
			out[i] = zeros
		}
	}
	return out
}

// written returns an answer as docs/gradients.md shows it: the elements of each operand's gradient.
func written(v any) string {
	list, ok := v.([]any)
	if !ok {
		return "error"
	}
	texts := make([]string, len(list))
	for i, operand := range list {
		ns, ok := answerNumbers(operand)
		if !ok {
			texts[i] = "none"
			continue
		}
		elements := make([]string, len(ns))
		for k, n := range ns {
			elements[k] = strconv.FormatFloat(n+0, 'g', 6, 64)
		}
		texts[i] = strings.Join(elements, " ")
	}
	return strings.Join(texts, "; ")
}

// conventionReasons give the reason for anvil's choice, by category.
var conventionReasons = []struct{ category, reason string }{
	{"ties", "Equal elements share the gradient equally, so that it does not depend on their order; a sort or a choice by an index " +
		"gives it to the element that was chosen."},
	{"clip", "At a bound the operand is the result, and has the derivative 1: a parameter at its bound can leave it."},
	{"activations", "A function that chooses between branches has the derivative of the branch that it chose: Relu at 0 is the constant 0. HardSigmoid and HardSilu " +
		"have a clip, which at a bound has the derivative within."},
	{"elementwise", "An infinite derivative is infinite, not NaN. Where several directions meet, as in abs, hypot and atan2 at 0, it is 0, " +
		"the mean of them. x^0 is constant: 0. Formulas apply also where the value is NaN: the derivative of log at -1 is -1. An infinite " +
		"cotangent times a derivative of 0, as in the square root of a square at 0, is NaN."},
	{"where", "A branch that is not taken contributes nothing: a cotangent that is 0 times a derivative that is infinite or NaN is 0."},
	{"exponentials", "A tie of -infinities contributes nothing; +infinity takes the whole, and several share it. Where the value is NaN, so is the derivative."},
	{"norms", "The derivative of a norm at 0 is 0, the element of least norm among its subgradients; so is that of a standard deviation " +
		"of equal numbers. The square root of a sum of squares that a program writes itself has infinity times 0 there, which is NaN."},
	{"products", "The product of the other factors, without division, so that factors of 0 are exact in all orders."},
	{"indices", "What an index read adds up; what a repeated assignment overwrote has no part in the result, and no gradient."},
	{"linear algebra", "" +
		"The gradient of the determinant of a singular matrix is its adjugate; SlogDet, Inv and Solve have NaN or " +
		"infinity there. LU and QR of square matrices do not need the last pivot; where another is 0 they jump, " +
		"and have NaN. The gradients of PInv, Lstsq and Expm do not need distinct eigenvalues or singular values. " +
		"Where eigenvalues or singular values are equal, first and second derivatives are right for functions of " +
		"the matrix that multiply vectors by elementwise functions of the values and sum over the vectors, as V " +
		"f(w) Vᴴ, V (f(w) (Vᴴ b)), U f(s) Vᴴ and the sum of f(w) |Vᴴ b|², and for sums of f(w) or f(s); JAX and " +
		"PyTorch answer NaN. Other forms, such as the sum of f(w) times the squares of the real and imaginary " +
		"parts of Vᴴ b, are finite and wrong there: write |Vᴴ b|². Such a product is recognized in a program: the " +
		"gradients of V and w by themselves cannot tell, as for f(w) = 0 they do not depend on the derivative of " +
		"f. What is not recognized has the derivatives along the vectors that the factorization chose, as have " +
		"values one by one; so have third derivatives. The vectors themselves have no derivative there: they are " +
		"treated as fixed relative to each other, which is right for a projector on all of them. Values within " +
		"rounding errors of each other count as equal."},
	{"complex", "The gradient of a real loss is ∂f/∂x + i∂f/∂y, the direction of steepest ascent, as in ChainRules and PyTorch; JAX returns " +
		"its conjugate."},
	{"losses", "They follow from the above: what is 0 times infinity in a formula contributes nothing. Labels that do not fit the sequence have an infinite loss, " +
		"the LogSumExp of -infinities, whose gradient is 0."},
	{"flat", "Functions that are constant between jumps have the derivative 0."},
	{"single precision", "Formulas are chosen so that they do not overflow or cancel between. A norm whose squares underflow is 0, and so is its derivative."},
}

// conventionTable is testdata/conventions.json.
type conventionTable struct {
	Versions map[string]string
	Rows     []conventionRow
}

func readConventions(t *testing.T) (table conventionTable) {
	data, err := os.ReadFile("testdata/conventions.json")
	if err != nil {
		t.Fatal(err)
	}
	read(t, data, &table)
	return table
}

// TestGradientsPage checks docs/gradients.md: the answers of all systems, and anvil's. With -update it writes the page.
func TestGradientsPage(t *testing.T) {
	const path = "../docs/gradients.md"
	table := readConventions(t)
	var b strings.Builder
	fmt.Fprintf(&b, "# Gradients at points without a derivative\n\n"+
		"What `nv.Grad` returns where a function has no derivative, or no unique one, beside JAX %s, PyTorch %s and TensorFlow %s: the\n"+
		"gradient of the sum of the result, by each operand. An answer in **bold** is not anvil's; a dash is a function that the\n"+
		"framework does not have, *none* no gradient. A complex number is written as its two parts. `nv.Grad(f, nv.Conventions(nv.TorchGradients))`\n"+
		"gives the operations Max, Min, Clamp and Hypot PyTorch's derivatives, nv.JAXGradients gives Abs, Clamp, Hypot, Atan2 and Pow those of\n"+
		"JAX, and nv.TensorFlowGradients gives Max, Min, Clamp, Hypot, Atan2 and Pow those of TensorFlow; under each of them 0 times an infinite derivative is NaN.\n"+
		"Functions of several operations are differentiated as anvil composes them, so that not every row becomes that of the framework.\n"+
		"`%%%%compare grad jax torch tensorflow anvil` runs a cell under each.\n"+
		"A section begins with the reason for anvil's choice; *refused* is an error that says why.\n"+
		"Written by `go test ./anvil -run TestGradientsPage -update`, which checks each value.\n",
		table.Versions["jax"], table.Versions["torch"], table.Versions["tensorflow"])
	for _, c := range conventionReasons {
		fmt.Fprintf(&b, "\n## %s%s\n\n%s\n\n| point | of | JAX | PyTorch | TensorFlow | anvil |\n|---|---|---|---|---|---|\n",
			strings.ToUpper(c.category[:1]), c.category[1:], c.reason)
		for _, row := range table.Rows {
			if row.Category != c.category {
				continue
			}
			ours, err := row.gradient(t, conventionCases[row.Name])
			fmt.Fprintf(&b, "| %s | `%s` |", strings.ReplaceAll(row.Name, "|", `\|`), strings.ReplaceAll(row.Go, "\n", "; "))
			for _, system := range []string{"jax", "torch", "tensorflow"} {
				fmt.Fprintf(&b, " %s |", row.compared(t, system, ours))
			}
			if err != nil {
				fmt.Fprintf(&b, " refused |\n")
				t.Logf("%s: %v", row.Name, err)
				continue
			}
			fmt.Fprintf(&b, " %s |\n", written(ours))
		}
	}
	if *updateFiles {
		if err := os.WriteFile(path, []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if rows := strings.Count(string(page), "\n| "); rows < 120+2*len(conventionReasons) {
		t.Errorf("%s has %d rows", path, rows)
	}
	for i, line := range strings.Split(b.String(), "\n") {
		if have := strings.Split(string(page), "\n"); i >= len(have) || have[i] != line {
			t.Errorf("%s:%d: want %s", path, i+1, line)
		}
	}
}

// answer returns what the system answers.
func (row conventionRow) answer(t *testing.T, system string) (v any, ok bool) {
	data, ok := row.Answers[system]
	if ok {
		read(t, data, &v)
	}
	return v, ok
}

// compared returns the system's answer as docs/gradients.md shows it, bold if it is not ours.
func (row conventionRow) compared(t *testing.T, system string, ours []any) string {
	v, ok := row.answer(t, system)
	switch {
	case !ok:
		return "-"
	case agreeing(v, ours):
		return written(v)
	}
	return "**" + written(v) + "**"
}

// TestConventionsOfFrameworks checks in how many rows each framework's conventions give the answer of the framework.
func TestConventionsOfFrameworks(t *testing.T) {
	table := readConventions(t)
	for _, c := range []struct {
		system string
		conv   *autodiff.Conventions
		least  int
	}{{"jax", nv.JAXGradients, 217}, {"torch", nv.TorchGradients, 208}, {"tensorflow", nv.TensorFlowGradients, 168}} {
		same, anvil, all := 0, 0, 0
		for _, row := range table.Rows {
			want, ok := row.answer(t, c.system)
			if _, failed := want.(map[string]any); !ok || failed {
				continue
			}
			all++
			if got, _ := row.gradient(t, conventionCases[row.Name]); agreeing(want, got) {
				anvil++
			}
			if got, err := row.gradient(t, conventionCases[row.Name], nv.Conventions(c.conv)); agreeing(want, got) {
				same++
			} else {
				t.Logf("%s: %s: %s, want %s %v", c.system, row.Name, written(got), written(want), err)
			}
		}
		fmt.Printf("gradients as %s: %d of %d (%d under anvil's conventions)\n", c.system, same, all, anvil)
		if same < c.least {
			t.Errorf("%s: %d of %d rows agree, want %d", c.system, same, all, c.least)
		}
	}
}

// TestPromotionLeavesGradients checks that promotion systems do not change the gradients of single operations at points
// without a derivative.
func TestPromotionLeavesGradients(t *testing.T) {
	x := nv.New([]float64{0, 2, -2}, nv.F32)
	f := func(lib *nv.Lib) func(x nv.Tensor) nv.Tensor {
		return func(x nv.Tensor) nv.Tensor {
			return lib.Sum(lib.Add(lib.Add(lib.Abs(x), lib.Hypot(x, x)), lib.Where(lib.Gt(x, 0), lib.Sqrt(x), x)))
		}
	}
	want := nv.Grad(f(nv.With(promote.Anvil)))(x).String()
	for _, system := range []*promote.System{promote.JAX, promote.Torch, promote.NumPy, promote.TensorFlow} {
		if got := nv.Grad(f(nv.With(system)))(x).String(); got != want {
			t.Errorf("%s: %s, want %s", system, got, want)
		}
	}
}
