package explain_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"regexp"
	"testing"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/explain"
)

// TestPhrases checks that the codes and facts that phrases.txt names exist, and that it names each fact.
func TestPhrases(t *testing.T) {
	used := map[string]bool{}
	known := explain.Facts()
	for _, p := range explain.Phrases() {
		for _, code := range p.Codes {
			if code != "*" && !check.IsCode(code) {
				t.Errorf("%q: go/types has no code %s", p.Text, code)
			}
		}
		for _, fact := range p.Facts {
			used[fact] = true
			if !known[fact] {
				t.Errorf("%q: there is no fact %q", p.Text, fact)
			}
		}
		if len(p.Codes) == 0 || p.Text == "" {
			t.Errorf("%+v: a phrase has codes and a text", p)
		}
	}
	text, err := os.ReadFile("phrases.txt")
	if err != nil {
		t.Fatal(err)
	}
	for fact := range known {
		if !used[fact] {
			t.Errorf("no phrase uses the fact %s", fact)
		}
		if !regexp.MustCompile(`(?m)^#.*\b` + fact + `\b`).Match(text) {
			t.Errorf("the head of phrases.txt does not describe the fact %s", fact)
		}
	}
}

// TestUnknownCode checks that an error without a code, as another release of go/types may have, keeps its message.
func TestUnknownCode(t *testing.T) {
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", "package main\nfunc f() int { return \"a\" }", 0)
	if err != nil {
		t.Fatal(err)
	}
	env := check.NewEnv(nil)
	checked := env.Check(t.Context(), fset, file)
	c := &explain.Cell{Env: env, File: file, Pkg: checked.Pkg, Info: checked.Info, TensorPath: "example/anvil", Authored: map[ast.Expr]ast.Expr{}}
	e := types.Error{Pos: checked.Errors[0].Pos, Msg: "undefined: ꓸx in main.f"}
	if got := c.Errors(t.Context(), []types.Error{e}); len(got) != 1 || got[0] != (explain.Error{Pos: e.Pos, Msg: "undefined: x in f"}) {
		t.Errorf("%v", got)
	}
}
