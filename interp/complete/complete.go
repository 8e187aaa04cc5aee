// Package complete answers what front ends ask about code that is being
// written: how a name may go on, and what a name means. It reads the names of
// the session and types; it runs nothing.
package complete

import (
	"go/types"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goanvil/notebook/interp/check"
)

// A Doc is the documentation of a symbol, and of a type its declaration.
type Doc struct{ Text, Decl string }

// A Session is what there is to complete from. Env is required; what else is
// nil is not offered.
type Session struct {
	Env *check.Env

	// TensorPath and TensorName name the type on which cells may use operators.
	TensorPath, TensorName string

	// Doc returns the documentation of a package's symbol: "F", "T",
	// "T.Method", "T.Field" or "".
	Doc func(path, symbol string) Doc

	// Paths returns what can be imported.
	Paths func() []string

	// Magics returns the kernel's own commands ("%time"), and what each does.
	Magics func() map[string]string
	// Arguments returns the words that a command ("%promotion") is followed by;
	// of one that Go follows, or nothing, nil.
	Arguments func(magic string) []string
	// Texts returns what argument n, a string behind n other strings, of a call
	// ("backend.Set") may be, or the key of a map ("m["). It may be nil.
	Texts func(call string, n int) []string

	// Source returns the code of a cell that ran.
	Source func(cell int) string

	// Hidden reports whether a package's name is of no use now. It may be nil.
	Hidden func(o types.Object) bool

	// Value returns how the value of a variable reads now, or "".
	Value func(name string) string
}

// A Match is one way to go on.
type Match struct {
	Text      string
	Kind      Kind
	Signature string // of a function
}

// A Kind says what a match is, in the words that front ends have icons for.
type Kind string

// The kinds of matches.
const (
	Function Kind = "function"
	Type     Kind = "class"
	Package  Kind = "module"
	Variable Kind = "instance"
	Constant Kind = "statement"
	Field    Kind = "property"
	Keyword  Kind = "keyword"
	Path     Kind = "path"
	Magic    Kind = "magic"
	Argument Kind = "text" // of a magic
)

// Complete returns what may replace the code from start to end, which count
// code points as cursor does.
func (s *Session) Complete(code string, cursor int) (matches []Match, start, end int) {
	at := byteOffset(code, cursor)
	place := placeOf(code, at)
	all, start := s.arguments(code, at)
	if all != nil {
		place.start = start
	} else {
		all = s.candidates(code, at, place)
	}
	return matching(all, code[place.start:at]), utf8.RuneCountInString(code[:place.start]), utf8.RuneCountInString(code[:at])
}

// arguments returns what a magic may be followed by where the cursor is behind
// its name, and where that begins; nil elsewhere.
func (s *Session) arguments(code string, at int) (all []Match, start int) {
	magic, start := argumentAt(code, at)
	if magic == "" || s.Arguments == nil {
		return nil, 0
	}
	for _, text := range s.Arguments(magic) {
		all = append(all, Match{Text: text, Kind: Argument})
	}
	return all, start
}

func (s *Session) candidates(code string, at int, p place) []Match {
	switch p.kind {
	case inMagic:
		return s.magics()
	case inImport:
		return s.paths()
	case inArgument:
		return s.texts(p)
	case inText:
		return nil
	}
	f := s.fragment(withoutMagics(code[:p.start])+placeholder, p.start)
	if p.kind == afterDot {
		return s.members(f)
	}
	return append(s.fields(f), s.names(f)...)
}

// matching keeps what begins with prefix, or if nothing does, what begins
// with it in other letter case. The first of equal texts stays.
func matching(all []Match, prefix string) []Match {
	exact := distinct(all, func(m Match) bool { return strings.HasPrefix(m.Text, prefix) })
	if len(exact) > 0 {
		return exact
	}
	lower := strings.ToLower(prefix)
	return distinct(all, func(m Match) bool { return strings.HasPrefix(strings.ToLower(m.Text), lower) })
}

func distinct(all []Match, keep func(Match) bool) []Match {
	seen := map[string]bool{}
	var kept []Match
	for _, m := range all {
		if keep(m) && !seen[m.Text] {
			seen[m.Text] = true
			kept = append(kept, m)
		}
	}
	return kept
}

func (s *Session) texts(p place) (all []Match) {
	if s.Texts == nil {
		return nil
	}
	for _, text := range s.Texts(p.call, p.nth) {
		all = append(all, Match{Text: text, Kind: Argument})
	}
	return all
}

func (s *Session) magics() []Match {
	if s.Magics == nil {
		return nil
	}
	var all []Match
	for name := range s.Magics() {
		all = append(all, Match{Text: name, Kind: Magic})
	}
	return sorted(all)
}

func (s *Session) paths() []Match {
	if s.Paths == nil {
		return nil
	}
	var all []Match
	for _, p := range s.Paths() {
		all = append(all, Match{Text: p, Kind: Path})
	}
	return sorted(all)
}

func sorted(all []Match) []Match {
	slices.SortFunc(all, func(a, b Match) int { return strings.Compare(a.Text, b.Text) })
	return all
}

// matchOf describes an object.
func (s *Session) matchOf(o types.Object) Match {
	m := Match{Text: o.Name(), Kind: Variable}
	switch o := o.(type) {
	case *types.Func:
		m.Kind, m.Signature = Function, s.signature(o.Signature())
	case *types.Builtin:
		m.Kind = Function
	case *types.TypeName:
		m.Kind = Type
	case *types.PkgName:
		m.Kind = Package
	case *types.Const, *types.Nil:
		m.Kind = Constant
	case *types.Var:
		if o.IsField() {
			m.Kind = Field
		}
		if sig, ok := o.Type().Underlying().(*types.Signature); ok {
			m.Signature = s.signature(sig)
		}
	}
	return m
}

// signature returns parameters and results, without the word func.
func (s *Session) signature(sig *types.Signature) string {
	return strings.TrimPrefix(types.TypeString(sig, s.qualifier), "func")
}

// qualifier returns what stands before the dot for names of a package: what
// cells have imported it as, or else its own name; nothing for their own names.
func (s *Session) qualifier(p *types.Package) string {
	imports := s.Env.Imports()
	if p.Path() == "main" {
		return ""
	}
	if imports[p.Name()] != p.Path() {
		for name, path := range imports {
			if path == p.Path() {
				return name
			}
		}
	}
	return p.Name()
}

// byteOffset returns the offset of the code point numbered cursor.
func byteOffset(code string, cursor int) int {
	for i := range code {
		if cursor <= 0 {
			return i
		}
		cursor--
	}
	return len(code)
}
