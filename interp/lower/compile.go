package lower

import (
	"go/ast"
	"go/types"
	"strings"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/explain"
)

// compile compiles the functions and the statements of the cell.
func (c *Cell) compile() (*compile.Unit, error) {
	variables := map[string]types.Type{}
	for _, d := range c.declared {
		if d.step >= 0 && !d.SharesStorage {
			variables[d.Engine] = d.Type()
		}
	}
	unit, err := c.compiler.Compile(compile.Source{
		Ctx: c.ctx, Fset: c.Fset, Info: c.Info, File: c.File, Pkg: c.Pkg, Entry: check.Entry, Variables: variables,
		Special: c.special, Engine: resolvedName, Method: c.lateMethodOf,
	})
	if e, ok := err.(*compile.Error); ok {
		return nil, &explain.Error{Pos: e.Pos, Msg: e.Msg}
	}
	return unit, err
}

// resolvedName returns the name of obj if obj is declared at cell level under an engine name, which contains
// check.Mark. Otherwise it returns "".
func resolvedName(obj types.Object) string {
	if obj == nil || obj.Pkg() == nil || !check.IsCell(obj.Pkg()) {
		return ""
	}
	if !strings.Contains(obj.Name(), check.Mark) {
		return ""
	}
	return obj.Name()
}

// lateMethodOf returns the receiver's base type and the name of the late method that the function f replaces, or nil
// and "" if it does not replace one.
func (c *Cell) lateMethodOf(f *ast.FuncDecl) (*types.Named, string) {
	for _, late := range c.lateMethods {
		if late.function == f {
			named, _ := late.typ.Type().(*types.Named)
			return named, late.method.Name.Name
		}
	}
	return nil, ""
}
