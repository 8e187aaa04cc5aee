package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
)

// A piece is declarations that must stand in one cell.
type piece struct {
	text  []string
	names []string        // that it declares
	uses  map[string]bool // identifiers in it
	isVar bool
	last  bool // init and main
	done  bool
}

// split cuts a program into cells: one for the whole, one for each declaration (those that need
// each other, and a type with its methods, stay together), or also one for each statement of
// main.
func split(text, cells string) ([]string, error) {
	if cells == "whole" {
		return []string{text}, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "", text, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	at := func(p token.Pos) int { return fset.Position(p).Offset }
	var imports []string
	var pieces []*piece
	ofType := map[string]*piece{}
	var mainBody *ast.BlockStmt
	for _, d := range file.Decls {
		source := text[at(d.Pos()):at(d.End())]
		p := &piece{uses: map[string]bool{}}
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				p.uses[id.Name] = true
			}
			return true
		})
		switch d := d.(type) {
		case *ast.GenDecl:
			if d.Tok == token.IMPORT {
				imports = append(imports, source)
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
		p.text = []string{source}
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
	result := imports
	for _, p := range ordered {
		if p.last {
			continue
		}
		result = append(result, strings.Join(p.text, "\n"))
	}
	for _, p := range ordered {
		if p.last && len(p.names) == 0 {
			result = append(result, strings.Join(p.text, "\n"))
		}
	}
	if mainBody == nil {
		return nil, fmt.Errorf("no main")
	}
	if main := ofType["main"]; cells == "declarations" || !isStraight(mainBody) || len(main.text) > 1 {
		return append(result, strings.Join(main.text, "\n"), "main()"), nil
	}
	for _, s := range mainBody.List {
		result = append(result, text[at(s.Pos()):at(s.End())])
	}
	return result, nil
}

func (p *piece) add(q *piece) {
	p.text = append(p.text, q.text...)
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
		for _, wantVar := range []bool{true, false} {
			for _, p := range pieces {
				if p.isVar == wantVar {
					place(p)
				}
			}
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

// isStraight reports whether each statement of a body can be a cell: it does not return, defer,
// recover or jump to a label outside itself.
func isStraight(body *ast.BlockStmt) bool {
	straight := true
	ast.Inspect(body, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncLit:
			return false
		case *ast.ReturnStmt, *ast.DeferStmt:
			straight = false
		case *ast.BranchStmt:
			straight = straight && n.Tok != token.GOTO
		}
		return straight
	})
	return straight
}
