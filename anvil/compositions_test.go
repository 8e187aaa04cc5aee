package anvil_test

import (
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// A composition is a function of compositions.txt with the tolerance of its floats.
type composition struct {
	f     func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor
	ulp   float64 // the number of ulp by which a float may differ from the exact result
	floor float64 // the ulp of smaller results is that of floor, since terms cancel
}

var compositions = map[string]composition{
	"LogSumExp": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.ReduceOption
		for _, a := range args {
			if a == "keep" {
				opts = append(opts, nv.KeepDims)
			} else {
				opts = append(opts, axisOf(a))
			}
		}
		return l.LogSumExp(x[0], opts...)
	}, 3, 1},
	"Softmax":    {alongAxis((*nv.Lib).Softmax), 4, 0},
	"LogSoftmax": {alongAxis((*nv.Lib).LogSoftmax), 3, 1},
	"Relu":       {unary((*nv.Lib).Relu), 0, 0},
	"LeakyRelu":  {tuned((*nv.Lib).LeakyRelu), 1, 0},
	"Elu":        {tuned((*nv.Lib).Elu), 3, 0},
	"Selu":       {unary((*nv.Lib).Selu), 4, 0},
	"Silu":       {unary((*nv.Lib).Silu), 4, 0},
	"Gelu":       {unary((*nv.Lib).Gelu), 4, 1},
	"Softplus":   {unary((*nv.Lib).Softplus), 3, 0},
	"LogAddExp":  {binary((*nv.Lib).LogAddExp), 3, 1},
	"TopK": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		values, positions := l.TopK(x[0], int(axisOf(args[1])), axesOf(args[2:])...)
		return []nv.Tensor{values, positions}[axisOf(args[0])]
	}, 0, 0},
	"IsClose":    {toleranced((*nv.Lib).IsClose), 0, 0},
	"AllClose":   {toleranced((*nv.Lib).AllClose), 0, 0},
	"ArrayEqual": {binary((*nv.Lib).ArrayEqual), 0, 0},

	"Tril":     {counted((*nv.Lib).Tril), 0, 0},
	"Triu":     {counted((*nv.Lib).Triu), 0, 0},
	"Diag":     {counted((*nv.Lib).Diag), 0, 0},
	"Diagonal": {counted((*nv.Lib).Diagonal), 0, 0},
	"OneHot": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.OneHot(x[0], int(axisOf(args[0])))
	}, 0, 0},
	"Meshgrid": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Meshgrid(args[1], x[0], x[1])[axisOf(args[0])]
	}, 0, 0},

	"MoveAxis": {axisPair((*nv.Lib).MoveAxis), 0, 0},
	"SwapAxes": {axisPair((*nv.Lib).SwapAxes), 0, 0},
	"Flatten":  {unary((*nv.Lib).Flatten), 0, 0},
	"Tile": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var times nv.Shape
		for _, a := range args {
			times = append(times, int(axisOf(a)))
		}
		return l.Tile(x[0], times)
	}, 0, 0},
	"Repeat": {several(func(l *nv.Lib, x any, n int, axis ...nv.Axis) nv.Tensor { return l.Repeat(x, n, axis...) }), 0, 0},
	"Roll":   {several((*nv.Lib).Roll), 0, 0},
	"Split": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Split(x[0], int(axisOf(args[1])), axesOf(args[2:])...)[axisOf(args[0])]
	}, 0, 0},
	"Unstack": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Unstack(x[0], axesOf(args[1:])...)[axisOf(args[0])]
	}, 0, 0},
	"HStack": {listed((*nv.Lib).HStack), 0, 0},
	"VStack": {listed((*nv.Lib).VStack), 0, 0},

	"Outer": {binary((*nv.Lib).Outer), 0, 0},
	"Dot":   {binary((*nv.Lib).Dot), 0, 0},
	"Inner": {binary((*nv.Lib).Inner), 0, 0},
	"VDot":  {binary((*nv.Lib).VDot), 0, 0},
	"Kron":  {binary((*nv.Lib).Kron), 0, 0},
	"TensorDot": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.TensorDot(x[0], x[1], axesOf(strings.Split(args[0], ",")), axesOf(strings.Split(args[1], ",")))
	}, 0, 0},
	"Einsum": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return listed(func(l *nv.Lib, xs ...any) nv.Tensor { return l.Einsum(args[0], xs...) })(l, x, nil)
	}, 0, 0},
}

func counted(f func(*nv.Lib, any, ...int) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], int(axisOf(args[0]))) }
}

func several(f func(*nv.Lib, any, int, ...nv.Axis) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], int(axisOf(args[0])), axesOf(args[1:])...)
	}
}

func axisPair(f func(l *nv.Lib, x any, a, b nv.Axis) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], axisOf(args[0]), axisOf(args[1]))
	}
}

func listed(f func(*nv.Lib, ...any) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor {
		var xs []any
		for _, t := range x {
			xs = append(xs, t)
		}
		return f(l, xs...)
	}
}

func axesOf(words []string) (axes []nv.Axis) {
	for _, w := range words {
		axes = append(axes, axisOf(w))
	}
	return axes
}

func unary(f func(*nv.Lib, any) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return f(l, x[0]) }
}

func binary(f func(l *nv.Lib, x, y any) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, _ []string) nv.Tensor { return f(l, x[0], x[1]) }
}

func alongAxis(f func(*nv.Lib, any, ...nv.Axis) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], axesOf(args)...)
	}
}

func tuned(f func(*nv.Lib, any, ...float64) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], floats(args)...) }
}

func toleranced(f func(l *nv.Lib, x, y any, t ...float64) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], x[1], floats(args)...) }
}

func axisOf(s string) nv.Axis { return nv.Axis(int(floats([]string{s})[0])) }

func floats(words []string) []float64 {
	fs := make([]float64, len(words))
	for i, w := range words {
		f, err := strconv.ParseFloat(w, 64)
		if err != nil {
			panic(err)
		}
		fs[i] = f
	}
	return fs
}

// TestCompositions compares functions with NumPy, SciPy and JAX, under both
// executors: integers and bools exactly, floats within the tolerance of their
// function.
func TestCompositions(t *testing.T) {
	checkCompositions(t, "testdata/compositions.txt", compositions, 1)
}

// checkCompositions compares functions with the rows of a file. Under XLA, which
// takes time to compile them, it compares every step-th row.
func checkCompositions(t *testing.T, file string, compositions map[string]composition, step int) {
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string][]string{} // by function
	for line := range strings.Lines(string(data)) {
		if name, _, _ := strings.Cut(line, " "); name != "#" {
			rows[name] = append(rows[name], strings.TrimSpace(line))
		}
	}
	for name := range rows {
		if _, ok := compositions[name]; !ok {
			t.Error("no function ", name)
		}
	}
	for _, executor := range []string{"reference", ""} {
		c := nv.NewContext(nv.ContextOptions{Backend: executor})
		for name, r := range compositions {
			if len(rows[name]) == 0 {
				t.Error(name, "has no row in the data")
				continue
			}
			some := rows[name]
			if executor == "" {
				some = nil
				for i := 0; i < len(rows[name]); i += step {
					some = append(some, rows[name][i])
				}
			}
			t.Run(executor+name, func(t *testing.T) { r.agrees(t, c, some) })
		}
	}
}

// agrees computes rows of the function in one program, and compares them.
func (r composition) agrees(t *testing.T, c *nv.Context, rows []string) {
	var results []nv.Tensor
	var values []any
	for _, row := range rows {
		parts := strings.Split(row, " | ")
		var xs []nv.Tensor
		for _, p := range parts[1 : len(parts)-1] {
			xs = append(xs, tensorOf(c, p))
		}
		got := r.f(c.Lib, xs, strings.Fields(parts[0])[1:])
		results = append(results, got)
		values = append(values, got.AsType(nv.F64).Reshape(nv.Shape{-1}))
	}
	all := nv.Values[float64](c.Concatenate(0, values...))
	for i, got := range results {
		n := got.Size()
		if why := r.differs(got, all[:n], rows[i][strings.LastIndex(rows[i], "| ")+2:]); why != "" {
			t.Errorf("%s\ngot %s%s %v: %s", rows[i], got.Typed(), got.Shape(), all[:n], why)
		}
		all = all[n:]
	}
}

// parsed returns the type, dtype, shape and elements of "f32{2} 1 2".
func parsed(s string) (head string, d nv.DType, shape nv.Shape, elements []float64) {
	words := strings.Fields(s)
	name, lengths, _ := strings.Cut(strings.TrimSuffix(words[0], "}"), "{")
	d, err := dtype.Parse(strings.TrimSuffix(name, "?"))
	if err != nil {
		panic(err)
	}
	for _, n := range strings.FieldsFunc(lengths, func(r rune) bool { return r == ',' }) {
		shape = append(shape, int(floats([]string{n})[0]))
	}
	return words[0], d, shape, floats(words[1:])
}

func tensorOf(c *nv.Context, s string) nv.Tensor {
	_, d, shape, elements := parsed(s)
	return c.From(elements).AsType(d).Reshape(shape)
}

// differs describes how a result with the given values differs from the expected one, or returns "".
func (r composition) differs(got nv.Tensor, values []float64, expected string) string {
	head, d, shape, elements := parsed(expected)
	if got.DType() != d || !got.Shape().Equal(shape) || got.Ambiguous() != strings.Contains(head, "?") {
		return "want " + head
	}
	for i, v := range values {
		e := elements[i]
		switch off := math.Abs(v - e); {
		case math.IsNaN(v) && math.IsNaN(e) || v == e:
		case d.Is(dtype.Floating) && off <= (r.ulp+0.5)*ulp(d, math.Max(math.Abs(e), r.floor)):
		default:
			return "element " + strconv.Itoa(i) + " is " + strconv.FormatFloat(v, 'g', -1, 64) + ", want " + strconv.FormatFloat(e, 'g', -1, 64)
		}
	}
	return ""
}

// ulp returns the distance between neighbouring numbers of dtype d at v.
func ulp(d nv.DType, v float64) float64 {
	bits, least := 52, -1022
	switch d {
	case nv.F32:
		bits, least = 23, -126
	case nv.F16:
		bits, least = 10, -14
	case nv.BF16:
		bits, least = 7, -126
	}
	e := least
	if v > 0 {
		e = max(least, math.Ilogb(v))
	}
	return math.Ldexp(1, e-bits)
}

func TestCompositionErrors(t *testing.T) {
	x, m := nv.New([]float32{1, 2}), nv.Ones(nv.Shape{2, 3})
	for _, c := range []struct {
		f    func()
		want string
	}{
		{func() { nv.Softmax(x, 1) }, "Softmax(f32{2}): axis 1 does not exist: the rank is 1; axes are 0 to 0, or -1 to -1"},
		{func() { nv.Softmax(1.0) }, "Softmax(float64 1): axis -1 does not exist: a scalar has no axes; " +
			"x.ExpandDims(0) has one"},
		{func() { nv.LogSoftmax(m, 0, 1) }, "LogSoftmax(f32{2,3}): more than one axis is given; give one axis, or none for the last"},
		{func() { nv.LogSumExp(m, nv.Axis(0), nv.Axis(-2)) },
			"LogSumExp(f32{2,3}): axis -2 is given twice; give each axis once"},
		{func() { nv.LogSumExp(nv.Scalar(1i)) }, "LogSumExp(c64?{}): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first"},
		{func() { nv.Relu(1i) }, "Relu(complex128 (0+1i)): the operand must be real, not c64; take nv.Real, nv.Imag or nv.Abs first"},
		{func() { nv.Relu(true) }, "Relu(bool true): the operand must hold numbers, not i1; convert x with AsType(nv.F32)"},
		{func() { nv.Elu(x, 1, 2) }, "Elu(f32{2}): more than one alpha is given; give one number, or none for " +
			"the default, 1"},
		{func() { nv.IsClose(x, m) }, "IsClose(f32{2}, f32{2,3}): shapes {2} and {2,3} do not broadcast; lengths " +
			"must be equal or 1, counted from the last axis; insert axes of length 1, as in b[:, " +
			"nv.NewAxis]"},
		{func() { nv.AllClose(x, x, 1, 2, 3) }, "AllClose(f32{2}, f32{2}): more than two tolerances are given; write AllClose(x, y, rtol, atol)"},
		{func() { nv.Tril(x) }, "Tril(f32{2}): an operand has shape {2} and must be a matrix, or a batch of them; " +
			"nv.ExpandDims inserts an axis"},
		{func() { nv.Diag(1.0) }, "Diag(float64 1): the operand must be a vector or a matrix; nv.Diagonal takes " +
			"batches of matrices"},
		{func() { nv.Diagonal(m, 1, 2) }, "Diagonal(f32{2,3}): more than one diagonal is given; give one number, " +
			"or none for the main diagonal"},
		{func() { nv.OneHot(x, 3) }, "OneHot(f32{2}): positions must be integers, not f32; convert them with AsType(nv.I32)"},
		{func() { nv.Meshgrid("ab", x) }, `Meshgrid(f32{2}): unknown indexing "ab"; give "ij" or "xy"`},
		{func() { nv.Meshgrid("ij", x, m) }, "Meshgrid(f32{2}, f32{2,3}): operand 1 is not a vector; nv.Flatten " +
			"makes one"},
		{func() { nv.MoveAxis(m, 2, 0) }, "MoveAxis(f32{2,3}): axis 2 does not exist: the rank is 2; axes are 0 to " +
			"1, or -2 to -1"},
		{func() { nv.Tile(m, nv.Shape{-1}) }, "Tile(f32{2,3}): shape {-1} has a negative length; give lengths of 0 " +
			"or more"},
		{func() { nv.Tile(m, nv.Shape{1 << 40, 1 << 40}) },
			"Tile(f32{2,3}): shape {1099511627776,1099511627776} has too many elements; give a smaller " +
				"shape, or compute parts one after the other"},
		{func() { nv.Repeat(m, -1) }, "Repeat(f32{2,3}): the count -1 is negative; give counts of 0 or more"},
		{func() { nv.Split(m, 2, 1) }, "Split(f32{2,3}): axis 1 of length 3 cannot be split into 2 equal parts; " +
			"give a number that divides the length, or take unequal parts with At"},
		{func() { nv.Split(m, 0) }, "Split(f32{2,3}): axis 0 of length 2 cannot be split into 0 equal parts; give " +
			"a number that divides the length, or take unequal parts with At"},
		{func() { nv.Unstack(1.0) }, "Unstack(float64 1): axis 0 does not exist: a scalar has no axes; " +
			"x.ExpandDims(0) has one"},
		{func() { nv.TopK(m, 4) }, "TopK(f32{2,3}): k is 4 on axis 1 of length 3; give 0 to 3"},
		{func() { nv.Cross(x, x) }, "Cross(f32{2}, f32{2}): x has 2 elements along axis -1, and a cross product needs 3; for vectors in a plane write x[0]*y[1] - x[1]*y[0]"},
		{func() { nv.Cross(m, x) }, "Cross(f32{2,3}, f32{2}): shapes {2,3} and {2} do not broadcast; lengths must " +
			"be equal or 1, counted from the last axis; insert axes of length 1, as in b[:, nv.NewAxis]"},
		{func() { nv.Cross(1, 2) }, "Cross(int 1, int 2): axis -1 does not exist: a scalar has no axes; " +
			"x.ExpandDims(0) has one"},
		{func() { nv.SlidingWindow(m, 4) }, "SlidingWindow(f32{2,3}): a window of 4 does not fit axis 1 of length 3; give a length of 1 to 3"},
		{func() { nv.SlidingWindow(m, 0, 0) }, "SlidingWindow(f32{2,3}): a window of 0 does not fit axis 0 of " +
			"length 2; give a length of 1 to 2"},
		{func() { nv.SlidingWindow(nv.Zeros(nv.Shape{0}), 1) },
			"SlidingWindow(f32{0}): axis 0 is empty; give an x with elements along this axis"},
		{func() { nv.SlidingWindow(1.0, 1) }, "SlidingWindow(float64 1): axis -1 does not exist: a scalar has no " +
			"axes; x.ExpandDims(0) has one"},
		{func() { nv.Trapezoid(m, x) }, "Trapezoid(f32{2,3}, f32{2}): points of shape {2} do not match axis 1 of " +
			"{2,3}; give a number, a vector of that length, or a tensor of the shape of y"},
		{func() { nv.Trapezoid(m, 1i) }, "Trapezoid(f32{2,3}, complex128 (0+1i)): the operand must be real, not " +
			"c64; take nv.Real, nv.Imag or nv.Abs first"},
		{func() { nv.Stack(0, m, x) }, "Stack(f32{2,3}, f32{2}): shapes {2,3} and {2} differ; make the shapes equal with nv.Reshape or nv.BroadcastTo"},
		{func() { nv.Concatenate(0, m, x) }, "Concatenate(f32{2,3}, f32{2}): shapes {2,3} and {2} have 2 and 1 " +
			"axes; nv.ExpandDims adds an axis of length 1"},
		{func() { m.Reshape(nv.Shape{4, 2}) }, "Reshape(f32{2,3}): shape {4,2} does not hold 6 elements; the product of the lengths must be the number of elements, as in nv.Shape{3,2}; one may be -1"},
		{func() { m.Reshape(nv.Shape{-1, 4}) }, "Reshape(f32{2,3}): shape {-1,4} does not hold 6 elements; the " +
			"product of the lengths must be the number of elements, as in nv.Shape{6}; one may be -1"},
		{func() { m.At(nv.All, nil) }, "At(f32{2,3}, :, nil): index nil is not an integer; a new axis is nv.NewAxis"},
		{func() { nv.CrossEntropyLoss(m, x) }, "CrossEntropyLoss(f32{2,3}, f32{2}): classes are f32 and must be " +
			"integers; convert them with AsType(nv.I32), or give probabilities with the shape of the logits"},
		{func() { nv.LogAddExp(x, 1i) }, "LogAddExp(f32{2}, complex128 (0+1i)): the operand must be real, not c64; " +
			"take nv.Real, nv.Imag or nv.Abs first"},
		{func() { nv.HStack() }, "HStack(): no tensor is given; give at least one tensor"},
		{func() { nv.Dot(m, m) }, "Dot(f32{2,3}, f32{2,3}): axis 1 of {2,3} and axis 0 of {2,3} have lengths 3 and " +
			"2; axes that are summed over together must have equal lengths"},
		{func() { nv.VDot(x, m) }, "VDot(f32{2}, f32{2,3}): axis 0 of {2} and axis 0 of {6} have lengths 2 and 6; " +
			"axes that are summed over together must have equal lengths"},
		{func() { nv.TensorDot(m, m, []nv.Axis{0}, nil) },
			"TensorDot(f32{2,3}, f32{2,3}): 1 axis of x cannot be paired with 0 axes of y; give as many " +
				"axes of y as of x"},
		{func() { nv.TensorDot(m, m, []nv.Axis{0, -2}, []nv.Axis{0, 1}) },
			"TensorDot(f32{2,3}, f32{2,3}): axis -2 is given twice; give each axis once"},
		{func() { nv.Einsum("ij,jk->ik", m) }, `Einsum(f32{2,3}): the subscripts "ij,jk->ik" are for 2 operands, ` +
			"and the number of operands is 1; give letters for each operand, with a comma between " +
			`operands: "ij,jk->ik"`},
		{func() { nv.Einsum("ij,jk->ik", m, m) }, "Einsum(f32{2,3}, f32{2,3}): axes 'j' have lengths 3 and 2; axes " +
			"with the same letter must have the same length"},
		{func() { nv.Einsum("i1", m) }, `Einsum(f32{2,3}): the subscripts have '1'; write letters, commas, "..." ` +
			`and one arrow: "ij,jk->ik"`},
		{func() { nv.Einsum("ijk", m) }, `Einsum(f32{2,3}): the subscripts "ijk" name 3 axes, and the operand of ` +
			"shape {2,3} has 2; leave out letters: each stands for one axis"},
		{func() { nv.Einsum("i", m) }, `Einsum(f32{2,3}): the subscripts "i" name 1 axes, and the operand of shape ` +
			`{2,3} has 2; write "..." for axes without a letter`},
		{func() { nv.Einsum("ij->ii", m) }, "Einsum(f32{2,3}): 'i' occurs twice after the arrow; each letter is " +
			"one axis of the result"},
		{func() { nv.Einsum("ij->k", m) }, "Einsum(f32{2,3}): 'k' occurs only after the arrow; each letter of the " +
			"result must name an axis of an operand"},
		{func() { nv.Einsum("...j->j", m) }, `Einsum(f32{2,3}): "..." stands for axes and is missing after the ` +
			`arrow; write "..." there; axes to sum over need letters`},
		{func() { nv.Einsum("......", m) }, `Einsum(f32{2,3}): "..." occurs twice in one operand; write it once, ` +
			"for all axes without a letter"},
	} {
		if got := errorOf(t, c.f); got != c.want {
			t.Errorf("%s; want %q", got, c.want)
		}
	}
}

// TestVDotConjugates checks that VDot conjugates a complex first operand, and Dot does not.
func TestVDotConjugates(t *testing.T) {
	z := nv.New([]complex64{1 + 2i, 3})
	want(t, nv.VDot(z, z), "c64{} [(14+0i)]")
	want(t, nv.Dot(z, z), "c64{} [(6+4i)]")
}

// TestTolerances checks the default tolerances of IsClose: 1e-8 and 1e-5 times the magnitude of the second operand.
func TestTolerances(t *testing.T) {
	x, y := nv.New([]float64{0.9e-8, 1.1e-8, 100.0009, 100.0011}), nv.New([]float64{0, 0, 100, 100})
	if got := nv.Values[bool](nv.IsClose(x, y)); !slices.Equal(got, []bool{true, false, true, false}) {
		t.Error(got)
	}
}
