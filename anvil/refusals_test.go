package anvil_test

import (
	"cmp"
	"math"
	"reflect"
	"slices"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestRefusals calls functions with arguments that they refuse, and with the closest ones that they accept, for which
// the wanted error is "".
func TestRefusals(t *testing.T) {
	c, other := plainGo(t), plainGo(t)
	type T = nv.Tensor
	x, m := c.From([]float32{1, 2, 3}), c.Ones(nv.Shape{2, 3})
	one, yes, ints := c.Scalar(1, nv.F32), c.Scalar(true), c.From([]int32{2, 0, 1})
	z, doubles, foreign := c.From([]complex64{1, 2i}), c.From([]float64{1, 2, 3}), other.Ones(nv.Shape{3})
	const contexts = "the tensors belong to two contexts; make all tensors in one Context"
	const tree = "give a Tensor, or a struct, slice or map of them"
	identity := func(x T) T { return x }
	add := func(a, b T) T { return a.Add(b) }
	custom := func(rule func(T) (T, func(T) T)) any { return c.CustomAny(identity, rule) }
	none := struct{}{}
	type pair struct{ A, B T }
	type node struct {
		Next []node
		W    T
	}
	type linked struct {
		W  T
		At *T
	}
	type rows = []struct {
		op   string
		f    func()
		want string
	}
	t.Chdir(t.TempDir())
	const path = "x.npy"
	if err := c.WriteNPY(path, x); err != nil {
		t.Fatal(err)
	}
	orFail := func(_ any, err error) {
		if err != nil {
			panic(err)
		}
	}
	inJit := func(f func(x T)) func() {
		return func() { c.JitAny(func(x T) T { f(x); return x }).(func(T) T)(x) }
	}
	for _, r := range slices.Concat(
		rows{ // operands and results that cannot be used together
			{"AssociativeScan", func() { c.AssociativeScanAny(add, one) },
				"AssociativeScan(f32{}): the tensor is a scalar; give tensors with an axis to scan"},
			{"AssociativeScan", func() { c.AssociativeScanAny(func(a, b pair) pair { return a }, pair{x, m}) },
				"AssociativeScan(f32{3}, f32{2,3}): the tensor at .B has length 2 along axis 0, and the first " +
					"tensor has length 3; give tensors of equal length along the axis"},
			{"Map", func() { c.MapAny(identity, one) },
				"Map(f32{}): the tensor of xs is a scalar; give tensors with a first axis; nv.Scan also takes " +
					"nil and nv.Steps(n)"},
			{"Map", func() { c.MapAny(3, x) }, "Map(f32{3}): f has type int; give a func(nv.Tensor) with one result"},
			{"Map", func() { c.MapAny(func(T) pair { return pair{A: x} }, x) },
				"Map(f32{3}): the result of body at .B has not been set or belongs to another context; give " +
					"every tensor a value, and make all in one Context"},
			{"CorrCoef", func() { c.With(promote.TensorFlow).CorrCoef(ints) },
				"CorrCoef(i32{3}): the covariances of integers are integers under this system; convert x to a " +
					"float with AsType"},
			{"If", func() { c.IfAny(true, func() T { return foreign }, func() T { return x }) },
				"If(bool true): branch 0 returns a tensor of another context; make all tensors in one Context"},
			{"Callback", func() { c.Callback(func(...T) T { return foreign }, x.Type(), x).Values() },
				"Callback(f32{3}): the function returned no tensor, a traced tensor or a tensor of another " +
					"Context; make the result with nv.New, in the context of its arguments"},
			{"Grad", func() { c.GradAny(func(x, y T) T { return x.Sum() }, nv.Wrt(2)).(func(x, y T) T)(x, x) },
				"Grad(func(nv.Tensor, nv.Tensor) nv.Tensor): Wrt names argument 2, which the function does not " +
					"have; the arguments are 0 to 1"},
			{"Grad", func() { c.GradAny(func(n int, y T) T { return y.Sum() }, nv.Wrt(0)) },
				"Grad(func(int, nv.Tensor) nv.Tensor): argument 0 is int, which has no tensors; name another: " +
					"nv.Wrt(1)"},
			{"Jacobian", func() { c.JacobianAny(identity).(func(T) T)(z) },
				"Jacobian(func(nv.Tensor) nv.Tensor): the argument is c64{2}, but a Jacobian needs real " +
					"floats; use nv.JVP or nv.VJP, or pass the real and the imaginary part as two tensors"},
			{"Jacobian", func() { c.JacobianAny(func(x T) T { return c.Complex(x, x) }).(func(T) T)(x) },
				"Jacobian(func(nv.Tensor) nv.Tensor): the function returns c64, which is not a float; take " +
					"nv.Real, nv.Imag or nv.Abs of it"},
			{"Custom", func() {
				whole := func(x T) T { return x.AsType(nv.I32) }
				f := c.CustomAny(whole, func(x T) (T, func(T) T) { return whole(x), identity }).(func(T) T)
				c.GradAny(func(x T) T { return f(x).AsType(nv.F32) }).(func(T) T)(one)
			}, "Custom(func(nv.Tensor) nv.Tensor): the function returns i32{}, which has no derivative; compute it " +
				"outside the function"},
			{"Custom", func() { c.GradAny(custom(func(x T) (T, func(T) T) { return x, nil })).(func(T) T)(one) },
				"Custom(func(nv.Tensor) nv.Tensor): the pullback that the rule returns is nil; return the " +
					"function from the cotangent of the result to that of x"},
			{"Custom", func() { c.GradAny(custom(func(x T) (T, func(T) T) { return x, T.Abs })).(func(T) T)(one) },
				"Custom(func(nv.Tensor) nv.Tensor): the pullback must be linear in the cotangent: Abs cannot " +
					"be differentiated in reverse; apply such an operation to the argument, or to the gradient " +
					"that Grad returns, not to the cotangent"},
			{"Custom", func() { c.GradAny(custom(func(x T) (T, func(T) T) { return x, T.Square })).(func(T) T)(one) },
				"Custom(func(nv.Tensor) nv.Tensor): the pullback must be linear in the cotangent: Mul of two values " +
					"that depend on it is not linear; apply such an operation to the argument, or to the gradient " +
					"that Grad returns, not to the cotangent"},
			{"Custom", func() { c.GradAny(custom(func(x T) (T, func(T) T) { return x, T.Reciprocal })).(func(T) T)(one) },
				"Custom(func(nv.Tensor) nv.Tensor): the pullback must be linear in the cotangent: Div by a value " +
					"that depends on it is not linear; apply such an operation to the argument, or to the gradient " +
					"that Grad returns, not to the cotangent"},
			{"Custom", func() { c.GradAny(custom(func(x T) (T, func(T) T) { return m, identity })).(func(T) T)(one) },
				"Custom(func(nv.Tensor) nv.Tensor): the rule returns f32{2,3}, but the function returns f32{}; " +
					"return the same value from both"},
			{"BinCount", func() { c.BinCount(ints, nv.Size(-1)) },
				"BinCount(i32{3}): nv.Size(-1) is negative; give 0 or more"},
			{"BinCount", inJit(func(x T) { c.BinCount(x.AsType(nv.I32)) }),
				"BinCount(i32{3}): x is traced, so the length of the result is not known; give it with " +
					"nv.Size(n)"},
			{"Histogram", func() { c.Histogram(x, "a") },
				"Histogram(f32{3}, string): bins are string; give their number as an int, or their edges"},
			{"Float", func() { x.Float() }, "Float(f32{3}): x has 3 elements, not one; choose one with x.At, or " +
				"read all with nv.Values"},
			{"Bool", func() { x.Gt(1).Bool() }, "Bool(i1{3}): x has 3 elements, not one; combine masks with & and " +
				"|, and negate them with ^mask, each comparison in parentheses: (x > 2) & ^(x < 5); x.Any() " +
				"and x.All() make one bool"},
			{"MatMul", func() { c.MatMul(m, m.T(), nv.Accumulate(nv.I32)) },
				"MatMul(f32{2,3}, f32{3,2}): products of f32 cannot be accumulated in i32; convert the " +
					"operands with AsType first"},
			{"Squeeze", func() { m.Squeeze(nv.Axis(0)) }, "Squeeze(f32{2,3}): axis 0 has length 2, not 1"},
			{"Pad", func() { m.Pad(nv.Shape{1}, nv.Shape{1, 1}, 0) },
				"Pad(f32{2,3}, int 0): x has 2 axes, but 1 low and 2 high numbers are given; give one number " +
					"per axis"},
			{"MaxPool", func() { c.MaxPool(x, nv.Shape{}) },
				"MaxPool(f32{3}): the window has no axes; give one length per spatial axis: nv.Shape{2, 2}"},
			{"Vander", func() { c.Vander(x, 2, 3) }, "Vander(f32{3}): more than one number of columns is given; " +
				"write Vander(x) or Vander(x, columns)"},
			{"Convolve", func() { c.Convolve(x, x, "full", "same") },
				`Convolve(f32{3}, f32{3}): more than one mode is given; give "full", "same" or "valid"`},
			{"Append", func() { c.Append(x, x, nv.Axis(0), nv.Axis(0)) },
				"Append(f32{3}, f32{3}): more than one axis is given; give one axis, or none to flatten both"},
			{"Norm", func() { c.Norm(c.Ones(nv.Shape{2, 2, 2}), nv.Axis(0), nv.Axis(1), nv.Axis(2)) },
				"Norm(f32{2,2,2}): 3 axes are given; give one axis for vectors, two for matrices"},
			{"Repeat", func() { c.Repeat(x, []int{1 << 40, 1, 1}) },
				"Repeat(f32{3}): the result would have more than 67108864 elements along the axis; give " +
					"smaller counts"},
			{"Grad", func() { c.GradAny(func(x T) T { return x.Sum() }, nv.Freeze("A")).(func(T) T)(x) },
				`Grad(func(nv.Tensor) nv.Tensor): no tensor is at the frozen path "A"; leave nv.Freeze out: ` +
					"only parts of a struct, slice or map have paths"},
			{"Einsum", func() { c.Einsum("...i,...i->...i", m, c.Ones(nv.Shape{3, 3})) },
				`Einsum(f32{2,3}, f32{3,3}): axes of "..." have lengths 2 and 3; lengths must be equal or 1`},
		},
		rows{ // lists, windows and types that do not fit
			{"Jit", func() { c.JitAny(func(n node) T { return n.W }) },
				"Jit(func(anvil_test.node) nv.Tensor): the type anvil_test.node is recursive; give a slice or " +
					"a map of tensors"},
			{"If", func() { c.IfAny(true, func() node { return node{} }, func() node { return node{} }) },
				"If(bool true): the type anvil_test.node is recursive; return a slice or a map of tensors"},
			{"Any", func() { c.Any(x) }, "Any(f32{3}): elements are f32, not i1; compare them first: x.Ne(0)"},
			{"CDist", func() { c.CDist(c.Ones(nv.Shape{2, 1, 3}), c.Ones(nv.Shape{3, 1, 3})) },
				"CDist(f32{2,1,3}, f32{3,1,3}): shapes {2,1,3} and {3,1,3} do not broadcast in their batch " +
					"axes; lengths must be equal or 1"},
			{"Reshape", func() { x.Reshape(nv.Shape{-2}) },
				"Reshape(f32{3}): shape {-2} has a negative length; give lengths of 0 or more, or -1 for one " +
					"that follows from the others"},
			{"Mul", func() { m.Mul(m.T()) }, "Mul(f32{2,3}, f32{3,2}): shapes {2,3} and {3,2} do not broadcast; " +
				"lengths must be equal or 1, counted from the last axis; nv.MatMul is the product of matrices"},
			{"Len", func() { one.Len() }, "Len(f32{}): a scalar has no axes; its value is x.Item()"},
			{"Average", func() { c.Average(m, c.Ones(nv.Shape{2}), nv.Axis(1)) },
				"Average(f32{2,3}, f32{2}): 2 weights are given for axis 1 of length 3; give one weight for " +
					"each element along the axis"},
			{"BinCount", func() { c.BinCount(ints, nv.Weights(c.Ones(nv.Shape{1}))) },
				"BinCount(i32{3}): 1 weight is given for 3 elements; give one for each"},
			{"BinCount", func() { c.BinCount(ints, nv.Weights([]float64{1, 2, 3})) },
				"BinCount(i32{3}, []float64): not a number; operands are tensors, bools and numbers; nv.New makes a " +
					"tensor of a slice of numbers"},
			{"MaxPool", func() { c.MaxPool(c.Ones(nv.Shape{1, 4, 1}), nv.Shape{2}, nv.Dilation(1, 1)) },
				"MaxPool(f32{1,4,1}): the dilation has 2 numbers for 1 spatial axis; give one number per axis, " +
					"or one for all"},
			{"MaxPool", func() {
				c.MaxPool(c.Ones(nv.Shape{1, 4, 1}), nv.Shape{2}, nv.PaddingLowHigh(nv.Shape{1, 1}, nv.Shape{0}))
			},
				"MaxPool(f32{1,4,1}): the padding has 2 numbers for 1 spatial axis; give one number per axis, " +
					"or one for all"},
			{"Conv1D", func() { c.Conv1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.InputDilation(1, 1)) },
				"Conv1D(f32{1,4,1}, f32{2,1,1}): the input dilation has 2 numbers for 1 spatial axis; give one " +
					"number per axis, or one for all"},
			{"ConvTranspose1D", func() {
				c.ConvTranspose1D(c.Ones(nv.Shape{1, 4, 1}), c.Ones(nv.Shape{2, 1, 1}), nv.OutputPadding(1, 1))
			},
				"ConvTranspose1D(f32{1,4,1}, f32{2,1,1}): the output padding has 2 numbers for 1 spatial axis; " +
					"give one number per axis, or one for all"},
			{"Conv1D", func() { c.Conv1D(x, c.Ones(nv.Shape{2, 1, 1}), nv.ChannelsFirst) },
				"Conv1D(f32{3}, f32{2,1,1}): x has rank 1 and must have at least rank 2; give x the axes " +
					"(batch, channels, spatial...); without the option ChannelsFirst they are (batch, spatial..., channels)"},
			{"Conv1D", func() { c.Conv1D(c.Ones(nv.Shape{1, 1, 4}), x, nv.ChannelsFirst) },
				"Conv1D(f32{1,1,4}, f32{3}): w has rank 1 and must have rank 3; give w the axes (output " +
					"channels, input channels, window...)"},
			{"ForI", func() { c.ForIAny(2, linked{W: x}, func(_ T, l linked) linked { l.At = &one; return l }) },
				"ForI(f32{3}, int 2): body changes the structure of its argument at .At: nil becomes " +
					"nv.Tensor; change only tensors"},
			{"ForI", func() { c.ForIAny(2, linked{x, &one}, func(_ T, l linked) linked { l.At = nil; return l }) },
				"ForI(f32{3}, f32{}, int 2): body changes the structure of its argument at .At: nv.Tensor " +
					"becomes nil; change only tensors"},
			{"PolyFit", func() { c.PolyFit(x, x, 1<<20) },
				"PolyFit(f32{3}, f32{3}): the degree is 1048576; the greatest degree is 4095"},
			{"Scatter", func() {
				c.Scatter(ints, []int{0}, 1, nv.ScatterDims{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}},
					func(old, fresh T) T { return c.With(promote.Torch).FloorDiv(old, fresh) })
			}, "Scatter(i32{3}, []int, int 1): combine contains an operation that may fail, which is not supported " +
				"here; replace invalid operands with nv.Where"},
			{"Gather", func() { c.Gather(x, []string{"a"}, nv.GatherDims{}) },
				"Gather(f32{3}, []string): []string does not contain integers; give a tensor or a slice of " +
					"integers"},
		},
		rows{ // elementwise functions
			{"Add", func() { x.Add(foreign) }, "Add(f32{3}, f32{3}): " + contexts},
			{"Add", func() { x.Add(1, nv.Out(nil)) }, "Add(f32{3}, int 1): the output is nil; nv.Out(&x)"},
			{"Add", func() { y := foreign; x.Add(1, nv.Out(&y)) },
				"Add(f32{3}, int 1): the output belongs to another context; make all tensors in one Context"},
			{"Add", func() { y := x; x.Add(1, nv.Out(&y)) }, ""},
			{"Add", func() { c.Add(x, []float64{1}) },
				"Add(f32{3}, []float64): not a number; operands are tensors, bools and numbers; nv.New makes a " +
					"tensor of a slice of numbers"},
			{"Add", func() { x.Add(T{}) },
				"Add(Tensor(nil)): the operand is a Tensor that has not been set; make one with nv.Scalar, nv.New " +
					"or nv.Zeros"},
			{"Xor", func() { x.Xor(1) },
				"Xor(f32{3}, int 1): ^ is the exclusive or of integers and bools, not of f32; nv.Pow(x, y) is the " +
					"power"},
			{"Xor", func() { ints.Xor(1); yes.Xor(true) }, ""},
			{"Where", func() { c.Where(x, 1, 2) }, "Where(f32{3}, int 1, int 2): the condition is f32, not i1; " +
				"compare it: cond.Ne(0)"},
			{"Clamp", func() { c.Clamp(ints, 0.5, 2) },
				"Clamp(i32{3}, float64 0.5, int 2): the bounds would convert x from i32 to f32; convert x or the " +
					"bounds with AsType"},
			{"Clamp", func() { c.Clamp(ints, 0, 2); c.Clamp(x, 0, 2.5) }, ""},
			{"SignBit", func() { c.SignBit(z) }, "SignBit(c64{2}): complex numbers have no sign; take nv.Real first"},
			{"IsPosInf", func() { c.IsPosInf(z) }, "IsPosInf(c64{2}): complex numbers have no sign; take nv.Real " +
				"or nv.Imag first"},
			{"IsNegInf", func() { c.IsNegInf(z) }, "IsNegInf(c64{2}): complex numbers have no sign; take nv.Real " +
				"or nv.Imag first"},
			{"IsInf", func() { c.IsInf(z) }, ""},
			{"Heaviside", func() { c.Heaviside(z, 1) },
				"Heaviside(c64{2}, int 1): complex numbers have no sign; take nv.Real first"},
			{"Ldexp", func() { c.Ldexp(x, 1.5) },
				"Ldexp(f32{3}, float64 1.5): the exponent is f32 and must be an integer; convert it with " +
					"AsType(nv.I32), or multiply by nv.Exp2 of it"},
			{"NanToNum", func() { c.NanToNum(x, 1, 2, 3, 4) },
				"NanToNum(f32{3}): more than three numbers are given; write NanToNum(x, nan, inf, -inf)"},
			{"NanToNum", func() { c.NanToNum(x, 1, 2, 3) }, ""},
			{"SortBy", func() { c.SortBy(x, one) }, "SortBy(f32{3}, f32{}): the shapes differ; make the shapes " +
				"equal with nv.BroadcastTo"},
			{"With", func() { c.With(nil) }, "With(nil): the promotion system is nil; write nv.With(promote.Anvil)"},
		},
		rows{ // new tensors
			{"Full", func() { c.Full(nv.Shape{2}, x) },
				"Full(f32{3}): the value is not a scalar; nv.BroadcastTo repeats a tensor"},
			{"Full", func() { c.Full(nv.Shape{2}, one) }, ""},
			{"From", func() { c.From([]string{"a"}) },
				"From([]string): type string has no dtype; give numbers, or nested slices of numbers"},
			{"New", func() { c.New([]string{"a"}) },
				"New([]string): type string has no dtype; give numbers, or nested slices of numbers"},
			{"New", func() { c.New([]any{1, nil}) }, "New([]any): an element is nil; give numbers"},
			{"New", func() { c.New([]any{1, []any{2}}) },
				"New([]any): the nested slices differ in depth; nest every part equally deep, or join tensors with nv.Stack"},
			{"New", func() { c.New([][]int{{1}, {1, 2}}) },
				"New([][]int): the nested slices differ in length; give the slices at each depth the same length"},
			{"New", func() { c.New([]any{[]any{2}, 1}) },
				"New([]any): the nested slices differ in depth; nest every part equally deep, or join tensors with nv.Stack"},
			{"New", func() { c.New([][]T{{x}, {x}}) },
				"New([][]nv.Tensor): the slice of tensors is empty or nested; join nested slices one level at a " +
					"time with nv.Stack"},
			{"New", func() { c.New([]T{}) },
				"New([]nv.Tensor): the slice of tensors is empty or nested; join nested slices one level at a time " +
					"with nv.Stack"},
			{"New", func() { c.New([]T{x, x}) }, ""},
			{"Arange", func() { c.Arange() },
				"Arange(): one to three numbers are needed; write Arange(stop), Arange(start, stop) or " +
					"Arange(start, stop, step)"},
			{"Arange", func() { c.Arange(1, 2, 3, 4) },
				"Arange(int 1, int 2, int 3, int 4): one to three numbers are needed; write Arange(stop), " +
					"Arange(start, stop) or Arange(start, stop, step)"},
			{"Arange", func() { c.Arange(0, 3, 0) }, "Arange(int 0, int 3, int 0): the step is 0"},
			{"Arange", func() { c.Arange(0, math.Inf(1), 1.0) },
				"Arange(int 0, float64 +Inf, float64 1): a bound or the step is not finite"},
			{"Arange", func() { c.Arange(math.NaN()) }, "Arange(float64 NaN): a bound or the step is not finite"},
			{"Arange", func() { c.Arange(0, 1e30) }, "Arange(int 0, float64 1e+30): the range has " +
				"1000000000000000019884624838656 numbers; give a shorter range, or a longer step"},
			{"Arange", func() { c.Arange(3); c.Arange(0, 3); c.Arange(0, 3, 2); c.Arange(3, 0) }, ""},
			{"OneHot", func() { c.OneHot(ints, -1) }, "OneHot(i32{3}): the number of positions is -1; give 0 or " +
				"more"},
			{"OneHot", func() { c.OneHot(ints, 0) }, ""},
			{"Geomspace", func() { c.Geomspace(-1, 1, 3) },
				"Geomspace(int -1, int 1, int 3): a geometric sequence cannot pass 0; give two positive or two " +
					"negative numbers"},
			{"Geomspace", func() { c.Geomspace(0, 1, 3) },
				"Geomspace(int 0, int 1, int 3): a geometric sequence cannot pass 0; give two positive or two " +
					"negative numbers"},
			{"Geomspace", func() { c.Geomspace(-2, -1, 3) }, ""},
			{"FromFunction", func() { c.FromFunction(nv.Shape{2}, nil) },
				"FromFunction({2}): the function is nil; give a function of the positions: func(i []nv.Tensor) " +
					"nv.Tensor"},
			{"Toeplitz", func() { c.Toeplitz(x, x, x) },
				"Toeplitz(f32{3}, f32{3}, f32{3}): more than one row is given; write Toeplitz(column) or " +
					"Toeplitz(column, row)"},
			{"Toeplitz", func() { c.Toeplitz(x, x); c.Toeplitz(x) }, ""},
			{"Vander", func() { c.Vander(x, 1<<12+1) },
				"Vander(f32{3}): 4097 columns are more than the limit of 4096; for more columns write " +
					"nv.Pow(nv.ExpandDims(x, 1), nv.Arange(n-1, -1, -1)), which rounds differently"},
			{"AsType", func() { x.AsType(nv.DType(250)) },
				"AsType(f32{3}, invalid): the argument is not a dtype; dtypes are nv.I1 ... nv.C128"},
			{"Zeros", func() { c.Zeros(make(nv.Shape, 256)) },
				"Zeros({0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0,0}): " +
					"the shape has 256 axes, and a tensor has at most 255; merge axes with Reshape"},
			{"Zeros", func() { c.Zeros(make(nv.Shape, 255)) }, ""},
		},
		rows{ // rearrangement, selection and sums
			{"Rot90", func() { c.Rot90(m, 1, 0) },
				"Rot90(f32{2,3}): two axes are needed; write Rot90(x, k) or Rot90(x, k, first, second)"},
			{"Rot90", func() { c.Rot90(m, 1, 1, -1) }, "Rot90(f32{2,3}): the two axes are the same; give two axes"},
			{"Rot90", func() { c.Rot90(m, 1, 0, 1) }, ""},
			{"Rearrange", func() { c.Rearrange(m, "a -> a") },
				"Rearrange(f32{2,3}): the left of the pattern has 1 axis, and the tensor has 2; write one " +
					`name, or one group in parentheses, for each axis; "..." stands for any number of axes`},
			{"Rearrange", func() { c.Rearrange(m, "a b -> a b c") },
				"Rearrange(f32{2,3}): axis c is not on the left of the pattern; write it there too, or write 1 " +
					"for a new axis of length 1"},
			{"EinopsReduce", func() { c.EinopsReduce(m, "a b -> a c", "sum") },
				"EinopsReduce(f32{2,3}): axis c is not on the left of the pattern; write it there too, or write 1 " +
					"for a new axis of length 1"},
			{"Einsum", func() { c.Einsum("...i...->i", m) },
				`Einsum(f32{2,3}): "..." occurs twice in one operand; write it once, for all axes without a letter`},
			{"At", func() { x.At(nv.Span{High: 3}) },
				"At(f32{3}, :3:0): the step of the slice is 0; give a positive step, or a negative one to go " +
					"backwards"},
			{"At", func() { x.At(nv.Clipped(other.Scalar(1))) }, "At(f32{3}, nv.Clipped(i32?{})): " + contexts},
			{"Set", func() { x.Set([]string{"a", "b", "c"}, nv.All) },
				"Set(f32{3}, []string, :): the elements of []string are not Go numbers; give a tensor, a number or a " +
					"slice of numbers"},
			{"Set", func() { x.Set([]nv.Tensor{ints}, nv.All) },
				"Set(f32{3}, []nv.Tensor, :): the elements of []nv.Tensor are not Go numbers; make a tensor of the " +
					"values with nv.New"},
			{"Set", func() { ints.Set([]float64{1, 2, 3.5}, nv.All) },
				"Set(i32{3}, []float64, :): the values would change the dtype of the tensor from i32 to f32; " +
					"convert the tensor to f32 with AsType, or the values to i32"},
			{"Set", func() { x.Set([]float32{1, 2, 3}, nv.All) }, ""},
			{"PutAlongAxis", func() { c.PutAlongAxis(c.Ones(nv.Shape{1, 3}), c.Zeros(nv.Shape{5, 3}, nv.I32), 1, 1) },
				"PutAlongAxis(f32{1,3}, i32{5,3}, int 1): the shape of indices does not match x; on axes other " +
					"than 1 the lengths must be those of x, or 1"},
			{"PutAlongAxis", func() { c.PutAlongAxis(c.Ones(nv.Shape{1, 3}), c.Zeros(nv.Shape{5, 3}, nv.I32), 1, 0) },
				""},
			{"Sum", func() { c.Sum(x, nv.Only(foreign.Gt(0))) }, "Sum(f32{3}): " + contexts},
			{"Sum", func() { c.Sum(x, nv.Only(1)) },
				"Sum(f32{3}): nv.Only is given int 1, which is not a mask; give bools: nv.Only(x.Gt(0))"},
			{"Mean", func() { c.Mean(x, nv.Accumulate(nv.I32)) },
				"Mean(f32{3}): the result cannot be i32; accumulate in a float, or convert the result with AsType"},
			{"Reduce", func() { c.Reduce(x, x, add) }, "Reduce(f32{3}, f32{3}): the initial value is not a scalar"},
			{"Reduce", func() { c.Reduce(x, 0, nil) }, "Reduce(f32{3}, int 0): f is nil; give a function of two tensors"},
			{"Reduce", func() { c.Reduce(x, 0, func(a, b T) T { return a.Add(b).Print() }) },
				"Reduce(f32{3}, int 0): f calls a Go function (nv.Print or nv.Callback), which is not supported " +
					"here; leave out nv.Print, and replace nv.Callback by operations of tensors"},
			{"Reduce", func() { c.Reduce(x, 0, func(a, b T) T { return foreign }) },
				"Reduce(f32{3}, int 0): f returns a tensor of another context; make all tensors in one Context"},
			{"Reduce", func() { c.Reduce(x, 0, func(a, b T) T { return x }) },
				"Reduce(f32{3}, int 0): f returns f32{3} for two f32{}; return a scalar of the dtype of x"},
			{"SegmentSum", func() { c.SegmentSum(x, ints, -1) },
				"SegmentSum(f32{3}, i32{3}): the number of segments is -1; give 0 or more"},
			{"SegmentSum", func() { c.SegmentSum(x, ints, 0) }, ""},
			{"SearchSorted", func() { c.SearchSorted(x, 1, nv.Left, nv.Right) },
				"SearchSorted(f32{3}, int 1): more than one side is given; give nv.Left or nv.Right"},
			{"SearchSorted", func() { c.SearchSorted(x, 1, nv.Right) }, ""},
			{"Digitize", func() { c.Digitize(x, x, nv.Left, nv.Right) },
				"Digitize(f32{3}, f32{3}): more than one side is given; give nv.Left or nv.Right"},
			{"Digitize", func() { c.Digitize(x, x, nv.Right) }, ""},
			{"Histogram", func() { c.Histogram(x, x, nv.Within(0, 1)) },
				"Histogram(f32{3}, f32{3}): both nv.Within and edges are given; leave one out"},
			{"Histogram", func() { c.Histogram(x, 0) },
				"Histogram(f32{3}, int 0): the number of bins is 0; give at least 1"},
			{"Histogram", func() { c.Histogram(x, 1, nv.Within(0, 1)) }, ""},
			{"Quantile", func() { c.Quantile(x, z) }, "Quantile(f32{3}): the quantiles are c64{2}; give real " +
				"numbers"},
			{"Quantile", func() { c.With(promote.Torch).Quantile(ints, 0.5) },
				"Quantile(i32{3}): floats are required under torch, not i32; convert x with AsType(nv.F32)"},
		},
		rows{ // products, windows and losses
			{"MatMul", func() { c.MatMul(x, one) }, "MatMul(f32{3}, f32{}): a scalar is not a matrix; multiply by " +
				"a scalar with Mul"},
			{"MatMul", func() { c.MatMul(one, x) }, "MatMul(f32{}, f32{3}): a scalar is not a matrix; multiply by " +
				"a scalar with Mul"},
			{"MatMul", func() { c.MatMul(x, c.Ones(nv.Shape{2})) },
				"MatMul(f32{3}, f32{2}): inner lengths differ: a vector of 3, a vector of 2; nv.Outer(x, y) " +
					"multiplies each element of x by each element of y"},
			{"MatMul", func() { c.MatMul(c.Ones(nv.Shape{2, 2}), x) },
				"MatMul(f32{2,2}, f32{3}): inner lengths differ: {2,2} has 2 columns, a vector of 3; a vector on " +
					"the right has as many elements as the matrix has columns"},
			{"MatMul", func() { c.MatMul(x, c.Ones(nv.Shape{2, 2})) },
				"MatMul(f32{3}, f32{2,2}): inner lengths differ: a vector of 3, {2,2} has 2 rows; a vector on the " +
					"left has as many elements as the matrix has rows"},
			{"Precision", func() { nv.Precision("best") },
				`Precision(best): unknown precision; give "highest", "high" or "default"`},
			{"Precision", func() { nv.Precision("High") }, ""},
			{"CDist", func() { c.CDist(m, m, -1) },
				"CDist(f32{2,3}, f32{2,3}): p is float64 -1; give a number that is not negative, or math.Inf(1)"},
			{"CDist", func() { c.CDist(m, m, math.NaN()) },
				"CDist(f32{2,3}, f32{2,3}): p is float64 NaN; give a number that is not negative, or " +
					"math.Inf(1)"},
			{"CDist", func() { c.CDist(m, m, 0); c.CDist(m, m, math.Inf(1)) }, ""},
			{"Cond", func() { c.Cond(m, 2, 2) }, "Cond(f32{2,3}): more than one order is given; give one, or none " +
				"for order 2"},
			{"Cond", func() { c.Cond(yes, func() {}) },
				"Cond(i1{}): Cond computes the condition number of a matrix; it does not choose between functions; " +
					"nv.If(pred, f, g) calls one of two functions"},
			{"ConvTranspose1D", func() { c.ConvTranspose1D(c.Ones(nv.Shape{1, 4, 3}), c.Ones(nv.Shape{2, 3, 3}), nv.Groups(2)) },
				"ConvTranspose1D(f32{1,4,3}, f32{2,3,3}): x has 3 channels, which cannot be split into 2 " +
					"groups; give a multiple of 2"},
			{"HuberLoss", func() { c.HuberLoss(x, x, nv.Delta(0)) },
				"HuberLoss(f32{3}, f32{3}): delta is float64 0; give a number greater than 0"},
			{"CrossEntropyLoss", func() { c.CrossEntropyLoss(one, one) },
				"CrossEntropyLoss(f32{}, f32{}): a scalar has no axis of classes; give classes along the last axis"},
			{"CrossEntropyLoss", func() { c.CrossEntropyLoss(m, c.From([]int32{0, 1}), nv.LabelSmoothing(1.5)) },
				"CrossEntropyLoss(f32{2,3}, i32{2}): the label smoothing is float64 1.5; give a number from 0 to 1"},
			{"CrossEntropyLoss", func() { c.CrossEntropyLoss(m, c.From([]int32{0, 1}), nv.LabelSmoothing(-0.5)) },
				"CrossEntropyLoss(f32{2,3}, i32{2}): the label smoothing is float64 -0.5; give a number from 0 to 1"},
			{"CrossEntropyLoss", func() {
				c.CrossEntropyLoss(m, c.From([]int32{0, 1}), nv.LabelSmoothing(1))
				c.CrossEntropyLoss(m, c.From([]int32{0, 1}), nv.LabelSmoothing(0))
			}, ""},
		},
		rows{ // branches and loops
			{"If", func() { c.IfAny(x, func() T { return x }, func() T { return x }) },
				"If(f32{3}): the condition is f32{3} and must be a bool scalar; compare it, reduce it with Any() " +
					"or All(), or choose elementwise with nv.Where"},
			{"If", func() { c.IfAny(one, func() T { return x }, func() T { return x }) },
				"If(f32{}): the condition is f32{} and must be a bool scalar; compare it, reduce it with Any() or " +
					"All(), or choose elementwise with nv.Where"},
			{"If", func() { c.IfAny(x.Gt(0), func() T { return x }, func() T { return x }) },
				"If(i1{3}): the condition is i1{3} and must be a bool scalar; compare it, reduce it with Any() or " +
					"All(), or choose elementwise with nv.Where"},
			{"Switch", func() { c.SwitchAny(1.5, func() T { return x }) },
				"Switch(float64 1.5): the index is float64 1.5 and must be an integer scalar; convert it with " +
					"AsType(nv.I32), or choose elementwise with nv.Where"},
			{"Switch", func() { c.SwitchAny(ints, func() T { return x }) },
				"Switch(i32{3}): the index is i32{3} and must be an integer scalar; convert it with " +
					"AsType(nv.I32), or choose elementwise with nv.Where"},
			{"Switch", func() { c.SwitchAny(0) },
				"Switch(int 0): no branch is given; for each index, from 0, give a func() that returns a Tensor"},
			{"AssociativeScan", func() { c.AssociativeScanAny(func(a, b struct{}) struct{} { return a }, none) },
				"AssociativeScan(): xs contains no tensor; " + tree},
			{"AssociativeScan", func() { c.AssociativeScanAny(func(a, b T) T { return a.AsType(nv.F64) }, x) },
				"AssociativeScan(f32{3}): f is given f32{1} and returns f64{1}; return the dtypes and shapes that " +
					"f is given"},
			{"While", func() { c.WhileAny(none, func(struct{}) T { return yes }, func(s struct{}) struct{} { return s }) },
				"While(): init contains no tensor; " + tree},
			{"While", func() { c.WhileAny(nil, nil, nil) },
				"While(<nil>): the value is nil or of a recursive type; give a Tensor, or a struct, slice or " +
					"map of Tensors that does not contain its own type"},
			{"While", func() {
				c.WhileAny(one, func(x T) T { return x.Lt(3) }, func(x T) T { return x.Add(1) }, nv.MaxSteps(5), nv.MaxSteps(5))
			}, "While(f32{}): nv.MaxSteps is given twice; give it once"},
			{"While", func() {
				y := c.WhileAny(one, func(x T) T { return x.Lt(9) }, func(x T) T { return x.Add(1) }, nv.MaxSteps(5))
				_ = y.(T).String()
			}, "While(i1{}): the loop has not ended after 5 steps; allow more: nv.MaxSteps(10)"},
			{"While", func() {
				y := c.WhileAny(one, func(x T) T { return x.Lt(9) }, func(x T) T { return x.Add(1) }, nv.MaxSteps(0))
				_ = y.(T).String()
			}, "While(i1{}): the loop has not ended after 0 steps; allow more: nv.MaxSteps(1)"},
			{"While", func() {
				y := c.WhileAny(one, func(x T) T { return x.Lt(6) }, func(x T) T { return x.Add(1) }, nv.MaxSteps(5))
				_ = y.(T).String()
			}, ""},
			{"While", func() { c.WhileAny(one, func(x T) T { return x }, func(x T) T { return x.Add(1) }) },
				"While(f32{}): cond returns f32{} and must return a bool scalar; reduce it with Any() or All()"},
			{"While", func() { c.WhileAny(one, func(x T) T { return foreign.Gt(0).Any() }, func(x T) T { return x }) },
				"While(f32{}): cond returns a tensor of another context; make all tensors in one Context"},
			{"While", func() { c.WhileAny(one, func(x T) T { return x.Lt(3) }, func(T) T { return x }) },
				"While(f32{}): body is given f32{} and returns f32{3}; return the shape that body is given"},
			{"While", func() { c.WhileAny(one, func(x T) T { return x.Lt(3) }, func(x T) T { return x.AsType(nv.F64) }) },
				"While(f32{}): body is given f32{} and returns f64{}; convert the result with AsType(nv.F32)"},
			{"While", func() {
				c.WhileAny([]T{one}, func(x []T) T { return x[0].Lt(3) }, func(x []T) []T { return append(x, one) })
			}, "While(f32{}): body changes the structure of its argument: length 1 becomes 2; change only tensors"},
			{"ForI", func() { c.ForIAny(1.5, one, func(i, x T) T { return x }) },
				"ForI(f32{}, float64 1.5): the number of steps is float64 1.5 and must be an integer scalar; " +
					"give an int; n.AsType(nv.I32) converts a float scalar"},
			{"ForI", func() { c.ForIAny(ints, one, func(i, x T) T { return x }) },
				"ForI(f32{}, i32{3}): the number of steps is i32{3} and must be an integer scalar; give an int; " +
					"n.AsType(nv.I32) converts a float scalar"},
			{"Scan", func() { c.ScanAny(one, x, 3) }, "Scan(f32{}, f32{3}): body has type int; give a " +
				"func(nv.Tensor, nv.Tensor) (nv.Tensor, results)"},
			{"Scan", func() { c.ScanAny(one, x, func(a T) T { return a }) },
				"Scan(f32{}, f32{3}): body has type func(nv.Tensor) nv.Tensor; give a func(nv.Tensor, nv.Tensor) " +
					"(nv.Tensor, results)"},
			{"Scan", func() { c.ScanAny(one, nil, func(a, b T) (T, T) { return a, b }) },
				"Scan(f32{}): the number of steps is unknown; give an xs that contains a tensor; nv.Scan also " +
					"takes the option nv.Steps(n)"},
			{"Scan", func() { c.ScanAny(one, pair{x, c.Ones(nv.Shape{4})}, func(a T, b pair) (T, T) { return a, a }) },
				"Scan(f32{}, f32{3}, f32{4}): the tensor at .B of xs has length 4 along its first axis, and the " +
					"number of steps is 3; give tensors whose first axes have equal lengths"},
			{"Callback", func() { c.Callback(nil, x.Type(), x) },
				"Callback(f32{3}): the function is nil; give a func(xs ...nv.Tensor) nv.Tensor"},
		},
		rows{ // derivatives
			{"Wrt", func() { nv.Wrt() }, "Wrt(): no index is given; write nv.Wrt(0) for the first argument"},
			{"Freeze", func() { nv.Freeze() }, "Freeze(): no path is named; name a part of the model: " +
				`nn.Freeze("In")`},
			{"Grad", func() { c.GradAny(func() T { return one }).(func() T)() },
				"Grad(func() nv.Tensor): the function has no arguments; give it the tensors to differentiate by"},
			{"Grad", func() { c.GradAny(func(x T) T { return x }, nv.Wrt(1)) },
				"Grad(func(nv.Tensor) nv.Tensor): Wrt names argument 1, which the function does not have; the only " +
					"argument is 0"},
			{"Grad", func() { c.GradAny(func(x T) T { return x }, nv.Wrt(-1)) },
				"Grad(func(nv.Tensor) nv.Tensor): Wrt names argument -1, which the function does not have; the " +
					"only argument is 0"},
			{"Grad", func() { c.GradAny(add, nv.Wrt(1, 1)) },
				"Grad(func(nv.Tensor, nv.Tensor) nv.Tensor): Wrt names argument 1 twice; name each argument " +
					"once"},
			{"Grad", func() { c.GradAny(identity).(func(T) T)(x) },
				"Grad(func(nv.Tensor) nv.Tensor): the function returns f32{3}, not a scalar; reduce it, as by " +
					"nv.Sum; or take nv.Jacobian"},
			{"Grad", func() { c.GradAny(identity).(func(T) T)(z.At(0)) },
				"Grad(func(nv.Tensor) nv.Tensor): the function returns c64{}, which is not real; take nv.Abs or " +
					"nv.Real of it; or nv.VJP"},
			{"Grad", func() { c.GradAny(func(x T) T { return x.Gt(0).Any() }).(func(T) T)(x) },
				"Grad(func(nv.Tensor) nv.Tensor): the function returns i1{}, which has no derivative; compute it " +
					"in floats"},
			{"Grad", func() { c.GradAny(func(x T) pair { return pair{x, x} }).(func(T) T)(one) },
				"Grad(func(nv.Tensor) anvil_test.pair): the function's first result is not a Tensor; return the " +
					"loss first"},
			{"Grad", func() { c.GradAny(func([]T) T { return one }).(func([]T) []T)([]T{}) },
				"Grad(func([]nv.Tensor) nv.Tensor): the argument has no tensors; give it at least one"},
			{"Grad", func() { c.GradAny(func(a []T, b T) T { return b }).(func([]T, T) []T)(nil, one) },
				"Grad(func([]nv.Tensor, nv.Tensor) nv.Tensor): argument 0 has no tensors; give it at least one, or name " +
					"another argument with nv.Wrt"},
			{"Grad", func() { c.GradAny(func(a, b []T) T { return one }, nv.Wrt(0, 1)).(func(a, b []T) ([]T, []T))(nil, nil) },
				"Grad(func([]nv.Tensor, []nv.Tensor) nv.Tensor): the arguments that nv.Wrt names have no tensors; give " +
					"one of them at least one"},
			{"Grad", func() { c.GradAny(func(x T) T { return x.Sum().AsType(nv.F32) }).(func(T) T)(ints) },
				"Grad(func(nv.Tensor) nv.Tensor): none of the tensors is a float or complex, so there is no " +
					"derivative; convert one with AsType(nv.F32)"},
			{"Grad", func() {
				c.GradAny(func(p pair) T { return p.A.Sum() }, nv.Freeze("A", "B")).(func(pair) pair)(pair{x, x})
			},
				"Grad(func(anvil_test.pair) nv.Tensor): all floats of the argument are frozen or of type nn.State; " +
					"the gradient needs one that is neither"},
			{"Grad", func() { c.GradAny(func(x, y T) T { return x.Sum() }).(func(x, y T) T)(x, foreign) },
				"Grad(func(nv.Tensor, nv.Tensor) nv.Tensor): " + contexts},
			{"Grad", func() { c.GradAny(func(p pair) T { return p.A.Sum() }, nv.Freeze("C")).(func(pair) pair)(pair{x, x}) },
				`Grad(func(anvil_test.pair) nv.Tensor): no tensor is at the frozen path "C"; the paths are A, B`},
			{"CheckGrad", func() { orFail(nil, c.CheckGradAny(add, x)) },
				"CheckGrad(func(nv.Tensor, nv.Tensor) nv.Tensor): the function must have one argument and return a " +
					"Tensor; give a func(x nv.Tensor) nv.Tensor; x may also be a struct, slice or map of tensors"},
			{"CheckGrad", func() { orFail(nil, c.CheckGradAny(identity, nil)) },
				"CheckGrad(func(nv.Tensor) nv.Tensor): the argument is nil; give a nv.Tensor"},
			{"CheckGrad", func() { orFail(nil, c.CheckGradAny(func(x T) T { return x.Gt(0) }, x)) },
				"CheckGrad(func(nv.Tensor) nv.Tensor): the function returns i1{3}, which has no derivative; " +
					"compute it in floats"},
			{"CheckGrad", func() {
				orFail(nil, c.CheckGradAny(func(x T) T { return c.Where(x.Gt(0), x, x.Mul(0)) }, c.Zeros(nv.Shape{1})))
			},
				"CheckGrad(f64{1}): in direction 0 the tangent is 0, but the difference quotient is 0.992422826; a " +
					"function with a kink at x has no derivative there; a rule given to nv.Custom may be wrong"},
			{"JVP", func() { c.JVPAny(add, x, x) }, "JVP(func(nv.Tensor, nv.Tensor) nv.Tensor): the function must " +
				"have one argument and one result; put several in a struct or a slice, or write func(x " +
				"nv.Tensor) nv.Tensor { return f(x, y) }"},
			{"JVP", func() { c.JVPAny(identity, 3, x) },
				"JVP(func(nv.Tensor) nv.Tensor): the argument has type int; give a nv.Tensor"},
			{"JVP", func() { c.JVPAny(func(p []T) T { return p[0] }, []T{x}, []T{x, x}) },
				"JVP(func([]nv.Tensor) nv.Tensor): the tangent has more tensors than its primal; give it the " +
					"structure of the primal"},
			{"JVP", func() { c.JVPAny(func(p []T) T { return p[0] }, []T{x, x}, []T{x}) },
				"JVP(func([]nv.Tensor) nv.Tensor): the tangent has 1 tensors where its primal has 2; give it the " +
					"structure of the primal"},
			{"JVP", func() {
				first := func(p map[string]T) T { return p["a"] }
				c.JVPAny(first, map[string]T{"a": x, "b": x}, map[string]T{"a": x, "c": x})
			}, `JVP(func(map[string]nv.Tensor) nv.Tensor): the tangent has a tensor at ["c"] where its primal has ` +
				`one at ["b"]; give it the structure of the primal`},
			{"VJP", func() {
				split := func(x T) [2][]T { return [2][]T{{x}, {x, x}} }
				_, back := c.VJPAny(split, x)
				back.(func([2][]T) T)([2][]T{{x, x}, {x}})
			}, "VJP(func(nv.Tensor) [2][]nv.Tensor): the cotangent has a tensor at [0][1] where its primal has one " +
				"at [1][0]; give it the structure of the primal"},
			{"JVP", func() { c.JVPAny(identity, x, doubles) },
				"JVP(func(nv.Tensor) nv.Tensor): the tangent is f64{3} where its primal is f32{3}; give it the " +
					"primal's dtype and shape"},
			{"JVP", func() { c.JVPAny(identity, x, one) },
				"JVP(func(nv.Tensor) nv.Tensor): the tangent is f32{} where its primal is f32{3}; give it the " +
					"primal's dtype and shape"},
			{"Jacobian", func() { c.JacobianAny(add) },
				"Jacobian(func(nv.Tensor, nv.Tensor) nv.Tensor): the function must have one argument and " +
					"return a Tensor; give a func(x nv.Tensor) nv.Tensor; x may also be a struct, slice or map of tensors"},
			{"Jacobian", func() { c.JacobianAny(func(x T) T { return x.Gt(0) }).(func(T) T)(x) },
				"Jacobian(func(nv.Tensor) nv.Tensor): the function returns i1, which is not a float; compute it in " +
					"floats: convert with AsType(nv.F32)"},
			{"StopGradient", func() { nv.StopGradient[any](nil) },
				"StopGradient(nil): the argument is nil; give a Tensor, or a struct, slice or map of Tensors"},
		},
		rows{ // rules of one's own
			{"Custom", func() { c.CustomAny(add, nil) },
				"Custom(func(nv.Tensor, nv.Tensor) nv.Tensor): the function must have one argument and one result; " +
					"put several in a struct or a slice"},
			{"Custom", func() {
				rule := func(x T) (T, func(T) T) { return x.Sum(), func(ct T) T { return ct } }
				c.GradAny(c.CustomAny(func(x T) T { return x.Sum() }, rule)).(func(T) T)(x)
			}, "Custom(func(nv.Tensor) nv.Tensor): the result of the pullback is f32{} where its primal is f32{3}; " +
				"give it the primal's dtype and shape"},
			{"Custom", func() {
				first := func(p map[string]T) T { return p["a"].Sum() }
				rule := func(p map[string]T) (T, func(T) map[string]T) {
					return first(p), func(ct T) map[string]T { return map[string]T{"b": p["a"].Mul(ct)} }
				}
				c.GradAny(c.CustomAny(first, rule)).(func(map[string]T) map[string]T)(map[string]T{"a": x})
			}, `Custom(func(map[string]nv.Tensor) nv.Tensor): the result of the pullback has a tensor at ["b"] ` +
				`where its primal has one at ["a"]; give it the structure of the primal`},
			{"Custom", func() { c.CustomAny(identity, 3) },
				"Custom(func(nv.Tensor) nv.Tensor): the rule has type int; it must be a func(nv.Tensor) " +
					"(nv.Tensor, func(nv.Tensor) nv.Tensor)"},
			{"Custom", func() { c.CustomAny(identity, (func(T) (T, func(T) T))(nil)) },
				"Custom(func(nv.Tensor) nv.Tensor): the rule is nil; give a func(nv.Tensor) (nv.Tensor, " +
					"func(nv.Tensor) nv.Tensor)"},
		},
		rows{ // values and programs
			{"Bool", func() { one.Bool() }, "Bool(f32{}): the dtype is f32, not i1; compare the tensor with a " +
				"number, as in x.Ne(0)"},
			{"Item", func() { nv.Item[string](one) }, "Item(string, f32{}): string has no dtype; give the type of " +
				"a number or bool"},
			{"Values", func() { nv.Values[string](x) },
				"Values(string, f32{3}): string has no dtype; give the type of numbers or bools"},
			{"Float", inJit(func(x T) { x.Sum().Float() }),
				"Float(f32{}): x is being traced and has no value yet; use nv.If for a condition, nv.Where for a " +
					"choice between elements, or return x and read it outside"},
			{"Wait", inJit(func(x T) { orFail(nil, x.Wait()) }),
				"Wait(f32{3}): x is being traced and has no value yet; return x and wait for it outside"},
			{"Window", inJit(func(x T) { orFail(x.Window(nv.Shape{0}, nv.Shape{1})) }),
				"Window(f32{3}): x is being traced and has no value yet; return x and read it outside"},
			{"Summary", inJit(func(x T) { orFail(x.Summary()) }),
				"Summary(f32{3}): x is being traced and has no value yet; return x and read it outside"},
			{"Window", func() { orFail(x.Window(nil, nv.Shape{1})) },
				"Window(f32{3}): low has 0 elements and high has 1; give one element for each axis of x"},
			{"Window", func() { orFail(x.Window(nv.Shape{0}, nil)) },
				"Window(f32{3}): low has 1 element and high has 0; give one element for each axis of x"},
			{"Window", func() { orFail(x.Window(nv.Shape{-1}, nv.Shape{1})) },
				"Window(f32{3}): the window {-1} to {1} is not inside x"},
			{"Window", func() { orFail(x.Window(nv.Shape{2}, nv.Shape{1})) },
				"Window(f32{3}): the window {2} to {1} is not inside x"},
			{"Window", func() { orFail(x.Window(nv.Shape{0}, nv.Shape{4})) },
				"Window(f32{3}): the window {0} to {4} is not inside x"},
			{"Window", func() { orFail(x.Window(nv.Shape{0}, nv.Shape{3})); orFail(x.Window(nv.Shape{2}, nv.Shape{2})) },
				""},
			{"Jit", func() { c.JitAny(3) }, "Jit(int): the argument is not a function; give a function of tensors"},
			{"Jit", func() { c.JitAny(nil) }, "Jit(nil): the argument is not a function; give a function of tensors"},
			{"Jit", func() { c.JitAny((func(T) T)(nil)) },
				"Jit(func(nv.Tensor) nv.Tensor): the function is nil; give a function of tensors"},
			{"Jit", func() { c.JitAny(identity).(func(T) T)(T{}) },
				"Jit(argument 0): this is a Tensor that has not been set; give every tensor a value"},
			{"Jit", func() { c.JitAny(add).(func(a, b T) T)(x, foreign) }, "Jit(f32{3}): " + contexts},
			{"Jit", func() { c.JitAny(func(T) T { return foreign }).(func(T) T)(x) },
				"Jit(f32{3}): the function returns a tensor of another context; make all tensors in one Context"},
			{"Lower", func() { c.Lower(add, x) }, "Lower(func(nv.Tensor, nv.Tensor) nv.Tensor): the function takes " +
				"2 arguments, not 1"},
			{"Lower", func() { c.Lower(identity, x, x) },
				"Lower(func(nv.Tensor) nv.Tensor): the function takes 1 argument, not 2"},
			{"Lower", func() { c.Lower(func(xs ...T) T { return one }) }, ""},
			{"Lower", func() { c.Lower(func(x T, xs ...T) T { return x }) },
				"Lower(func(nv.Tensor, ...nv.Tensor) nv.Tensor): the function takes 1 argument or more, not 0"},
			{"Lower", func() { c.Lower(identity, "a") }, "Lower(string): the function takes nv.Tensor"},
			{"Lower", func() { c.Lower(identity, 2.5) }, ""},
			{"Bench", func() { c.Bench(nil) }, "Bench(nil): the function is nil; give a func() any"},
			{"Donate", func() { nv.Donate([]T{x.Add(1), foreign.Add(1)}) }, "Donate([]nv.Tensor): " + contexts},
			{"TreeMap", func() { nv.TreeMapAny(nil, x) },
				"TreeMap(func(...nv.Tensor) nv.Tensor, nv.Tensor): the function or the tree is nil; give " +
					"a function of tensors and a value that contains tensors"},
			{"TreeMap", func() { nv.TreeMapAny(func(xs ...T) T { return xs[0] }, nil) },
				"TreeMap(func(...nv.Tensor) nv.Tensor, <nil>): the function or the tree is nil; give a " +
					"function of tensors and a value that contains tensors"},
			{"TreeMap", func() { nv.TreeMapAny(func(xs ...T) T { return xs[0] }, []T{x}, []T{x, x}) },
				"TreeMap([]nv.Tensor, []nv.Tensor): the trees have 1 and 2 tensors; give trees of one " +
					"structure"},
			{"InAxes", func() { nv.InAxes() },
				"InAxes(): no axis is given; write nv.InAxes(0) for the first axis of each argument"},
			{"OutAxes", func() { nv.OutAxes() },
				"OutAxes(): no axis is given; write nv.OutAxes(0) for the first axis of each result"},
			{"Vmap", func() { c.VmapAny(identity, nv.OutAxes(nv.NotMapped)) },
				"Vmap(func(nv.Tensor) nv.Tensor): OutAxes has NotMapped, which is only for InAxes; give each " +
					"result an axis to stack elements along: nv.OutAxes(0)"},
			{"Vmap", func() { c.VmapAny(identity).(func(T) T)(one) },
				"Vmap(func(nv.Tensor) nv.Tensor): argument 0, f32{}, is a scalar, which has no elements to map " +
					"over; give nv.NotMapped for it in InAxes, or stack scalars in a tensor"},
			{"Vmap", func() { c.VmapAny(identity, nv.InAxes(1)).(func(T) T)(x) },
				"Vmap(func(nv.Tensor) nv.Tensor): argument 0, f32{3}, has no axis 1; its axes are 0 to 0; name one " +
					"in InAxes"},
			{"ReadNPY", func() { orFail(c.ReadNPY(path, nv.F64)) },
				`ReadNPY("x.npy"): the file has dtype f32; leave out the option ` +
					"and convert the tensor with AsType(nv.F64)"},
			{"ReadNPY", func() { orFail(c.ReadNPY(path, nv.F32)) }, ""},
			{"WriteImage", func() { orFail(nil, c.WriteImage("x.jpg", c.Ones(nv.Shape{0, 3}))) },
				`WriteImage("x.jpg"): the image has no pixels`},
			{"WriteImage", func() { orFail(nil, c.WriteImage(path, c.Ones(nv.Shape{2, 2}))) },
				`WriteImage("x.npy"): no image format has the extension ".npy"; ` +
					"use .png or .jpg"},
			{"Image", func() { x.Image() },
				"Image(f32{3}): the shape is not that of an image; give {height,width}, or {height,width,c} with c " +
					"1, 3 or 4"},
			{"Image", func() { c.Ones(nv.Shape{2, 2, 2}).Image() },
				"Image(f32{2,2,2}): the shape is not that of an image; give {height,width}, or " +
					"{height,width,c} with c 1, 3 or 4"},
			{"Image", func() { c.Ones(nv.Shape{2, 2}, nv.I32).Image() },
				"Image(i32{2,2}): images cannot have dtype i32; give ui8, ui16, floats from 0 to 1, or bools: " +
					"x.AsType(nv.U8)"},
			{"Image", func() { c.Ones(nv.Shape{2, 2, 4}).Image(); c.Ones(nv.Shape{2, 2, 1}, nv.I1).Image() }, ""},
		},
		rows{ // tables
			{"NewTable", func() { c.NewTable([]string{"a", "b"}, x) },
				"NewTable(): 2 names cannot be given to 1 column; give at most one name per column"},
			{"NewTable", func() { c.NewTable(nil, x, one.Reshape(nv.Shape{1})) },
				`NewTable(): column "col2" has 1 value, "col1" has 3; give all columns the same length`},
			{"NewTable", func() { c.NewTable(nil, one) },
				"NewTable(): a tensor of rank 0 has no columns; give tensors of rank 1 or 2"},
			{"NewTable", func() { c.NewTable(nil, c.Ones(nv.Shape{1, 1, 1})) },
				"NewTable(): a tensor of rank 3 has no columns; give tensors of rank 1 or 2"},
			{"NewTable", func() { c.NewTable([]string{"a"}, x, m.SwapAxes(0, 1)) }, ""},
			{"Matrix", func() { c.NewTable(nil, []string{"a"}).Matrix() },
				"Matrix(): no column has numbers; t.Col(name).Codes() encodes texts as integers"},
			{"Head", func() { c.NewTable(nil, x).Head(-1) },
				"Head([-1]): Head takes one number of rows, at least 0; write t.Head(5)"},
			{"Head", func() { c.NewTable(nil, x).Head(1, 2) },
				"Head([1 2]): Head takes one number of rows, at least 0; write t.Head(5)"},
			{"Tail", func() { c.NewTable(nil, x).Tail(-1) },
				"Tail([-1]): Tail takes one number of rows, at least 0; write t.Tail(5)"},
			{"Head", func() { c.NewTable([]string{"a"}, x).Col("a").Head(-1) },
				"Head(-1): the number of values is negative; give 0 or more"},
			{"Head", func() { c.NewTable(nil, x).Head(0); c.NewTable(nil, x).Tail() }, ""},
			{"Take", func() { c.NewTable(nil, x).Take(x) },
				"Take(): rows cannot be selected by f32{3}; give a mask or indices of rank 1"},
			{"Take", func() { c.NewTable(nil, x).Take(ints.Reshape(nv.Shape{1, 3})) },
				"Take(): rows cannot be selected by i32{1,3}; give a mask or indices of rank 1"},
			{"Take", func() { c.NewTable(nil, x).Take([]bool{true}) },
				"Take(): the mask has 1 element, and the table has 3 rows; make the mask from a column of this " +
					`table, as in t.Col("age").Tensor().Gt(30)`},
			{"Take", func() { c.NewTable(nil, x).Take(-4) },
				"Take(): row -4 is out of range for 3 rows; indices begin at 0"},
			{"Take", func() { c.NewTable(nil, x).Take([]uint64{1<<64 - 1}) },
				"Take(): row 18446744073709551615 is out of range for 3 rows; indices begin at 0"},
			{"Take", func() { c.NewTable(nil, x).Take(ints); c.NewTable(nil, x).Take(2); c.NewTable(nil, x).Take([]uint8{1}) },
				""},
			{"Sort", func() { c.NewTable([]string{"a"}, x).Sort() }, `Sort(): no column is named; the columns are "a"`},
			{"GroupBy", func() { c.NewTable([]string{"a"}, x).GroupBy() },
				`GroupBy(): no column is named; the columns are "a"`},
			{"Join", func() { c.NewTable([]string{"a"}, x).Join(c.NewTable([]string{"a"}, []string{"b"}), "a") },
				`Join("a"): the column has floats in one table, texts in the other; make one of the tables again ` +
					"with nv.NewTable, so that the kinds agree"},
			{"Mean", func() { c.NewTable([]string{"a"}, []string{"b"}).Col("a").Mean() },
				`Mean("a"): the column has texts; t.GroupBy("a").Count() counts them`},
			{"Std", func() { c.NewTable([]string{"a"}, []string{"b"}).Col("a").Std() },
				`Std("a"): the column has texts; t.GroupBy("a").Count() counts them`},
			{"Min", func() { c.NewTable([]string{"a"}, []string{"b"}).Col("a").Min() },
				`Min("a"): the column has texts; t.GroupBy("a").Count() counts them`},
			{"Max", func() { c.NewTable([]string{"a"}, []string{"b"}).Col("a").Max() },
				`Max("a"): the column has texts; t.GroupBy("a").Count() counts them`},
			{"Median", func() { c.NewTable([]string{"a"}, []string{"b"}).Col("a").Median() },
				`Median("a"): the column has texts; t.GroupBy("a").Count() counts them`},
			{"Sum", func() { c.NewTable([]string{"a"}, []string{"b"}).Col("a").Sum() },
				`Sum("a"): the column has texts; t.GroupBy("a").Count() counts them`},
			{"Add", func() { x.Add(c.NewTable([]string{"a"}, x).Col("a")) },
				`Add(f32{3}, *nv.Column): a column is not a tensor; write t.Col("a").Tensor()`},
		},
	) {
		got := ""
		if err := nv.Try(r.f); err != nil {
			got = err.Error()
		}
		if got != r.want {
			t.Errorf("%s: got %q, want %q", r.op, got, r.want)
		}
	}
}

// TestErrorsNameTheFunction checks that the error for a zero Tensor names the function that it is given to.
func TestErrorsNameTheFunction(t *testing.T) {
	lib, named := reflect.ValueOf(plainGo(t).Lib), 0
	others := map[string]string{ // functions that leave it to another one
		"NewTable": "New", "WriteCSV": "New", "WriteArrow": "New", "WriteImage": "New", "PromoteArrays": "PromoteToCommon"}
	for i := range lib.NumMethod() {
		name, f := lib.Type().Method(i).Name, lib.Method(i)
		if name == "PromoteTree" { // its tree may have zero Tensors
			continue
		}
		takesTensors, err := callWithZeroTensors(f)
		if !takesTensors {
			continue
		}
		if e, ok := err.(*nv.Error); !ok || e.Op != cmp.Or(others[name], name) {
			t.Errorf("%s: the error is %v", name, err)
		}
		named++
	}
	if named < 300 {
		t.Errorf("%d functions take tensors", named)
	}
}

// TestErrorsNameTheMethod checks that the errors about the zero Tensor name the method, and the functions that are not
// methods of Lib.
func TestErrorsNameTheMethod(t *testing.T) {
	functions := map[string]reflect.Value{
		"StopGradient": reflect.ValueOf(nv.StopGradient[nv.Tensor]), "Why": reflect.ValueOf(nv.Why),
		"WhyNaN": reflect.ValueOf(nv.WhyNaN), "Donate": reflect.ValueOf(nv.Donate[nv.Tensor]),
	}
	zero := reflect.ValueOf(nv.Tensor{})
	for i := range zero.NumMethod() {
		functions[zero.Type().Method(i).Name] = zero.Method(i)
	}
	delete(functions, "Format")                                                               // needs a fmt.State
	others := map[string]string{"T": "Transpose", "Typed": "DType", "CompilerLog1p": "Log1p"} // which do the work
	named := 0
	for name, f := range functions {
		_, err := callWithZeroTensors(f)
		e, ok := err.(*nv.Error)
		if ok && e.Op != cmp.Or(others[name], name) {
			t.Errorf("%s: the error is %v", name, err)
		}
		if ok {
			named++
		}
	}
	if named < 300 {
		t.Errorf("%d methods refuse the zero Tensor", named)
	}
}

// callWithZeroTensors calls f with zero values, but with the zero Tensor for a parameter of type any. It reports whether
// f takes tensors, and returns the error with which f fails.
func callWithZeroTensors(f reflect.Value) (takesTensors bool, err error) {
	var in []reflect.Value
	for k := range f.Type().NumIn() {
		p := f.Type().In(k)
		variadic := f.Type().IsVariadic() && k == f.Type().NumIn()-1
		if variadic {
			p = p.Elem()
		}
		switch {
		case p == reflect.TypeFor[any]() || p == reflect.TypeFor[nv.Tensor]():
			in, takesTensors = append(in, reflect.ValueOf(nv.Tensor{})), true
		case !variadic:
			in = append(in, reflect.Zero(p))
		}
	}
	return takesTensors, nv.Try(func() {
		results := f.Call(in)
		if len(results) == 0 {
			return
		}
		if e, ok := results[len(results)-1].Interface().(error); ok {
			panic(e)
		}
	})
}
