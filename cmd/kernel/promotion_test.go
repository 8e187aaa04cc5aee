package main

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestPromotionIsLexical: a function keeps the system of the cell that it was
// declared in, wherever it is called from.
func TestPromotionIsLexical(t *testing.T) {
	f := newFront(t, "reference")
	f.text(`i := nv.Ones(nv.Shape{1}, nv.I32)
l := nv.Scalar(1, nv.I64)
func underAnvil(x, y nv.Tensor) nv.Tensor { return x + y }
func generic[T any](x nv.Tensor, y T) nv.Tensor { return x.Add(y) }`)
	f.want("%promotion torch\n(i + l).DType()", "i32")
	f.want("underAnvil(i, l).DType()", "i64")
	f.want("generic(i, l).DType()", "i64")
	f.text("func underTorch(x, y nv.Tensor) nv.Tensor { return nv.Add(x, y) }")
	if a := f.run("%promotion"); a.stdout != "torch\n" {
		t.Errorf("%%promotion prints %q", a.stdout)
	}
	f.want("%promotion anvil\n(i + l).DType()", "i64")
	f.want("underTorch(i, l).DType()", "i32")
	f.want("generic(i, l).DType()", "i64")
	f.text("%promotion torch")
	f.text("%reset")
	if a := f.run("%promotion"); a.stdout != "anvil\n" {
		t.Errorf("after %%reset %%promotion prints %q", a.stdout)
	}
	f.contains("error", f.fails("%promotion tch"), "tch", "torch")
}

// TestEveryUseIsUnderTheSystem: operators, assignments, functions, methods,
// method chains and functions as values.
func TestEveryUseIsUnderTheSystem(t *testing.T) {
	f := newFront(t, "reference")
	f.text("i := nv.Ones(nv.Shape{1}, nv.I32)\nl := nv.Scalar(1, nv.I64)\np := &i")
	f.text("%promotion torch")
	for _, code := range []string{
		"i + l", "i.Add(l)", "nv.Add(i, l)", "p.Add(l)", "i.Add(l).Add(l)", "add := nv.Add; add(i, l)",
		"x := i; x += l; x", "x := i; x++; x", "func(x nv.Tensor) nv.Tensor { return x * l }(i)", "i.Mul(l) - l",
		"nv.With(promote.Torch).Add(i, l)", "nv.Jit(func(x nv.Tensor) nv.Tensor { return x + l })(i)",
	} {
		f.want("r := func() nv.Tensor {\n"+returning(code)+"\n}()\nr.DType()", "i32")
	}
	f.want("nv.With(promote.Anvil).Add(i, l).DType()", "i64")
	f.want("i.Sum().DType()", "i64")
	f.contains("why", f.text("nv.Why(i + l)"), "under torch")
	f.text("a := func() nv.Tensor { return i }; b := func() nv.Tensor { return i.AsType(nv.I8) }; choose := nv.If[nv.Tensor];")
	for _, code := range []string{"nv.If(true, a, b)", "nv.If[nv.Tensor](true, a, b)", "choose(true, a, b)", "nv.Switch(0, a, b)"} {
		f.contains(code, f.text("nv.Why("+code+")"), "(i32, i8) -> i32 under torch")
	}
	f.want("i.Add(1)", "AnvilTensor\n 2\n[ REFERENCEi32{1} ]")
	f.refused("i.Add()", "not enough arguments in call to i.Add\n\thave ()\n\twant (any, ...nv.BinaryOption); write i.Add(y, opts...)")
}

// returning puts "return" before the last of the statements in code.
func returning(code string) string {
	at := strings.LastIndex(code, "; ") + 1
	if strings.HasPrefix(code, "func") || strings.Contains(code, "Jit") {
		at = 0
	}
	return code[:at] + " return " + code[at:]
}

// TestTorchQuiz compares results under torch with those that PyTorch documents.
func TestTorchQuiz(t *testing.T) {
	f := newFront(t, "reference")
	f.text(`shape := nv.Shape{1}
f, d := nv.Ones(shape, nv.F32), nv.Ones(shape, nv.F64)
cf, cd := nv.Ones(shape, nv.C64), nv.Ones(shape, nv.C128)
i, l := nv.Ones(shape, nv.I32), nv.Ones(shape, nv.I64)
u, b := nv.Ones(shape, nv.U8), nv.Ones(shape, nv.I1)
lz, iz := nv.Scalar(1, nv.I64), nv.Scalar(1, nv.I32)
torch := nv.With(promote.Torch)`)
	f.text("%promotion torch")
	for _, q := range [][3]string{
		{"i + 5", "torch.Add(i, 5)", "i32{1} [6]"},
		{"i + 5.5", "torch.Add(i, 5.5)", "f32{1} [6.5]"},
		{"i / 5", "torch.Div(i, 5)", "f32{1} [0.2]"},
		{"i + lz", "torch.Add(i, lz)", "i32{1} [2]"},
		{"l + i", "torch.Add(l, i)", "i64{1} [2]"},
		{"b + l", "torch.Add(b, l)", "i64{1} [2]"},
		{"b + u", "torch.Add(b, u)", "ui8{1} [2]"},
		{"f + d", "torch.Add(f, d)", "f64{1} [2]"},
		{"cf + cd", "torch.Add(cf, cd)", "c128{1} [(2+0i)]"},
		{"b + i", "torch.Add(b, i)", "i32{1} [2]"},
		{"l + f", "torch.Add(l, f)", "f32{1} [2]"},
		{"l.Add(f)", "torch.Add(l, f)", "f32{1} [2]"},
		{"b + 5", "torch.Add(b, 5)", "i64{1} [6]"},
		{"iz + lz", "torch.Add(iz, lz)", "i64{} 2"},
	} {
		f.want("fmt.Sprint("+q[0]+")", strconv.Quote(q[2]))
		f.want("fmt.Sprint("+q[1]+")", strconv.Quote(q[2]))
	}
}

// TestClassesOfOperations tests that sums, quotients, remainders, comparisons and functions of
// reals have the results and errors of the frameworks.
func TestClassesOfOperations(t *testing.T) {
	f := newFront(t, "reference")
	f.text(`i := nv.New([]int{-7, 7}).AsType(nv.I32)
u := nv.Ones(nv.Shape{2}, nv.U8)
b := nv.New([]bool{true, false})`)
	for _, q := range [][3]string{
		{"torch", "i.Sum()", "i64{} 0"}, {"jax", "i.Sum()", "i32{} 0"}, {"numpy", "i.Sum()", "i64{} 0"}, {"anvil", "i.Sum()", "i32{} 0"},
		{"torch", "i / 2", "f32{2} [-3.5 3.5]"}, {"jax", "i / 2", "f32{2} [-3.5 3.5]"}, {"numpy", "i / 2", "f64{2} [-3.5 3.5]"}, {"anvil", "i / 2", "i32{2} [-3 3]"},
		{"torch", "i % 4", "i32{2} [1 3]"}, {"numpy", "i % -4", "i32{2} [-3 -1]"}, {"anvil", "i % 4", "i32{2} [-3 3]"},
		{"numpy", "nv.New([]complex128{1 + 2i, 2}).Lt(nv.New([]complex128{1 + 3i, 1}))", "i1{2} [true false]"}, {"torch", "u.Sign()", "ui8{2} [1 1]"},
		{"torch", "nv.Scalar(5)", "i64{} 5"}, {"torch", "nv.Scalar(5) + nv.Scalar(0.5)", "f32{} 5.5"}, {"jax", "nv.Scalar(5)", "i32?{} 5"},
		{"torch", "i < 0.5", "i1{2} [true false]"}, {"numpy", "u < 300", "i1{2} [true true]"},
		{"torch", "nv.Exp(b)", "f32{2} [2.7182817 1]"}, {"numpy", "i.Mean()", "f64{} 0"}, {"torch", "u.All()", "ui8{} 1"},
		{"torch", "nv.Pow(i, 2)", "i32{2} [49 49]"}, {"torch", "nv.Where(b, i, 1.5)", "f32{2} [-7 1.5]"},
		{"jax", "nv.FloorDiv(i, 2)", "i32{2} [-4 3]"}, {"torch", "i & 3", "i32{2} [1 3]"},
	} {
		f.want("%promotion "+q[0]+"\nfmt.Sprint("+q[1]+")", strconv.Quote(q[2]))
	}
	for _, q := range [][3]string{
		{"torch", "i.Mean()", "Mean(i32{2}): NotImplementedError: mean(): could not infer output dtype. " +
			"Input dtype must be either a floating point or complex dtype. Got: Int"}, {"torch", "b - b", "Sub(i1{2}, i1{2}): NotImplementedError: Subtraction, the `-` operator, with two bool tensors " +
			"is not supported. Use the `^` or `logical_xor()` operator instead."},
		{"numpy", "u + 300", "Add(ui8{2}, int 300): OverflowError: Python integer 300 out of bounds for uint8"}, {"arrayapi", "i + 0.5", "Add(i32{2}, float64 0.5): TypeError: Python float scalars can only be promoted with floating-point arrays."},
	} {
		f.refused("%promotion "+q[0]+"\n"+q[1], q[2])
	}
}

// TestCompare runs one cell under several systems, and tests its text and its HTML.
func TestCompare(t *testing.T) {
	f := newFront(t, "reference")
	f.text("i := nv.Ones(nv.Shape{1}, nv.I32)\nu := nv.Ones(nv.Shape{1}, nv.U8)")
	a := f.run("%%compare torch jax numpy anvil\ny := i / 2\ny + 1")
	text, _ := a.result["text/plain"].(string)
	f.contains("text", text, "system", "torch", "f32{1}", "numpy", "f64{1}", "[1.5]", "anvil", "i32{1}", "[1]")
	rich, _ := a.result["text/html"].(string)
	f.contains("html", rich, "<table", "f64{1}", "reason")
	f.want("y.DType()", "i32")
	rows := strings.Split(f.text("%%compare numpy torch\nu + 300"), "\n")
	f.contains("numpy", rows[1], "error: Add(ui8{1}, int 300)", "OverflowError")
	f.contains("torch", rows[2], "ui8{1}", "[45]")
	if a := f.run("%promotion"); a.stdout != "anvil\n" {
		t.Errorf("after %%%%compare %%promotion prints %q", a.stdout)
	}
	f.contains("several values", f.text("%%compare torch anvil\ni + 1, i / 2"), "torch, value 1 i32{1}", "torch, value 2 f32{1}", "anvil, value 1 i32{1}", "anvil, value 2 i32{1}")
	f.contains("first operation that differs", f.text("%%compare torch numpy\ni*2.5 + 1"), "the results first differ at operation 1, Mul: torch f32, numpy f64")
	f.contains("gradients", f.text("%%compare grad jax anvil\nnv.Grad(func(x nv.Tensor) nv.Tensor { return nv.Abs(x) })(nv.Scalar(0.0))"), "jax", "≠ anvil", "as anvil")
	f.refused("%%compare grad nosuch\n1", "%%compare grad: unknown framework nosuch; write jax, torch, tensorflow or anvil")
	f.refused("%%compare torch jax\nnosuch + 1", "undefined: nosuch")
	f.refused("%%compare torch nosuch\n1", noSystem)
	f.refused("%%compare\n1", "%%compare: name the systems: %%compare torch jax numpy anvil")
	f.refused("%compare torch\n1", "%compare is not a line command; write %%compare on the first line of a cell")
}

// noSystem is the error for a system called nosuch.
const noSystem = "unknown promotion system nosuch; give one of anvil, torch, torchext, jax, jax64, jaxstrict, jaxstrict64, numpy, " +
	"arrayapi, tensorflow, tensorflow-legacy, tensorflow-all, tensorflow-safe, ivy-precise, ivy-fast, ivy, rdata"

// TestNamesOfSystems tests the errors for wrong names of systems, and for systems without
// computations, and that completion offers only systems with computations.
func TestNamesOfSystems(t *testing.T) {
	f := newFront(t, "reference")
	for code, want := range map[string]string{
		"%promotion TORCH":          "no promotion system is called TORCH; write torch",
		"%promotion torch jax":      "%promotion: 2 systems, want one; write %promotion torch, or %%compare torch jax to run a cell under each",
		"%promotion torch, jax":     "%promotion: 2 systems, want one; write %promotion torch, or %%compare torch jax to run a cell under each",
		"%promotion julia":          "julia is a table of dtypes for comparison, without computations; show it with display.Table or display.Compare",
		"%%compare torch, jax\n1":   "no promotion system is called torch,; write torch",
		"%%compare torch,jax\n1":    "torch,jax: separate names of systems with spaces: torch jax",
		"%%compare torch polars\n1": "polars is a table of dtypes for comparison, without computations; show it with display.Table or display.Compare",
		"%%compare nosuch\n1":       noSystem,
	} {
		f.refused(code, want)
	}
	for code, want := range map[string][]string{"%promotion to": {"torch", "torchext"}, "%%compare torch ivy-": {"ivy-precise", "ivy-fast"}, "%promotion mlx": {}} {
		r, err := f.client.Complete(t.Context(), code, len(code))
		if err != nil || !slices.Equal(r.Matches, want) {
			t.Errorf("%q: %q, %v; want %q", code, r.Matches, err, want)
		}
	}
}

// TestSystemsMisused tests the errors for operands that are not the systems that a function
// takes.
func TestSystemsMisused(t *testing.T) {
	f := newFront(t, "reference")
	for code, want := range map[string]string{
		"promote.Quiz(promote.Torch)":          "cannot convert promote.Torch (variable of type *promote.System) to type promote.Quiz; write promote.NewQuiz(promote.Torch)",
		"promote.Torch.Common(nv.F32, nv.I64)": "cannot use nv.F32 (constant 25 of uint8 type dtype.DType) as dtype.Typed value in argument to promote.Torch.Common; write promote.Known(nv.F32), or promote.Torch.Result, which takes dtypes, tensors and numbers",
		"display.Table(nil)":                   "display.Table(nil): the promotion system is nil; write display.Table(promote.Anvil)",
		"promote.Audit(nil)":                   "promote.Audit(nil): the promotion system is nil; give one, such as promote.Torch",
		"promote.Diff(promote.Torch, nil)":     "promote.Diff(nil): the promotion system is nil; give one, such as promote.Torch",
		"nv.With(nil)":                         "With(nil): the promotion system is nil; write nv.With(promote.Anvil)",
		"nv.With(promote.MLX)":                 "With(mlx): mlx is a table of dtypes for comparison, without computations; show it with display.Table or display.Compare",
		"%promotion mlx":                       "mlx is a table of dtypes for comparison, without computations; show it with display.Table or display.Compare",
	} {
		f.refused(code, want)
	}
	f.want("nv.With(promote.Torch)", "the library under the promotion system torch")
	f.want("fmt.Sprint(nv.With(promote.Torch))", `"the library under the promotion system torch"`)
	f.contains("as many each", f.text("display.Answers([]*promote.System{promote.Torch, promote.NumPy}, promote.AskCommon(nv.I32, nv.F32))"), "\ni32 with f32 f32   f64   2")
	if text := f.text("display.Compare()"); strings.Contains(text, "marked") || strings.Contains(text, "\nanvil\n") || !strings.Contains(text, "\ndisagreements\n") {
		t.Errorf("display.Compare() shows\n%s", text)
	}
}

// TestCompareBeginsAnew tests that the run under each system starts with the variables as earlier cells left them.
func TestCompareBeginsAnew(t *testing.T) {
	f := newFront(t, "reference")
	f.text("x, names := nv.New([]int32{100}), []string{}\nfunc half(a nv.Tensor) nv.Tensor { return a / 2 }")
	rows := strings.Split(f.text("%%compare torch numpy\nfor k := 0; k < 2; k++ { x = x + 1 }\nnames = append(names, \"run\")\nx, len(names)"), "\n")
	for i, want := range []string{"torch, value 1 i32{1} [102] kind stays: an operand of a lower class (numbers < zero-dimensional tensors < tensors with dimensions) changes the dtype only if its kind is higher (bool < integer < float < complex)", "torch, value 2 - 1 -", "numpy, value 1 i32{1} [102] number beside an array: a number or bool of the same or a lower kind (bool < integer < float < complex) takes the array's dtype", "numpy, value 2 - 1 -"} {
		if got := strings.Join(strings.Fields(rows[i+1]), " "); got != want {
			t.Errorf("row %d is %q, want %q", i+1, got, want)
		}
	}
	f.want("x.Int(), len(names)", "102\n1")
	rows = strings.Split(f.text("%%compare torch ivy anvil\nhalf(x)"), "\n")
	f.contains("torch", rows[1], "[51]", "computed under anvil, the system of the cell that defines the code: integer division")
	f.contains("ivy", rows[2], "[51]", "computed under anvil, the system of the cell that defines the code: integer division")
	if strings.Contains(rows[3], "computed under") {
		t.Errorf("under the row's own system: %q", rows[3])
	}
	if text := f.text("%%compare torch ivy\nx / 2"); strings.Contains(text, "computed under anvil") {
		t.Errorf("code of the cell itself: %q", text)
	}
}

// TestBadgeShowsTheSystem tests that the HTML of a tensor shows the system, and the bracket line does not.
func TestBadgeShowsTheSystem(t *testing.T) {
	f := newFront(t, "reference")
	f.text("i := nv.Ones(nv.Shape{1}, nv.I32)")
	a := f.run("%promotion torch\ni / 2")
	rich, _ := a.result["text/html"].(string)
	f.contains("html", rich, "under torch", "true_divide")
	f.want("i / 2", "AnvilTensor\n 0.5000\n[ REFERENCEf32{1} ]")
	f.contains("why", f.text("nv.Why(i / 2)"), "under torch", "plain numbers", "integers in f32")
	a = f.run("%promotion anvil\ni / 2")
	if rich, _ := a.result["text/html"].(string); strings.Contains(rich, "under anvil &middot;") {
		t.Errorf("the default system is on the badge: %s", rich)
	}
}

// TestSessionsHaveTheirOwnSystem tests that two kernels in one process have different
// promotion systems.
func TestSessionsHaveTheirOwnSystem(t *testing.T) {
	one, other := newFront(t, "reference"), newFront(t, "reference")
	one.text("%promotion torch")
	for _, f := range []*front{one, other} {
		f.text("i := nv.Ones(nv.Shape{1}, nv.I32)")
	}
	one.want("(i / 2).DType()", "f32")
	other.want("(i / 2).DType()", "i32")
}
