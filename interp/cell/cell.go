// Package cell parses the text of a notebook cell: it cuts the text into declarations, statements
// and a final expression. All positions refer to the author's text.
package cell

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/scanner"
	"go/token"
	"slices"
	"strings"
	"sync/atomic"
)

// A Cell is the syntax of one cell.
type Cell struct {
	Name   string // "cell[3]"
	Source string
	Decls  []ast.Decl // imports, functions and methods
	Stmts  []ast.Stmt // everything else, in order; var, const and type as *ast.DeclStmt
	Quiet  bool       // ends in a semicolon: the final value is not shown

	// Program reports that the cell has a package clause, such as "package main": its func main is run.
	Program bool

	// Values is the expression of the last statement if the cell ends in several expressions, as in a, b. Otherwise it
	// is nil. The expression is a call of the function _ with the author's expressions as arguments.
	Values *ast.CallExpr

	Magics  []Magic
	Remarks []Remark

	// Indexes holds the indices that are not Go, such as x[:, 0], by the Lbrack of the
	// *ast.IndexExpr that replaces them.
	Indexes map[token.Pos][]Index
}

// IsExpression reports whether the cell is one expression and nothing else.
func (c *Cell) IsExpression() bool {
	if len(c.Stmts) != 1 || len(c.Decls)+len(c.Magics) > 0 || c.Values != nil || c.Quiet {
		return false
	}
	_, ok := c.Stmts[0].(*ast.ExprStmt)
	return ok
}

// An Index is one element of x[i, lo:hi, ::step]. Lo, Hi and Step are the expressions
// around the colons, or nil if omitted.
type Index struct {
	Pos          token.Pos
	Colon        bool
	Ellipsis     bool     // ...
	Lo, Hi, Step ast.Expr // Lo also holds an index without a colon
}

// An Error is a syntax error of a cell.
type Error struct {
	Pos        token.Position
	Msg        string
	Incomplete bool // text after the end of the cell could correct the error
}

func (e *Error) Error() string { return fmt.Sprintf("%s: %s", e.Pos, e.Msg) }

// Name returns the name of the cell numbered n.
func Name(n int) string { return fmt.Sprintf("cell[%d]", n) }

// fileName is the base name of every cell's file in a token.FileSet. The name of its folder is the
// cell's name.
const fileName = "go"

// Position returns the position of pos, with the name of the cell as the file name.
func Position(fset *token.FileSet, pos token.Pos) token.Position {
	p := fset.Position(pos)
	p.Filename = strings.TrimSuffix(p.Filename, "/"+fileName)
	return p
}

var parses atomic.Int64

// Parses returns how many times Parse has been called.
func Parses() int64 { return parses.Load() }

// An Option changes how Parse reads a cell.
type Option func(*parsing)

// Shell is the option that makes lines that begin with ! commands of the shell.
func Shell(p *parsing) { p.shell = true }

// Parse returns the syntax of src, positioned in fset under the given name. A byte order mark
// at its start is skipped.
func Parse(fset *token.FileSet, name, src string, opts ...Option) (*Cell, error) {
	parses.Add(1)
	src = strings.TrimPrefix(src, "\uFEFF")
	c := &Cell{Name: name, Source: src, Indexes: map[token.Pos][]Index{}}
	p := &parsing{cell: c, fset: fset, src: []byte(src)}
	for _, opt := range opts {
		opt(p)
	}
	p.takeMagics()
	if err := p.scan(); err != nil {
		return c, err
	}
	p.remark()
	p.cutIndexes()
	return c, p.parse()
}

// parsing is the state of one call of Parse. In src, magics and cut indices are replaced by blanks.
type parsing struct {
	cell  *Cell
	fset  *token.FileSet
	src   []byte
	shell bool // lines that begin with ! are commands
	toks  []lexeme
	cuts  []cutIndex
}

// scan sets the tokens of src, and finds out whether the cell ends in a semicolon.
func (p *parsing) scan() error {
	toks, wrong := scan(string(p.src))
	p.toks = toks
	if wrong != nil {
		return p.errorAt(wrong)
	}
	if n := len(toks); n > 0 {
		last := toks[n-1]
		p.cell.Quiet = last.tok == token.SEMICOLON && last.lit == ";"
	}
	return nil
}

// errorAt returns an error with the author's line and column.
func (p *parsing) errorAt(wrong *fault) *Error {
	at := p.position(wrong.at)
	return &Error{at, advise(wrong.msg, strings.Split(p.cell.Source, "\n")[at.Line-1]), wrong.incomplete}
}

// position returns the author's line and column of an offset.
func (p *parsing) position(at int) token.Position {
	before := p.cell.Source[:min(at, len(p.cell.Source))]
	line := 1 + strings.Count(before, "\n")
	column := 1 + len(before) - (strings.LastIndex(before, "\n") + 1)
	return token.Position{Filename: p.cell.Name, Offset: at, Line: line, Column: column}
}

// A kind is the kind of a chunk, which determines how the chunk is parsed.
type kind int

const (
	statements   kind = iota
	declarations      // functions and methods, which are not allowed in a function
	imports
	clause // package main
	values // several expressions, separated by commas, at the end of the cell
)

// A chunk is a part of the source between semicolons at top level. at and end are offsets.
type chunk struct {
	at, end int
	kind    kind
}

// chunks splits the tokens at semicolons outside brackets.
func (p *parsing) chunks() []chunk {
	var all []chunk
	start := 0
	for i, x := range p.toks {
		if x.tok == token.SEMICOLON && x.depth == 0 {
			all = p.chunk(all, start, i, x.end)
			start = i + 1
		}
	}
	return p.chunk(all, start, len(p.toks), len(p.src))
}

// chunk appends the chunk with the tokens from to to-1, whose text ends at offset end. If there are no tokens, it
// extends the last statement instead.
func (p *parsing) chunk(all []chunk, from, to, end int) []chunk {
	if from == to {
		if n := len(all); n > 0 && all[n-1].kind == statements {
			all[n-1].end = end // the semicolon after an empty condition, as in for i := 0; ; i++
		}
		return all
	}
	k := kindOf(p.toks[from:to])
	isLast := !slices.ContainsFunc(p.toks[to:], func(x lexeme) bool { return x.tok != token.SEMICOLON })
	if k == statements && isLast && isList(p.toks[from:to]) {
		k, end = values, p.toks[to-1].end
	}
	return append(all, chunk{p.toks[from].at, end, k})
}

// kindOf returns the kind of the chunk with the tokens toks, but statements instead of values.
func kindOf(toks []lexeme) kind {
	switch {
	case toks[0].tok == token.IMPORT:
		return imports
	case toks[0].tok == token.PACKAGE && len(toks) == 2 && toks[1].tok == token.IDENT:
		return clause
	case isFunction(toks):
		return declarations
	}
	return statements
}

// isList reports whether toks are several expressions separated by commas, and not a statement.
func isList(toks []lexeme) bool {
	commas := false
	for _, x := range toks {
		if x.depth > toks[0].depth {
			continue
		}
		switch {
		case x.tok == token.COMMA:
			commas = true
		case x.tok == token.COLON, x.tok == token.DEFINE, x.tok == token.ASSIGN,
			token.ADD_ASSIGN <= x.tok && x.tok <= token.AND_NOT_ASSIGN:
			return false
		}
	}
	switch first := toks[0].tok; first {
	case token.FUNC, token.STRUCT, token.MAP, token.INTERFACE, token.CHAN: // these may begin an expression
		return commas
	default:
		return commas && !first.IsKeyword()
	}
}

// isFunction reports whether toks begin the declaration of a function or a method.
func isFunction(toks []lexeme) bool {
	if toks[0].tok != token.FUNC || len(toks) < 3 {
		return false
	}
	if toks[1].tok == token.IDENT {
		return true
	}
	rest := after(toks[1:], token.RPAREN)
	if len(rest) < 2 || rest[0].tok != token.IDENT {
		return false
	}
	rest = rest[1:]
	if rest[0].tok == token.LBRACK { // type parameters: the parser reports that a method cannot have them
		rest = after(rest, token.RBRACK)
	}
	return len(rest) > 0 && rest[0].tok == token.LPAREN
}

// after returns the tokens after the first closing token in toks at the depth of the first token, or nil.
func after(toks []lexeme, closing token.Token) []lexeme {
	for i, x := range toks {
		if x.tok == closing && x.depth == toks[0].depth {
			return toks[i+1:]
		}
	}
	return nil
}

// parse parses the chunks of each kind as one file, in which the chunks of other kinds are replaced by blanks, so that
// offsets do not change.
func (p *parsing) parse() error {
	texts := map[kind][]byte{}
	for _, ch := range p.chunks() {
		if texts[ch.kind] == nil {
			texts[ch.kind] = append([]byte(nil), p.src...)
		}
		p.cell.Program = p.cell.Program || ch.kind == clause
	}
	for _, ch := range p.chunks() {
		for k, text := range texts {
			if k != ch.kind {
				blank(text, ch.at, ch.end)
			}
		}
		if ch.kind == values { // a comment after the values would hide the closing parenthesis
			texts[values] = texts[values][:ch.end]
		}
	}
	for _, k := range []kind{imports, declarations} {
		if texts[k] == nil {
			continue
		}
		f, err := p.parseFile("package main;", texts[k], "")
		if err != nil {
			return err
		}
		if err := p.checkBodies(f); err != nil {
			return err
		}
		p.cell.Decls = append(p.cell.Decls, f.Decls...)
	}
	if texts[statements] != nil {
		f, err := p.parseFile("package main;func _(){", texts[statements], "\n}")
		if err != nil {
			return err
		}
		p.cell.Stmts = f.Decls[0].(*ast.FuncDecl).Body.List
	}
	if texts[values] != nil {
		return p.values(texts[values])
	}
	return nil
}

// checkBodies returns an error for the first function of f without a body.
func (p *parsing) checkBodies(f *ast.File) error {
	for _, d := range f.Decls {
		if fn, ok := d.(*ast.FuncDecl); ok && fn.Body == nil {
			msg := fmt.Sprintf("func %s has no body; write { at the end of this line", FunctionName(fn))
			return &Error{Pos: Position(p.fset, fn.End()), Msg: msg}
		}
	}
	return nil
}

// values parses the expressions at the end of the cell, as the arguments of a call.
func (p *parsing) values(src []byte) error {
	f, err := p.parseFile("package main;func _(){_(", src, ")\n}")
	if err != nil {
		return err
	}
	last := f.Decls[0].(*ast.FuncDecl).Body.List[0].(*ast.ExprStmt)
	call := last.X.(*ast.CallExpr)
	if len(call.Args) > 0 { // generated nodes get the position of the first value
		call.Lparen = call.Args[0].Pos()
		call.Fun.(*ast.Ident).NamePos = call.Lparen
	}
	p.cell.Values = call
	p.cell.Stmts = append(p.cell.Stmts, last)
	return nil
}

// parseFile parses src with generated text before and after it, and records the cut indices that it contains.
func (p *parsing) parseFile(before string, src []byte, after string) (*ast.File, error) {
	text := before + "/*line " + p.cell.Name + "/" + fileName + ":1:1*/" + string(src) + after
	f, err := parser.ParseFile(p.fset, fileName, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, p.syntaxError(err)
	}
	head := len(text) - len(src) - len(after)
	if wrong := checkDepth(f, func(pos token.Pos) int { return int(pos-f.FileStart) - head }); wrong != nil {
		return nil, p.errorAt(wrong)
	}
	return f, p.placeIndexes(f, head)
}

// syntaxError returns the parser's first error as an *Error.
func (p *parsing) syntaxError(err error) *Error {
	list, ok := err.(scanner.ErrorList)
	if !ok || len(list) == 0 {
		return &Error{token.Position{Filename: p.cell.Name, Line: 1, Column: 1}, err.Error(), false}
	}
	e := &Error{Pos: list[0].Pos, Msg: list[0].Msg}
	e.Pos.Filename = p.cell.Name
	lines := strings.Split(p.cell.Source, "\n")
	if e.Pos.Line > len(lines) { // in the text that parseFile has added after src
		e.Pos.Line, e.Pos.Column = len(lines), len(lines[len(lines)-1])+1
		e.Incomplete = true
	}
	e.Msg = strings.ReplaceAll(e.Msg, "expected 1 expression", "expected an expression")
	if e.Incomplete {
		e.Msg = strings.ReplaceAll(e.Msg, "found '}'", "found the end of the cell")
	} else if e.Pos.Line > 0 {
		e.Msg = advise(e.Msg, lines[e.Pos.Line-1])
	}
	return e
}
