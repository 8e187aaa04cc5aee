package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"slices"
	"strings"
)

// A piece is declarations that must stand in one cell.
type piece struct {
	decls []ast.Node
	names []string        // that it declares
	uses  map[string]bool // identifiers in it
	isVar bool
	last  bool // init and main
	done  bool
}

// split cuts a program into cells: one for the whole, one for each declaration (those that need
// each other, and a type with its methods, stay together), or also one for each statement of
// main. What a cell has is at the line and column of the program, behind the line directives of
// the text before it.
func split(text, cells string) ([]string, error) {
	if cells == "whole" {
		return []string{text}, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution|parser.ParseComments)
	if err != nil {
		return nil, err
	}
	cut := func(nodes ...ast.Node) string { return only(text, fset.File(file.FileStart), file.Comments, nodes) }
	var result []string
	var pieces []*piece
	ofType := map[string]*piece{}
	var mainBody *ast.BlockStmt
	for _, d := range file.Decls {
		p := &piece{decls: []ast.Node{d}, uses: map[string]bool{}}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				p.uses[id.Name] = true
			}
			return true
		})
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				result = append(result, cut(d))
				continue
			}
			p.isVar = d.Tok == token.VAR
			p.names = declared(d)
		case *ast.FuncDecl:
			switch {
			case d.Recv != nil:
				p.names = []string{"(method) " + receiver(d)}
			case d.Name.Name == "init":
				p.last = true
			case d.Name.Name == "main":
				mainBody = d.Body
				p.names, p.last = []string{"main"}, true
			default:
				p.names = []string{d.Name.Name}
			}
		}
		pieces = append(pieces, p)
		for _, n := range p.names {
			ofType[n] = p
		}
	}
	// A method joins the piece of its type.
	var kept []*piece
	for _, p := range pieces {
		if len(p.names) == 1 && strings.HasPrefix(p.names[0], "(method) ") {
			if t := ofType[strings.TrimPrefix(p.names[0], "(method) ")]; t != nil {
				t.add(p)
				continue
			}
		}
		kept = append(kept, p)
	}
	ordered := order(kept)
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
	if main := ofType["main"]; cells == "declarations" || !isStraight(text, mainBody) || shadows(mainBody, ofType) || len(main.decls) > 1 {
		return append(result, cut(main.decls...), "main()"), nil
	}
	for _, s := range mainBody.List {
		code := cut(s)
		if _, ok := s.(*ast.ExprStmt); ok {
			code += "; _ = 0" // an error that the last call of a cell returns would be the cell's
		}
		result = append(result, code)
	}
	return result, nil
}

// only returns the text of nodes, with blanks in place of all else before their end but line
// directives.
func only(text string, file *token.File, comments []*ast.CommentGroup, nodes []ast.Node) string {
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

func (p *piece) add(q *piece) {
	p.decls = append(p.decls, q.decls...)
	p.isVar = p.isVar || q.isVar
	p.last = p.last || q.last
	for n := range q.uses {
		p.uses[n] = true
	}
	for _, n := range q.names {
		if !strings.HasPrefix(n, "(method) ") {
			p.names = append(p.names, n)
		}
	}
}

// order returns the pieces with each after those it needs, variables as early as Go initializes
// them. Pieces that need each other become one.
func order(pieces []*piece) []*piece {
	for {
		of := map[string]*piece{}
		for _, p := range pieces {
			for _, n := range p.names {
				of[n] = p
			}
		}
		needs := map[*piece]map[*piece]bool{}
		for _, p := range pieces {
			needs[p] = map[*piece]bool{}
			p.reach(of, needs[p])
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
		// The next variable is the first that is ready.
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

// reach adds what p needs, directly or not.
func (p *piece) reach(of map[string]*piece, needs map[*piece]bool) {
	for n := range p.uses {
		if q := of[n]; q != nil && !needs[q] {
			needs[q] = true
			q.reach(of, needs)
		}
	}
}

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

// receiver returns the name of the type that a method belongs to.
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

// isStraight reports whether each statement of main can be a cell: it does not return, defer,
// recover or jump to a label outside itself; it does not declare a name by one of the same name,
// which is a cycle outside of functions; and the program does not ask for what only one function
// has: the end of its variables' lives, how much memory is in use from one statement to another
// (cells are compiled in between), and the numbers of its literals.
func isStraight(text string, body *ast.BlockStmt) bool {
	straight := !strings.Contains(text, `"main.main`)
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt:
			straight = false
		case *ast.BranchStmt:
			straight = straight && n.Tok != token.GOTO
		case *ast.SelectorExpr:
			straight = straight && !slices.Contains([]string{"SetFinalizer", "AddCleanup", "ReadMemStats"}, n.Sel.Name)
		case *ast.ValueSpec:
			straight = straight && !slices.ContainsFunc(n.Names, func(name *ast.Ident) bool { return mentions(n.Values, name.Name) })
		}
		return straight
	})
	return straight
}

// shadows reports whether main declares a name that the package declares too: a statement that is
// a cell would declare the package's anew.
func shadows(body *ast.BlockStmt, ofPackage map[string]*piece) bool {
	isPackages := func(name string) bool { return ofPackage[name] != nil }
	return slices.ContainsFunc(body.List, func(s ast.Stmt) bool {
		switch s := s.(type) {
		case *ast.AssignStmt:
			return s.Tok == token.DEFINE && slices.ContainsFunc(s.Lhs, func(x ast.Expr) bool { return isPackages(x.(*ast.Ident).Name) })
		case *ast.DeclStmt:
			return slices.ContainsFunc(declared(s.Decl.(*ast.GenDecl)), isPackages)
		}
		return false
	})
}

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
