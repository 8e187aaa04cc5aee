package tensor

import (
	"go/ast"
	"go/types"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// Compiled precedes the full name of a compiled function in a list of callees, and Opaque the author's name
// of a function that the syntax does not determine. All other callees are engine names of functions, or of a
// type followed by a dot and a method's name.
const (
	Compiled = "="
	Opaque   = "?"
)

// TellCallees records what the functions of the cell call, and passes the names on to the library functions
// that ask for them. names has the engine names of functions that stand for methods.
func (c *Cell) TellCallees(names map[*ast.FuncDecl]string) {
	if c.Tensor == nil {
		return
	}
	c.findCallees(names)
	ast.Inspect(c.File, func(n ast.Node) bool {
		if e, ok := n.(*ast.CallExpr); ok {
			c.passCallees(e)
		}
		return true
	})
}

// findCallees records what each function and method of the cell calls, and what each cell-level variable that
// is set to a function calls.
func (c *Cell) findCallees(names map[*ast.FuncDecl]string) {
	c.Callees = map[string][]string{}
	for _, decl := range c.File.Decls {
		f, ok := decl.(*ast.FuncDecl)
		if !ok || f.Body == nil {
			continue
		}
		if f.Name.Name != check.Entry {
			name := names[f]
			if name == "" {
				name = cell.FunctionName(f)
			}
			c.Callees[name] = c.calleesOf(f)
		}
		c.eachSet(f, func(id *ast.Ident, value ast.Expr) {
			if v, ok := c.Info.ObjectOf(id).(*types.Var); ok && c.isTop(v, id) {
				c.Callees[id.Name] = append(c.Callees[id.Name], c.calleesIn(id, value)...)
			}
		})
	}
}

// calleesIn returns what value, a function assigned to id, calls.
func (c *Cell) calleesIn(id *ast.Ident, value ast.Expr) []string {
	names := c.calleesOf(value)
	if !c.isKnownFunction(value) {
		names = append(names, Opaque+check.AuthorName(id.Name))
	}
	return names
}

// isTop reports whether v, which id names, is a variable at cell level.
func (c *Cell) isTop(v *types.Var, id *ast.Ident) bool {
	return !v.IsField() && check.IsCell(v.Pkg()) && c.Pkg.Scope().Lookup(id.Name) == types.Object(v)
}

// eachSet calls f with each name in n that is set to a function, and its value.
func (c *Cell) eachSet(n ast.Node, f func(id *ast.Ident, value ast.Expr)) {
	each := func(names, values []ast.Expr) {
		if len(names) != len(values) {
			return
		}
		for i, name := range names {
			if id, ok := name.(*ast.Ident); ok && isFunction(c.TypeOf(values[i])) {
				f(id, values[i])
			}
		}
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			each(n.Lhs, n.Rhs)
		case *ast.ValueSpec:
			each(identsOf(n.Names), n.Values)
		}
		return true
	})
}

func isFunction(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isKnownFunction reports whether the syntax of e shows which function it is: a
// literal, a name, or the result of a call.
func (c *Cell) isKnownFunction(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit, *ast.Ident, *ast.CallExpr:
		return true
	case *ast.SelectorExpr:
		_, ok := c.Info.Uses[e.Sel].(*types.Func)
		return ok
	case *ast.IndexExpr: // []F{f()}[0], as a pass writes it
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return !c.isKnownFunction(e) })
	}
	return false
}

// calleesOf returns the functions that n, a function or a function value, mentions and therefore may call.
func (c *Cell) calleesOf(n ast.Node) []string {
	m := &mentions{c: c, plain: map[types.Object]bool{}, seen: map[string]bool{}, names: []string{}}
	c.eachSet(n, func(id *ast.Ident, value ast.Expr) {
		if obj := c.Info.ObjectOf(id); obj != nil {
			before, set := m.plain[obj]
			m.plain[obj] = c.isKnownFunction(value) && (before || !set)
		}
	})
	ast.Inspect(n, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			m.ident(id)
		}
		return true
	})
	return m.names
}

// mentions collects the functions that a text mentions.
type mentions struct {
	c     *Cell
	plain map[types.Object]bool // local variables set to functions whose text is part of n
	seen  map[string]bool
	names []string
}

func (m *mentions) add(name string) {
	if !m.seen[name] {
		m.seen[name] = true
		m.names = append(m.names, name)
	}
}

func (m *mentions) ident(id *ast.Ident) {
	switch obj := m.c.Info.Uses[id].(type) {
	case *types.Func:
		m.function(obj, id)
	case *types.Var:
		switch {
		case !isFunction(obj.Type()):
		case m.c.isTop(obj, id):
			m.add(id.Name)
		case !m.plain[obj]:
			m.add(Opaque + check.AuthorName(id.Name))
		}
	}
}

func (m *mentions) function(f *types.Func, id *ast.Ident) {
	recv := f.Signature().Recv()
	switch {
	case recv != nil && isDynamic(recv.Type()):
		m.add(Opaque + f.Name())
	case !check.IsCell(f.Pkg()):
		m.add(Compiled + f.FullName())
	case recv == nil:
		m.add(id.Name)
	default:
		m.method(f)
	}
}

// method adds a method of a cell's type.
func (m *mentions) method(f *types.Func) {
	named, ok := types.Unalias(ReceiverType(f)).(*types.Named)
	if !ok {
		m.add(Opaque + f.Name())
		return
	}
	obj := named.Origin().Obj()
	name := m.c.EngineName(obj)
	if name == "" {
		name = obj.Name()
	}
	m.add(name + "." + f.Name())
}

// isDynamic reports whether the method called on a t is known only at run time.
func isDynamic(t types.Type) bool {
	_, param := types.Unalias(t).(*types.TypeParam)
	return param || types.IsInterface(t)
}

// passCallees adds an argument to a call of a compiled function whose last parameter accepts the names of the
// functions that its first argument calls: with
//
//	type Calls func(known func(string) bool) []string
//	func F(f any, calls ...Calls)
//
// a call F(f) becomes F(f, ꓸaid.Calls("helperꓸ4", ...)).
func (c *Cell) passCallees(e *ast.CallExpr) {
	f := c.Callee(e)
	if f == nil || check.IsCell(f.Pkg()) || len(e.Args) == 0 || !takesCallees(f.Signature(), len(e.Args)) || !isFunction(c.TypeOf(e.Args[0])) {
		return
	}
	calls := c.CallAid(e.Pos(), "Calls")
	names := c.calleesOf(e.Args[0])
	if !c.isKnownFunction(e.Args[0]) {
		names = append(names, Opaque+"it")
	}
	for _, name := range names {
		calls.Args = append(calls.Args, c.String(e.Pos(), name))
	}
	e.Args = append(e.Args, calls)
}

// takesCallees reports whether the last parameter of s is ...Calls and stands
// behind n arguments.
func takesCallees(s *types.Signature, n int) bool {
	if !s.Variadic() || s.Params().Len() != n+1 {
		return false
	}
	named, ok := types.Unalias(s.Params().At(n).Type().(*types.Slice).Elem()).(*types.Named)
	return ok && named.Obj().Name() == "Calls" && types.TypeString(named.Underlying(), nil) == "func(known func(name string) bool) []string"
}

// ReceiverType returns the type that m is a method of, behind a pointer or not.
func ReceiverType(m *types.Func) types.Type {
	t := m.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
