package cell

import (
	"go/ast"
	"go/parser"
	"go/token"
	"reflect"
	"slices"
	"strings"
)

// A cutIndex is an index that package go/parser rejects or takes for a list of types, such as [:, 0] or [i, 0]. Its
// text is replaced by "_", and its places are parsed separately.
type cutIndex struct {
	lbrack, rbrack int // offsets
	places         []place
	text           []byte // the text of the whole cell before the replacement
}

// A place is a part of a cutIndex between commas, text[at:end]. colon and second are the offsets of its first and
// second colon, or -1.
type place struct{ at, colon, second, end int }

// isGo reports whether Go accepts the place if it is the only one in its index: Go requires expressions before and
// after a second colon.
func (p place) isGo(text []byte) bool {
	blank := func(at, end int) bool { return strings.TrimSpace(string(text[at:end])) == "" }
	return p.second < 0 || !blank(p.colon+1, p.second) && !blank(p.second+1, p.end)
}

// cutIndexes finds the indices that must be cut, from left to right, and replaces their text in p.src.
func (p *parsing) cutIndexes() {
	original := append([]byte(nil), p.src...)
	groupDepth := -1 // the depth of the tokens in the current group of type declarations, or -1 outside of a group
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

// indexAt returns the index that begins with the bracket at token i. ok reports whether the index must be cut. declares
// is the result of declaresTypeParams for i.
func (p *parsing) indexAt(i int, text []byte, declares bool) (cut cutIndex, ok bool) {
	open := p.toks[i]
	cut.lbrack = open.at
	next := place{at: open.end, colon: -1, second: -1}
	hasIndex := false // some place cannot be a type
	allGo := true     // isGo is true for all places
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
// the bracket follows func and a name, type and a name, or a name at the beginning of a line in a group of type
// declarations. groupDepth is the depth of the tokens in the group, or -1 outside of a group.
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

// isIndex reports whether the text of a place can only be an index. It cannot be a type or, if declares is set, a type
// parameter, which Go allows in brackets too.
func isIndex(text string, declares bool) bool {
	if strings.TrimSpace(text) == "..." {
		return true
	}
	e, err := parser.ParseExpr(text)
	return err == nil && !mayBeType(e, declares)
}

// mayBeType reports whether e has the syntax of a type or, if declares is set, of a type parameter such as P *T, which
// is parsed as a product.
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

// placeIndexes parses the cut indices whose replacements are in f, and records them in p.cell.Indexes. The author's
// text begins at offset shift of the file.
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
		for _, x := range places {
			inspect(x.Lo, attach)
			inspect(x.Hi, attach)
			inspect(x.Step, attach)
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
	for i, pl := range cut.places {
		text := strings.TrimSpace(string(cut.text[pl.at:pl.end]))
		index := Index{Pos: base + token.Pos(pl.at), Colon: pl.colon >= 0, Ellipsis: text == "..."}
		if index.Ellipsis {
			all = append(all, index)
			continue
		}
		if text == "" {
			if i == len(cut.places)-1 {
				break // a comma at the end
			}
			return nil, p.errorAt(&fault{at: pl.at, msg: "an index is missing before the comma"})
		}
		var err error
		if index.Colon {
			index, err = p.slice(cut.text, pl, index, base)
		} else {
			index.Lo, err = p.expr(cut.text, pl.at, pl.end, base)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, index)
	}
	return all, nil
}

// slice returns index with the bounds and the step of the slice that is the text of pl.
func (p *parsing) slice(text []byte, pl place, index Index, base token.Pos) (_ Index, err error) {
	hiEnd := pl.end
	if pl.second >= 0 {
		hiEnd = pl.second
		if index.Step, err = p.expr(text, pl.second+1, pl.end, base); err != nil {
			return index, err
		}
	}
	if index.Lo, err = p.expr(text, pl.at, pl.colon, base); err != nil {
		return index, err
	}
	index.Hi, err = p.expr(text, pl.colon+1, hiEnd, base)
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

// shift adds delta to every valid position in the syntax tree v.
func shift(v reflect.Value, delta token.Pos) {
	switch v.Kind() {
	case reflect.Interface, reflect.Pointer:
		if !v.IsNil() {
			shift(v.Elem(), delta)
		}
	case reflect.Slice:
		for i := range v.Len() {
			shift(v.Index(i), delta)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			shift(v.Field(i), delta)
		}
	case reflect.Int:
		if v.Type() == posType && v.Int() > 0 {
			v.SetInt(v.Int() + int64(delta))
		}
	}
}
