package interp

import (
	"strings"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/tensor"
)

// calls is the aid for library functions that need to know what a function of a cell calls. names are the callees of
// that function, in the forms that tensor.Compiled lists.
//
// The result of calls is a function; it lists the functions that are called, directly or through others. A compiled
// function has its full name. A function of a cell has the author's name if known holds for the name; otherwise its own
// callees replace it in the list. A function whose callees are not known has the prefix tensor.Opaque, unless known
// holds for its name.
func (s *Session) calls(names ...string) func(known func(name string) bool) []string {
	return func(known func(name string) bool) []string {
		w := &callWalk{s: s, known: known, seen: map[string]bool{}}
		for _, name := range names {
			w.visit(name)
		}
		return w.found
	}
}

// A callWalk follows calls from function to function, and collects the names of the functions; see calls.
type callWalk struct {
	s     *Session
	known func(name string) bool
	seen  map[string]bool // the callees that have been visited
	found []string
}

// visit adds the callee name, or the functions that it calls.
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
		w.found = append(w.found, w.opaqueUnlessKnown(opaque))
		return
	}
	author := authorOf(name)
	w.s.mu.Lock()
	callees := w.s.callees[name]
	w.s.mu.Unlock()
	if callees == nil || w.known(author) {
		w.found = append(w.found, w.opaqueUnlessKnown(author))
		return
	}
	for _, callee := range callees {
		w.visit(callee)
	}
}

// opaqueUnlessKnown returns name if known holds for it, and otherwise name with the prefix tensor.Opaque.
func (w *callWalk) opaqueUnlessKnown(name string) string {
	if w.known(name) {
		return name
	}
	return tensor.Opaque + name
}

// authorOf returns the author's name of a callee that is a function, variable or method of a cell: T.M for Tꓸ4.M.
func authorOf(engine string) string {
	if receiver, method, ok := strings.Cut(engine, "."); ok {
		return check.AuthorName(receiver) + "." + method
	}
	return check.AuthorName(engine)
}
