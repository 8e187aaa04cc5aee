package compile

import (
	"go/token"
	"go/types"
	"reflect"
	"sync/atomic"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile/celltype"
	"github.com/goanvil/notebook/interp/compile/misuse"
)

// A caller makes a call. args and results are the registers in fr of the arguments and of the results that are used.
type caller func(fr *frame, args, results []*register)

// callInstruction emits a call.
func (b *builder) callInstruction(in *ssa.Call) {
	common := in.Common()
	if f, ok := common.Value.(*ssa.Builtin); ok {
		b.builtin(in, f.Name())
		return
	}
	args := b.args(common)
	results := b.resultsOf(in)
	pos := b.posOf(in)
	b.callPositions[in] = pos
	if c, ok := b.fixedCallee(common); ok {
		b.emit(b.directCall(c, args, results, pos))
		return
	}
	do := b.caller(common)
	call := func(fr *frame) { do(fr, args, results) }
	if fn, ok := common.Value.(*ssa.Function); ok && b.isOrdinary(fn) {
		if quick := wordsOnly(b.signatureType(fn), b.external(fn), args, results); quick != nil {
			call = quick
		}
	}
	if fn, ok := common.Value.(*ssa.Function); ok {
		call = withGrowthCheck(fn, args, call)
	}
	s := b.s
	b.emit(func(p unsafe.Pointer) {
		fr := (*frame)(p)
		fr.pos = pos
		call(fr)
		if s.unwound.Load() { // the callee has recovered a panic of a function that it called
			s.unwound.Store(false)
			s.Hooks.Recovered(true)
		}
	})
}

// args returns the registers of the arguments of a call.
func (b *builder) args(common *ssa.CallCommon) []*register {
	var args []*register
	for _, a := range common.Args {
		args = append(args, b.reg(a))
	}
	return args
}

// resultsOf returns the registers of the results of in.
func (b *builder) resultsOf(in *ssa.Call) []*register {
	if parts, ok := b.layout.parts[in]; ok {
		return parts
	}
	if b.layout.of[in] == nil {
		return nil
	}
	return []*register{b.layout.of[in]}
}

// isOrdinary reports whether fn is a function of a compiled package whose calls need no special treatment.
func (b *builder) isOrdinary(fn *ssa.Function) bool {
	recv := fn.Signature.Recv()
	return !b.isRedefinable(fn) && !b.hasBody(fn) && originOf(fn) == nil && fn.String() != "errors.As" &&
		!isChecked(fn) && b.runtimeCall(fn) == nil && (recv == nil || !b.isFileType(recv.Type()))
}

// fixedCallee returns the code of the static callee of a call. ok is false if the call has none, if a later cell may
// redefine the callee, or if the callee is a function of a package.
func (b *builder) fixedCallee(common *ssa.CallCommon) (c *code, ok bool) {
	fn, ok := common.Value.(*ssa.Function)
	if !ok || b.isRedefinable(fn) || !b.hasBody(fn) {
		return nil, false
	}
	return b.p.want(fn), true
}

// hasBody reports whether fn has a body in this program.
func (b *builder) hasBody(fn *ssa.Function) bool { return len(fn.Blocks) > 0 }

// isRedefinable reports whether fn is a function or method at cell level, which later cells may redefine.
func (b *builder) isRedefinable(fn *ssa.Function) bool {
	obj, ok := fn.Object().(*types.Func)
	if !ok || fn.Parent() != nil || !check.IsCell(obj.Pkg()) {
		return false
	}
	isWrapper := originOf(fn) == nil && fn.Synthetic != "" && len(fn.Blocks) > 0 // made by go/ssa
	return !isWrapper
}

// cellFunction returns the *function of fn, a function or method at cell level.
func (b *builder) cellFunction(fn *ssa.Function) *function {
	obj := fn.Object().(*types.Func)
	if recv := obj.Signature().Recv(); recv != nil {
		named, _ := namedOf(recv.Type())
		f := b.s.method(b.s.Table.Key(named) + "." + obj.Name())
		if originOf(fn) != nil {
			b.wantInstance(fn, f)
		}
		return f
	}
	if originOf(fn) != nil {
		f := b.s.function(b.instanceName(fn))
		b.wantInstance(fn, f)
		return f
	}
	name := b.p.src.Engine(obj)
	if name == "" {
		b.fail("%s has no engine name", obj)
	}
	return b.s.function(name)
}

// namedOf returns the named type of a receiver, and whether the receiver is a pointer to it.
func namedOf(t types.Type) (named *types.Named, isPointer bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		n, _ := types.Unalias(p.Elem()).(*types.Named)
		return n, true
	}
	n, _ := t.(*types.Named)
	return n, false
}

// directCall returns the step that calls c. The step is faster for calls with one argument and one result that are
// numbers of eight bytes.
func (b *builder) directCall(c *code, args, results []*register, pos token.Pos) op {
	if len(args) == 1 && len(results) == 1 && args[0].class == word8 && results[0].class == word8 {
		a, r := args[0].off, results[0].off
		return func(p unsafe.Pointer) {
			fr := (*frame)(p)
			fr.pos = pos
			next := fr.th.newFrame(c)
			*at[uint64](unsafe.Pointer(next), c.params[0].off) = *at[uint64](p, a)
			fr.call(next)
			*at[uint64](p, r) = *at[uint64](unsafe.Pointer(next), c.results[0].off)
			fr.th.drop(next)
		}
	}
	return func(p unsafe.Pointer) {
		fr := (*frame)(p)
		fr.pos = pos
		fr.callCode(c, nil, args, results)
	}
}

// callCode calls c with the arguments and results in registers of fr. clo holds the captured variables of c;
// it is nil if there are none.
func (fr *frame) callCode(c *code, clo *closure, args, results []*register) {
	next := fr.th.newFrame(c)
	fr.passArgs(next, clo, args)
	fr.call(next)
	fr.takeResults(next, results)
	fr.th.drop(next)
}

// passArgs copies the arguments from registers of fr to next, and sets the captured variables of next.
func (fr *frame) passArgs(next *frame, clo *closure, args []*register) {
	c := next.code
	for i, a := range args {
		r := &c.params[i]
		move(r.class, r.desc, unsafe.Add(unsafe.Pointer(next), r.off), unsafe.Add(unsafe.Pointer(fr), a.off))
	}
	if clo != nil {
		clo.load(next)
	}
}

// takeResults copies the results of next to registers of fr.
func (fr *frame) takeResults(next *frame, results []*register) {
	c := next.code
	for i, d := range results {
		r := &c.results[i]
		move(r.class, r.desc, unsafe.Add(unsafe.Pointer(fr), d.off), unsafe.Add(unsafe.Pointer(next), r.off))
	}
}

// caller returns the caller for a call. The arguments of a call through an interface do not include the receiver.
func (b *builder) caller(common *ssa.CallCommon) caller {
	if common.IsInvoke() {
		return b.invoker(common)
	}
	fn, ok := common.Value.(*ssa.Function)
	if !ok {
		x := b.off(common.Value)
		t := b.inner(common.Value.Type())
		callGo := b.goCaller(t)
		s := b.s
		return func(fr *frame, args, results []*register) {
			f := *at[unsafe.Pointer](unsafe.Pointer(fr), x)
			if f == nil {
				failNil(unsafe.Pointer(fr), fr.pos)
			}
			if clo := closureAt(f); clo != nil && clo.s == s {
				if c := clo.current(); c != nil {
					fr.callCode(c, clo, args, results)
					return
				}
			}
			callGo(fr, f, args, results)
		}
	}
	switch {
	case b.isRedefinable(fn):
		return b.latestCaller(fn)
	case b.hasBody(fn):
		c := b.p.want(fn)
		return func(fr *frame, args, results []*register) { fr.callCode(c, nil, args, results) }
	}
	if call := b.runtimeCall(fn); call != nil {
		return call
	}
	if call := b.errorsAs(fn, common); call != nil {
		return call
	}
	if generic, twin := b.twin(fn); twin.IsValid() {
		return b.twinCaller(fn, generic, twin)
	}
	f := b.external(fn)
	callGo := b.goCaller(b.signatureType(fn))
	call := b.withChecks(fn, func(fr *frame, args, results []*register) { callGo(fr, f, args, results) })
	if recv := fn.Signature.Recv(); recv != nil && b.isFileType(recv.Type()) {
		return b.fileMethod(fn, call)
	}
	return call
}

// errorsAs returns the caller of errors.As for a target that points to a variable of an interface type that a cell
// declares. The compiled errors.As would treat the interface type as any. For other calls, errorsAs returns nil.
func (b *builder) errorsAs(fn *ssa.Function, common *ssa.CallCommon) caller {
	if fn.String() != "errors.As" {
		return nil
	}
	boxed, ok := common.Args[1].(*ssa.MakeInterface)
	if !ok {
		return nil
	}
	p, ok := boxed.X.Type().Underlying().(*types.Pointer)
	if !ok || !celltype.IsErased(p.Elem()) {
		return nil
	}
	assert := b.asserter(p.Elem())
	return func(fr *frame, args, results []*register) {
		err := *at[error](unsafe.Pointer(fr), args[0].off)
		target := *at[any](unsafe.Pointer(fr), args[1].off)
		into := (*iface)(unsafe.Pointer(&target)).data
		found := errorsAs(err, target, into == nil, func(err error) bool { return assert(err, into) })
		if len(results) > 0 {
			*at[bool](unsafe.Pointer(fr), results[0].off) = found
		}
	}
}

// signatureType is goType for functions of packages.
func (b *builder) signatureType(fn *ssa.Function) reflect.Type {
	if recv := fn.Signature.Recv(); recv != nil {
		return b.funcType(fn.Signature, b.inner(recv.Type()))
	}
	return b.funcType(fn.Signature)
}

// funcType returns the Go type of functions with the parameters in and those of sig, and the results of sig.
func (b *builder) funcType(sig *types.Signature, in ...reflect.Type) reflect.Type {
	var out []reflect.Type
	for v := range sig.Params().Variables() {
		in = append(in, b.inner(v.Type()))
	}
	for v := range sig.Results().Variables() {
		out = append(out, b.inner(v.Type()))
	}
	return reflect.FuncOf(in, out, sig.Variadic())
}

// latestCaller returns the caller of fn, a function of cells. Each call runs the latest body of fn.
func (b *builder) latestCaller(fn *ssa.Function) caller {
	f := b.cellFunction(fn)
	return func(fr *frame, args, results []*register) { fr.callCode(f.current(), nil, args, results) }
}

// funcPointer returns the pointer that the function value f consists of. It points to the address of the code, followed
// by the captured variables.
func funcPointer(f reflect.Value) unsafe.Pointer {
	p := reflect.New(f.Type())
	p.Elem().Set(f)
	return *(*unsafe.Pointer)(p.UnsafePointer())
}

// external returns the funcPointer of fn, a function or method of a compiled package.
func (b *builder) external(fn *ssa.Function) unsafe.Pointer {
	obj, ok := fn.Object().(*types.Func)
	if !ok || obj.Pkg() == nil || check.IsCell(obj.Pkg()) {
		b.fail("%s has no body", fn)
	}
	if f := misuse.Named(fn.String()); f.IsValid() {
		return funcPointer(f)
	}
	recv := obj.Signature().Recv()
	if recv != nil {
		if named, _ := namedOf(recv.Type()); named != nil && celltype.Instance(named) != nil {
			m, _ := b.inner(recv.Type()).MethodByName(obj.Name())
			return funcPointer(m.Func)
		}
	}
	if f := celltype.InstanceFunc(obj, fn.TypeArgs()); f.IsValid() {
		return funcPointer(f)
	}
	if len(fn.TypeArgs()) > 0 || obj.Origin() != obj {
		b.fail("cells cannot call %s, a generic function of a package; declare a copy of the function", obj.FullName())
	}
	if recv != nil {
		t := b.inner(recv.Type())
		m, ok := t.MethodByName(obj.Name())
		if !ok {
			b.fail("%v has no method %s", t, obj.Name())
		}
		b.checkSignature(b.signatureType(fn), m.Type)
		return funcPointer(m.Func)
	}
	sym, ok := b.s.Hooks.Symbols(obj.Pkg().Path())[obj.Name()]
	if !ok || sym.Kind() != reflect.Func {
		b.fail("there is no function %s", obj.FullName())
	}
	b.checkSignature(b.signatureType(fn), sym.Type())
	return funcPointer(sym)
}

// checkSignature fails if parameters or results of have and want differ in their memory layout. have consists of the
// types of the registers, and want is the type of the function to call.
func (b *builder) checkSignature(have, want reflect.Type) {
	for i := range want.NumIn() {
		b.checkLayout(have.In(i), want.In(i), 0)
	}
	for i := range want.NumOut() {
		b.checkLayout(have.Out(i), want.Out(i), 0)
	}
}

// checkLayout fails if the memory layouts of have, the type of a register, and want, the type of its value, differ.
// It descends into element types, down to a depth of four.
func (b *builder) checkLayout(have, want reflect.Type, depth int) {
	if have == want || depth > 4 {
		return
	}
	if have.Kind() != want.Kind() || have.Size() != want.Size() {
		b.fail("a value of type %v is used as a %v", have, want)
	}
	switch have.Kind() {
	case reflect.Interface:
		if have.NumMethod() != want.NumMethod() {
			b.fail("a value of type %v is used as a %v", have, want)
		}
	case reflect.Slice, reflect.Pointer, reflect.Array, reflect.Chan:
		b.checkLayout(have.Elem(), want.Elem(), depth+1)
	case reflect.Map:
		b.checkLayout(have.Key(), want.Key(), depth+1)
		b.checkLayout(have.Elem(), want.Elem(), depth+1)
	case reflect.Func:
		for i := range want.NumIn() {
			b.checkLayout(have.In(i), want.In(i), depth+1)
		}
		for i := range want.NumOut() {
			b.checkLayout(have.Out(i), want.Out(i), depth+1)
		}
	}
}

// A methodTarget is the method that a call through an interface reaches for values of one type: cellMethod or
// packageMethod. If both are nil, the method is looked up at each call.
type methodTarget struct {
	typ           unsafe.Pointer // the descriptor of the type
	generation    int64          // the generation of Session.Table when the method was found
	cellMethod    *function      // a method of a cell
	deref         bool           // the receiver of cellMethod is the value that the data word points to
	ifNil         string         // the text of the panic if deref is set and the data word is nil
	packageMethod unsafe.Pointer // the function value of a package's method whose receiver is the data word
}

// invoker returns the caller of a method through an interface. It keeps the methodTarget of the last call.
func (b *builder) invoker(common *ssa.CallCommon) caller {
	x := b.off(common.Value)
	it := b.inner(common.Value.Type())
	read := anyOf(it)
	name := common.Method.Name()
	byPointer := b.goCaller(b.funcType(common.Method.Signature(), reflect.TypeFor[unsafe.Pointer]()))
	s := b.s
	receiverAndArgs := b.withReceiver(common)
	receiver := receiverAndArgs[0]
	var last atomic.Pointer[methodTarget]
	return func(fr *frame, args, results []*register) {
		v := read(unsafe.Add(unsafe.Pointer(fr), x))
		i := (*iface)(unsafe.Pointer(&v))
		if i.word == nil {
			failNil(unsafe.Pointer(fr), fr.pos)
		}
		t := last.Load()
		if t == nil || t.typ != i.word || t.generation != s.Table.Generation() {
			t = s.findTarget(v, name)
			last.Store(t)
		}
		if t.cellMethod != nil {
			if c := t.cellMethod.code.Load(); c != nil {
				fr.callMethod(c, t, i.data, args, results)
				return
			}
		}
		if t.packageMethod != nil {
			*at[unsafe.Pointer](unsafe.Pointer(fr), receiver.off) = i.data
			byPointer(fr, t.packageMethod, receiverAndArgs, results)
			return
		}
		body, recv := s.Table.Method(v, name)
		*at[unsafe.Pointer](unsafe.Pointer(fr), receiver.off) = recv
		byPointer(fr, funcPointer(body), receiverAndArgs, results)
	}
}

// withReceiver returns b.receiver, the register for the receiver of an interface's method, followed by the registers of
// the arguments.
func (b *builder) withReceiver(common *ssa.CallCommon) []*register {
	return append([]*register{b.receiverRegister()}, b.args(common)...)
}

// callMethod calls c, the code of a method. The receiver is data, or the value that data points to if t.deref is set;
// callMethod then panics with the text t.ifNil if data is nil.
func (fr *frame) callMethod(c *code, t *methodTarget, data unsafe.Pointer, args, results []*register) {
	next := fr.th.newFrame(c)
	r := &c.params[0]
	dst := unsafe.Add(unsafe.Pointer(next), r.off)
	switch {
	case !t.deref:
		*(*unsafe.Pointer)(dst) = data
	case data == nil:
		panic(nilReceiverError(t.ifNil))
	default:
		move(r.class, r.desc, dst, data)
	}
	for i, a := range args {
		r := &c.params[i+1]
		move(r.class, r.desc, unsafe.Add(unsafe.Pointer(next), r.off), unsafe.Add(unsafe.Pointer(fr), a.off))
	}
	fr.call(next)
	fr.takeResults(next, results)
	fr.th.drop(next)
}

// findTarget returns the methodTarget of the method with the given name for values of v's type.
func (s *Session) findTarget(v any, name string) *methodTarget {
	i := (*iface)(unsafe.Pointer(&v))
	t := &methodTarget{typ: i.word, generation: s.Table.Generation()}
	rt := reflect.TypeOf(v)
	if named, isPointer := s.Table.Named(v); named != nil {
		obj, path, _ := types.LookupFieldOrMethod(types.NewPointer(named), false, named.Obj().Pkg(), name)
		m, ok := obj.(*types.Func)
		if !ok || len(path) != 1 {
			return t
		}
		_, wantsPointer := namedOf(m.Signature().Recv().Type())
		if wantsPointer && !isPointer {
			return t
		}
		s.mu.Lock()
		t.cellMethod = s.method(s.Table.Key(named) + "." + name)
		s.mu.Unlock()
		t.deref = !wantsPointer && (isPointer || !isDirectIface(rt))
		t.ifNil = nilReceiverText(s.typeName(named), name)
		return t
	}
	if m := misuse.MethodOf(rt, name); m.IsValid() && isDirectIface(rt) && rt.Kind() == reflect.Pointer {
		t.packageMethod = funcPointer(m)
	}
	return t
}
