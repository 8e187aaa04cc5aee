package interp

import (
	"go/token"
	"slices"
	"sort"
	"strings"

	"github.com/goanvil/notebook/interp/lower"
)

// cellTexts has the sources and the functions of the cells. It finds the source line and the function of a position.
type cellTexts struct {
	cells []cellText // in the order of their positions
	funcs []lower.Func
	sweep int // the number of cells at which forgetTexts next drops unused ones
}

// A cellText is the source of a cell.
type cellText struct {
	from, to int // the cell has the positions p of the file set with from <= p < to
	name     string
	lines    []string
}

// add adds the source of a cell, whose positions p are from <= p < to.
func (t *cellTexts) add(from, to int, name, code string) {
	t.cells = append(t.cells, cellText{from, to, name, strings.Split(code, "\n")})
}

func (t *cellTexts) addFunctions(f []lower.Func) { t.funcs = append(t.funcs, f...) }

// cell returns the index of the cell that contains pos, or -1 if there is none.
func (t *cellTexts) cell(pos token.Pos) int {
	i := sort.Search(len(t.cells), func(i int) bool { return t.cells[i].to > int(pos) })
	if i == len(t.cells) || int(pos) < t.cells[i].from {
		return -1
	}
	return i
}

// line returns the text of a line of the cell that contains pos, or "" if it is unknown. line is the line's number in
// the cell, counted from 1.
func (t *cellTexts) line(pos token.Pos, line int) string {
	i := t.cell(pos)
	if i < 0 || line < 1 || line > len(t.cells[i].lines) {
		return ""
	}
	return t.cells[i].lines[line-1]
}

// recentTexts is the number of most recent cells whose texts are always kept.
const recentTexts = 64

// forgetTexts drops the texts and positions of cells whose functions, variables and types are no longer in use. It does
// so only when the number of cells has reached s.texts.sweep. The caller holds s.mu.
func (s *Session) forgetTexts() {
	t := &s.texts
	if len(t.cells) < t.sweep {
		return
	}
	used := make([]bool, len(t.cells))
	for _, pos := range slices.Concat(s.compiler.Positions(), s.env.Positions()) {
		if i := t.cell(pos); i >= 0 {
			used[i] = true
		}
	}
	forgotten := func(i int) bool { return i >= 0 && !used[i] && i < len(t.cells)-recentTexts }
	t.funcs = slices.DeleteFunc(t.funcs, func(f lower.Func) bool { return forgotten(t.cell(f.From)) })
	kept := make([]cellText, 0, len(t.cells))
	for i, c := range t.cells {
		if !forgotten(i) {
			kept = append(kept, c)
			continue
		}
		for pos := c.from; pos < c.to; { // cell.Parse may have added several files for the cell
			file := s.fset.File(token.Pos(pos))
			if file == nil {
				break
			}
			s.fset.RemoveFile(file)
			pos = int(file.End()) + 1
		}
	}
	t.cells = kept
	t.sweep = 2*len(kept) + 2*recentTexts
}

// function returns the name of the innermost function of a cell that contains pos, or "" if there is none.
func (t *cellTexts) function(pos token.Pos) string {
	name, size := "", token.Pos(-1)
	for _, f := range t.funcs {
		if f.From <= pos && pos < f.To && (size < 0 || f.To-f.From < size) {
			name, size = f.Name, f.To-f.From
		}
	}
	return name
}
