package compile

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/celltype"
)

// runtimeName returns the name that the runtime would report for fn: main.f, main.(*T).M, main.f.func1 for a literal
// in f, main.init.0 for the first function init of a cell. The statements of a cell are called main.main, as is the
// function main if the cell is a whole program.
func (p *program) runtimeName(fn *ssa.Function) string {
	if fn.Origin() != nil {
		fn = fn.Origin()
	}
	if outer := fn.Parent(); outer != nil {
		if name := p.special(fn); name != "" {
			return name
		}
		name, number := p.runtimeName(outer), fn.Name()[strings.LastIndexByte(fn.Name(), '$')+1:]
		if outer.Parent() == nil || p.special(outer) != "" { // fn is not in another literal of the source
			number = "func" + number
		}
		return name + "." + number
	}
	if p.isEntry(fn) {
		return "main.main"
	}
	typeArgs := func(list *types.TypeParamList) string {
		if list.Len() == 0 {
			return ""
		}
		return "[...]"
	}
	recv := fn.Signature.Recv()
	if recv == nil {
		return celltype.WithoutSuffixes(fn.String()) + typeArgs(fn.TypeParams())
	}
	t, format := types.Unalias(recv.Type()), "%s.%s.%s"
	if p, ok := t.(*types.Pointer); ok {
		t, format = types.Unalias(p.Elem()), "%s.(*%s).%s"
	}
	named, ok := t.(*types.Named)
	if !ok {
		return celltype.WithoutSuffixes(fn.String())
	}
	obj := named.Obj()
	typeName := obj.Name() + typeArgs(named.TypeParams())
	return celltype.WithoutSuffixes(fmt.Sprintf(format, obj.Pkg().Path(), typeName, fn.Name()))
}

// special returns the name of fn if fn is a literal that stands for a declared function, and otherwise "".
func (p *program) special(fn *ssa.Function) string {
	lit, _ := fn.Syntax().(*ast.FuncLit)
	return p.src.Special[lit]
}

// isEntry reports whether fn is the function that holds the statements of the cell.
func (p *program) isEntry(fn *ssa.Function) bool {
	return fn.Parent() == nil && fn.Name() == p.src.Entry
}

// A callSite is a position in the code of cells, or a function of the runtime, as package runtime reports it.
type callSite struct {
	function string
	pos      token.Pos // NoPos in functions of the runtime
	hasArgs  bool      // the function has parameters
}

// callSites assigns program counters to call sites, for the results of functions such as runtime.Caller. No machine
// code of the process has these program counters.
type callSites struct {
	mu    sync.Mutex
	pcs   map[callSite]uintptr
	sites []callSite           // in the order of their program counters
	funcs map[string]*siteFunc // by name
}

// firstSite is greater than all addresses in the process. The program counters of call sites follow it.
const firstSite = ^uintptr(0)>>1 + 1

// add returns the program counter of s. It assigns one if s has none.
func (c *callSites) add(s callSite) uintptr {
	c.mu.Lock()
	defer c.mu.Unlock()
	if pc, ok := c.pcs[s]; ok {
		return pc
	}
	if c.pcs == nil {
		c.pcs = map[callSite]uintptr{}
	}
	pc := firstSite + 2*uintptr(len(c.sites)) + 2 // FuncForPC and CallersFrames may be given pc-1
	c.sites = append(c.sites, s)
	c.pcs[s] = pc
	return pc
}

// at returns the call site with the program counter pc. ok is false if there is none.
func (c *callSites) at(pc uintptr) (site callSite, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := (pc-firstSite+1)/2 - 1
	if pc <= firstSite || i >= uintptr(len(c.sites)) {
		return callSite{}, false
	}
	return c.sites[i], true
}

// callers returns the calls in progress from fr outwards, the innermost first. The last ones are the
// functions of the runtime at the base of the goroutine's stack.
func (fr *frame) callers() []callSite {
	list := fr.callersBelow(nil)
	if last := len(list) - 1; last >= 0 && list[last].function == "main.main" {
		list = append(list, callSite{function: "runtime.main"})
	}
	return append(list, callSite{function: "runtime.goexit"})
}

// callersBelow returns the calls in progress from fr outwards, up to but excluding end. The function main of a
// program and the statements that call it count as one call. While a panic runs a deferred call, the list also has the
// calls that the panic has ended.
func (fr *frame) callersBelow(end *frame) (list []callSite) {
	for f := fr; f != nil && f != end; f = f.caller {
		callsMain := f.caller == nil && f.code.name == "main.main" &&
			len(list) > 0 && list[len(list)-1].function == "main.main"
		if !f.isRelay && !f.code.isWrapper && !callsMain {
			pos := f.pos
			switch { // while deferred calls run, f.pos is the position of one; that of the panic or return is wanted
			case f.panicking != nil:
				pos = f.panicking.pos
			case f.deferring && f.returnPos.IsValid():
				pos = f.returnPos
			}
			list = append(list, callSite{f.code.name, pos, len(f.code.params) > 0})
		}
		if f.deferredBy != nil && f.deferredBy.panicking != nil {
			list = f.deferredBy.panicking.appendCalls(list)
		}
	}
	return list
}

// panicCalls lists the functions of the runtime that raise a run-time panic, for each kind of panic.
var panicCalls = []struct {
	text  string // a part of the text of the panic
	calls []string
}{
	{"invalid memory address", []string{"runtime.panicmem", "runtime.sigpanic"}},
	{"out of range", []string{"runtime.panicBounds64", "runtime.panicBounds"}},
	{"integer divide by zero", []string{"runtime.panicdivide"}},
	{"interface conversion", []string{"runtime.panicdottypeE"}},
	{"assignment to entry in nil map", []string{"runtime.mapassign"}},
}

// appendCalls appends to list the functions of the runtime that raised the panic f, and then the calls that the panic
// has ended.
func (f *panicRecord) appendCalls(list []callSite) []callSite {
	if f.goexit {
		list = append(list, callSite{function: "runtime.Goexit"})
	} else {
		list = append(list, callSite{function: "runtime.gopanic", hasArgs: true})
	}
	if err, ok := f.value.(runtime.Error); ok {
		for _, p := range panicCalls {
			if strings.Contains(err.Error(), p.text) {
				for _, name := range p.calls {
					list = append(list, callSite{function: name})
				}
			}
		}
	}
	end := len(list)
	for ; f != nil; f = f.inner {
		list = slices.Insert(list, end, f.ended...)
	}
	return list
}

// A siteFunc is the memory that a *runtime.Func for the function of a call site points to.
type siteFunc struct {
	_    [64]byte // package runtime may read it as a Func
	site callSite
}

// siteOf returns the call site of the *runtime.Func f. ok is false if f does not come from callSites.function.
func (c *callSites) siteOf(f unsafe.Pointer) (site callSite, ok bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, own := range c.funcs {
		if unsafe.Pointer(own) == f {
			return own.site, true
		}
	}
	return callSite{}, false
}

// function returns the *runtime.Func for the function of a call site.
func (c *callSites) function(site callSite) unsafe.Pointer {
	c.mu.Lock()
	defer c.mu.Unlock()
	own := c.funcs[site.function]
	if own == nil {
		own = &siteFunc{site: site}
		if c.funcs == nil {
			c.funcs = map[string]*siteFunc{}
		}
		c.funcs[site.function] = own
	}
	return unsafe.Pointer(own)
}
