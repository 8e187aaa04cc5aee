package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"iter"
	"path"
	"strconv"
	"strings"
)

// IsCell reports whether p is the package of a cell and not a compiled package.
func IsCell(p *types.Package) bool { return p != nil && p.Path() == "main" }

// IsPackageName reports whether obj is the name of a package.
func IsPackageName(obj types.Object) bool {
	_, ok := obj.(*types.PkgName)
	return ok
}

// IsTypeName reports whether obj is the name of a type.
func IsTypeName(obj types.Object) bool {
	_, ok := obj.(*types.TypeName)
	return ok
}

// GoVersion is the version of Go in which cells are written.
const GoVersion = "go1.26"

// A Checked is the result of type-checking a cell.
type Checked struct {
	File   *ast.File
	Pkg    *types.Package
	Info   *types.Info
	Errors []types.Error // without those about unused variables and imports, which notebooks allow
}

// Check type-checks file, a package main of its own, against the environment. It looks up only the names that file
// mentions, so that the cost does not grow with the session. If ctx ends, Check panics with the error of ctx soon
// after.
func (e *Env) Check(ctx context.Context, fset *token.FileSet, file *ast.File) *Checked {
	e.checks.Add(1)
	c := &Checked{File: file, Pkg: types.NewPackage("main", "main"), Info: newInfo()}
	declared := DeclaredNames(file)
	selected := selected(file)
	for name := range mentioned(file) {
		if declared[name] {
			continue
		}
		if obj := e.visible(name, c.Pkg, selected[name]); obj != nil {
			c.Pkg.Scope().Insert(obj)
		}
	}
	conf := types.Config{Importer: pollingImporter{ctx, e.importer}, Error: c.add, GoVersion: GoVersion}
	if e.Sizes != nil {
		conf.Sizes = pollingSizes{ctx, e.Sizes}
	}
	if c.Errors = e.tooLarge(file); len(c.Errors) > 0 {
		return c
	}
	originals := parenthesize(file, declared)
	Abandon(ctx, func() { c.run(types.NewChecker(&conf, fset, c.Pkg, c.Info)) })
	c.Errors = c.withoutInitCycles()
	for spec, t := range originals {
		spec.Type = t
	}
	return c
}

// CheckExpr type-checks x, a generated expression in the cell that was checked as pkg, and adds the results to info.
// The expression may refer to packages and to objects at cell level.
func (e *Env) CheckExpr(fset *token.FileSet, pkg *types.Package, info *types.Info, x ast.Expr) error {
	ast.Inspect(x, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && pkg.Scope().Lookup(id.Name) == nil {
			if obj := e.visible(id.Name, pkg, nil); obj != nil {
				pkg.Scope().Insert(obj)
			}
		}
		return true
	})
	return types.CheckExpr(fset, pkg, token.NoPos, x, info)
}

// parenthesize puts parentheses around T in declarations such as type U T, if the file does not declare T. It returns
// the original expressions. The parentheses are needed because go/types follows a name without them to its declaration
// in the file, and panics if there is none.
func parenthesize(file *ast.File, declared map[string]bool) map[*ast.TypeSpec]ast.Expr {
	originals := map[*ast.TypeSpec]ast.Expr{}
	for spec := range TypeSpecs(file) {
		if id, ok := spec.Type.(*ast.Ident); ok && !declared[id.Name] {
			originals[spec] = id
			spec.Type = &ast.ParenExpr{Lparen: id.Pos(), X: id, Rparen: id.End()}
		}
	}
	return originals
}

// TypeSpecs returns the type declarations of file that are outside functions.
func TypeSpecs(file *ast.File) iter.Seq[*ast.TypeSpec] {
	return func(yield func(*ast.TypeSpec) bool) {
		for _, decl := range file.Decls {
			if g, ok := decl.(*ast.GenDecl); ok {
				for _, s := range g.Specs {
					if spec, ok := s.(*ast.TypeSpec); ok && !yield(spec) {
						return
					}
				}
			}
		}
	}
}

// run type-checks c.File with checker. A panic of go/types becomes an error of the cell.
func (c *Checked) run(checker *types.Checker) {
	defer func() {
		if r := recover(); r != nil {
			msg := fmt.Sprintf("Go's type checker fails on this cell: %v; write its declarations another way", r)
			c.Errors = append(c.Errors, types.Error{Pos: c.File.Package, Msg: msg})
		}
	}()
	_ = checker.Files([]*ast.File{c.File}) // c.add receives the errors
}

func newInfo() *types.Info {
	return &types.Info{
		Types:      map[ast.Expr]types.TypeAndValue{},
		Instances:  map[*ast.Ident]types.Instance{},
		Defs:       map[*ast.Ident]types.Object{},
		Uses:       map[*ast.Ident]types.Object{},
		Implicits:  map[ast.Node]types.Object{},
		Selections: map[*ast.SelectorExpr]*types.Selection{},
		Scopes:     map[ast.Node]*types.Scope{},
	}
}

// add records an error, unless it is about an unused variable or import: a later cell may use these.
func (c *Checked) add(err error) {
	e, ok := err.(types.Error)
	if code := CodeOf(e); !ok || e.Soft && (code == "UnusedVar" || code == "UnusedImport") {
		return
	}
	c.Errors = append(c.Errors, e)
}

// withoutInitCycles returns the errors except those about initialization cycles of several package variables: such
// cycles are allowed, since cells initialize variables in textual order. Two kinds of cycles remain errors: a variable
// that refers to itself, which go/types reports without a continuation, and a cycle that leaves a type or a constant
// undetermined.
func (c *Checked) withoutInitCycles() (kept []types.Error) {
	keep := true
	for i, e := range c.Errors {
		if !Continues(e) { // the continuations of an error are kept if the error is
			isContinued := i+1 < len(c.Errors) && Continues(c.Errors[i+1])
			keep = CodeOf(e) != "InvalidInitCycle" || !isContinued || !c.isTypedVariable(e.Pos)
		}
		if keep {
			kept = append(kept, e)
		}
	}
	return kept
}

// isTypedVariable reports whether the object declared at pos is not a constant and its type is known.
func (c *Checked) isTypedVariable(pos token.Pos) bool {
	for id, obj := range c.Info.Defs {
		if id.Pos() == pos && obj != nil {
			_, isConst := obj.(*types.Const)
			return !isConst && obj.Type() != types.Typ[types.Invalid]
		}
	}
	return false
}

// Continues reports whether e only adds a position to the error before e. go/types indents the messages of such errors.
func Continues(e types.Error) bool { return strings.HasPrefix(e.Msg, "\t") }

// visible returns the object that name refers to in a new cell, or nil. name may be the author's or the engine name of
// an object of an earlier cell, the name of an import, or the name of a package of the standard library. selected has
// the names that the cell selects from name; they decide between packages of the same name.
func (e *Env) visible(name string, pkg *types.Package, selected []string) types.Object {
	if obj := e.names[name]; obj != nil {
		return obj.Object
	}
	if obj := e.engine[name]; obj != nil {
		return Renamed(obj.Object, name)
	}
	path := e.imports[name]
	if path == "" {
		path = e.paths[name]
	}
	if path == "" {
		if obj := e.dotImported(name); obj != nil || len(selected) == 0 {
			return obj
		}
		if imported := e.standard(name, selected); imported != nil {
			return types.NewPkgName(token.NoPos, pkg, name, imported)
		}
		return nil
	}
	imported, err := e.importer.Import(path)
	if err != nil {
		return nil
	}
	return types.NewPkgName(token.NoPos, pkg, name, imported)
}

// Renamed returns a copy of obj with another name.
func Renamed(obj types.Object, name string) types.Object {
	switch obj := obj.(type) {
	case *types.Var:
		return types.NewVar(obj.Pos(), obj.Pkg(), name, obj.Type())
	case *types.Func:
		return types.NewFunc(obj.Pos(), obj.Pkg(), name, obj.Signature())
	case *types.Const:
		return types.NewConst(obj.Pos(), obj.Pkg(), name, obj.Type(), obj.Val())
	case *types.TypeName:
		return types.NewTypeName(obj.Pos(), obj.Pkg(), name, obj.Type())
	}
	return nil
}

// mentioned returns the names of all identifiers in file.
func mentioned(file *ast.File) map[string]bool {
	names := map[string]bool{}
	ast.Inspect(file, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			names[id.Name] = true
		}
		return true
	})
	return names
}

// DeclaredNames returns the names that file declares at top level, imports included.
func DeclaredNames(file *ast.File) map[string]bool {
	names := map[string]bool{}
	for _, decl := range file.Decls {
		switch decl := decl.(type) {
		case *ast.FuncDecl:
			if decl.Recv == nil {
				names[decl.Name.Name] = true
			}
		case *ast.GenDecl:
			for _, spec := range decl.Specs {
				specNames(spec, names)
			}
		}
	}
	return names
}

// NameIn returns the conventional name of the package at path p: the last element that is not a version such as v2.
func NameIn(p string) string {
	name := path.Base(p)
	isVersion := strings.HasPrefix(name, "v") && len(name) > 1 && strings.Trim(name[1:], "0123456789") == ""
	if !isVersion {
		return name
	}
	return path.Base(path.Dir(p))
}

// specNames adds the names that spec declares to names.
func specNames(spec ast.Spec, names map[string]bool) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, id := range spec.Names {
			names[id.Name] = true
		}
	case *ast.TypeSpec:
		names[spec.Name.Name] = true
	case *ast.ImportSpec:
		if spec.Name != nil {
			names[spec.Name.Name] = true
		} else if p, err := strconv.Unquote(spec.Path.Value); err == nil {
			names[NameIn(p)] = true
		}
	}
}
