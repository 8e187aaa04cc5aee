package check

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// Limits on what would keep go/types busy for too long. maxStringLen is the greatest length of a constant string, in
// bytes. maxChainLen is the greatest length of a chain of types in which each refers to the next: go/types takes time
// that grows with the square of this length.
const (
	maxStringLen = 16 << 20
	maxChainLen  = 1000
)

// maxSignature is the greatest number of parameters and results of a function, with the receiver: the limit of
// reflect.FuncOf.
const maxSignature = 128

// tooLarge returns one error if file exceeds maxStringLen, maxChainLen or maxSignature, and nil otherwise.
func (e *Env) tooLarge(file *ast.File) []types.Error {
	s := &sizes{env: e, stringLens: map[string]int{}, specs: map[string]*ast.TypeSpec{}, chainLens: map[string]int{}}
	ast.Inspect(file, s.visit)
	for name := range s.specs {
		if s.chainLen(name) > maxChainLen {
			s.fail(s.specs[name].Pos(), fmt.Sprintf(
				"more than %d types refer to each other in a row; declare some of them in other cells", maxChainLen))
		}
	}
	return s.errors
}

// sizes estimates the lengths of constant strings and of chains of types from their syntax.
type sizes struct {
	env        *Env
	stringLens map[string]int           // the lengths of constant strings, by the names of the constants
	specs      map[string]*ast.TypeSpec // type declarations by name
	chainLens  map[string]int           // the lengths of chains of types, by the name of the first type
	errors     []types.Error
}

// fail records an error, unless it has recorded one before.
func (s *sizes) fail(pos token.Pos, msg string) {
	if s.errors == nil {
		s.errors = []types.Error{{Pos: pos, Msg: msg}}
	}
}

// visit records constants and types, and checks signatures and the lengths of concatenated strings.
func (s *sizes) visit(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GenDecl:
		if n.Tok != token.CONST {
			return true
		}
		for _, spec := range n.Specs {
			if spec, ok := spec.(*ast.ValueSpec); ok && len(spec.Names) == len(spec.Values) {
				for i, id := range spec.Names {
					s.stringLens[id.Name] = s.stringLen(spec.Values[i])
				}
			}
		}
	case *ast.TypeSpec:
		s.specs[n.Name.Name] = n
	case *ast.FuncDecl:
		s.checkSignature(n.Name.Pos(), n.Recv, n.Type)
	case *ast.FuncType:
		s.checkSignature(n.Params.Pos(), nil, n)
	case *ast.BinaryExpr:
		s.stringLen(n)
		return false
	}
	return true
}

// checkSignature records an error if a function has more than maxSignature parameters and results. recv is its
// receiver, or nil.
func (s *sizes) checkSignature(pos token.Pos, recv *ast.FieldList, t *ast.FuncType) {
	if n := recv.NumFields() + t.Params.NumFields() + t.Results.NumFields(); n > maxSignature {
		s.fail(pos, fmt.Sprintf("this function has %d parameters and results, and cells can have functions with at most %d; "+
			"use a struct or a slice", n, maxSignature))
	}
}

// stringLen returns the length of e if e is a constant string, and otherwise 0. It records an error if e is too long.
func (s *sizes) stringLen(e ast.Expr) int {
	switch e := e.(type) {
	case *ast.ParenExpr:
		return s.stringLen(e.X)
	case *ast.BasicLit:
		if e.Kind == token.STRING {
			return len(e.Value)
		}
	case *ast.Ident:
		if n, ok := s.stringLens[e.Name]; ok {
			return n
		}
		if o := s.env.names[e.Name]; o != nil {
			if c, ok := o.Object.(*types.Const); ok && c.Val().Kind() == constant.String {
				return len(constant.StringVal(c.Val()))
			}
		}
	case *ast.BinaryExpr:
		x, y := s.stringLen(e.X), s.stringLen(e.Y)
		if e.Op != token.ADD || x == 0 || y == 0 {
			return 0
		}
		if x+y > maxStringLen {
			s.fail(e.OpPos, "this constant string has more than "+strconv.Itoa(maxStringLen)+" bytes; "+
				"declare one of its parts as a variable")
			return maxStringLen
		}
		return x + y
	}
	return 0
}

// chainLen returns the length of the longest chain of types that begins with the type called name.
func (s *sizes) chainLen(name string) int {
	if n, ok := s.chainLens[name]; ok {
		return n
	}
	s.chainLens[name] = 0 // ends the recursion if the type refers to itself
	longest := 0
	ast.Inspect(s.specs[name].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && s.specs[id.Name] != nil && longest <= maxChainLen {
			longest = max(longest, s.chainLen(id.Name))
		}
		return true
	})
	s.chainLens[name] = longest + 1
	return longest + 1
}
