package tensor

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
)

// A callee is listed as a string of one of these forms:
//
//	fꓸ3           the engine name of a function, or of a variable that holds functions (see check.Object)
//	Tꓸ4.Method    the engine name of a type, and the name of a method
//	=math.Sin     Compiled, and the full name of a compiled function
//	?g            Opaque, and the author's name, if any, of a function value whose source is not known
const (
	Compiled = "="
	Opaque   = "?"
)

// TellCallees records in c.Callees what the functions of the cell call. It also rewrites calls of library functions
// that need such a list; see passCallees. names has the callee, such as Tꓸ4.Method, for each function that replaces a
// method.
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

// findCallees sets c.Callees. It has the callees of each function and method of the cell. For each variable at cell
// level, it has the callees of all functions assigned to the variable.
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
		c.eachFunctionAssignment(f, func(id *ast.Ident, value ast.Expr) {
			if v, ok := c.Info.ObjectOf(id).(*types.Var); ok && c.isCellLevel(v, id) {
				c.Callees[id.Name] = append(c.Callees[id.Name], c.calleesOfValue(id, value)...)
			}
		})
	}
}

// calleesOfValue returns the callees of value, a function that is assigned to id.
func (c *Cell) calleesOfValue(id *ast.Ident, value ast.Expr) []string {
	names := c.calleesOf(value)
	if !c.isKnownFunction(value) {
		names = append(names, Opaque+check.AuthorName(id.Name))
	}
	return names
}

// isCellLevel reports whether v, which id refers to, is declared outside all functions of a cell.
func (c *Cell) isCellLevel(v *types.Var, id *ast.Ident) bool {
	return !v.IsField() && check.IsCell(v.Pkg()) && c.Pkg.Scope().Lookup(id.Name) == types.Object(v)
}

// eachFunctionAssignment calls f for each declaration and assignment in n that sets an identifier to a function.
func (c *Cell) eachFunctionAssignment(n ast.Node, f func(id *ast.Ident, value ast.Expr)) {
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

// isFunction reports whether t is a function type.
func isFunction(t types.Type) bool {
	if t == nil {
		return false
	}
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// isKnownFunction reports whether calleesOf(e) includes all that the function value e may call. It does if e is a
// function literal, a name, a method or a function of a package. It also does if e is the result of a call: the
// called function mentions the functions that it may return.
func (c *Cell) isKnownFunction(e ast.Expr) bool {
	switch e := ast.Unparen(e).(type) {
	case *ast.FuncLit, *ast.Ident, *ast.CallExpr:
		return true
	case *ast.SelectorExpr:
		_, ok := c.Info.Uses[e.Sel].(*types.Func)
		return ok
	case *ast.IndexExpr: // such as []F{f, g}[i]
		lit, ok := e.X.(*ast.CompositeLit)
		return ok && !slices.ContainsFunc(lit.Elts, func(e ast.Expr) bool { return !c.isKnownFunction(e) })
	}
	return false
}

// calleesOf returns the functions that n, a function or a function value, mentions and therefore may call.
func (c *Cell) calleesOf(n ast.Node) []string {
	m := &mentions{c: c, known: map[types.Object]bool{}, seen: map[string]bool{}, names: []string{}}
	c.eachFunctionAssignment(n, func(id *ast.Ident, value ast.Expr) {
		if obj := c.Info.ObjectOf(id); obj != nil {
			before, set := m.known[obj]
			m.known[obj] = c.isKnownFunction(value) && (before || !set)
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

// mentions collects the functions that a node mentions.
type mentions struct {
	c     *Cell
	known map[types.Object]bool // by variable: whether isKnownFunction holds for all functions assigned to it
	seen  map[string]bool       // the names in names
	names []string              // the callees
}

// add adds a callee, unless it has been added before.
func (m *mentions) add(name string) {
	if !m.seen[name] {
		m.seen[name] = true
		m.names = append(m.names, name)
	}
}

// ident adds the function that id refers to, if any.
func (m *mentions) ident(id *ast.Ident) {
	switch obj := m.c.Info.Uses[id].(type) {
	case *types.Func:
		m.function(obj, id)
	case *types.Var:
		switch {
		case !isFunction(obj.Type()):
		case m.c.isCellLevel(obj, id):
			m.add(id.Name)
		case !m.known[obj]:
			m.add(Opaque + check.AuthorName(id.Name))
		}
	}
}

// function adds f, which id refers to.
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

// method adds f, a method of a type that a cell declares.
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

// isDynamic reports whether t is an interface or a type parameter. Which function a call of a method of t reaches is
// then known only at run time.
func isDynamic(t types.Type) bool {
	_, isParam := types.Unalias(t).(*types.TypeParam)
	return isParam || types.IsInterface(t)
}

// passCallees adds an argument to the call e if the callee is a compiled function whose last parameter has type
// ...Calls. The argument lists what the first argument, a function, may call. With
//
//	type Calls func(known func(string) bool) []string
//	func F(f any, calls ...Calls)
//
// a call F(f) becomes F(f, ꓸaid.Calls("helperꓸ4", ...)).
func (c *Cell) passCallees(e *ast.CallExpr) {
	f := c.Callee(e)
	if f == nil || check.IsCell(f.Pkg()) || len(e.Args) == 0 || !takesCallees(f.Signature(), len(e.Args)) {
		return
	}
	if !isFunction(c.TypeOf(e.Args[0])) {
		return
	}
	calls := c.CallAid(e.Pos(), "Calls")
	names := c.calleesOf(e.Args[0])
	if !c.isKnownFunction(e.Args[0]) {
		names = append(names, Opaque) // the argument has no name
	}
	for _, name := range names {
		calls.Args = append(calls.Args, c.String(e.Pos(), name))
	}
	e.Args = append(e.Args, calls)
}

// takesCallees reports whether s has n parameters followed by one of type ...Calls.
func takesCallees(s *types.Signature, n int) bool {
	if !s.Variadic() || s.Params().Len() != n+1 {
		return false
	}
	named, ok := types.Unalias(s.Params().At(n).Type().(*types.Slice).Elem()).(*types.Named)
	return ok && named.Obj().Name() == "Calls" && types.Identical(named.Underlying(), callsType)
}

// callsType is func(func(string) bool) []string.
var callsType = func() types.Type {
	str, boolean := types.Typ[types.String], types.Typ[types.Bool]
	return signatureOf(signatureOf(str, boolean), types.NewSlice(str))
}()

// signatureOf returns the type func(param) result.
func signatureOf(param, result types.Type) *types.Signature {
	tuple := func(t types.Type) *types.Tuple { return types.NewTuple(types.NewParam(token.NoPos, nil, "", t)) }
	return types.NewSignatureType(nil, nil, nil, tuple(param), tuple(result), false)
}

// ReceiverType returns the type of m's receiver, or the element type if the receiver is a pointer.
func ReceiverType(m *types.Func) types.Type {
	t := m.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		return p.Elem()
	}
	return t
}
