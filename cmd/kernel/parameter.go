package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strconv"
	"strings"
)

// A parameter is the value of a --param flag: a name and a Go expression.
type parameter struct{ name, value string }

// parseParameter parses "name=value". A value that is not a Go literal becomes
// a quoted string.
func parseParameter(s string) (parameter, error) {
	name, value, ok := strings.Cut(s, "=")
	if !ok || !token.IsIdentifier(name) {
		return parameter{}, fmt.Errorf("--param %q: write name=value, with a Go identifier as name", s)
	}
	if !isLiteral(value) {
		value = strconv.Quote(value)
	}
	return parameter{name, value}, nil
}

// isLiteral reports whether s is a number (with or without a sign), a quoted string, true, false, or a composite
// literal.
func isLiteral(s string) bool {
	e, err := parser.ParseExpr(s)
	if err != nil {
		return false
	}
	if u, ok := e.(*ast.UnaryExpr); ok && (u.Op == token.SUB || u.Op == token.ADD) {
		number, ok := u.X.(*ast.BasicLit)
		return ok && number.Kind != token.STRING
	}
	switch e := e.(type) {
	case *ast.BasicLit, *ast.CompositeLit:
		return true
	case *ast.Ident:
		return e.Name == "true" || e.Name == "false"
	}
	return false
}

// inject inserts a cell that sets params. The new cell follows the cell tagged "parameters" and assigns
// to its variables. If there is no such cell, the new cell is the first and declares the variables.
func (nb *notebook) inject(params []parameter) {
	if len(params) == 0 {
		return
	}
	nb.cells = slices.DeleteFunc(nb.cells, func(c *nbCell) bool { return c.hasTag("injected-parameters") })
	at := slices.IndexFunc(nb.cells, func(c *nbCell) bool { return c.hasTag("parameters") })
	assign := " = "
	if at < 0 {
		assign = " := "
	}
	var b strings.Builder
	for _, p := range params {
		b.WriteString(p.name + assign + p.value + "\n")
	}
	cell := newCodeCell(strings.TrimSuffix(b.String(), "\n"), "injected-parameters")
	nb.cells = slices.Insert(nb.cells, at+1, cell)
}
