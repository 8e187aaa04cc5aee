package interp

import (
	"strings"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/tensor"
)

// calls returns a function that lists the functions called through the names (see lower.Cell): the full names
// of compiled functions, and the authors' names of functions of cells for which known holds, whose own calls
// it omits. Names that begin with tensor.Opaque stand for functions that the texts of cells do not determine.
func (s *Session) calls(names ...string) func(known func(name string) bool) []string {
	return func(known func(name string) bool) []string {
		w := &calling{s: s, known: known, seen: map[string]bool{}}
		for _, name := range names {
			w.visit(name)
		}
		return w.found
	}
}

// A calling follows calls from function to function, and collects their names.
type calling struct {
	s     *Session
	known func(name string) bool
	seen  map[string]bool
	found []string
}

func (w *calling) visit(name string) {
	if w.seen[name] {
		return
	}
	w.seen[name] = true
	if compiled, ok := strings.CutPrefix(name, tensor.Compiled); ok {
		w.found = append(w.found, compiled)
		return
	}
	if opaque, ok := strings.CutPrefix(name, tensor.Opaque); ok {
		w.found = append(w.found, known(w.known, opaque, tensor.Opaque))
		return
	}
	author := authorOf(name)
	w.s.mu.Lock()
	callees := w.s.callees[name]
	w.s.mu.Unlock()
	if callees == nil || w.known(author) {
		w.found = append(w.found, known(w.known, author, tensor.Opaque))
		return
	}
	for _, callee := range callees {
		w.visit(callee)
	}
}

// known returns the name, preceded by mark if its function is not known.
func known(is func(string) bool, name, mark string) string {
	if is(name) {
		return name
	}
	return mark + name
}

// authorOf returns the author's name of a function, variable or method.
func authorOf(engine string) string {
	if on, method, ok := strings.Cut(engine, "."); ok {
		return check.AuthorName(on) + "." + method
	}
	return check.AuthorName(engine)
}
