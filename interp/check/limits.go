package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// Limits on cells that keep go/types busy for too long. maxText is the greatest length of a constant string in bytes.
// maxTypes is the greatest length of a chain of types in which each refers to the next; the time that go/types takes
// grows with the square of the length.
const (
	maxText  = 16 << 20
	maxTypes = 1000
)

// tooLarge returns an error if file exceeds maxText or maxTypes, and nil otherwise.
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
