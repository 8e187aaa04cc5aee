package cell

import "strings"

// A Magic is a line, or with two percent signs a cell, that speaks to the kernel
// rather than in Go: %promotion torch, %%compare torch jax, ?nv.Sum, nv.Sum?.
type Magic struct {
	Name string // "promotion", "compare"; "?" for a question
	Args string
	Line int    // from 1
	Body string // of a cell magic: the lines that follow
	Cell bool
}

// takeMagics moves the lines that are no Go from the source to Magics. They
// stand at the start of a line, outside brackets and literals.
func (p *parsing) takeMagics() {
	offset, line := 0, 0
	for text := range strings.Lines(string(p.src)) {
		at := offset
		offset += len(text)
		line++
		m, ok := magic(strings.TrimSpace(text))
		if !ok || !p.atStart(at) {
			continue
		}
		m.Line = line
		if m.Cell {
			m.Body = string(p.src[offset:])
			blank(p.src, at, len(p.src))
			p.cell.Magics = append(p.cell.Magics, m)
			return
		}
		blank(p.src, at, offset)
		p.cell.Magics = append(p.cell.Magics, m)
	}
}

// magic returns what line says to the kernel; ok is false for Go.
func magic(line string) (m Magic, ok bool) {
	switch {
	case strings.HasPrefix(line, "%%"):
		m.Name, m.Args, _ = strings.Cut(line[2:], " ")
		m.Cell = true
	case strings.HasPrefix(line, "%"):
		m.Name, m.Args, _ = strings.Cut(line[1:], " ")
	case strings.HasPrefix(line, "?"):
		m.Name, m.Args = "?", strings.Trim(line, "? ")
	case strings.HasSuffix(line, "?") && isName(strings.TrimRight(line, "?")):
		m.Name, m.Args = "?", strings.TrimRight(line, "?")
	}
	m.Args = strings.TrimSpace(m.Args)
	return m, m.Name != "" && (m.Name != "?" || m.Args != "")
}

// isName reports whether s is a name such as nv.Sum.
func isName(s string) bool {
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool {
		return r != '.' && r != '_' && (r < '0' || r > '9') && (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && r < 0x80
	})
}

// atStart reports whether a statement may begin at offset at: nothing before it
// is open, and the line before it does not go on.
func (p *parsing) atStart(at int) bool {
	toks, wrong := scan(string(p.src[:at]))
	if wrong != nil && wrong.incomplete {
		return false
	}
	return len(toks) == 0 || toks[len(toks)-1].tok.String() == ";"
}
