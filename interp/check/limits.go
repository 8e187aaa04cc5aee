package check

import (
	"context"
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// Abandon calls f in a goroutine and waits for it. If ctx ends first, Abandon panics with ctx's error while f
// goes on running: f must not change data that others read.
func Abandon(ctx context.Context, f func()) {
	Poll(ctx)
	done := make(chan any, 1)
	go func() {
		defer func() { done <- recover() }()
		f()
	}()
	select {
	case v := <-done:
		if v != nil {
			panic(v)
		}
	case <-ctx.Done():
		panic(ctx.Err())
	}
}

// go/types calls a pollingImporter and a pollingSizes during a check. Their methods panic once the context has
// ended, so that an abandoned check ends too.
type (
	pollingImporter struct {
		ctx context.Context
		types.Importer
	}
	pollingSizes struct {
		ctx context.Context
		types.Sizes
	}
)

// Import implements types.Importer.
func (i pollingImporter) Import(path string) (*types.Package, error) {
	Poll(i.ctx)
	return i.Importer.Import(path)
}

// Alignof implements types.Sizes.
func (s pollingSizes) Alignof(t types.Type) int64 {
	Poll(s.ctx)
	return s.Sizes.Alignof(t)
}

// Offsetsof implements types.Sizes.
func (s pollingSizes) Offsetsof(fields []*types.Var) []int64 {
	Poll(s.ctx)
	return s.Sizes.Offsetsof(fields)
}

// Sizeof implements types.Sizes.
func (s pollingSizes) Sizeof(t types.Type) int64 {
	Poll(s.ctx)
	return s.Sizes.Sizeof(t)
}

// Poll panics with the error of ctx if ctx has ended.
func Poll(ctx context.Context) {
	if err := ctx.Err(); err != nil {
		panic(err)
	}
}

// maxText is the greatest length of a constant string in bytes. maxTypes is the greatest length of a chain of
// types that refer to each other; the time that go/types takes grows with the square of the length.
const (
	maxText  = 16 << 20
	maxTypes = 1000
)

// tooLarge returns an error if file has larger constants or longer chains of types, which would keep go/types
// busy for a very long time.
func (e *Env) tooLarge(file *ast.File) []types.Error {
	s := &sizes{env: e, texts: map[string]int{}, specs: map[string]*ast.TypeSpec{}, chains: map[string]int{}}
	ast.Inspect(file, s.visit)
	for name := range s.specs {
		if s.chain(name) > maxTypes {
			s.fail(s.specs[name].Pos(), fmt.Sprintf(
				"more than %d types refer to each other in a row; declare some of them in other cells", maxTypes))
		}
	}
	return s.wrong
}

// sizes estimates the lengths of constant strings and of chains of types from their syntax.
type sizes struct {
	env    *Env
	texts  map[string]int // the lengths of constant strings, by name
	specs  map[string]*ast.TypeSpec
	chains map[string]int // the lengths of chains of types, by the name of the first
	wrong  []types.Error
}

// fail records an error, unless there is one.
func (s *sizes) fail(pos token.Pos, msg string) {
	if s.wrong == nil {
		s.wrong = []types.Error{{Pos: pos, Msg: msg}}
	}
}

// visit records constants and types, and checks the lengths of concatenated strings.
func (s *sizes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		if n.Tok != token.CONST {
			return true
		}
		for _, spec := range n.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
				for i, id := range spec.Names {
					s.texts[id.Name] = s.text(spec.Values[i])
				}
			}
		}
	case *ast.TypeSpec:
		s.specs[n.Name.Name] = n
	case *ast.BinaryExpr:
		s.text(n)
		return false
	}
	return true
}

// text returns the length of a constant string, or 0 for other expressions.
func (s *sizes) text(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.text(e.X)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return len(e.Value)
		}
	case *ast.Ident:
		if n, ok := s.texts[e.Name]; ok {
			return n
		}
		if o := s.env.names[e.Name]; o != nil {
			if c, ok := o.Object.(*types.Const); ok && c.Val().Kind() == constant.String {
				return len(constant.StringVal(c.Val()))
			}
		}
	case *ast.BinaryExpr:
		x, y := s.text(e.X), s.text(e.Y)
		if e.Op != token.ADD || x == 0 || y == 0 {
			return 0
		}
		if x+y > maxText {
			s.fail(e.OpPos, "this constant string has more than "+strconv.Itoa(maxText)+" bytes; make it a variable")
			return maxText
		}
		return x + y
	}
	return 0
}

// chain returns the length of the longest chain of types that begins with the type called name.
func (s *sizes) chain(name string) int {
	if n, ok := s.chains[name]; ok {
		return n
	}
	s.chains[name] = 0 // ends the recursion if the type refers to itself
	longest := 0
	ast.Inspect(s.specs[name].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.specs[id.Name] != nil && longest <= maxTypes {
			longest = max(longest, s.chain(id.Name))
		}
		return true
	})
	s.chains[name] = longest + 1
	return longest + 1
}
