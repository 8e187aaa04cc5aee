package interp_test

import (
	"context"
	"go/scanner"
	"go/token"
	"math/rand/v2"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// FuzzCells runs cells of the transcripts with some of their tokens changed, forty in one session for each seed, and
// interrupts those that run for a second. It checks that the session answers and keeps a variable, and that errors
// do not mention the implementation.
func FuzzCells(f *testing.F) {
	m := newMutator(f)
	for seed := range uint64(8) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		r := rand.New(rand.NewPCG(seed, 1))
		nb := interptest.New(t, interp.Options{})
		nb.MustRun(t, 1, "kept := 41")
		for n := range 40 {
			code := m.mutant(r)
			if unsafeToRun.MatchString(code) || strings.Contains(code, "kept") {
				continue
			}
			ctx, cancel := context.WithTimeout(context.Background(), time.Second)
			res := nb.Run(ctx, code, n+2)
			cancel()
			if res.Err != nil && implementation.MatchString(res.Err.Text()) {
				t.Errorf("%s\n%s", code, res.Err.Text())
			}
		}
		if got := nb.MustRun(t, 100, "kept"); got != "41" {
			t.Errorf("kept is %s", got)
		}
	})
}

// implementation matches words about the implementation, which no error of a cell may have.
var implementation = regexp.MustCompile(`goanvil/notebook|\.go:\d+|yaegi|\bssa\b|interface conversion: .*(compile|ssa|types)\.|cannot be compiled`)

// unsafeToRun matches cells that may change files, start programs or end the process.
var unsafeToRun = regexp.MustCompile(`\bos\s*\.|exec|syscall|http|\bnet\b|^\s*[!%]|Save|Write|Create|Remove|signal|debug|unsafe|rpc|testing`)

// A lexeme is a token with its text.
type lexeme struct {
	tok  token.Token
	text string
}

// A mutator makes cells from the tokens of others.
type mutator struct {
	cells [][]lexeme
	texts map[token.Token][]string // of all cells
}

func newMutator(t testing.TB) *mutator {
	m := &mutator{texts: map[token.Token][]string{}}
	files, _ := filepath.Glob("testdata/*.txt")
	more, _ := filepath.Glob("*/testdata/*.txt")
	for _, file := range append(files, more...) {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range archive.Files {
			if strings.HasPrefix(section.Name, "In ") && !unsafeToRun.Match(section.Data) {
				m.add(string(section.Data))
			}
		}
	}
	return m
}

func (m *mutator) add(code string) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile("", -1, len(code)), []byte(code), func(token.Position, string) {}, 0)
	var cell []lexeme
	for {
		_, tok, text := s.Scan()
		switch {
		case tok == token.EOF:
			m.cells = append(m.cells, cell)
			return
		case text == "":
			text = tok.String()
		}
		cell = append(cell, lexeme{tok, text})
		m.texts[tok] = append(m.texts[tok], text)
	}
}

// odd are operands at the limits of their types.
var odd = []string{"0", "-1", "1<<62", "nil", `""`, "1e400", "math.NaN()", "[]int{}", "struct{}{}", "func() {}", "any(nil)",
	"make(chan int)", "_", "iota", "len", "nv.Sum", "x", "9223372036854775807", "0i", "(*int)(nil)", "error(nil)", "[0]int{}"}

// operators are the replacements for an operator.
var operators = strings.Fields("+ - * / % << >> & | ^ &^ == < && := = += <- ... . ,")

// mutant returns a cell with up to three changes.
func (m *mutator) mutant(r *rand.Rand) string {
	cell := append([]lexeme(nil), m.pick(r)...)
	for range 1 + r.IntN(3) {
		if len(cell) < 2 {
			break
		}
		cell = m.change(r, cell, r.IntN(len(cell)))
	}
	var b strings.Builder
	for _, x := range cell {
		b.WriteString(x.text)
		if x.text != "\n" {
			b.WriteByte(' ')
		}
	}
	return b.String()
}

func (m *mutator) pick(r *rand.Rand) []lexeme { return m.cells[r.IntN(len(m.cells))] }

// change changes token i of cell: it replaces it by another of its kind, an odd operand, or tokens of another cell,
// or removes it, or repeats the tokens from there on.
func (m *mutator) change(r *rand.Rand, cell []lexeme, i int) []lexeme {
	switch r.IntN(7) {
	case 0, 1, 2:
		if cell[i].tok.IsOperator() && cell[i].tok != token.SEMICOLON {
			cell[i].text = operators[r.IntN(len(operators))]
		} else if same := m.texts[cell[i].tok]; len(same) > 0 {
			cell[i].text = same[r.IntN(len(same))]
		}
	case 3:
		return append(cell[:i:i], cell[i+1:]...)
	case 4:
		cell[i].text = odd[r.IntN(len(odd))]
	case 5:
		again := cell[i:min(len(cell), i+1+r.IntN(8))]
		return append(cell[:i:i], append(again[:len(again):len(again)], cell[i:]...)...)
	case 6:
		if other := m.pick(r); len(other) > 0 {
			from := r.IntN(len(other))
			some := other[from:min(len(other), from+1+r.IntN(12))]
			return append(cell[:i:i], append(some[:len(some):len(some)], cell[i+1:]...)...)
		}
	}
	return cell
}
