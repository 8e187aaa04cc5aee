package main

import (
	"fmt"
	"go/ast"
	doccomment "go/doc/comment"
	"go/parser"
	"go/token"
	"strings"

	"github.com/goanvil/notebook/anvil/ops"
)

// rowMethods returns the methods of Lib that are rows of the op table
// (ops.Function), as text and as declarations.
func rowMethods() (text string, methods []*ast.FuncDecl, err error) {
	var b strings.Builder
	for _, d := range ops.Functions() {
		b.WriteString("\n" + rowMethod(d))
	}
	file, err := parser.ParseFile(token.NewFileSet(), "", "package anvil\n"+b.String(), parser.ParseComments)
	if err != nil {
		return "", nil, err
	}
	for _, d := range file.Decls {
		if m, ok := d.(*ast.FuncDecl); ok {
			methods = append(methods, m)
		}
	}
	return b.String(), methods, nil
}

// rowMethod returns the row of a function as a variable, and its method.
func rowMethod(d *ops.Def) string {
	args, params, apply := strings.Join(d.Args, ", "), strings.Join(d.Args, ", ")+" any", "apply(row"+d.Name
	if d.Option.Name != "" {
		params += ", " + d.Option.Name + " ...float64"
		apply = "applyWith(row" + d.Name + ", " + d.Option.Name
	}
	var p doccomment.Parser
	doc := (&doccomment.Printer{TextWidth: 76}).Comment(p.Parse(d.Doc))
	text := strings.ReplaceAll(strings.TrimSpace(string(doc)), "\n", "\n// ")
	return fmt.Sprintf("var row%s = ops.FunctionOf(%q)\n\n// %s\nfunc (l *Lib) %s(%s) Tensor { return l.%s, %s) }\n",
		d.Name, d.Name, text, d.Name, params, apply, args)
}
