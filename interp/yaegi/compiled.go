package yaegi

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/yaegi/erase"
)

// compiled holds the compiled functions of a cell.
type compiled struct {
	unit    *compile.Unit
	names   map[*ast.FuncDecl]string // of the symbols
	engine  map[string]string        // of the symbols, by the engine names of functions
	symbols map[string]reflect.Value
}

// compileFunctions compiles the functions of the cell that package compile supports, from
// their present syntax.
func (c *Cell) compileFunctions(l *Lowered) {
	if c.compiler == nil {
		return
	}
	lifted := c.lift()
	if len(lifted) == 0 && !c.declaresFunction() {
		return
	}
	file := *c.File
	file.Decls = slices.Clone(file.Decls)
	for _, l := range lifted {
		file.Decls = append(file.Decls, l.function)
	}
	unit := c.compiler.Compile(compile.Source{
		Fset: c.Fset, Info: c.Info, File: &file, Skip: c.interprets,
		Engine: c.engineName, Method: c.lateMethodOf,
	})
	c.compiled = &compiled{unit: unit, names: map[*ast.FuncDecl]string{}, engine: map[string]string{}, symbols: map[string]reflect.Value{}}
	for _, l := range lifted {
		if f, ok := unit.Compiled[l.function]; ok {
			l.step.stmt = c.callLifted(l.step.stmt, len(unit.Calls))
			unit.Calls = append(unit.Calls, f.Interface().(func()))
		}
		delete(unit.Compiled, l.function)
		delete(c.Info.Defs, l.function.Name)
	}
	for decl, f := range unit.Compiled {
		c.symbol++
		name := fmt.Sprintf("F%d_%d", c.serial, c.symbol)
		c.compiled.names[decl] = name
		c.compiled.symbols[name] = f
		if late, _ := c.lateMethodOf(decl); late == nil && decl.Recv == nil {
			c.compiled.engine[c.engineName(c.Info.Defs[decl.Name])] = name
		}
	}
	l.Unit = unit
}

// lateMethodOf returns the type and the name of the late method that f implements.
func (c *Cell) lateMethodOf(f *ast.FuncDecl) (*types.Named, string) {
	for _, late := range c.late {
		if late.function == f {
			named, _ := late.on.Type().(*types.Named)
			return named, late.method.Name.Name
		}
	}
	return nil, ""
}

// engineName returns the engine name of an object at cell level, or "".
func (c *Cell) engineName(obj types.Object) string {
	if obj == nil || obj.Pkg() == nil || !check.IsCell(obj.Pkg()) {
		return ""
	}
	if obj.Parent() == c.Pkg.Scope() && c.Env.Resolved(obj.Name()) != nil {
		return obj.Name() // by redeclare
	}
	return c.EngineName(obj)
}

// A lifted statement is a statement at the top of a cell that is compiled as a function: a
// loop, or a call of a function literal, such as the main function of a program.
type lifted struct {
	step     *step
	function *ast.FuncDecl
}

// lift returns the statements that may be compiled as functions.
func (c *Cell) lift() (all []*lifted) {
	for _, st := range c.steps {
		var body *ast.BlockStmt
		switch s := st.stmt.(type) {
		case *ast.ForStmt, *ast.RangeStmt:
			body = &ast.BlockStmt{Lbrace: s.Pos(), List: []ast.Stmt{s}, Rbrace: s.End()}
		case *ast.ExprStmt:
			call, ok := s.X.(*ast.CallExpr)
			if !ok {
				continue
			}
			lit, ok := call.Fun.(*ast.FuncLit)
			if !ok || len(call.Args) > 0 || lit.Type.Results != nil {
				continue
			}
			body = lit.Body
		}
		if body == nil || c.final != nil && c.final.shown && st.stmt == ast.Stmt(c.final.stmt) || !c.mayLift(st.stmt, body) {
			continue
		}
		pos := st.stmt.Pos()
		name := cell.Ident(pos, c.Fresh("lifted"))
		c.Info.Defs[name] = types.NewFunc(pos, c.Pkg, name.Name, types.NewSignatureType(nil, nil, nil, nil, nil, false))
		all = append(all, &lifted{st, &ast.FuncDecl{Name: name, Type: noParams(pos), Body: body}})
	}
	return all
}

// mayLift reports whether a statement may become a function's body: it defers nothing, and
// sets no variable at cell level that holds a function, since later passes record those.
func (c *Cell) mayLift(s ast.Stmt, body *ast.BlockStmt) bool {
	_, isCall := s.(*ast.ExprStmt)
	ok := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			if !isCall {
				ok = ok && !mentionsRecover(n)
			}
		case *ast.DeferStmt, *ast.ReturnStmt:
			ok = ok && (isCall || !within(body, n))
		case *ast.Ident:
			v, isVar := c.Info.Uses[n].(*types.Var)
			if isVar && v.Parent() == c.Pkg.Scope() {
				_, isFunc := v.Type().Underlying().(*types.Signature)
				ok = ok && !isFunc
			}
		}
		return ok
	})
	return ok
}

// within reports whether n is in body, and not in a function literal there.
func within(body *ast.BlockStmt, n ast.Node) (found bool) {
	ast.Inspect(body, func(x ast.Node) bool {
		_, isLit := x.(*ast.FuncLit)
		found = found || x == n
		return !isLit && !found
	})
	return found
}

func mentionsRecover(n ast.Node) (found bool) {
	ast.Inspect(n, func(x ast.Node) bool {
		id, ok := x.(*ast.Ident)
		found = found || ok && id.Name == "recover"
		return !found
	})
	return found
}

// callLifted returns the call of the function compiled from s.
func (c *Cell) callLifted(s ast.Stmt, n int) ast.Stmt {
	pos := s.Pos()
	name := "Call"
	if isLoop(s) {
		name = "Loop"
	}
	call := c.CallAid(pos, name, c.Int(pos, c.serial), c.Int(pos, n))
	call.Rparen = s.End()
	return &ast.ExprStmt{X: call}
}

func (c *Cell) declaresFunction() bool {
	for _, decl := range c.File.Decls {
		if f, ok := decl.(*ast.FuncDecl); ok && f.Name.Name != check.Entry {
			return true
		}
	}
	return false
}

// interprets reports whether a function must be interpreted: it works on tensors, whose
// operators later passes rewrite.
func (c *Cell) interprets(f *ast.FuncDecl) bool {
	if f.Name.Name == check.Entry || f.Body == nil {
		return true
	}
	found := false
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case ast.Expr:
			if t := c.Info.TypeOf(n); t != nil && c.Path != "" && c.HoldsTensor(t, nil) {
				found = true
			}
			if id, ok := n.(*ast.Ident); ok {
				if p, ok := c.Info.Uses[id].(*types.PkgName); ok && strings.Contains(p.Imported().Path(), "goanvil") {
					found = true
				}
			}
		}
		return !found
	})
	return found
}

// emptyCompiled removes the bodies of the compiled functions.
func (c *Cell) emptyCompiled() {
	if c.compiled == nil {
		return
	}
	for decl := range c.compiled.names {
		pos := decl.Body.Pos()
		loop := &ast.ForStmt{For: pos, Body: &ast.BlockStmt{Lbrace: pos, Rbrace: pos}}
		decl.Body = &ast.BlockStmt{Lbrace: pos, List: []ast.Stmt{loop}, Rbrace: decl.Body.Rbrace}
	}
}

// symbolOf returns an expression for the compiled function with the given engine name,
// or nil.
func (c *Cell) symbolOf(pos token.Pos, engine string) ast.Expr {
	if c.compiled == nil || c.compiled.engine[engine] == "" {
		return nil
	}
	return &ast.SelectorExpr{X: cell.Ident(pos, erase.TypesName), Sel: cell.Ident(pos, c.compiled.engine[engine])}
}

// link returns the statement that passes the interpreter's variables and functions to
// compiled code, and starts the cell's compiled functions.
func (c *Cell) link(pos token.Pos, functions map[string]bool) ast.Stmt {
	if c.compiled == nil {
		return nil
	}
	args := []ast.Expr{cell.Int(pos, c.serial)}
	names := slices.Clone(c.compiled.unit.Variables)
	slices.Sort(names)
	str := func(s string) ast.Expr {
		return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: fmt.Sprintf("%q", s)}
	}
	for _, name := range names {
		args = append(args, str(name), &ast.UnaryExpr{OpPos: pos, Op: token.AND, X: cell.Ident(pos, name)})
	}
	for _, name := range c.compiled.unit.Functions {
		functions[name] = true
	}
	var list []string
	for name := range functions {
		list = append(list, name)
	}
	slices.Sort(list)
	for _, name := range list {
		args = append(args, str(name), cell.Ident(pos, name))
	}
	return &ast.ExprStmt{X: cell.Call(c.Aid(pos, "Link"), args...)}
}
