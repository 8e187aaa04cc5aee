package main

import (
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestStackTracesAreNotReadForOperations counts the calls in the source of this platform that
// write a stack trace. They take tens of microseconds, so that operations must identify
// goroutines by package goroutine instead. Only ancestry.go has such calls, for the start of a
// cell and for panics on other goroutines.
func TestStackTracesAreNotReadForOperations(t *testing.T) {
	want := map[string]int{"ancestry.go: runtime.Stack": 2}
	if !slices.Contains([]string{"amd64", "arm64", "wasm"}, build.Default.GOARCH) {
		want["key_stack.go: runtime.Stack"] = 1
	}
	got, files := map[string]int{}, 0
	root := filepath.Join("..", "..")
	for _, room := range []string{"anvil", "display", "interp", "messaging", "cmd"} {
		err := filepath.WalkDir(filepath.Join(root, room), func(path string, e fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case e.IsDir() && e.Name() == "testdata":
				return fs.SkipDir
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "_gen.go"):
				return nil
			}
			if built, err := build.Default.MatchFile(filepath.Split(path)); err != nil || !built {
				return err
			}
			files++
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
			if err != nil {
				return err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if s, ok := n.(*ast.SelectorExpr); ok {
					p, _ := s.X.(*ast.Ident)
					if p != nil && (p.Name == "runtime" && s.Sel.Name == "Stack" || p.Name == "debug" && (s.Sel.Name == "Stack" || s.Sel.Name == "PrintStack")) {
						got[filepath.Base(path)+": "+p.Name+"."+s.Sel.Name]++
					}
				}
				return true
			})
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if files < 300 || !maps.Equal(got, want) {
		t.Errorf("in %d files: %v, want %v", files, got, want)
	}
}
