package interp

import (
	"cmp"
	"fmt"
	"go/token"
	"go/types"
	"io"
	"maps"
	"reflect"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/compile/misuse"
)

// newCompiler returns the compiler of the session's cells.
func (s *Session) newCompiler() *compile.Session {
	return compile.NewSession(compile.Hooks{
		Symbols:   s.symbols,
		Import:    importer{s}.Import,
		TypeName:  s.typeName,
		Stop:      func() chan struct{} { return s.mustPoll },
		Poll:      s.poll,
		Overflow:  s.overflow,
		Unwound:   s.unwound,
		Recovered: s.recovered,
		Caught:    s.caught,
		Failed:    s.failed,
		Waiting:   s.interrupted,
		Stderr:    s.opts.Stderr,
		Position: func(pos token.Pos) (string, int) {
			if !pos.IsValid() {
				return "", 0
			}
			p := cell.Position(s.fset, pos)
			return cmp.Or(p.Filename, "??"), p.Line // a //line comment may leave the name out
		},
	})
}

// typeName returns the name of a type: for a type declared at cell level a name that is unique in the session, for
// another type declared at package level its own name, and for a type that a function declares "".
func (s *Session) typeName(t *types.TypeName) string {
	if name := s.env.TypeName(t); name != "" {
		return name
	}
	if t.Pkg() != nil && t.Parent() == t.Pkg().Scope() {
		return t.Name()
	}
	return ""
}

// symbols returns the exported names of the package at path; see Universe.Symbols.
func (s *Session) symbols(path string) map[string]reflect.Value {
	switch path {
	case check.AidPath:
		return s.aids
	case "fmt":
		return s.fmt
	}
	return s.universe.Symbols(path)
}

// fmtSymbols returns the symbols of package fmt, with two changes. The functions print values that contain themselves
// without recursing endlessly. Functions that use os.Stdin or os.Stdout use the session's streams instead, or what
// cells have assigned to these variables.
func (s *Session) fmtSymbols() map[string]reflect.Value {
	all := maps.Clone(s.universe.Symbols("fmt"))
	stdin, stdout := standardStream(s, "Stdin", s.opts.Stdin), standardStream(s, "Stdout", s.opts.Stdout)
	for name, f := range map[string]any{
		"Print": func(a ...any) (int, error) { return fmt.Fprint(stdout(), misuse.Printable(a)...) },
		"Printf": func(format string, a ...any) (int, error) {
			return fmt.Fprintf(stdout(), format, misuse.Printable(a)...)
		},
		"Println": func(a ...any) (int, error) { return fmt.Fprintln(stdout(), misuse.Printable(a)...) },

		"Fprint": func(w io.Writer, a ...any) (int, error) { return fmt.Fprint(w, misuse.Printable(a)...) },
		"Fprintf": func(w io.Writer, format string, a ...any) (int, error) {
			return fmt.Fprintf(w, format, misuse.Printable(a)...)
		},
		"Fprintln": func(w io.Writer, a ...any) (int, error) { return fmt.Fprintln(w, misuse.Printable(a)...) },

		"Sprint":   func(a ...any) string { return fmt.Sprint(misuse.Printable(a)...) },
		"Sprintf":  func(format string, a ...any) string { return fmt.Sprintf(format, misuse.Printable(a)...) },
		"Sprintln": func(a ...any) string { return fmt.Sprintln(misuse.Printable(a)...) },

		"Append": func(b []byte, a ...any) []byte { return fmt.Append(b, misuse.Printable(a)...) },
		"Appendf": func(b []byte, format string, a ...any) []byte {
			return fmt.Appendf(b, format, misuse.Printable(a)...)
		},
		"Appendln": func(b []byte, a ...any) []byte { return fmt.Appendln(b, misuse.Printable(a)...) },

		"Errorf": func(format string, a ...any) error { return fmt.Errorf(format, misuse.Printable(a)...) },

		"Scan":   func(a ...any) (int, error) { return fmt.Fscan(stdin(), a...) },
		"Scanf":  func(format string, a ...any) (int, error) { return fmt.Fscanf(stdin(), format, a...) },
		"Scanln": func(a ...any) (int, error) { return fmt.Fscanln(stdin(), a...) },
	} {
		all[name] = reflect.ValueOf(f)
	}
	return all
}

// standardStream returns a function that returns the current value of the variable called name in package os, if a cell
// has assigned to the variable since the call of standardStream, and otherwise own, a stream of the session.
func standardStream[T any](s *Session, name string, own T) func() T {
	before := s.universe.Symbols("os")[name].Interface()
	return func() T {
		if now := s.compiler.StandardStream(name); now != before {
			return now.(T)
		}
		return own
	}
}
