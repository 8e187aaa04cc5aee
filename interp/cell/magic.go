package cell

import "strings"

// A Magic is a command to the kernel: a line that begins with one percent sign, or with two if the command concerns the
// whole cell, or a line that asks about a name. Examples: %promotion torch, %%compare torch jax, ?nv.Sum, nv.Sum??.
type Magic struct {
	Name   string // "promotion", "compare"; "?" or "??" for a question, "!" for a command of the shell
	Args   string // the rest of its line
	Line   int    // from 1
	Cell   bool   // two percent signs
	Below  bool   // the command is below code
	Script string // of %%bash, the lines of the cell below
}

// TakesCode reports whether the rest of the command's line is Go code of the cell.
func TakesCode(name string) bool { return name == "time" || name == "bench" }

// takeMagics moves the commands from the source to Magics. A command stands at the beginning of a
// line, outside brackets and literals.
func (p *parsing) takeMagics() {
	offset, line := 0, 0
	for text := range strings.Lines(string(p.src)) {
		at := offset
		offset += len(text)
		line++
		m, isMagic := p.magic(strings.TrimSpace(text))
		if !isMagic {
			continue
		}
		if starts, code := p.above(at); starts {
			m.Line, m.Below = line, code
			end := offset
			switch {
			case TakesCode(m.Name):
				end = at + strings.Index(text, m.Name) + len(m.Name)
			case m.Cell && m.Name == "bash" && !code:
				end = len(p.src)
				m.Script = string(p.src[offset:])
				blank(p.src, at, end)
				p.cell.Magics = append(p.cell.Magics, m)
				return
			}
			blank(p.src, at, end)
			p.cell.Magics = append(p.cell.Magics, m)
		}
	}
}

// magic parses line as a command. ok is false if line is Go code.
func (p *parsing) magic(line string) (m Magic, ok bool) {
	switch {
	case p.shell && strings.HasPrefix(line, "!"):
		return Magic{Name: "!", Args: strings.TrimSpace(line[1:])}, true
	case strings.HasPrefix(line, "%%"):
		m.Name, m.Args, _ = strings.Cut(line[2:], " ")
		m.Cell = true
	case strings.HasPrefix(line, "%"):
		m.Name, m.Args, _ = strings.Cut(line[1:], " ")
	case strings.HasPrefix(line, "?"), strings.HasSuffix(line, "?") && isName(strings.TrimRight(line, "?")):
		m.Args = strings.Trim(line, "? ")
		m.Name = "?"
		if strings.Count(line, "?") > 1 {
			m.Name = "??"
		}
		return m, m.Args != ""
	}
	m.Args = strings.TrimSpace(m.Args)
	return m, m.Name != ""
}

// isName reports whether s is a name such as nv.Sum. It counts all characters outside of ASCII as letters.
func isName(s string) bool {
	isPart := func(r rune) bool {
		return r == '.' || r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || r >= 0x80
	}
	return s != "" && !strings.ContainsFunc(s, func(r rune) bool { return !isPart(r) })
}

// above examines the text before offset at. starts reports whether a statement may begin at that offset: no bracket is
// open there, and the line before is complete. code reports whether the text has code other than comments.
func (p *parsing) above(at int) (starts, code bool) {
	toks, wrong := scan(string(p.src[:at]))
	if wrong != nil && wrong.incomplete {
		return false, true
	}
	return len(toks) == 0 || toks[len(toks)-1].tok.String() == ";", len(toks) > 0
}
