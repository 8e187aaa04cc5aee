package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A piece holds declarations that must be in one cell.
type piece struct {
	decls []ast.Node
	names []string        // the declared names; for a method, methodPrefix and the name of the type
	uses  map[string]bool // the identifiers in decls
	isVar bool            // decls declares variables
	last  bool            // decls has init or main, which come after all other pieces
	done  bool            // order has placed the piece
}

// methodPrefix is the beginning of the name of a piece that holds a method.
const methodPrefix = "(method) "

// newPiece returns the piece of a declaration other than an import.
func newPiece(decl ast.Decl) *piece {
	p := &piece{decls: []ast.Node{decl}, uses: map[string]bool{}}
	ast.Inspect(decl, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			p.uses[id.Name] = true
		}
		return true
	})
	switch d := decl.(type) {
	case *ast.GenDecl:
		p.isVar = d.Tok == token.VAR
		p.names = declared(d)
	case *ast.FuncDecl:
		switch {
		case d.Recv != nil:
			p.names = []string{methodPrefix + receiver(d)}
		case d.Name.Name == "init":
			p.last = true
		case d.Name.Name == "main":
			p.names, p.last = []string{"main"}, true
		default:
			p.names = []string{d.Name.Name}
		}
	}
	return p
}

// split cuts a program into cells. If cells is "whole", the program is one cell. If it is "declarations", each
// declaration is a cell, but declarations that need each other, and a type and its methods, stay together. If it is
// "statements", each statement of main is a cell too, where possible. The text of a cell has the same lines and columns
// as in the program, and all line directives of the program.
func split(text, cells string) ([]string, error) {
	if cells == "whole" {
		return []string{text}, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	cut := func(nodes ...ast.Node) string {
		return blankExcept(text, fset.File(file.FileStart), file.Comments, nodes)
	}
	var result []string
	var pieces []*piece
	byName := map[string]*piece{}
	var mainBody *ast.BlockStmt
	for _, d := range file.Decls {
		if g, ok := d.(*ast.GenDecl); ok && g.Tok == token.IMPORT {
			result = append(result, cut(d))
			continue
		}
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "main" {
			mainBody = f.Body
		}
		p := newPiece(d)
		pieces = append(pieces, p)
		for _, n := range p.names {
			byName[n] = p
		}
	}
	// A method joins the piece of its type.
	var merged []*piece
	for _, p := range pieces {
		if len(p.names) == 1 && strings.HasPrefix(p.names[0], methodPrefix) {
			if t := byName[strings.TrimPrefix(p.names[0], methodPrefix)]; t != nil {
				t.add(p)
				continue
			}
		}
		merged = append(merged, p)
	}
	ordered := order(merged)
	for _, p := range ordered {
		if p.last {
			continue
		}
		result = append(result, cut(p.decls...))
	}
	for _, p := range ordered {
		if p.last && len(p.names) == 0 {
			result = append(result, cut(p.decls...))
		}
	}
	if mainBody == nil {
		return nil, fmt.Errorf("no main")
	}
	main := byName["main"]
	keepsMain := cells == "declarations" || !canSplit(text, mainBody) || shadows(mainBody, byName)
	if keepsMain || len(main.decls) > 1 {
		return append(result, cut(main.decls...), "main()"), nil
	}
	for _, s := range mainBody.List {
		code := cut(s)
		if _, ok := s.(*ast.ExprStmt); ok {
			code += "; _ = 0" // otherwise an error that the call returns would be the cell's error
		}
		result = append(result, code)
	}
	return result, nil
}

// blankExcept returns text up to the end of nodes, with blanks in place of everything except the nodes and the line
// directives.
func blankExcept(text string, file *token.File, comments []*ast.CommentGroup, nodes []ast.Node) string {
	end := 0
	blank := []byte(text)
	for i, c := range blank {
		if c != '\n' {
			blank[i] = ' '
		}
	}
	keep := func(n ast.Node) {
		from, to := file.Offset(n.Pos()), file.Offset(n.End())
		copy(blank[from:to], text[from:to])
	}
	for _, n := range nodes {
		keep(n)
		end = max(end, file.Offset(n.End()))
	}
	for _, group := range comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text[2:], "line ") {
				keep(c)
			}
		}
	}
	return string(blank[:end])
}

// add merges q into p.
func (p *piece) add(q *piece) {
	p.decls = append(p.decls, q.decls...)
	p.isVar = p.isVar || q.isVar
	p.last = p.last || q.last
	for n := range q.uses {
		p.uses[n] = true
	}
	for _, n := range q.names {
		if !strings.HasPrefix(n, methodPrefix) {
			p.names = append(p.names, n)
		}
	}
}

// order sorts the pieces so that each comes after the pieces that it needs, and variables come in Go's order of
// initialization. It merges pieces that need each other.
func order(pieces []*piece) []*piece {
	for {
		byName := map[string]*piece{}
		for _, p := range pieces {
			for _, n := range p.names {
				byName[n] = p
			}
		}
		needs := map[*piece]map[*piece]bool{}
		for _, p := range pieces {
			needs[p] = map[*piece]bool{}
			p.reach(byName, needs[p])
		}
		merged := false
		for i, p := range pieces {
			for j := i + 1; j < len(pieces) && !merged; j++ {
				if q := pieces[j]; needs[p][q] && needs[q][p] {
					p.add(q)
					pieces = append(pieces[:j:j], pieces[j+1:]...)
					merged = true
				}
			}
			if merged {
				break
			}
		}
		if merged {
			continue
		}
		var ordered []*piece
		var place func(p *piece)
		place = func(p *piece) {
			if p.done {
				return
			}
			p.done = true
			for _, q := range pieces {
				if q != p && needs[p][q] {
					place(q)
				}
			}
			ordered = append(ordered, p)
		}
		// As in Go, the next variable is the first one that is ready: all variables that it needs are placed.
		isReady := func(p *piece) bool {
			for q := range needs[p] {
				if q != p && q.isVar && !q.done {
					return false
				}
			}
			return p.isVar && !p.done
		}
		for i := slices.IndexFunc(pieces, isReady); i >= 0; i = slices.IndexFunc(pieces, isReady) {
			place(pieces[i])
		}
		for _, p := range pieces {
			place(p)
		}
		return ordered
	}
}

// reach adds the pieces that p needs, directly or through others, to needs.
func (p *piece) reach(byName map[string]*piece, needs map[*piece]bool) {
	for n := range p.uses {
		if q := byName[n]; q != nil && !needs[q] {
			needs[q] = true
			q.reach(byName, needs)
		}
	}
}

// declared returns the names that d declares.
func declared(d *ast.GenDecl) (names []string) {
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			names = append(names, s.Name.Name)
		case *ast.ValueSpec:
			for _, n := range s.Names {
				if n.Name != "_" {
					names = append(names, n.Name)
				}
			}
		}
	}
	return names
}

// receiver returns the name of the type that a method is declared on.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// canSplit reports whether each statement of main can be a cell. A statement must not contain return, defer or goto. It
// must not initialize a variable with another variable of the same name, which would be an initialization cycle outside
// of a function. The program must not depend on main being one function: on when its variables become unreachable, on
// the memory in use between two statements (cells are compiled in between), or on the numbers of its function literals.
func canSplit(text string, body *ast.BlockStmt) bool {
	ok := !strings.Contains(text, `"main.main`)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt:
			ok = false
		case *ast.BranchStmt:
			ok = ok && n.Tok != token.GOTO
		case *ast.SelectorExpr:
			ok = ok && !slices.Contains([]string{"SetFinalizer", "AddCleanup", "ReadMemStats"}, n.Sel.Name)
		case *ast.ValueSpec:
			ok = ok && !slices.ContainsFunc(n.Names, func(name *ast.Ident) bool {
				return mentions(n.Values, name.Name)
			})
		}
		return ok
	})
	return ok
}

// shadows reports whether a statement of main declares a name that the package declares too. As a cell, this statement
// would declare the package's name again.
func shadows(body *ast.BlockStmt, byName map[string]*piece) bool {
	isPackageName := func(name string) bool { return byName[name] != nil }
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.AssignStmt:
			return s.Tok == token.DEFINE && slices.ContainsFunc(s.Lhs, func(x ast.Expr) bool {
				return isPackageName(x.(*ast.Ident).Name)
			})
		case *ast.DeclStmt:
			return slices.ContainsFunc(declared(s.Decl.(*ast.GenDecl)), isPackageName)
		}
		return false
	})
}

// mentions reports whether values mention name.
func mentions(values []ast.Expr, name string) (found bool) {
	for _, v := range values {
		ast.Inspect(v, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			found = found || ok && id.Name == name
			return !found
		})
	}
	return found
}
