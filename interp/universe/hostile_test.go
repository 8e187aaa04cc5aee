package universe_test

import (
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
)

// Each call across devices compiles programs, so that calling all functions takes long.
var acrossEvery = flag.Int("across", 8, "TestCallsAcrossDevices calls every n-th function")

var hostileBackend = flag.String("hostile", "reference", "the backend of TestHostileCalls")

// TestHostileCalls makes a valid call of each function of packages anvil and random that a cell can call. Then it
// replaces one argument at a time by values that may be wrong: other ranks, dtypes, axes and shapes, lengths of 0, of
// 2^31 and of the greatest int, NaN, and tensors that are zero, closed or of another context. Each call must return a
// result or panic with an *anvil.Error that names the operation and the reason, and must not take much memory. Its
// results must be computed without a crash.
func TestHostileCalls(t *testing.T) {
	h := newHostile(t)
	for _, c := range h.calls {
		if c.of == nil {
			h.vary(c, math.MaxInt)
		}
	}
	for i := range tensorType.NumMethod() { // their other operands are those of the functions
		if m := tensorType.Method(i); !isExcluded(m.Name) && m.Name != "Format" {
			h.vary(callable{name: "Tensor." + m.Name, f: m.Func}, 1)
		}
	}
	if len(h.without) > 0 {
		t.Error("no valid arguments were found; add some to validCalls: ", strings.Join(h.without, " "))
	}
	t.Logf("%d calls", h.count)
}

// TestCallsAcrossDevices makes valid calls, but with one of the tensors on another device. Each call must return a
// result or panic with an *anvil.Error.
func TestCallsAcrossDevices(t *testing.T) {
	ctx := anvil.NewContext(anvil.ContextOptions{Backend: "xla", Devices: 2})
	if len(ctx.Devices()) != 2 {
		t.Fatal(ctx.Devices())
	}
	h := &hostileCaller{fuzzer: newFuzzerIn(t, ctx, nil)}
	t.Cleanup(func() { ctx.Close() })
	for i, c := range h.calls {
		if c.of != nil || c.name == "Donate" || i%*acrossEvery > 0 {
			continue
		}
		right := h.validArguments(c)
		for i, a := range right {
			if moved, ok := onDevice(a, ctx.Devices()[1]); ok {
				args := slices.Clone(right)
				args[i] = moved
				h.try(c, args)
			}
		}
	}
	t.Logf("%d calls", h.count)
}

// onDevice returns a copy of the tensor a on a device. If a is a slice of tensors, only its first element is copied. ok
// is false for other values.
func onDevice(a reflect.Value, device string) (moved reflect.Value, ok bool) {
	moved = reflect.New(a.Type()).Elem()
	if a.Kind() == reflect.Slice && a.Len() > 0 {
		first, ok := onDevice(a.Index(0), device)
		if ok {
			list := reflect.Append(reflect.MakeSlice(a.Type(), 0, a.Len()), first)
			moved.Set(reflect.AppendSlice(list, a.Slice(1, a.Len())))
		}
		return moved, ok
	}
	x, ok := a.Interface().(anvil.Tensor)
	if !ok || !x.Valid() || x.Traced() {
		return moved, false
	}
	return moved, anvil.Try(func() { moved.Set(reflect.ValueOf(x.ToDevice(device))) }) == nil
}

// A hostileCaller draws valid calls like a fuzzer, and varies them by wrong arguments.
type hostileCaller struct {
	*fuzzer
	tensors []anvil.Tensor // wrong arguments
	without []string       // the functions for which no valid call was found
	count   int            // calls made
}

func newHostile(t *testing.T) *hostileCaller {
	h := &hostileCaller{fuzzer: newFuzzer(t, *hostileBackend, nil)}
	t.Cleanup(func() { h.ctx.Close() })
	return h
}

// makeTensors makes the tensors that replace arguments.
func (h *hostileCaller) makeTensors() {
	other := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	closed := anvil.NewContext(anvil.ContextOptions{Backend: "reference"})
	h.tensors = []anvil.Tensor{{}, other.Ones(anvil.Shape{2}), closed.Ones(anvil.Shape{2})}
	closed.Close()
	for _, s := range []anvil.Shape{{}, {0}, {7}, {2, 3}, {3, 3}, {0, 3}, {3, 0}, {2, 1, 3, 1, 2}, {1 << 40, 0}} {
		for _, d := range []anvil.DType{anvil.F32, anvil.I32, anvil.I1, anvil.C64, dtype.F8E4M3FN, anvil.U8} {
			_ = anvil.Try(func() { h.tensors = append(h.tensors, h.ctx.Zeros(s, d)) })
		}
	}
	for n := 1 << 38; n > 1<<30; n /= 2 { // larger than the memory, but not too large to be pending
		if anvil.Try(func() {
			h.tensors = append(h.tensors, h.ctx.Zeros(anvil.Shape{n}, anvil.F32), h.ctx.Zeros(anvil.Shape{n, 1}, anvil.I32))
		}) == nil {
			break
		}
	}
	h.tensors = append(h.tensors, h.ctx.Full(anvil.Shape{3}, math.NaN()),
		h.ctx.Full(anvil.Shape{3}, math.MaxInt, anvil.I64), h.ctx.Full(anvil.Shape{2, 2}, -1, anvil.I32))
}

// vary calls one function with valid arguments of which one is replaced. It replaces only the first n.
func (h *hostileCaller) vary(c callable, n int) {
	right := h.validArguments(c)
	h.makeTensors() // again, since earlier calls may have closed or donated some
	for i := range right[:min(n, len(right))] {
		variadic := c.f.Type().IsVariadic() && i == len(right)-1
		for _, wrong := range h.wrongs(c.f.Type().In(i), right[i], variadic) {
			args := slices.Clone(right)
			args[i] = wrong
			h.try(c, args)
		}
	}
}

// validCalls returns valid arguments of functions for which random ones are rarely valid.
func (h *hostileCaller) validCalls() map[string][]any {
	c := h.ctx
	ones := func(s ...int) anvil.Tensor { return c.Ones(s, anvil.F32) }
	b, index := c.New([]bool{true, false}), c.New([]int{0, 1}, anvil.I32)
	dims := anvil.ScatterDims{InsertedWindowDims: []int{0}, ScatterDimsToOperandDims: []int{0}, IndexVectorDim: 1}
	add := func(x, y anvil.Tensor) anvil.Tensor { return x.Add(y) }
	one := func() anvil.Tensor { return ones(2) }
	square := func(x anvil.Tensor) anvil.Tensor { return x.Mul(x) }
	sum := func(x anvil.Tensor) anvil.Tensor { return x.Mul(x).Sum() }
	rule := func(x anvil.Tensor) (anvil.Tensor, func(anvil.Tensor) anvil.Tensor) {
		return x.Mul(x), func(ct anvil.Tensor) anvil.Tensor { return ct.Mul(x).Mul(2) }
	}
	return map[string][]any{
		"AssociativeScanAny": {add, ones(3)}, "IfAny": {true, one, one}, "SwitchAny": {1, one, one},
		"BatchNorm":         {ones(2, 3), ones(3), ones(3), ones(3), ones(3)},
		"BatchNormTraining": {ones(2, 3), ones(3), ones(3)},
		"Callback":          {func(...anvil.Tensor) anvil.Tensor { return ones(2) }, ones(2).Type(), ones(2)},
		"CheckGradAny":      {square, ones(3)}, "CustomAny": {square, rule}, "HVPAny": {sum, ones(3), ones(3)},
		"JVPAny": {square, ones(3), ones(3)}, "LinearizeAny": {square, ones(3)}, "VJPAny": {square, ones(3)},
		"Conv1D": {ones(1, 4, 1), ones(2, 1, 1)}, "Conv2D": {ones(1, 4, 4, 1), ones(2, 2, 1, 1)},
		"Conv3D":          {ones(1, 3, 3, 3, 1), ones(2, 2, 2, 1, 1)},
		"ConvTranspose2D": {ones(1, 2, 2, 1), ones(2, 2, 1, 1)},
		"ConvTranspose3D": {ones(1, 2, 2, 2, 1), ones(2, 2, 2, 1, 1)},
		"EinopsReduce":    {ones(2, 3), "a b -> a", "sum"},
		"EqInto":          {&b, true}, "GroupNorm": {ones(1, 2, 4), ones(4), ones(4), 2},
		"PutAlongAxis": {ones(2), index, ones(2), anvil.Axis(0)}, "Resize": {ones(2, 3), anvil.Shape{4, 3}, "linear"},
		"Scatter":  {ones(3), index, ones(2), dims, add},
		"ToDevice": {ones(2), c.Devices()[0]}, "random.Words": {c.New([]int{1, 2}, anvil.U32)},
		"CTCLoss": {ones(1, 3, 2), c.New([][]int{{1}}, anvil.I32)},
		"random.VarianceScaling": {
			random.PRNGKey{Data: c.New([]int{1, 2}, anvil.U32)}, anvil.Shape{2, 3}, 1.0, "fan_in", "normal",
		},
	}
}

// convertArguments returns args with the types of f's parameters.
func convertArguments(f reflect.Type, args []any) (in []reflect.Value) {
	for i := range f.NumIn() {
		v := reflect.New(f.In(i)).Elem()
		if f.IsVariadic() && i == f.NumIn()-1 {
			for _, a := range args[min(i, len(args)):] {
				v = reflect.Append(v, reflect.ValueOf(a))
			}
		} else {
			v.Set(reflect.ValueOf(args[i]).Convert(f.In(i)))
		}
		in = append(in, v)
	}
	return in
}

// validArguments returns arguments with which a call succeeds. If it finds none, it adds the function to h.without.
func (h *hostileCaller) validArguments(c callable) (args []reflect.Value) {
	if known, ok := h.validCalls()[strings.TrimPrefix(c.name, "Tensor.")]; ok {
		args = convertArguments(c.f.Type(), known)
		if !h.succeeds(c, args) {
			h.t.Errorf("%s(%s) of validCalls fails", c.name, describe(args...))
		}
		return args
	}
	seed := fnv.New64()
	seed.Write([]byte(c.name))
	r := rand.New(rand.NewPCG(seed.Sum64(), 1))
	for range 400 {
		h.data = h.data[:0]
		for range 512 {
			h.data = append(h.data, byte(r.Uint32()))
		}
		h.pool = h.pool[:0]
		for range 4 {
			h.pool = append(h.pool, h.small())
		}
		args = h.arguments(c.f.Type())
		if h.succeeds(c, args) {
			return args
		}
	}
	h.without = append(h.without, c.name)
	return args
}

// succeeds reports whether a call returns without a panic or an error.
func (h *hostileCaller) succeeds(c callable, args []reflect.Value) (ok bool) {
	defer func() { _ = recover() }() // vary examines what panics
	for _, r := range call(c.f, args) {
		if err, failed := r.Interface().(error); failed && err != nil {
			return false
		}
	}
	return true
}

// try makes a call and examines its errors, its results and its memory.
func (h *hostileCaller) try(c callable, args []reflect.Value) {
	text := c.name + "(" + describe(args...) + ")"
	h.count++
	before := allocated()
	results := h.outcome(text, func() []reflect.Value { return call(c.f, args) })
	for _, r := range results {
		if !r.IsValid() || !r.CanInterface() || huge(args) {
			continue
		}
		if err, failed := r.Interface().(error); failed && err != nil {
			h.judge(text, err)
		}
		for _, x := range anvil.TreeLeaves(r.Interface()) {
			if x.Valid() && !x.Traced() && x.Size() <= maxKept {
				h.outcome(text, func() []reflect.Value { return []reflect.Value{reflect.ValueOf(anvil.Must(0, x.Wait()))} })
			}
		}
	}
	if n := allocated() - before; n > 256<<20 {
		h.t.Errorf("%s takes %d MB", text, n>>20)
	}
}

// huge reports whether args contain a tensor that would take hours to compute.
func huge(args []reflect.Value) bool {
	return slices.ContainsFunc(args, func(a reflect.Value) bool {
		return slices.ContainsFunc(anvil.TreeLeaves(a.Interface()), func(x anvil.Tensor) bool {
			return x.Valid() && x.Size() > 1<<30
		})
	})
}

// outcome returns the results of f. If f panics, it judges the error and returns nil.
func (h *hostileCaller) outcome(text string, f func() []reflect.Value) (results []reflect.Value) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case error:
			h.judge(text, e)
		default:
			h.t.Errorf("%s panics: %v\n%s", text, e, firstLines())
		}
	}()
	return f()
}

// judge tests that the error of a call is an *anvil.Error with an operation and a reason, and without words of the
// implementation.
func (h *hostileCaller) judge(text string, err error) {
	var e *anvil.Error
	switch s := err.Error(); {
	case !errors.As(err, &e):
		h.t.Errorf("%s: %T: %v\n%s", text, err, err, firstLines())
	case e.Op == "" || e.Reason == "" || strings.Contains(s, "runtime error") || strings.Contains(s, "reflect.Value"):
		h.t.Errorf("%s: %v", text, err)
	}
}

// The values that replace arguments, by type.
var (
	wrongInts   = []int{0, 1, -1, -7, 99, 1 << 31, 1 << 40, math.MaxInt, math.MinInt}
	wrongAxes   = []anvil.Axis{0, -1, -7, 99, math.MaxInt, math.MinInt}
	wrongLists  = [][]anvil.Axis{{}, {0, 0}, {0, -1}, {-7}, {99}, {0, 1, 2, 3, 4, 5, 6, 7, 8}, {math.MinInt}}
	wrongShapes = []anvil.Shape{
		nil, {0}, {-1}, {-7}, {2, -1, -1}, {1 << 31}, {1 << 31, 1 << 31}, {1 << 31, 1 << 31, 1 << 31},
		{math.MaxInt}, {math.MinInt}, {1 << 40, 0}, {math.MaxInt, 0},
		slices.Repeat(anvil.Shape{1}, 300), slices.Repeat(anvil.Shape{2}, 70),
	}
	wrongNumbers = []float64{0, -1, math.NaN(), math.Inf(1), math.Inf(-1), 1e300, 5e-324}
	wrongTexts   = []string{
		"", "no such thing", "é\x00\xff", "->", "i,j->k", "((a b", strings.Repeat("a", 1<<12), "cpu:7", "...", "i...->i",
	}
	wrongAny = []any{
		nil, "text", -1, 99, 1 << 31, 1 << 40, math.MinInt, math.NaN(), math.Inf(1), 1e300, 2i, true, uint8(200),
		[][]int{{1}, {2, 3}}, []any{nil}, []float64{}, struct{}{}, func() {}, (*int)(nil), (*anvil.Tensor)(nil),
		[]anvil.Tensor{}, []anvil.Tensor{{}}, anvil.Slice(0, 9, 0), anvil.Slice(1<<40, -1<<40, -1),
		anvil.All, anvil.Axis(-7), anvil.Shape{-1}, dtype.Invalid, make(chan int),
	}
)

// wrongs returns values that may be wrong for a parameter of type t, whose valid argument is right. variadic reports
// whether it is the variadic parameter.
func (h *hostileCaller) wrongs(t reflect.Type, right reflect.Value, variadic bool) (wrong []reflect.Value) {
	switch {
	case t == tensorType:
		return values(t, h.tensors)
	case t == reflect.TypeFor[anvil.Shape]():
		return values(t, wrongShapes)
	case t == reflect.TypeFor[anvil.Axis]():
		return values(t, wrongAxes)
	case t == reflect.TypeFor[[]anvil.Axis]():
		return values(t, wrongLists)
	case t == reflect.TypeFor[dtype.DType]():
		return values(t, append(dtype.All(), dtype.Invalid, 200))
	case t == reflect.TypeFor[any]():
		return append(values(t, h.tensors), values(t, wrongAny)...)
	}
	wrong = append(wrong, reflect.Zero(t)) // nil or an option without effect
	switch t.Kind() {
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64, reflect.Uint64, reflect.Uint32:
		return values(t, wrongInts)
	case reflect.Float64, reflect.Float32:
		return values(t, wrongNumbers)
	case reflect.String:
		return values(t, wrongTexts)
	case reflect.Slice:
		for _, element := range h.wrongs(t.Elem(), reflect.Zero(t.Elem()), false) {
			one := reflect.Append(reflect.MakeSlice(t, 0, 1), element)
			wrong = append(wrong, one)
			if variadic || t.Elem() == tensorType { // after the valid elements
				wrong = append(wrong, reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(t, 0, 4), right), one))
			}
		}
		wrong = append(wrong, reflect.AppendSlice(reflect.AppendSlice(reflect.MakeSlice(t, 0, 4), right), right))
	case reflect.Map:
		for _, element := range h.wrongs(t.Elem(), reflect.Zero(t.Elem()), false) {
			m := reflect.MakeMap(t)
			m.SetMapIndex(reflect.Zero(t.Key()), element)
			wrong = append(wrong, m)
		}
	case reflect.Pointer:
		if t.Elem() == tensorType {
			for i := range h.tensors {
				x := h.tensors[i]
				wrong = append(wrong, reflect.ValueOf(&x))
			}
		} else if t == reflect.TypeFor[*promote.System]() {
			wrong = append(wrong, values(t, promote.Systems())...)
		}
	case reflect.Func:
		wrong = append(wrong, h.functions(t)...)
	case reflect.Struct:
		for i := range t.NumField() {
			if !t.Field(i).IsExported() {
				continue
			}
			for _, field := range h.wrongs(t.Field(i).Type, right.Field(i), false) {
				s := reflect.New(t).Elem()
				s.Set(right)
				s.Field(i).Set(field)
				wrong = append(wrong, s)
			}
		}
	case reflect.Interface:
		if t.NumMethod() > 0 {
			wrong = append(wrong, h.options(t)...)
		}
	}
	return wrong
}

// values returns the elements of vs converted to type t.
func values[V any](t reflect.Type, vs []V) (out []reflect.Value) {
	for _, v := range vs {
		x := reflect.New(t).Elem()
		if r := reflect.ValueOf(v); r.IsValid() {
			x.Set(r.Convert(t))
		}
		out = append(out, x)
	}
	return out
}

// functions returns functions of type t that return wrong tensors.
func (h *hostileCaller) functions(t reflect.Type) (out []reflect.Value) {
	for _, x := range h.tensors[:min(len(h.tensors), 12)] {
		out = append(out, reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
			results := make([]reflect.Value, t.NumOut())
			for i := range results {
				results[i] = reflect.New(t.Out(i)).Elem()
				if t.Out(i) == tensorType {
					results[i].Set(reflect.ValueOf(x))
				}
			}
			return results
		}))
	}
	return out
}

// options returns the options of type t that the packages have, and those that their functions return for wrong
// arguments.
func (h *hostileCaller) options(t reflect.Type) (out []reflect.Value) {
	for typ, made := range h.made {
		if !typ.AssignableTo(t) || typ == tensorType {
			continue
		}
		for _, m := range made {
			if m.Kind() != reflect.Func {
				out = append(out, m.Convert(t))
				continue
			}
			out = append(out, h.optionsOf(m, t)...)
		}
	}
	slices.SortStableFunc(out, func(a, b reflect.Value) int {
		return strings.Compare(fmt.Sprintf("%T", a.Interface()), fmt.Sprintf("%T", b.Interface()))
	})
	return out
}

// optionsOf returns the options that the function m returns, converted to type t, for wrong first arguments.
func (h *hostileCaller) optionsOf(m reflect.Value, t reflect.Type) (out []reflect.Value) {
	if m.Type().NumIn() == 0 || isOption(m.Type().In(0)) {
		return nil
	}
	args := make([]reflect.Value, m.Type().NumIn())
	for i := range args {
		args[i] = reflect.Zero(m.Type().In(i))
	}
	for _, wrong := range h.wrongs(m.Type().In(0), args[0], false) {
		args[0] = wrong
		h.outcome("an option", func() []reflect.Value {
			if made := call(m, args)[0]; made.Kind() != reflect.Interface || !made.IsNil() {
				out = append(out, made.Convert(t))
			}
			return nil
		})
	}
	return out
}
