package compile

import (
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// runtimeCall returns the implementation of calls of fn if fn is a function of package runtime, runtime/debug or reflect
// that reports positions in code or collects garbage. It returns nil for other functions.
func (b *builder) runtimeCall(fn *ssa.Function) caller {
	obj := fn.Object()
	if obj == nil || obj.Pkg() == nil {
		return nil
	}
	if !slices.Contains([]string{"runtime", "runtime/debug", "reflect"}, obj.Pkg().Path()) {
		return nil
	}
	switch fn.String() {
	case "runtime.Caller":
		return b.s.callRuntimeCaller
	case "runtime.Callers":
		return b.s.callRuntimeCallers
	case "runtime.FuncForPC":
		return b.s.funcForPC
	case "runtime.CallersFrames":
		return b.s.callersFrames
	case "(*runtime.Frames).Next":
		return b.s.nextFrame
	case "(*runtime.Func).Name", "(*runtime.Func).FileLine":
		return b.funcMethod(fn)
	case "(reflect.Value).Pointer":
		return b.reflectedPointer(fn)
	case "runtime.GC", "runtime/debug.FreeOSMemory":
		return b.collection(fn)
	case "runtime.Stack", "runtime/debug.Stack", "runtime/debug.PrintStack":
		return b.stackCall(fn)
	}
	return nil
}

// callRuntimeCaller implements calls of runtime.Caller.
func (s *Session) callRuntimeCaller(fr *frame, args, results []*register) {
	p := unsafe.Pointer(fr)
	skip := *at[int](p, args[0].off)
	list := fr.callers()
	var pc uintptr
	var file string
	var line int
	ok := skip >= 0 && skip < len(list)
	if ok {
		pc = s.sites.add(list[skip])
		file, line = s.Hooks.Position(list[skip].pos)
	}
	if len(results) > 0 {
		*at[uintptr](p, results[0].off) = pc
		*at[string](p, results[1].off) = file
		*at[int](p, results[2].off) = line
		*at[bool](p, results[3].off) = ok
	}
}

// callRuntimeCallers implements calls of runtime.Callers.
func (s *Session) callRuntimeCallers(fr *frame, args, results []*register) {
	p := unsafe.Pointer(fr)
	list := append([]callSite{{function: "runtime.Callers"}}, fr.callers()...)
	list = list[min(max(0, *at[int](p, args[0].off)), len(list)):]
	pcs := *at[[]uintptr](p, args[1].off)
	n := min(len(list), len(pcs))
	for i, site := range list[:n] {
		pcs[i] = s.sites.add(site)
	}
	if len(results) > 0 {
		*at[int](p, results[0].off) = n
	}
}

// funcForPC is the caller of runtime.FuncForPC.
func (s *Session) funcForPC(fr *frame, args, results []*register) {
	p := unsafe.Pointer(fr)
	pc := *at[uintptr](p, args[0].off)
	f := unsafe.Pointer(runtime.FuncForPC(pc))
	if site, ok := s.sites.at(pc); ok {
		f = s.sites.function(site)
	}
	if len(results) > 0 {
		*at[unsafe.Pointer](p, results[0].off) = f
	}
}

// siteFrames is the memory that a *runtime.Frames for call sites points to. The embedded Frames is empty.
type siteFrames struct {
	runtime.Frames
	sites []callSite
}

// callersFrames is the caller of runtime.CallersFrames.
func (s *Session) callersFrames(fr *frame, args, results []*register) {
	p := unsafe.Pointer(fr)
	frames := &siteFrames{}
	for _, pc := range *at[[]uintptr](p, args[0].off) {
		if site, ok := s.sites.at(pc); ok {
			frames.sites = append(frames.sites, site)
		}
	}
	if len(results) > 0 {
		*at[unsafe.Pointer](p, results[0].off) = unsafe.Pointer(frames)
	}
}

// nextFrame is the caller of the method Next of *runtime.Frames.
func (s *Session) nextFrame(fr *frame, args, results []*register) {
	p := unsafe.Pointer(fr)
	frames := *at[*siteFrames](p, args[0].off)
	var next runtime.Frame
	if len(frames.sites) > 0 {
		site := frames.sites[0]
		frames.sites = frames.sites[1:]
		next.PC, next.Function = s.sites.add(site), site.function
		next.File, next.Line = s.Hooks.Position(site.pos)
		next.Func = (*runtime.Func)(s.sites.function(site))
	}
	if len(results) > 0 {
		*at[runtime.Frame](p, results[0].off) = next
		*at[bool](p, results[1].off) = len(frames.sites) > 0
	}
}

// funcMethod returns the caller of fn, the method Name or FileLine of *runtime.Func.
func (b *builder) funcMethod(fn *ssa.Function) caller {
	s, isName := b.s, fn.Name() == "Name"
	callGo, f := b.goCaller(b.signatureType(fn)), b.external(fn)
	return func(fr *frame, args, results []*register) {
		p := unsafe.Pointer(fr)
		site, ok := s.sites.siteOf(*at[unsafe.Pointer](p, args[0].off))
		switch {
		case !ok:
			callGo(fr, f, args, results)
		case len(results) == 0:
		case isName:
			*at[string](p, results[0].off) = site.function
		default:
			if own, ok := s.sites.at(*at[uintptr](p, args[1].off)); ok {
				site = own
			}
			file, line := s.Hooks.Position(site.pos)
			*at[string](p, results[0].off) = file
			*at[int](p, results[1].off) = line
		}
	}
}

// reflectedPointer returns the caller of fn, the method Pointer of reflect.Value. For a function of a cell, the result
// is a program counter that FuncForPC accepts.
func (b *builder) reflectedPointer(fn *ssa.Function) caller {
	s := b.s
	callGo, f := b.goCaller(b.signatureType(fn)), b.external(fn)
	return func(fr *frame, args, results []*register) {
		v := *at[reflect.Value](unsafe.Pointer(fr), args[0].off)
		if v.Kind() == reflect.Func && !v.IsNil() && len(results) > 0 {
			if clo := closureAt(funcPointer(v)); clo != nil && clo.s == s {
				c := clo.current()
				pc := s.sites.add(callSite{c.name, c.pos, len(c.params) > 0})
				*at[uintptr](unsafe.Pointer(fr), results[0].off) = pc
				return
			}
		}
		callGo(fr, f, args, results)
	}
}

// collection returns the caller of fn, a function that runs a garbage collection.
func (b *builder) collection(fn *ssa.Function) caller {
	callGo, f := b.goCaller(b.signatureType(fn)), b.external(fn)
	return func(fr *frame, args, results []*register) {
		fr.clearDead()
		callGo(fr, f, args, results)
	}
}
