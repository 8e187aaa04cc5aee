package cell

import (
	"fmt"
	"go/ast"
	"go/token"
)

// maxDepth bounds how deep brackets, types, statements and operands may nest. maxChain bounds the
// number of operators, selectors, calls, indices or else branches in a chain such as a + b + c or
// a.b.c and the chains that contain it. The time and the stack for checking and compiling grow
// with both.
const (
	maxDepth = 1000
	maxChain = 10_000
)

var (
	tooDeep = fmt.Sprintf("nested more than %d deep; give parts names of their own", maxDepth)
	tooLong = fmt.Sprintf("more than %d operators or selectors in a row; use more statements", maxChain)
)

// A measure visits a syntax tree and records the first node that exceeds maxDepth or maxChain.
type measure struct {
	depth, chain int
	left         ast.Node            // the child that continues the chain of the parent node, or nil
	wrong        *fault              // the error, shared by all copies of the visitor; msg is "" if there is none
	at           func(token.Pos) int // converts a position to an offset of the cell
}

// Visit implements ast.Visitor. It returns the visitor for the children of n.
func (m measure) Visit(n ast.Node) ast.Visitor {
	if n == nil || m.wrong.msg != "" {
		return nil
	}
	if n == m.left { // depth does not grow along a chain
		m.chain++
	} else {
		m.depth++
	}
	switch {
	case m.depth > maxDepth:
		*m.wrong = fault{at: m.at(n.Pos()), msg: tooDeep}
		return nil
	case m.chain > maxChain:
		*m.wrong = fault{at: m.at(n.Pos()), msg: tooLong}
		return nil
	}
	m.left = nil
	switch n := n.(type) {
	case *ast.BinaryExpr:
		m.left = n.X
	case *ast.SelectorExpr:
		m.left = n.X
	case *ast.CallExpr:
		m.left = n.Fun
	case *ast.IndexExpr:
		m.left = n.X
	case *ast.IfStmt:
		m.left = n.Else
	}
	return m
}

// checkDepth returns an error if the file exceeds maxDepth or maxChain, and nil otherwise. at converts positions of the
// file to offsets of the cell.
func checkDepth(f *ast.File, at func(token.Pos) int) *fault {
	m := measure{wrong: &fault{}, at: at}
	ast.Walk(m, f)
	if m.wrong.msg == "" {
		return nil
	}
	return m.wrong
}
