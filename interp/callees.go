package interp

import (
	"strings"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/tensor"
)

// calls is an aid for functions that need to know what a function of a cell calls. names are engine names of
// functions, with the prefix tensor.Compiled or tensor.Opaque where package tensor sets one. calls returns a function
// that lists all functions that these call, directly or through others: the full names of compiled functions, and the
// authors' names of those functions of cells for which known returns true. It does not look into the latter. Names
// with the prefix tensor.Opaque stand for functions that the texts of cells do not determine.
func (s *Session) calls(names ...string) func(known func(name string) bool) []string {
	return func(known func(name string) bool) []string {
		w := &callWalk{s: s, known: known, seen: map[string]bool{}}
		for _, name := range names {
			w.visit(name)
		}
		return w.found
	}
}

// A callWalk follows calls from function to function, and collects the names of the functions.
type callWalk struct {
	s     *Session
	known func(name string) bool
	seen  map[string]bool
	found []string
}

// visit adds the function with the given engine name, or the functions that it calls.
func (w *callWalk) visit(name string) {
	if w.seen[name] {
		return
	}
	w.seen[name] = true
	if compiled, ok := strings.CutPrefix(name, tensor.Compiled); ok {
		w.found = append(w.found, compiled)
		return
	}
	if opaque, ok := strings.CutPrefix(name, tensor.Opaque); ok {
		w.found = append(w.found, w.marked(opaque))
		return
	}
	author := authorOf(name)
	w.s.mu.Lock()
	callees := w.s.callees[name]
	w.s.mu.Unlock()
	if callees == nil || w.known(author) {
		w.found = append(w.found, w.marked(author))
		return
	}
	for _, callee := range callees {
		w.visit(callee)
	}
}

// marked returns the name, preceded by tensor.Opaque if known does not hold for it.
func (w *callWalk) marked(name string) string {
	if w.known(name) {
		return name
	}
	return tensor.Opaque + name
}

// authorOf returns the author's name of the function, variable or method with the given engine name.
func authorOf(engine string) string {
	if receiver, method, ok := strings.Cut(engine, "."); ok {
		return check.AuthorName(receiver) + "." + method
	}
	return check.AuthorName(engine)
}
