package anvil

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/typename"
)

// Jit returns f as a function that runs one compiled program. f takes and returns Tensors
// and structs, slices and maps of Tensors. Each combination of the dtypes, ambiguity and
// shapes of the tensors, and of the values of other arguments, has its own program: for a
// new combination f is traced, that is, called with tensors that have no values yet.
//
// In a cell, f may read any variables and call any functions. Tensors among the variables
// become arguments of the program; f is traced again if one of the other variables, or the
// code of a function, has changed. In a Go program, a function that captures tensors is
// traced at each call, and other captured variables are constants of the trace.
//
// A number in a result of type any becomes a tensor. Called inside another traced
// function, f becomes part of that function's program.
func Jit[F any](f F) F { return Default().JitAny(f).(F) }

// JitAny is Jit for tensors of c.
func (c *Context) JitAny(f any) any {
	v := reflect.ValueOf(f)
	checkFunction("Jit", v)
	j := &jitted{ctx: c, f: v, traces: map[*Context]*traces{}}
	return makeFunc(v.Type(), j.call, "Jit", v)
}

// checkFunction panics with an *Error of op unless v is a function whose arguments and
// results can be traced.
func checkFunction(op string, v reflect.Value) {
	if v.Kind() != reflect.Func || v.IsNil() {
		name := "nil"
		if v.IsValid() {
			name = typename.Text(v.Type().String())
		}
		reason := "the argument is not a function"
		if v.Kind() == reflect.Func {
			reason = "the function is nil"
		}
		panic(&Error{Op: op, Operands: name, Reason: reason, Hint: "give a function of tensors"})
	}
	t := v.Type()
	for i := range t.NumIn() {
		if recursive(t.In(i)) {
			panic(&Error{Op: op, Operands: typename.Text(t.String()),
				Reason: "the type " + typename.Text(t.In(i).String()) + " is recursive",
				Hint:   "give a slice or a map of tensors"})
		}
	}
	for out := range t.Outs() {
		refuseHidden(op, "the result", out)
	}
}

// A jitted is a function given to Jit, with its traces.
type jitted struct {
	ctx    *Context
	f      reflect.Value
	mu     sync.Mutex // guards the map traces
	traces map[*Context]*traces

	// The number of tensors in the arguments of the latest call, and the length of its key: capacities to allocate for
	// the next call.
	leafCount, keyLength atomic.Int64
}

// A traced is the program of a function for arguments of certain types. Its hidden arguments are the tensors in the
// variables that the function reads.
type traced struct {
	ctx     *Context
	program *engine.Program
	hidden  []int           // the index of each of program.Captured in the hidden arguments; -1: a constant
	results []reflect.Value // the results of f, with unfilled in place of tensors
	faults  []error         // the program returns a bool for each after the tensors: true if the fault occurred
	flags   []resultFlag    // one for each tensor of results
	stale   bool            // the program captures tensors that are not hidden arguments, so f is traced at each call
	kept    []reflect.Value // functions whose addresses are in the key, kept so that no other function gets the address
}

// unfilled stands for a tensor of a result until a call fills it in.
var unfilled = Tensor{t: &tensor{}}

// A resultFlag is the ambiguity and the record, for Why, of a tensor in a result.
type resultFlag struct {
	ambiguous bool
	why       *record
}

// call returns f(args...), computed by its program.
func (j *jitted) call(args []reflect.Value) []reflect.Value {
	in := j.inputs(args)
	if in.ctx.session.Watching() {
		return j.direct(args)
	}
	isTraced := func(x Tensor) bool { return x.t.arr.Traced() }
	if slices.ContainsFunc(in.leaves, isTraced) || slices.ContainsFunc(in.hidden, isTraced) {
		return j.direct(args)
	}
	arrs := make([]engine.Array, len(in.leaves))
	for i, x := range in.leaves {
		arrs[i] = x.t.arr
	}
	t := j.trace(args, in)
	if slices.ContainsFunc(t.program.Captured, engine.Array.Traced) { // record the call in the trace of these arrays
		c := &tracedCall{derivative: &derivative{ctx: j.ctx, op: "Jit", f: j.f}, traced: t, arrays: arrs}
		return c.allResults(c.call(t.program.Graph))
	}
	out, err := t.run(arrs, in.hidden)
	if err != nil {
		panic(asError("Jit", in.types(), err))
	}
	return t.fill(in.ctx, out)
}

// direct calls f without a program of its own, as part of another trace or with each operation checked for NaNs.
func (j *jitted) direct(args []reflect.Value) []reflect.Value {
	out := callFunction(j.f, args)
	for i, v := range out {
		out[i] = tensorize(j.ctx.Lib, v)
	}
	return out
}

// callFunction returns f(args...). The last argument of a variadic f is a slice.
func callFunction(f reflect.Value, args []reflect.Value) []reflect.Value {
	if f.Type().IsVariadic() {
		return f.CallSlice(args)
	}
	return f.Call(args)
}

// inputs are the arguments of a call, with the key of its trace.
type inputs struct {
	ctx   *Context
	known bool // Context.reads knows the variables and functions that the function depends on
	signature
	space [64]byte // memory for the key if it is short
}

// types returns the types of the tensors, for errors.
func (in *inputs) types() string {
	words := make([]string, len(in.leaves))
	for i, x := range in.leaves {
		words[i] = describe(x)
	}
	return strings.Join(words, ", ")
}

// inputs returns args as inputs. It panics with an *Error if an argument of type Tensor or
// []Tensor holds the zero Tensor, or if tensors belong to different contexts.
func (j *jitted) inputs(args []reflect.Value) *inputs {
	in := &inputs{signature: signature{budget: maxValueParts, leaves: make([]Tensor, 0, j.leafCount.Load())}}
	if r := j.ctx.reads.Load(); r != nil {
		in.reads = *r
	}
	in.key = in.space[:0]
	if n := int(j.keyLength.Load()); n > len(in.space) {
		in.key = make([]byte, 0, n)
	}
	for i, a := range args {
		switch a.Type() {
		case tensorType:
			refuseZero(a.Interface().(Tensor), i, "")
		case tensorsType:
			for k, x := range a.Interface().([]Tensor) {
				refuseZero(x, i, "["+itoa(k)+"]")
			}
		}
		in.signature.add(a)
	}
	j.leafCount.Store(int64(len(in.leaves)))
	for _, x := range in.leaves {
		in.joinContext(x)
	}
	in.known = in.addDependencies(j.f)
	if in.known {
		in.appendAliases()
	}
	if in.ctx == nil {
		in.ctx = j.ctx
	}
	in.key = in.ctx.appendSettings(in.key)
	j.keyLength.Store(int64(len(in.key)))
	return in
}

// refuseZero panics if x, at the given path of argument i, is the zero Tensor.
func refuseZero(x Tensor, i int, path string) {
	if x.t == nil {
		panic(&Error{Op: "Jit", Operands: fmt.Sprintf("argument %d%s", i, path),
			Reason: "this is a Tensor that has not been set", Hint: "give every tensor a value"})
	}
}

// appendAliases appends to the key which hidden tensors share an array: the trace captures
// that array once, but in another call the tensors may have different arrays.
func (in *inputs) appendAliases() {
	if len(in.hidden) < 2 {
		return
	}
	first := make(map[engine.Array]int, len(in.hidden))
	for i, x := range in.hidden {
		if at, again := first[x.t.arr]; again {
			in.word('=', uint64(i))
			in.word('=', uint64(at))
		} else {
			first[x.t.arr] = i
		}
	}
}

// joinContext sets the context to that of x. It panics if the context is already set to another one.
func (in *inputs) joinContext(x Tensor) {
	if in.ctx != nil && in.ctx != x.t.ctx {
		panic(&Error{Op: "Jit", Operands: describe(x), Reason: "the tensors belong to two contexts",
			Hint: "make all tensors in one Context"})
	}
	in.ctx = x.t.ctx
}

// trace returns the program for in, the inputs of a call with args. It traces f unless a
// trace for the key of in is kept.
func (j *jitted) trace(args []reflect.Value, in *inputs) *traced {
	cache := &in.ctx.traces
	if !in.known {
		cache = j.tracesIn(in.ctx)
	}
	if t := cache.get(in.key); t != nil && !in.opaque {
		return t
	}
	t := traceFunction(in.ctx, "Jit", j.f, args, in.hidden, 0)
	if !t.stale && !in.opaque && (in.known || in.reads == nil) {
		t.kept = in.kept
		cache.put(in.key, t)
	}
	return t
}

// tracesIn returns the traces of j for tensors of ctx.
func (j *jitted) tracesIn(ctx *Context) *traces {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.traces[ctx] == nil {
		j.traces[ctx] = &traces{most: maxTraces}
	}
	return j.traces[ctx]
}

// traces is a cache of traced functions by the keys of their inputs.
type traces struct {
	mu   sync.Mutex
	most int // the number of traces at which the cache is emptied
	all  map[string]*traced
}

// maxTraces is the number of traces at which the cache of a function is emptied.
const maxTraces = 100

func (ts *traces) get(key []byte) *traced {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	return ts.all[string(key)]
}

func (ts *traces) put(key []byte, t *traced) {
	ts.mu.Lock()
	defer ts.mu.Unlock()
	if ts.all == nil || len(ts.all) >= ts.most {
		ts.all = map[string]*traced{}
	}
	ts.all[string(key)] = t
}

// traceFunction returns the program of f for args, recorded by calling f with parameters
// in place of tensors. In the first valued of the arguments, parameters keep the values of
// their tensors. hidden are the hidden arguments. Panics name the operation op.
func traceFunction(
	ctx *Context, op string, f reflect.Value, args []reflect.Value, hidden []Tensor, valued int) *traced {
	defer ctx.recording()()
	defer ctx.timeTrace()()
	tr := ctx.session.NewTrace()
	defer tr.Record()()
	params := make([]reflect.Value, len(args))
	for i, a := range args {
		params[i] = rebuild(a, func(x Tensor) Tensor {
			if x.t == nil {
				return x
			}
			return parameterLike(ctx, tr, x, i < valued)
		})
	}
	t := &traced{ctx: ctx}
	var outs []engine.Array
	for _, v := range callFunction(f, params) {
		v = tensorize(ctx.Lib, v)
		isTensor := v.IsValid() && v.Type() == tensorType // not a struct, slice or map of tensors
		t.results = append(t.results, rebuild(v, func(x Tensor) Tensor {
			if x.t == nil && !isTensor {
				return x
			}
			y := x.must(op)
			if y.ctx != ctx {
				panic(&Error{Op: op, Operands: describe(x), Reason: "the function returns a tensor of another context",
					Hint: "make all tensors in one Context"})
			}
			outs = append(outs, y.arr)
			flag := resultFlag{ambiguous: y.amb}
			if y.why != nil {
				why := *y.why // a copy: a pointer into y would keep the trace in memory
				flag.why = &why
			}
			t.flags = append(t.flags, flag)
			return unfilled
		}))
	}
	for _, f := range tr.Faults() {
		outs, t.faults = append(outs, f.When), append(t.faults, f.Err)
	}
	program, err := tr.Finish("main", outs)
	if err != nil {
		panic(asError(op, "", err))
	}
	t.program = program
	t.matchCaptured(tr, hidden)
	return t
}

// parameterLike returns a parameter of tr with the type and ambiguity of x, and with the
// value of x if value is true.
func parameterLike(ctx *Context, tr *engine.Trace, x Tensor, value bool) Tensor {
	p := &tensor{ctx: ctx, amb: x.t.amb, unchecked: x.t.unchecked}
	if value {
		p.arr = tr.ParamOf(x.t.arr)
	} else {
		p.arr = tr.Param(x.t.arr.Type())
	}
	p.arr.Mark(p.amb)
	return Tensor{t: p}
}

// matchCaptured finds the hidden arguments among the arrays that the program captured.
// The trace is stale if it captured another array that is older than the trace.
func (t *traced) matchCaptured(tr *engine.Trace, hidden []Tensor) {
	for _, a := range t.program.Captured {
		at := -1
		for i, h := range hidden {
			if h.t.arr.Same(a) {
				at = i
			}
		}
		t.hidden = append(t.hidden, at)
		t.stale = t.stale || at < 0 && a.OlderThan(tr)
	}
}

// run runs the program on args and the current hidden arguments.
func (t *traced) run(args []engine.Array, hidden []Tensor) ([]engine.Array, error) {
	captured := make([]engine.Array, len(t.hidden))
	for i, at := range t.hidden {
		captured[i] = t.program.Captured[i]
		if at >= 0 {
			captured[i] = hidden[at].t.arr
		}
	}
	out, err := t.program.CallWith(args, captured)
	if err != nil {
		return nil, err
	}
	return out, t.fault(out[len(out)-len(t.faults):])
}

// fault returns the error of the first fault whose bool in bad is true, or nil.
func (t *traced) fault(bad []engine.Array) error {
	for i, err := range t.faults {
		data, failed := (&tensor{ctx: t.ctx, arr: bad[i]}).read()
		if failed != nil {
			return failed
		}
		if dtype.GetBool(data, dtype.I1) {
			return err
		}
	}
	return nil
}

// fill returns the results of the function with tensors made from the arrays out.
func (t *traced) fill(ctx *Context, out []engine.Array) []reflect.Value {
	results := make([]reflect.Value, len(t.results))
	flags := t.flags
	for i, r := range t.results {
		results[i], out, flags = fillResult(ctx, r, out, flags)
	}
	return results
}

// fillResult returns r, a traced result, with tensors made from the leading elements of out and flags, and the
// remaining elements of out and flags.
func fillResult(ctx *Context, r reflect.Value, out []engine.Array, flags []resultFlag) (
	reflect.Value, []engine.Array, []resultFlag) {
	at := 0
	r = rebuild(r, func(y Tensor) Tensor {
		if y.t == nil {
			return y
		}
		x := &tensor{ctx: ctx, arr: out[at], amb: flags[at].ambiguous, why: flags[at].why}
		x.arr.Mark(x.amb)
		at++
		return Tensor{t: x}
	})
	return r, out[at:], flags[at:]
}

// tensorize returns v with each number in an interface, as in an []any, converted to a
// literal tensor.
func tensorize(l *Lib, v reflect.Value) reflect.Value {
	if !v.IsValid() || !holdsTensors(v.Type()) || v.Type() == tensorType {
		return v
	}
	out := reflect.New(v.Type()).Elem()
	switch v.Kind() {
	case reflect.Interface:
		if v.IsNil() {
			return v
		}
		if _, ok := dtype.Of(v.Interface()); ok {
			out.Set(reflect.ValueOf(l.Lit(v.Interface())))
			return out
		}
		out.Set(tensorize(l, v.Elem()))
		return out
	case reflect.Slice, reflect.Array:
		if v.Kind() == reflect.Slice {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		}
		for i := range v.Len() {
			out.Index(i).Set(tensorize(l, v.Index(i)))
		}
		return out
	case reflect.Map:
		if v.IsNil() {
			return v
		}
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for _, k := range v.MapKeys() {
			out.SetMapIndex(k, tensorize(l, v.MapIndex(k)))
		}
		return out
	case reflect.Struct:
		out.Set(v)
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(tensorize(l, v.Field(i)))
			}
		}
		return out
	}
	return v
}
