package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
)

// A cutIndex is an index that Go would parse as a list of types or not at all, such as [i, 0] or [:, 0]. The parser
// replaces its text by "_" and parses its places separately.
type cutIndex struct {
	lbrack, rbrack int // offsets
	places         []place
	text           []byte // the text of the whole cell before the replacement
}

// A place is a part of a cutIndex between commas, text[at:end]. colon and second are the offsets of its colons, or -1.
type place struct{ at, colon, second, end int }

// isGo reports whether Go accepts the place as the only index: if there is a second colon, Go requires expressions
// before and after it.
func (p place) isGo(text []byte) bool {
	blank := func(at, end int) bool { return strings.TrimSpace(string(text[at:end])) == "" }
	return p.second < 0 || !blank(p.colon+1, p.second) && !blank(p.second+1, p.end)
}

// cutIndexes finds the indices that Go does not parse, outer ones first, and replaces their text in p.src.
func (p *parsing) cutIndexes() {
	original := append([]byte(nil), p.src...)
	groupDepth := -1 // the depth of the tokens in the current group of type declarations, or -1 outside of one
	for i, x := range p.toks {
		switch {
		case x.tok == token.LPAREN && i > 0 && p.toks[i-1].tok == token.TYPE:
			groupDepth = x.depth + 1
		case x.tok == token.RPAREN && x.depth == groupDepth-1:
			groupDepth = -1
		}
		if x.tok != token.LBRACK {
			continue
		}
		cut, ok := p.indexAt(i, original, p.declaresTypeParams(i, groupDepth))
		if !ok {
			continue
		}
		p.cuts = append(p.cuts, cut)
		if p.src[cut.lbrack] == '[' { // not inside an index that is already cut
			blank(p.src, cut.lbrack+1, cut.rbrack)
			p.src[cut.lbrack+1] = '_'
		}
	}
	for i := range p.cuts {
		p.cuts[i].text = original
	}
}

// indexAt returns the cut for the bracket of text at token i, if it needs one. declares is the result of
// declaresTypeParams.
func (p *parsing) indexAt(i int, text []byte, declares bool) (cut cutIndex, ok bool) {
	open := p.toks[i]
	cut.lbrack = open.at
	next := place{at: open.end, colon: -1, second: -1}
	hasIndex := false // some place cannot be a type
	allGo := true     // Go accepts each place as the only index
	endPlace := func(end int) {
		next.end = end
		hasIndex = hasIndex || next.colon >= 0 || isIndex(string(text[next.at:end]), declares)
		allGo = allGo && next.isGo(text)
		cut.places = append(cut.places, next)
	}
	for j := i + 1; j < len(p.toks); j++ {
		x := p.toks[j]
		if x.tok == token.RBRACK && x.depth == open.depth {
			cut.rbrack = x.at
			endPlace(x.at)
			return cut, len(cut.places) > 1 && hasIndex || !allGo
		}
		if x.depth != open.depth+1 {
			continue
		}
		switch x.tok {
		case token.COLON:
			if next.colon < 0 {
				next.colon = x.at
			} else if next.second < 0 {
				next.second = x.at
			}
		case token.COMMA:
			endPlace(x.at)
			next = place{at: x.end, colon: -1, second: -1}
		}
	}
	return cut, false
}

// declaresTypeParams reports whether the bracket at token i may begin the type parameters of a declaration: whether
// it follows func and a name, type and a name, or a name at the beginning of a line in a group of type declarations.
// groupDepth is the depth of the tokens in the group, or -1 outside of one.
func (p *parsing) declaresTypeParams(i, groupDepth int) bool {
	if i < 2 || p.toks[i-1].tok != token.IDENT {
		return false
	}
	switch p.toks[i-2].tok {
	case token.FUNC, token.TYPE:
		return true
	case token.LPAREN, token.SEMICOLON:
		return p.toks[i].depth == groupDepth
	}
	return false
}

// isIndex reports whether the text of a place can only be an index: whether it cannot be a type, nor, if declares is
// set, a type parameter. Go writes these in brackets too.
func isIndex(text string, declares bool) bool {
	if strings.TrimSpace(text) == "..." {
		return true
	}
	e, err := parser.ParseExpr(text)
	return err == nil && !mayBeType(e, declares)
}

// mayBeType reports whether e has the syntax of a type, or, if declares is set, of a type parameter such as P *T,
// which reads as a product.
func mayBeType(e ast.Expr, declares bool) bool {
	switch e := e.(type) {
	case *ast.Ident, *ast.SelectorExpr, *ast.ArrayType, *ast.ChanType, *ast.FuncType, *ast.InterfaceType, *ast.MapType,
		*ast.StructType:
		return true
	case *ast.ParenExpr:
		return mayBeType(e.X, declares)
	case *ast.StarExpr:
		return mayBeType(e.X, declares)
	case *ast.UnaryExpr:
		return e.Op == token.TILDE
	case *ast.BinaryExpr: // P *T, or the union P | Q
		isOp := e.Op == token.MUL || e.Op == token.OR
		return declares && isOp && mayBeType(e.X, declares) && mayBeType(e.Y, declares)
	case *ast.IndexExpr:
		return mayBeType(e.Index, declares)
	case *ast.IndexListExpr:
		return !slices.ContainsFunc(e.Indices, func(index ast.Expr) bool { return !mayBeType(index, declares) })
	}
	return false
}

// placeIndexes parses the cut indices and records them in p.cell.Indexes, for the index expressions of f that replace
// them. The author's text begins at offset shift of the file.
func (p *parsing) placeIndexes(f *ast.File, shift int) error {
	if len(p.cuts) == 0 {
		return nil
	}
	file := p.fset.File(f.FileStart)
	byBracket := map[token.Pos]cutIndex{}
	for _, cut := range p.cuts {
		byBracket[file.Pos(cut.lbrack+shift)] = cut
	}
	var wrong error
	var attach func(n ast.Node) bool
	attach = func(n ast.Node) bool {
		index, ok := n.(*ast.IndexExpr)
		if !ok || wrong != nil {
			return wrong == nil
		}
		cut, ok := byBracket[index.Lbrack]
		if !ok {
			return true
		}
		places, err := p.places(cut, token.Pos(file.Base()+shift))
		if err != nil {
			wrong = err
			return false
		}
		p.cell.Indexes[index.Lbrack] = places
		for _, at := range places {
			inspect(at.Lo, attach)
			inspect(at.Hi, attach)
			inspect(at.Step, attach)
		}
		return true
	}
	ast.Inspect(f, attach)
	return wrong
}

// inspect is ast.Inspect for an expression that may be nil.
func inspect(e ast.Expr, visit func(ast.Node) bool) {
	if e != nil {
		ast.Inspect(e, visit)
	}
}

// places parses the places of cut. base is the position of the first byte of the cell.
func (p *parsing) places(cut cutIndex, base token.Pos) ([]Index, error) {
	all := make([]Index, 0, len(cut.places))
	for i, at := range cut.places {
		text := strings.TrimSpace(string(cut.text[at.at:at.end]))
		index := Index{Pos: base + token.Pos(at.at), Colon: at.colon >= 0, Ellipsis: text == "..."}
		if index.Ellipsis {
			all = append(all, index)
			continue
		}
		if text == "" {
			if i == len(cut.places)-1 {
				break // a comma at the end
			}
			return nil, p.errorAt(&fault{at: at.at, msg: "an index is missing between [ and ,"})
		}
		var err error
		if index.Colon {
			index, err = p.slice(cut.text, at, index, base)
		} else {
			index.Lo, err = p.expr(cut.text, at.at, at.end, base)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, index)
	}
	return all, nil
}

// slice returns index with the bounds and the step of the slice in place at.
func (p *parsing) slice(text []byte, at place, index Index, base token.Pos) (_ Index, err error) {
	hi := at.end
	if at.second >= 0 {
		hi = at.second
		if index.Step, err = p.expr(text, at.second+1, at.end, base); err != nil {
			return index, err
		}
	}
	if index.Lo, err = p.expr(text, at.at, at.colon, base); err != nil {
		return index, err
	}
	index.Hi, err = p.expr(text, at.colon+1, hi, base)
	return index, err
}

// expr parses src[at:end]. It returns nil if the text is blank.
func (p *parsing) expr(src []byte, at, end int, base token.Pos) (ast.Expr, error) {
	if strings.TrimSpace(string(src[at:end])) == "" {
		return nil, nil
	}
	text := append([]byte(nil), src[:end]...)
	blank(text, 0, at)
	for _, cut := range p.cuts { // cut indices within the expression
		if cut.lbrack >= at && cut.rbrack < end {
			blank(text, cut.lbrack+1, cut.rbrack)
			text[cut.lbrack+1] = '_'
		}
	}
	fset := token.NewFileSet()
	e, err := parser.ParseExprFrom(fset, p.cell.Name, text, parser.SkipObjectResolution)
	if err != nil {
		wrong := p.syntaxError(err)
		wrong.Msg = strings.ReplaceAll(wrong.Msg, "found 'EOF'", "found the end of the index")
		return nil, wrong
	}
	shift(reflect.ValueOf(e), base-1) // the first file of a set has base 1
	return e, nil
}

var posType = reflect.TypeFor[token.Pos]()

// shift adds by to every valid position in the syntax tree v.
func shift(v reflect.Value, by token.Pos) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			shift(v.Elem(), by)
		}
	case reflect.Slice:
		for i := range v.Len() {
			shift(v.Index(i), by)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			shift(v.Field(i), by)
		}
	case reflect.Int:
		if v.Type() == posType && v.Int() > 0 {
			v.SetInt(v.Int() + int64(by))
		}
	}
}
