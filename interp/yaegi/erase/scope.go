package erase

import (
	"go/ast"
	"go/token"
	"go/types"

	"github.com/goanvil/notebook/interp/yaegi/celltype"
)

// A scope lowers the body of one function.
type scope struct {
	*unit
	info        *types.Info
	fixed       token.Pos // where all of a source from another file is said to stand; the interpreter finds imports by it
	env         typeArgs
	results     []types.Type // of the function, type parameters replaced
	named       []string     // names of the results, if they have names
	self        *types.Func  // the method, for calls of itself that do not outlive it
	inst        string       // the variable of the instance of a generic function that is lowered
	selfAs      string       // the body of self or inst
	rename      map[types.Object]string
	loops       []*loop // enclosing statements that break and continue mean, innermost last
	label       string  // of the statement that is lowered next
	yields      []*rangeFunc
	defers      string       // the record of what the function defers, if it defers
	recoverFrom string       // the record that recover means, in a function literal that is deferred
	recoverNext string       // recoverFrom of the next function literal
	function    bool         // not the entry
	tracedLit   *ast.FuncLit // the innermost literal around that is given to what traces
	tracedBy    string       // what that is
	willTrace   string       // what traces the arguments
	direct      bool         // the next function literal stands where the interpreter keeps its variables right
}

// top returns a scope outside of functions.
func (u *unit) top() *scope {
	return &scope{unit: u, info: u.info, rename: map[types.Object]string{}}
}

// inner returns a scope for a function literal in f.
func (f *scope) inner(sig *types.Signature) *scope {
	g := *f
	g.loops, g.yields, g.label, g.defers, g.recoverFrom = nil, nil, "", "", ""
	g.function, g.willTrace, g.self, g.inst = true, "", nil, ""
	g.signature(sig)
	return &g
}

// signature notes the results of the function whose body is lowered. Named ones
// become variables of the body: the interpreter makes a result one with the
// variable that its caller assigns it to, with the value that that has.
func (f *scope) signature(sig *types.Signature) {
	f.results, f.named = nil, nil
	for v := range sig.Results().Variables() {
		f.results = append(f.results, v.Type())
		switch {
		case v.Name() == "_":
			f.named = append(f.named, f.unique("r"))
		case v.Name() != "":
			f.named = append(f.named, localName(v.Name()))
		}
	}
}

// localName returns the name of a local variable in lowered code: one that
// hides a predeclared name would hide it from lowered code as well.
func localName(name string) string {
	if types.Universe.Lookup(name) != nil {
		return name + "ꓸ"
	}
	return name
}

// at returns the position at which what n is lowered to stands.
func (f *scope) at(n ast.Node) at { return f.atPos(n.Pos()) }

func (f *scope) atPos(pos token.Pos) at {
	if f.fixed.IsValid() {
		return at(f.fixed)
	}
	return at(pos)
}

// typ returns the type of e.
func (f *scope) typ(e ast.Expr) types.Type {
	t := f.info.TypeOf(e)
	if t == nil {
		return nil
	}
	return f.subst(f.env, t)
}

// under returns the underlying type of e.
func (f *scope) under(e ast.Expr) types.Type { return f.typ(e).Underlying() }

// inner type equality: no conversion is needed between such types.
func (f *scope) sameInner(x, y types.Type) bool {
	a, err1 := f.s.Table.Inner(x)
	b, err2 := f.s.Table.Inner(y)
	return err1 == nil && err2 == nil && a == b
}

// isCell reports whether values of t look different to compiled code than the
// interpreter holds them.
func (f *scope) isCell(p at, t types.Type) bool {
	a, err := f.s.Table.Inner(t)
	if err != nil {
		fail(p, "%v", err)
	}
	b, err := f.s.Table.Outer(t)
	if err != nil {
		fail(p, "%v", err)
	}
	return a != b
}

// row returns the number of t's row in the session's table.
func (f *scope) row(p at, t types.Type) ast.Expr {
	f.bindInstances(p, t)
	n, err := f.s.Table.Row(t)
	if err != nil {
		fail(p, "%v", err)
	}
	return p.num(n)
}

// object returns what id means.
func (f *scope) object(id *ast.Ident) types.Object {
	if o := f.info.Defs[id]; o != nil {
		return o
	}
	return f.info.Uses[id]
}

// name returns the name of a variable in lowered code.
func (f *scope) name(o types.Object) string {
	if o == nil {
		return "_"
	}
	if n, ok := f.rename[o]; ok {
		return n
	}
	return localName(o.Name())
}

func isErased(t types.Type) bool { return celltype.IsErased(t) }

func isInterface(t types.Type) bool { return types.IsInterface(t) }
