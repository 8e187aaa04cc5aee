package universe_test

import (
	"context"
	"encoding/binary"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
	"github.com/goanvil/notebook/interp/universe"
)

var seeds = flag.Uint64("seeds", 24, "the number of seeds of FuzzFacade without -fuzz")

// FuzzFacade calls the functions and methods of packages anvil and random that a cell can call. Its data decide which,
// and with which operands and options. Some fit and some do not: wrong ranks, dtypes, axes and shapes, lengths of 0,
// of 2^31 and below 0. Each call must return a result or panic with an *anvil.Error that names the operation, and must
// not take much memory. Its results must be computed without a crash. Without -fuzz, FuzzFacade runs with the data of
// a few seeds; see -seeds.
//
// With -fuzz, it does not minimize inputs, which would take a minute each and does not help to find crashes. Package
// testing ends a worker whose input takes 10 seconds, without an explanation, and a plugin takes seconds to compile a
// program. Therefore the fuzzer gives up an input after inputTime.
func FuzzFacade(f *testing.F) {
	setUnlessGiven("test.fuzzminimizetime", "1x")
	for seed := range *seeds {
		r := rand.New(rand.NewPCG(seed, 1))
		data := make([]byte, 3000)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(seed%4 == 0, data)
	}
	f.Fuzz(func(t *testing.T, plugin bool, data []byte) {
		backend := "reference"
		if plugin {
			backend = ""
		}
		z := newFuzzer(t, backend, data)
		defer z.ctx.Close()
		z.run()
	})
}

// setUnlessGiven sets a flag that the command line does not set.
func setUnlessGiven(name, value string) {
	given := false
	flag.Visit(func(f *flag.Flag) { given = given || f.Name == name })
	if !given {
		_ = flag.Set(name, value)
	}
}

// A fuzzer makes random calls. It draws them from data: each drawn number consumes two bytes.
type fuzzer struct {
	t     *testing.T
	ctx   *anvil.Context
	data  []byte
	calls []callable
	made  map[reflect.Type][]reflect.Value // values of the packages by type, and functions by result type
	libs  []*anvil.Lib                     // of the systems that compute
	pool  []anvil.Tensor                   // operands
	deep  int                              // the depth of nested calls of value
}

// A callable is a function, or a method of Lib or Tensor.
type callable struct {
	name string
	f    reflect.Value // the function; not valid for a method
	of   reflect.Type  // the receiver type of a method; nil for a function
}

// traceFile is a file for this process in the folder FUZZ_TRACE, or nil if that is not set. It gets the calls of the
// process and the report of a crash, since the output of workers is lost.
var traceFile = func() *os.File {
	folder := os.Getenv("FUZZ_TRACE")
	if folder == "" {
		return nil
	}
	f, err := os.Create(filepath.Join(folder, fmt.Sprint(os.Getpid())))
	if err == nil {
		err = debug.SetCrashOutput(f, debug.CrashOptions{})
	}
	if err != nil {
		panic(err)
	}
	return f
}()

// excluded has functions that are not called: they affect more than their results, or, like loops with random
// conditions and lengths, may not end.
var excluded = map[string]bool{"Close": true, "Default": true, "NewContext": true, "SetInterrupt": true, "Context": true,
	"WhileAny": true, "ForIAny": true, "ScanAny": true, "MustAny": true, "Must": true, "Try": true}

// isExcluded reports whether the named function is not called.
func isExcluded(name string) bool {
	hasPrefix := func(prefix string) bool { return strings.HasPrefix(name, prefix) }
	return excluded[name] || slices.ContainsFunc([]string{"Read", "Write", "Load", "Save"}, hasPrefix)
}

var (
	tensorType = reflect.TypeFor[anvil.Tensor]()
	libType    = reflect.TypeFor[*anvil.Lib]()
	keyType    = reflect.TypeFor[random.PRNGKey]()
)

// newFuzzer returns a fuzzer with a new context for a backend.
func newFuzzer(t *testing.T, backend string, data []byte) *fuzzer {
	return newFuzzerIn(t, anvil.NewContext(anvil.ContextOptions{Backend: backend}), data)
}

// newFuzzerIn returns a fuzzer for a context.
func newFuzzerIn(t *testing.T, ctx *anvil.Context, data []byte) *fuzzer {
	z := &fuzzer{t: t, data: data, ctx: ctx, made: map[reflect.Type][]reflect.Value{}}
	for _, s := range promote.Systems() {
		_ = anvil.Try(func() { z.libs = append(z.libs, z.ctx.With(s)) })
	}
	u := universe.WithReceivers(map[string]any{
		universe.Module + "/anvil": z.ctx, universe.Module + "/anvil/random": random.In(z.ctx),
	})
	z.add("", u.Symbols("anvil"))
	z.add("random.", u.Symbols("anvil/random"))
	for _, of := range []reflect.Type{libType, tensorType} {
		for i := range of.NumMethod() {
			if name := of.Method(i).Name; !isExcluded(name) && name != "Format" {
				z.calls = append(z.calls, callable{name: name, of: of})
			}
		}
	}
	return z
}

// add adds the functions of a package to z.calls, and its values and functions to z.made.
func (z *fuzzer) add(prefix string, symbols map[string]reflect.Value) {
	for _, name := range slices.Sorted(maps.Keys(symbols)) {
		v := symbols[name]
		switch {
		case isExcluded(name) || v.Kind() == reflect.Pointer && v.IsNil(): // a type
		case v.Kind() == reflect.Func && takesInternals(v.Type()):
		case v.Kind() == reflect.Func:
			z.calls = append(z.calls, callable{name: prefix + name, f: v})
			if v.Type().NumOut() == 1 {
				z.made[v.Type().Out(0)] = append(z.made[v.Type().Out(0)], v)
			}
		default:
			z.made[v.Type()] = append(z.made[v.Type()], v)
		}
	}
}

// takesInternals reports whether f has a parameter that only the library can provide: f is an option that is a
// function itself.
func takesInternals(f reflect.Type) bool {
	for in := range f.Ins() {
		if in.Kind() == reflect.Pointer && in.Elem() != tensorType && in.Elem() != reflect.TypeFor[promote.System]() {
			return true
		}
	}
	return false
}

// below draws a number below n.
func (z *fuzzer) below(n int) int {
	if len(z.data) < 2 {
		z.data = nil
		return 0
	}
	k := int(binary.LittleEndian.Uint16(z.data))
	z.data = z.data[2:]
	return k % n
}

// pick draws an element of from.
func pick[T any](z *fuzzer, from ...T) T { return from[z.below(len(from))] }

const (
	inputTime = 3 * time.Second // for each input with -fuzz
	poolSize  = 12
	maxKept   = 1 << 12 // the greatest size of tensors that are computed
)

// run makes calls until the data or the time is used up.
func (z *fuzzer) run() {
	limit, fuzzing := 5*time.Minute, flag.Lookup("test.fuzz").Value.String() != ""
	if fuzzing {
		limit = inputTime
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	z.ctx.SetInterrupt(ctx)
	for range poolSize {
		z.pool = append(z.pool, z.small())
	}
	for step := 1; len(z.data) > 0 && ctx.Err() == nil; step++ {
		z.step()
		if step%8 == 0 || len(z.data) == 0 {
			z.compute()
		}
	}
	if ctx.Err() != nil && !fuzzing {
		z.t.Fatalf("the calls do not end within %v", limit)
	}
}

// step makes one call.
func (z *fuzzer) step() {
	c := z.calls[z.below(len(z.calls))]
	f := c.f
	text := c.name
	switch c.of {
	case libType:
		l := pick(z, z.libs...)
		f, text = reflect.ValueOf(l).MethodByName(c.name), l.System().Name()+"."+c.name
	case tensorType:
		x := z.tensor()
		f, text = reflect.ValueOf(x).MethodByName(c.name), fmt.Sprintf("%s.%s", describe(x), c.name)
	}
	args := z.arguments(f.Type())
	text += "(" + describe(args...) + ")"
	if traceFile != nil {
		fmt.Fprintln(traceFile, text)
	}
	before := allocated()
	results := z.call(text, func() []reflect.Value {
		if len(args) > 0 && z.below(5) == 0 {
			return z.jitted(f, args)
		}
		return call(f, args)
	})
	if n := allocated() - before; n > 256<<20 {
		z.t.Fatalf("%s takes %d MB", text, n>>20)
	}
	z.keep(results)
}

// call calls f, whose last argument is a slice if f is variadic.
func call(f reflect.Value, args []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// jitted calls f in a function that is traced by JitAny. The arguments that are tensors are traced.
func (z *fuzzer) jitted(f reflect.Value, args []reflect.Value) []reflect.Value {
	var given []any
	for _, a := range args {
		given = append(given, a.Interface())
	}
	traced := z.ctx.JitAny(func(given []any) []any {
		var out []any
		in := slices.Clone(args)
		for i, a := range given {
			if a != nil && reflect.TypeOf(a).AssignableTo(in[i].Type()) {
				in[i] = reflect.New(in[i].Type()).Elem()
				in[i].Set(reflect.ValueOf(a))
			}
		}
		for _, r := range call(f, in) {
			if x, ok := r.Interface().(anvil.Tensor); ok && x.Valid() && x.Size() <= maxKept {
				out = append(out, x)
			}
		}
		return out
	}).(func([]any) []any)
	return []reflect.Value{reflect.ValueOf(traced(given))}
}

// call runs f, which makes the call that text describes. The call may panic, but only with an *anvil.Error that names
// the operation.
func (z *fuzzer) call(text string, f func() []reflect.Value) (results []reflect.Value) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *anvil.Error:
			if e.Op == "" {
				z.t.Fatalf("%s: the error names no operation: %v", text, e)
			}
		default:
			z.t.Errorf("%s: %T: %v\n%s", text, e, e, firstLines())
		}
	}()
	return f()
}

// firstLines returns the innermost positions of a panic in packages of the library.
func firstLines() string {
	var lines []string
	for line := range strings.Lines(string(debug.Stack())) {
		if strings.Contains(line, ".go:") && strings.Contains(line, "/anvil/") {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines[:min(len(lines), 6)], "")
}

// keep puts the small tensors among results into the pool of operands.
func (z *fuzzer) keep(results []reflect.Value) {
	for _, r := range results {
		if !r.IsValid() || !r.CanInterface() {
			continue
		}
		for _, x := range anvil.TreeLeaves(r.Interface()) {
			if x.Valid() && !x.Traced() && x.Context() == z.ctx && x.Size() <= maxKept {
				z.pool[z.below(len(z.pool))] = x
			}
		}
	}
}

// compute computes all operands at once, as the end of a cell does.
func (z *fuzzer) compute() {
	if err := z.ctx.EndCell(z.pool); err != nil {
		var e *anvil.Error
		if !errors.As(err, &e) {
			z.t.Fatalf("the end of the cell: %T: %v", err, err)
		}
	}
	for i, x := range z.pool {
		if err := x.Wait(); err != nil {
			var e *anvil.Error
			if !errors.As(err, &e) {
				z.t.Fatalf("Wait(%s): %T: %v", describe(x), err, err)
			}
			z.pool[i] = z.small()
		}
	}
}

// lengths are lengths that rarely fit.
var lengths = []int{0, 1, 2, 3, 4, 5, 7, -1, -2, 1 << 31, 1<<31 - 1, 1 << 40, math.MaxInt, math.MinInt}

// length draws a length that mostly fits.
func (z *fuzzer) length() int {
	if z.below(12) > 0 {
		return z.below(4)
	}
	return pick(z, lengths...)
}

// small draws a tensor with few elements.
func (z *fuzzer) small() anvil.Tensor {
	s := make(anvil.Shape, z.below(4))
	for i := range s {
		s[i] = pick(z, 1, 2, 3, 0, 2, 3)
	}
	d := pick(z, append(dtype.All(), anvil.F32, anvil.I32, anvil.I1, anvil.F32, anvil.I32)...)
	v := pick[any](z, 1, 0, -1, 2.5, math.NaN(), math.Inf(1), 300, true)
	x := z.ctx.Zeros(s)
	_ = anvil.Try(func() { x = z.ctx.Full(s, v).AsType(d) })
	if z.below(3) == 0 && len(s) > 0 {
		_ = anvil.Try(func() { x = z.ctx.Iota(s, 0).AsType(d) })
	}
	return x
}

// tensor draws an operand.
func (z *fuzzer) tensor() anvil.Tensor {
	if z.below(25) == 0 {
		return anvil.Tensor{}
	}
	return z.pool[z.below(len(z.pool))]
}

// arguments draws arguments of f.
func (z *fuzzer) arguments(f reflect.Type) []reflect.Value {
	args := make([]reflect.Value, f.NumIn())
	for i := range args {
		args[i] = z.value(f.In(i))
	}
	return args
}

// value draws a value of type t.
func (z *fuzzer) value(t reflect.Type) reflect.Value {
	v := reflect.New(t).Elem()
	z.deep++
	defer func() { z.deep-- }()
	if z.deep > 6 {
		return v
	}
	if t == keyType && z.below(20) > 0 {
		return reflect.ValueOf(random.In(z.ctx).Key(z.below(100)))
	}
	if t != tensorType && t.Name() != "" && t.Kind() != reflect.String && z.below(4) == 0 {
		if made, ok := z.make(t); ok {
			v.Set(made)
			return v
		}
	}
	switch t.Kind() {
	case reflect.Struct:
		if t == tensorType {
			v.Set(reflect.ValueOf(z.tensor()))
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		n := z.length()
		if n > 1<<20 && n < 1<<40 { // lengths in between fit in memory, but take gigabytes of it
			n = 1 << 40
		}
		v.SetInt(int64(n))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		v.SetUint(uint64(z.below(40)))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(pick(z, 0, 1, -1, 0.5, 1e30, math.NaN(), math.Inf(-1)))
	case reflect.Complex128:
		v.SetComplex(complex(1, 2))
	case reflect.Bool:
		v.SetBool(z.below(2) == 0)
	case reflect.String:
		v.SetString(pick(z, "", "torch", "ij,jk->ik", "ij->ji", "i i -> i", "a b -> (a b)", "a b -> b a", "cpu", "cpu:7",
			"xy", "highest", "sum", "floor", "float32", "é\x00"))
	case reflect.Slice:
		for range z.below(4) {
			if x := z.value(t.Elem()); !isOption(t.Elem()) || !x.IsNil() {
				v.Set(reflect.Append(v, x))
			}
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(t))
		for range z.below(3) {
			v.SetMapIndex(z.value(t.Key()), z.value(t.Elem()))
		}
	case reflect.Pointer:
		if t.Elem() == tensorType && z.below(10) > 0 {
			x := z.tensor()
			v.Set(reflect.ValueOf(&x))
		} else if t == reflect.TypeFor[*promote.System]() {
			v.Set(reflect.ValueOf(pick(z, promote.Systems()...)))
		} else if made, ok := z.make(t); ok {
			v.Set(made)
		}
	case reflect.Func:
		v.Set(z.function(t))
	case reflect.Interface:
		if t == reflect.TypeFor[reflect.Type]() {
			v.Set(reflect.ValueOf(pick(z,
				reflect.TypeFor[float64](), reflect.TypeFor[int8](), reflect.TypeFor[string](), tensorType)))
		} else if t.NumMethod() == 0 {
			if x := z.operand(); x != nil {
				v.Set(reflect.ValueOf(x))
			}
		} else if made, ok := z.make(t); ok {
			v.Set(made)
		}
	}
	return v
}

// isOption reports whether t is an interface type of options. Its nil value is not an option.
func isOption(t reflect.Type) bool { return t.Kind() == reflect.Interface && t.NumMethod() > 0 }

// make draws a value that is assignable to t: a value of the packages, or the result of one of their functions. It
// returns false if there is none, or if the function fails.
func (z *fuzzer) make(t reflect.Type) (reflect.Value, bool) {
	var fit []reflect.Value
	types := make([]reflect.Type, 0, len(z.made))
	for made := range z.made {
		if made.AssignableTo(t) && made != tensorType {
			types = append(types, made)
		}
	}
	slices.SortFunc(types, func(a, b reflect.Type) int { return strings.Compare(a.String(), b.String()) })
	for _, typ := range types {
		fit = append(fit, z.made[typ]...)
	}
	if len(fit) == 0 {
		return reflect.Value{}, false
	}
	m := fit[z.below(len(fit))]
	if m.Kind() != reflect.Func {
		return m, true
	}
	var out reflect.Value
	err := anvil.Try(func() { out = call(m, z.arguments(m.Type()))[0] })
	return out, err == nil && out.IsValid() && !(out.Kind() == reflect.Interface && out.IsNil())
}

// operand draws an argument for a parameter of type any.
func (z *fuzzer) operand() any {
	switch z.below(16) {
	case 0:
		return pick[any](z, 2, -3, 0, math.MaxInt, math.MinInt, uint8(7), int64(1)<<40, 'x')
	case 1:
		return pick[any](z, 0.5, 1e300, math.NaN(), math.Inf(1), float32(2), true, 2i, complex64(1))
	case 2:
		return pick[any](z,
			nil, "text", struct{}{}, []string{"a"}, map[string]int{}, func() {}, make(chan int), (*int)(nil))
	case 3:
		return pick[any](z, []float64{1, 2}, [][]int{{1, 2}, {3, 4}}, [][]int{{1}, {2, 3}}, []any{1, 2.5}, []any{},
			[]bool{true}, [2]int8{1, 2}, []any{nil})
	case 4:
		return []anvil.Tensor{z.tensor(), z.tensor()}
	case 5:
		return pick[any](z, anvil.All, anvil.Range(0, 2), anvil.Slice(0, 9, 2), anvil.Slice(3, 0, -1),
			anvil.Slice(1<<31, 0, 0), anvil.F32, anvil.Axis(1), anvil.Shape{2, 1 << 31})
	case 6:
		return z.function(pick(z,
			reflect.TypeFor[func() anvil.Tensor](), reflect.TypeFor[func(anvil.Tensor) anvil.Tensor](),
			reflect.TypeFor[func(a, b anvil.Tensor) anvil.Tensor](), reflect.TypeFor[func([]anvil.Tensor) []anvil.Tensor]())).Interface()
	}
	return z.tensor()
}

// function returns a function of type t. Each of its results is one of its arguments or drawn.
func (z *fuzzer) function(t reflect.Type) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		out := make([]reflect.Value, t.NumOut())
		for i := range out {
			out[i] = z.value(t.Out(i))
			for _, a := range args {
				if a.Type() == t.Out(i) && z.below(3) > 0 {
					out[i] = a
				}
			}
		}
		return out
	})
}

// describe returns a short text for each of xs.
func describe[T any](xs ...T) string {
	words := make([]string, len(xs))
	for i, x := range xs {
		var v any = x
		if r, ok := v.(reflect.Value); ok {
			v = nil
			if r.IsValid() && r.CanInterface() {
				v = r.Interface()
			}
		}
		if t, ok := v.(anvil.Tensor); ok && t.Valid() {
			words[i] = t.Typed().String() + t.Shape().String()
		} else {
			words[i] = fmt.Sprintf("%#v", v)
		}
		if len(words[i]) > 200 {
			words[i] = words[i][:200] + "..."
		}
	}
	return strings.Join(words, ", ")
}

// allocated returns how many bytes the process has allocated on the Go heap in all.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
