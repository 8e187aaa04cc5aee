package compile

import (
	"encoding/binary"
	"go/types"
	"reflect"
	"slices"
	"strings"
	"unsafe"

	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/goanvil/notebook/interp/check"
)

// references are the objects that a function refers to, other than its captured variables. Reads uses them.
type references struct {
	variables []cellVariable
	functions []*function // functions and methods at cell level
	codes     []*code     // the codes of function literals, wrappers and instances
	methods   []string    // the methods called through interfaces, each as a dot and the name
	anyMethod bool        // the function passes an interface value to a package, which may call any method of the value

	params, captured []string // the names of the parameters and of the captured variables
}

// A cellVariable is a variable at cell level and its type.
type cellVariable struct {
	variable *variable
	typ      reflect.Type
	name     string // the author's name
}

// recordReferences sets the references of b.code.
func (b *builder) recordReferences() {
	refs := &b.code.references
	for _, p := range b.fn.Params {
		refs.params = append(refs.params, p.Name())
	}
	for _, v := range b.fn.FreeVars {
		refs.captured = append(refs.captured, v.Name())
	}
	seen := map[ssa.Value]bool{}
	var boxed typeutil.Map
	for _, bb := range b.fn.Blocks {
		check.Poll(b.p.src.Ctx)
		for _, in := range bb.Instrs {
			var buffer [8]*ssa.Value
			for _, x := range in.Operands(buffer[:0]) {
				if *x == nil || seen[*x] {
					continue
				}
				seen[*x] = true
				switch v := (*x).(type) {
				case *ssa.Global:
					if name := b.p.src.Engine(v.Object()); name != "" {
						authorName, _, _ := strings.Cut(v.Object().Name(), check.Mark)
						typ := b.inner(v.Object().Type())
						refs.variables = append(refs.variables, cellVariable{b.s.variable(name), typ, authorName})
					}
				case *ssa.Function:
					if b.isRedefinable(v) {
						refs.functions = append(refs.functions, b.cellFunction(v))
					} else if b.hasBody(v) {
						refs.codes = append(refs.codes, b.p.want(v))
					}
				}
			}
			switch in := in.(type) {
			case *ssa.MakeInterface:
				if t := in.X.Type(); boxed.Set(t, true) == nil {
					b.referToMethods(t)
				}
			case ssa.CallInstruction:
				b.referToCallee(in.Common())
			}
		}
	}
}

// referToMethods records the methods of t that cells declare. A value of type t is in an interface, through which they
// may be called.
func (b *builder) referToMethods(t types.Type) {
	for sel := range types.NewMethodSet(t).Methods() {
		f := sel.Obj().(*types.Func).Origin()
		if !check.IsCell(f.Pkg()) || types.IsInterface(f.Signature().Recv().Type()) {
			continue
		}
		if named, _ := namedOf(sel.Obj().(*types.Func).Signature().Recv().Type()); named != nil {
			b.code.references.functions = append(b.code.references.functions, b.s.method(b.s.Table.Key(named)+"."+f.Name()))
		}
	}
}

// referToCallee records the methods that a call may run: the method of a call through an interface, or the methods of
// arguments that a package may call.
func (b *builder) referToCallee(call *ssa.CallCommon) {
	refs := &b.code.references
	if call.IsInvoke() {
		refs.methods = append(refs.methods, "."+call.Method.Name())
		return
	}
	fn, ok := call.Value.(*ssa.Function)
	if !ok || b.isRedefinable(fn) || b.hasBody(fn) {
		return
	}
	for _, arg := range call.Args {
		switch arg.(type) {
		case *ssa.MakeInterface, *ssa.Const:
			continue // referToMethods records the methods
		}
		if types.IsInterface(arg.Type()) && arg.Type() != types.Universe.Lookup("error").Type() {
			refs.anyMethod = true
		}
	}
}

// Reads returns what the results of f, a function of a cell, depend on in addition to the arguments. code identifies f
// and all functions that f may call, and values are the values of the variables that they read. If one of the values is
// a function, Reads does not examine what that function reads. ok is false if f is not a function of a cell.
func Reads(f reflect.Value) (code string, values []reflect.Value, ok bool) {
	if f.Kind() != reflect.Func || f.IsNil() {
		return "", nil, false
	}
	c := closureAt(funcPointer(f))
	if c == nil {
		return "", nil, false
	}
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.late != nil && c.late.code.Load() == nil {
		return "", nil, false
	}
	now := c.current()
	r := c.s.reachOf(now)
	values = make([]reflect.Value, 0, len(c.vars)+len(r.variables))
	for i, p := range c.vars {
		in := &now.captured[i]
		if in.class == pointerClass {
			p = unsafe.Pointer(&c.vars[i])
		}
		v := reflect.NewAt(in.typ, p).Elem()
		if !now.isWrapper { // v is the address of a captured variable; a wrapper holds the receiver itself
			v = v.Elem()
		}
		values = append(values, v)
	}
	for _, v := range r.variables {
		values = append(values, reflect.NewAt(v.typ, v.variable.addr).Elem())
	}
	return r.code, values, true
}

// Names returns the names of the parameters of f, a function of a cell, and of the variables whose values Reads
// returns, in the same order. It returns nil for other functions.
func Names(f reflect.Value) (params, variables []string) {
	if _, _, ok := Reads(f); !ok {
		return nil, nil
	}
	c := closureAt(funcPointer(f))
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	now := c.current()
	variables = slices.Clone(now.references.captured)
	for _, v := range c.s.reachOf(now).variables {
		variables = append(variables, v.name)
	}
	return now.references.params, variables
}

// A reach is what a function refers to, directly or through functions that it calls.
type reach struct {
	generation int    // of the session when the reach was computed
	code       string // identifies the functions
	variables  []cellVariable
}

// reachOf returns the reach of c. The result is kept in c until another cell runs.
func (s *Session) reachOf(c *code) *reach {
	if c.reach != nil && c.reach.generation == s.generation {
		return c.reach
	}
	w := &reachWalk{s: s, codes: map[*code]bool{}, variables: map[*variable]bool{}}
	w.visit(c)
	c.reach = &reach{s.generation, string(w.code), w.found}
	return c.reach
}

// A reachWalk visits the functions that a function may call, to collect its reach.
type reachWalk struct {
	s         *Session
	codes     map[*code]bool
	variables map[*variable]bool
	code      []byte
	found     []cellVariable
}

// visit adds c, and all functions that c may call, to the walk.
func (w *reachWalk) visit(c *code) {
	if c == nil || w.codes[c] {
		return
	}
	w.codes[c] = true
	w.code = binary.AppendUvarint(w.code, uint64(c.index))
	refs := &c.references
	for _, v := range refs.variables {
		if v.variable.addr != nil && !w.variables[v.variable] {
			w.variables[v.variable] = true
			w.found = append(w.found, v)
		}
	}
	for _, f := range refs.functions {
		w.visit(f.code.Load())
	}
	for _, c := range refs.codes {
		w.visit(c)
	}
	if !refs.anyMethod && len(refs.methods) == 0 {
		return
	}
	for _, f := range w.s.methodList {
		called := func(name string) bool { return strings.HasSuffix(f.name, name) }
		if refs.anyMethod || slices.ContainsFunc(refs.methods, called) {
			w.visit(f.code.Load())
		}
	}
}
