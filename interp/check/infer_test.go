package check_test

import (
	"context"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/universe"
)

// TestInferAgreesWithCheck checks that Infer and Check agree on programs: on the type of each expression that Infer
// gives a type, and on the object of each identifier.
func TestInferAgreesWithCheck(t *testing.T) {
	files, err := filepath.Glob("../compile/testdata/programs/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	env := check.NewEnv(universe.WithReceivers(nil))
	known, all := 0, 0
	for _, name := range files {
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		inferred := env.Infer(t.Context(), file, nil)
		checked := env.Check(t.Context(), fset, file)
		if len(checked.Errors) > 0 {
			t.Fatal(name, checked.Errors[0])
		}
		for e, want := range checked.Info.Types {
			if !want.IsValue() || want.Type == types.Typ[types.UntypedNil] {
				continue
			}
			all++
			got, ok := inferred.Info.Types[e]
			if !ok || strings.HasPrefix(got.Type.String(), "untyped ") {
				continue
			}
			if sig, generic := got.Type.(*types.Signature); generic && sig.TypeParams().Len() > 0 {
				continue
			}
			known++
			if w, g := written(want.Type), written(got.Type); g != w && !hasUnknown(g) && !commaOk(want.Type, g) {
				t.Errorf("%s: %s is inferred to be %s, and is %s", fset.Position(e.Pos()), types.ExprString(e), g, w)
			}
		}
		for id, want := range checked.Info.Uses {
			got := inferred.Info.Uses[id]
			if got != nil && (got.Name() != want.Name() || got.Pkg() != nil && want.Pkg() != nil && got.Pkg().Path() != want.Pkg().Path() || isLocal(want) && got.Pos() != want.Pos()) {
				t.Errorf("%s: %s is inferred to mean %v, and means %v", fset.Position(id.Pos()), id.Name, got, want)
			}
		}
	}
	t.Logf("%d of %d types are inferred", known, all)
	if known < all/2 {
		t.Errorf("only %d of %d types are inferred", known, all)
	}
}

func written(t types.Type) string {
	if sig, ok := t.(*types.Signature); ok { // without names and receiver
		t = types.NewSignatureType(nil, nil, nil, unnamed(sig.Params()), unnamed(sig.Results()), sig.Variadic())
	}
	return strings.ReplaceAll(types.TypeString(t, nil), "interface{}", "any")
}

func unnamed(t *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range t.Variables() {
		vars = append(vars, types.NewVar(0, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

// hasUnknown reports whether a part of a type is not known.
func hasUnknown(t string) bool { return strings.Contains(t, "invalid type") }

// commaOk reports whether want is the pair of types of v, ok := m[k], and got the first of them.
func commaOk(want types.Type, got string) bool {
	pair, ok := want.(*types.Tuple)
	return ok && pair.Len() == 2 && written(pair.At(0).Type()) == got
}

// isLocal reports whether obj is a variable of a function or block.
func isLocal(obj types.Object) bool {
	v, ok := obj.(*types.Var)
	return ok && !v.IsField() && v.Pkg() != nil && v.Pkg().Path() == "main" && v.Parent() != nil && v.Parent() != v.Pkg().Scope()
}

// TestKeysOfStructs checks that a key of a struct literal is not taken for a variable of the same name, also where the
// type of the literal is left out, and that a key of a map is.
func TestKeysOfStructs(t *testing.T) {
	env := check.NewEnv(universe.WithReceivers(nil))
	for literal, want := range map[string]string{
		"T{k: k}": "value", "&T{k: k}": "value", "[]T{{k: k}}": "value", "[]*T{{k: k}}": "value", "[1]*T{0: {k: k}}": "value",
		"map[string]*T{\"\": {k: k}}": "value", "map[int]int{k: k}": "key value", "[]map[int]int{{k: k}}": "key value",
		"map[int]*T{k: {k: 2}}": "key",
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package main\ntype T struct{ k int }\nvar k = 1\nvar x = "+literal, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		uses := env.Infer(t.Context(), file, nil).Info.Uses
		var found []string
		ast.Inspect(file, func(n ast.Node) bool {
			kv, ok := n.(*ast.KeyValueExpr)
			if !ok {
				return true
			}
			isVariable := func(e ast.Expr) bool {
				id, ok := e.(*ast.Ident)
				v, isVar := uses[id].(*types.Var)
				return ok && isVar && !v.IsField()
			}
			if isVariable(kv.Key) {
				found = append(found, "key")
			}
			if isVariable(kv.Value) {
				found = append(found, "value")
			}
			return true
		})
		if got := strings.Join(found, " "); got != want {
			t.Errorf("%s: variables are %q, want %q", literal, got, want)
		}
	}
}

// TestInferEndsWithItsContext tests that Infer panics at the next statement once its context has ended.
func TestInferEndsWithItsContext(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "cell.go", "package main\nfunc f() { x := 1; _ = x }", 0)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	defer func() {
		if err := recover(); err != context.Canceled {
			t.Errorf("Infer panicked with %v, not with the error of the context", err)
		}
	}()
	check.NewEnv(universe.WithReceivers(nil)).Infer(ctx, file, nil)
	t.Error("Infer returned")
}
