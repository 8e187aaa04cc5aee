package lower

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
	"github.com/goanvil/notebook/interp/lower/erase"
)

// A Cell is a cell on its way to the engine.
type Cell struct {
	N      int // as in In [N]
	Env    *check.Env
	Fset   *token.FileSet
	File   *ast.File // imports, declarations, and the function Entry with the statements
	Pkg    *types.Package
	Info   *types.Info
	Tensor types.Type // whose operators are calls; nil where the universe has none

	tensorPath string
	system     System
	eraser     *erase.Session
	steps      []*step
	final      *final
	declares   []*Declared
	late       []*lateMethod
	notes      []explain.Note
	reaches    []Reach
	callees    map[string][]string
	again      []*Error              // a := that declares nothing
	authors    map[string]string     // the imports that the cell writes, name -> path
	temporary  map[string]*ast.Ident // names that := has for the check only, and what they stand for
	body       *ast.BlockStmt        // of Entry
	elements   map[ast.Expr]*element
	slices     map[*ast.CallExpr]bool
	cut        map[*ast.Ident]*ast.CallExpr // the "At" of calls that were no Go
	engine     map[types.Object]string      // names of the cell's own objects
	imports    map[string]bool              // paths that lowered code mentions
	cutDone    map[*ast.BlockStmt]bool
	guarded    map[*ast.GoStmt]bool
	switches   map[*ast.BlockStmt]bool // what has become of a select
	serial     int
	calls      map[token.Pos][]Call  // of statements that make several
	authored   map[ast.Expr]ast.Expr // what stood where an operator has become a call
	entry      string                // the engine name of Entry
	fresh      int
}

// TypeOf returns the type of e, or nil where e was made since the last check.
func (c *Cell) TypeOf(e ast.Expr) types.Type { return c.Info.TypeOf(e) }

// ValueOf returns the value of the constant e, or nil.
func (c *Cell) ValueOf(e ast.Expr) constant.Value { return c.Info.Types[e].Value }

// ObjectOf returns what id means, or nil.
func (c *Cell) ObjectOf(id *ast.Ident) types.Object { return c.Info.ObjectOf(id) }

// Callee returns the function or method that call calls by name, or nil.
func (c *Cell) Callee(call *ast.CallExpr) *types.Func {
	fun := ast.Unparen(call.Fun)
	switch index := fun.(type) {
	case *ast.IndexExpr:
		fun = index.X
	case *ast.IndexListExpr:
		fun = index.X
	}
	var id *ast.Ident
	switch fun := fun.(type) {
	case *ast.Ident:
		id = fun
	case *ast.SelectorExpr:
		id = fun.Sel
	}
	if id == nil {
		return nil
	}
	f, _ := c.Info.Uses[id].(*types.Func)
	return f
}

// IsTensor reports whether t is the type of tensors.
func (c *Cell) IsTensor(t types.Type) bool {
	return c.Tensor != nil && t != nil && types.Identical(t, c.Tensor)
}

// Fresh returns an identifier, different at each call, that no author's and no
// other pass's name is equal to.
func (c *Cell) Fresh(prefix string) string {
	c.fresh++
	return fmt.Sprintf("%s%s%s%d", check.Mark, prefix, check.Mark, c.fresh)
}

// Qualified returns an expression for the exported name of the package at path.
func (c *Cell) Qualified(pos token.Pos, path, name string) ast.Expr {
	c.imports[path] = true
	return &ast.SelectorExpr{X: ident(pos, c.Env.Alias(path)), Sel: ident(pos, name)}
}

// tensorPackage returns an expression for a name of the tensor package.
func (c *Cell) tensorPackage(pos token.Pos, name string) ast.Expr {
	return c.Qualified(pos, c.tensorPath, name)
}

// Lib returns an expression for a function on tensors; placeSystem gives it the
// cell's system.
func (c *Cell) Lib(pos token.Pos, name string) ast.Expr { return c.tensorPackage(pos, name) }

// Aid returns an expression for a function of the aid tables.
func (c *Cell) Aid(pos token.Pos, name string) ast.Expr { return c.Qualified(pos, AidPath, name) }

// Declare adds a declaration to the cell.
func (c *Cell) Declare(decl ast.Decl) { c.File.Decls = append(c.File.Decls, decl) }

// Entry returns the function that holds the cell's statements.
func (c *Cell) Entry() *ast.FuncDecl {
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name == Entry {
			return f
		}
	}
	return nil
}

// Generic returns what a generic function or type of this or an earlier cell
// was declared as, names resolved, and its methods; nil for all others.
func (c *Cell) Generic(obj types.Object) (ast.Node, []*ast.FuncDecl) {
	if obj == nil {
		return nil, nil
	}
	if o := c.Env.Of(obj); o != nil {
		return o.Decl, o.Methods
	}
	if o := c.Env.Resolved(obj.Name()); o != nil {
		return o.Decl, o.Methods
	}
	return c.declared(obj.Name())
}

// declared returns the declaration of a function or type in this cell.
func (c *Cell) declared(name string) (decl ast.Node, methods []*ast.FuncDecl) {
	for _, d := range c.File.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			if d.Recv == nil && d.Name.Name == name {
				decl = d
			} else if d.Recv != nil && receiverName(d) == name {
				methods = append(methods, d)
			}
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if t, ok := spec.(*ast.TypeSpec); ok && t.Name.Name == name {
					decl = t
				}
			}
		}
	}
	return decl, methods
}

// receiverName returns the name of the type that a method is declared on.
func receiverName(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := ast.Unparen(f.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch index := t.(type) {
	case *ast.IndexExpr:
		t = index.X
	case *ast.IndexListExpr:
		t = index.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// An Error is what is wrong with a cell, at a position of the author's.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Errorf returns an error at node.
func (c *Cell) Errorf(node ast.Node, format string, args ...any) error {
	return &Error{node.Pos(), fmt.Sprintf(format, args...)}
}

func ident(pos token.Pos, name string) *ast.Ident { return &ast.Ident{NamePos: pos, Name: name} }

func stringLit(pos token.Pos, s string) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(s)}
}

func intLit(pos token.Pos, n int) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

func call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Args: args, Lparen: fun.Pos(), Rparen: fun.Pos()}
}
