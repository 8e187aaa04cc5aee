package cell

import (
	"go/token"
	"slices"
	"strings"
)

// stepHint says what to write for the slice with a step that the token at offset
// at belongs to, as the first colon of ::2 does; "" if it belongs to none.
func (p *parsing) stepHint(at int) string {
	i := slices.IndexFunc(p.toks, func(x lexeme) bool { return x.at == at && x.tok == token.COLON })
	if i < 0 {
		return ""
	}
	place := p.placeAround(i)
	var parts []string
	from := p.toks[place.from-1].end
	for _, x := range p.toks[place.from : place.to+1] {
		if x.at == p.toks[place.to].at || x.tok == token.COLON && x.depth == p.toks[i].depth {
			parts = append(parts, strings.TrimSpace(p.cell.Source[from:x.at]))
			from = x.end
		}
	}
	if len(parts) != 3 {
		return ""
	}
	for i, missing := range []string{"0", "nv.End", "1"} {
		if parts[i] == "" {
			parts[i] = missing
		}
	}
	return "Go has no slices with a step; of a tensor, x.At(nv.Slice(" + strings.Join(parts, ", ") + "))"
}

// tokens from one up to another
type tokens struct{ from, to int }

// placeAround returns the tokens between the brackets and commas around token i.
func (p *parsing) placeAround(i int) tokens {
	depth := p.toks[i].depth
	inside := func(x lexeme) bool { return x.depth >= depth && (x.tok != token.COMMA || x.depth > depth) }
	place := tokens{i, i}
	for place.from > 1 && inside(p.toks[place.from-1]) {
		place.from--
	}
	for place.to < len(p.toks)-1 && inside(p.toks[place.to]) {
		place.to++
	}
	return place
}
