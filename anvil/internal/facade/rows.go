package main

import (
	_ "embed"
	"fmt"
	"go/ast"
	doccomment "go/doc/comment"
	"go/parser"
	"go/token"
	"regexp"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/ops"
)

// kinds lists the methods of Lib that only call a shared method. Methods with the same signature and call are
// a kind, which begins with a line "# family: func(parameters) result = call". For each of its methods a line
// follows with the name, which replaces NAME in the call, and the arguments that replace $1, $2 and so on.
// The documentation of the method, without the name, follows indented.
//
//go:embed kinds.txt
var kinds string

// rowMethods returns the methods of Lib that are written as rows: of the table of package ops (see
// ops.Functions) or of kinds.txt. text is their source; methods has their declarations by the title of their
// family.
func rowMethods() (text string, methods map[string][]*ast.FuncDecl, err error) {
	methods = map[string][]*ast.FuncDecl{}
	add := func(title, src string) {
		text += src
		file, parseErr := parser.ParseFile(token.NewFileSet(), "", "package anvil\n"+src, parser.ParseComments)
		if parseErr != nil {
			err = parseErr
			return
		}
		methods[title] = append(methods[title], methodsOf(file, "Lib")...)
	}
	for _, d := range ops.Functions() {
		add("Elementwise", "\n"+rowMethod(d))
	}
	for kind := range strings.SplitSeq(strings.TrimPrefix(kinds, "# "), "\n\n# ") {
		head, rows, _ := strings.Cut(kind, "\n\n")
		title, head, _ := strings.Cut(head, ": func")
		signature, call, _ := strings.Cut(head, " = ")
		add(title, kindMethods(signature, call, rows))
	}
	return text, methods, err
}

// kindRow matches a method of a kind: name, arguments and documentation.
var kindRow = regexp.MustCompile(`(?m)^(\w+)(.*)\n((?:\t.*\n|\n)+)`)

// kindMethods returns the source of the methods of a kind.
func kindMethods(signature, call, rows string) string {
	var b strings.Builder
	for _, row := range kindRow.FindAllStringSubmatch(rows+"\n", -1) {
		name, doc := row[1], strings.NewReplacer("\t", "", "\n", "\n// ").Replace(strings.TrimSpace(row[3]))
		arguments := []string{"NAME", strconv.Quote(name)}
		for i, arg := range strings.Fields(row[2]) {
			arguments = append(arguments, "$"+strconv.Itoa(i+1), arg)
		}
		body := strings.NewReplacer(arguments...).Replace(call)
		fmt.Fprintf(&b, "\n// %s %s\nfunc (l *Lib) %s%s { return %s }\n", name, doc, name, signature, body)
	}
	return b.String()
}

// rowMethod returns the source of a variable for the row d, and of the method of Lib for d.
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
