package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ops"
)

// rowMethods returns the methods of Lib that are a row of the op table and
// nothing more (ops.Def.Method), as text and as declarations.
func rowMethods() (text string, methods []*ast.FuncDecl, err error) {
	var b strings.Builder
	for _, d := range ops.All() {
		if d.Method {
			b.WriteString("\n" + rowMethod(d))
		}
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", "package anvil\n"+b.String(), parser.ParseComments)
	if err != nil {
		return "", nil, err
	}
	for _, d := range file.Decls {
		methods = append(methods, d.(*ast.FuncDecl))
	}
	return b.String(), methods, nil
}

// rowMethod returns the method of one row. What is computed in floats takes
// integers too, which promotion makes floats.
func rowMethod(d *ops.Def) string {
	names := map[string]string{"operand": "x", "lhs": "x", "rhs": "y"}
	doc := d.Doc
	for from, to := range names {
		doc = strings.ReplaceAll(doc, from, to)
	}
	floats := d.AcceptsAt(0)&^dtype.Inexact == 0
	call, params := map[bool]string{true: "real", false: "unary"}[floats], "x"
	if len(d.Params) == 2 {
		call, params = map[bool]string{true: "realBinary", false: "binary"}[floats], "x, y"
	}
	args := params
	if call == "binary" {
		args += ", nil"
	}
	return fmt.Sprintf("// %s\nfunc (l *Lib) %s(%s any) Tensor { return l.%s(%q, ir.%s, %s) }\n", doc, d.Name, params, call, d.Name, d.Name, args)
}
