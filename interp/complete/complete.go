// Package complete answers requests of front ends about code that is being written:
// completion and inspection. It uses the names and types of the session, and runs no code.
package complete

import (
	"go/types"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/goanvil/notebook/interp/check"
)

// A Doc is the documentation of a symbol. Text and Tables have the syntax of Go's doc comments.
type Doc struct {
	Text    string
	Decl    string // the declaration of a type
	Example string // code that uses the symbol
	Tables  string // further documentation, shown only together with the source
}

// A Session has the sources of completions and documentation. Env is required; any function may be nil.
type Session struct {
	Env *check.Env

	// TensorPath and TensorName name the type on which cells may use operators.
	TensorPath, TensorName string

	// Doc returns the documentation of a symbol of a package: "F", "T", "T.Method" or
	// "T.Field", or of the package itself if symbol is "".
	Doc func(path, symbol string) Doc

	// Paths returns the import paths of all packages.
	Paths func() []string

	// Magics returns the magic commands ("%time") with their descriptions.
	Magics func() map[string]string

	// Arguments returns the possible arguments of a magic command ("%promotion"), or nil if the
	// command has no arguments or is followed by Go code.
	Arguments func(magic string) []string

	// Texts returns the possible values of argument n, counted from 0, of a function ("backend.Set").
	// The argument and those before it are strings. If call is "m[", Texts returns the keys of the map m.
	Texts func(call string, n int) []string

	// Files returns the names in the folder dir, or in the current folder if dir is "". Names of
	// folders end in a slash.
	Files func(dir string) []string

	// Source returns the code of an earlier cell.
	Source func(cell int) string

	// LibrarySource returns the source of a symbol of a package, or where it can be found.
	LibrarySource func(path, symbol string) string

	// Hidden reports whether completion must not offer o, an exported object of a package.
	Hidden func(o types.Object) bool

	// Value returns the current value of a variable as text, or "".
	Value func(name string) string
}

// A Match is a completion.
type Match struct {
	Text      string
	Kind      Kind
	Signature string // of a function
}

// A Kind is the kind of a match. The values are names for which front ends have icons.
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
	Argument Kind = "text" // an argument of a magic command, or the value of a string
)

// Complete returns the completions at the cursor, which replace the code from start to end.
// cursor, start and end count code points.
func (s *Session) Complete(code string, cursor int) (matches []Match, start, end int) {
	at := byteOffset(code, cursor)
	all, from := s.arguments(code, at)
	if all == nil {
		place := placeOf(code, at)
		all, from = s.candidates(code, at, place), place.start
	}
	matches = matching(all, code[from:at])
	return matches, utf8.RuneCountInString(code[:from]), utf8.RuneCountInString(code[:at])
}

// arguments returns the possible arguments of the magic command before the cursor, and the offset
// at which the argument begins. It returns nil if there is no magic command before the cursor.
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

// candidates returns all matches for a place, whatever part of the name is already written.
func (s *Session) candidates(code string, at int, p place) []Match {
	switch p.kind {
	case inMagic:
		return s.magics()
	case inImport:
		return s.paths()
	case inArgument:
		if texts := s.texts(p); texts != nil {
			return texts
		}
		return s.files(code[p.start:at])
	case inString:
		return s.files(code[p.start:at])
	case inText:
		return nil
	}
	f := s.fragment(withoutMagics(code[:p.start])+placeholder, p.start)
	options := s.callOptions(f)
	if p.kind == afterDot {
		return append(options, s.members(f)...)
	}
	return slices.Concat(options, s.fields(f), s.names(f))
}

// matching returns the matches that begin with prefix. If there are none, it returns the matches that do so regardless
// of case. Of matches with equal texts it keeps the first.
func matching(all []Match, prefix string) []Match {
	exact := distinct(all, func(m Match) bool { return strings.HasPrefix(m.Text, prefix) })
	if len(exact) > 0 {
		return exact
	}
	lower := strings.ToLower(prefix)
	return distinct(all, func(m Match) bool { return strings.HasPrefix(strings.ToLower(m.Text), lower) })
}

// distinct returns the matches for which keep is true. Of matches with equal texts it keeps the first.
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

// texts returns the possible values of the string at the cursor.
func (s *Session) texts(p place) (all []Match) {
	if s.Texts == nil {
		return nil
	}
	for _, text := range s.Texts(p.call, p.nth) {
		all = append(all, Match{Text: text, Kind: Argument})
	}
	return all
}

// files returns the paths of the files in the folder of written, the path before the cursor. It omits names with
// characters that a string literal would have to escape, and names that begin with a dot, unless the name in written
// begins with a dot too.
func (s *Session) files(written string) (all []Match) {
	if s.Files == nil {
		return nil
	}
	dir, name := path.Split(written)
	for _, file := range s.Files(dir) {
		if strings.ContainsAny(file, "\"\\`\n") || strings.HasPrefix(file, ".") && !strings.HasPrefix(name, ".") {
			continue
		}
		all = append(all, Match{Text: dir + file, Kind: Path})
	}
	return sorted(all)
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

// matchOf returns the match for an object.
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
		if sig, ok := o.Type().Underlying().(*types.Signature); ok && !check.IsOption(o.Type()) {
			m.Signature = s.signature(sig)
		}
	}
	return m
}

// signature returns the parameters and results of sig, without the word func.
func (s *Session) signature(sig *types.Signature) string {
	return strings.TrimPrefix(types.TypeString(sig, s.qualifier), "func")
}

// qualifier returns the qualifier of a package's names: the name under which cells import the
// package, or else the package's own name. It returns "" for the package of cells.
func (s *Session) qualifier(p *types.Package) string {
	imports := s.Env.Imports()
	if check.IsCell(p) {
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

// byteOffset returns the offset in bytes of the position cursor, which counts code points.
func byteOffset(code string, cursor int) int {
	for i := range code {
		if cursor <= 0 {
			return i
		}
		cursor--
	}
	return len(code)
}
