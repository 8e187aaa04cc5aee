package interp

import (
	"errors"
	"go/ast"
	"go/token"
	"reflect"

	"github.com/goanvil/notebook/interp/cell"
	"github.com/goanvil/notebook/interp/compile/celltype"
	"github.com/goanvil/notebook/interp/lower"
)

// tensorsNamed returns the tensors in the variables that a cell mentions, and the name of the variable of
// each.
func (s *Session) tensorsNamed(l *lower.Lowered) (found []reflect.Value, names []string) {
	for _, name := range l.Names {
		if v, ok := s.vars[name]; ok {
			found = s.tensorsIn(v, found)
		}
		for len(names) < len(found) {
			names = append(names, celltype.AuthorName(name))
		}
	}
	return found, names
}

// failureOf returns err, an error of computing the tensors of the variables names, as the error
// of the cell. Its position is the last assignment to the variable whose tensor failed.
func (s *Session) failureOf(err error, syntax *cell.Cell, names []string) *Error {
	var indexed interface{ Failed() int } // the index of the tensor that failed
	if !errors.As(err, &indexed) || indexed.Failed() >= len(names) {
		return s.failure(err, syntax.Name)
	}
	return s.failureAt(errors.Unwrap(err), syntax.Name, lastAssigned(syntax, names[indexed.Failed()]))
}

// Shown returns err, an error of displaying the values of res, as the error of the cell.
func (s *Session) Shown(res Result, err error) *Error {
	e, ok := err.(*Error)
	if !ok {
		return s.failureAt(err, "", res.at)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	where, source := s.at(res.at)
	if e.Pos == "" && where != "" {
		e.Pos, e.Traceback = where, []string{where + ": " + e.Message}
	} else if where != "" {
		e.Traceback = append(e.Traceback, where)
	}
	e.Traceback = append(e.Traceback, source...)
	return e
}

// failureAt returns err with the source line of pos and a caret, or without a line, in the cell called name, if
// pos is unknown.
func (s *Session) failureAt(err error, name string, pos token.Pos) *Error {
	s.mu.Lock()
	where, source := s.at(pos)
	s.mu.Unlock()
	if where == "" {
		return s.failure(err, name)
	}
	e := s.failure(err, where)
	e.Traceback = append(e.Traceback, source...)
	return e
}

// lastAssigned returns the position of the last expression that the cell assigns to name.
func lastAssigned(syntax *cell.Cell, name string) (pos token.Pos) {
	isName := func(e ast.Expr) bool {
		id, ok := e.(*ast.Ident)
		return ok && celltype.AuthorName(id.Name) == name
	}
	for _, s := range syntax.Stmts {
		ast.Inspect(s, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for i, lhs := range n.Lhs {
					if isName(lhs) {
						pos = n.Rhs[min(i, len(n.Rhs)-1)].Pos()
					}
				}
			case *ast.ValueSpec:
				for i, id := range n.Names {
					if isName(id) && len(n.Values) > 0 {
						pos = n.Values[min(i, len(n.Values)-1)].Pos()
					}
				}
			}
			return true
		})
	}
	return pos
}

// lastValue returns the position of a cell's final expression.
func lastValue(syntax *cell.Cell) token.Pos {
	if len(syntax.Stmts) == 0 {
		return token.NoPos
	}
	last := syntax.Stmts[len(syntax.Stmts)-1]
	if syntax.Values != nil && len(syntax.Values.Args) > 0 {
		return syntax.Values.Args[0].Pos()
	}
	if e, ok := last.(*ast.ExprStmt); ok {
		return e.X.Pos()
	}
	return token.NoPos
}

// maxWalk limits how many values are searched for tensors.
const maxWalk = 100_000

// tensorsIn appends the tensors that v leads to: through pointers, structs, slices, arrays,
// maps and interfaces. The tensors are addressable, except those in maps and interfaces.
func (s *Session) tensorsIn(v reflect.Value, found []reflect.Value) []reflect.Value {
	if s.tensor == nil {
		return nil
	}
	w := &walk{tensor: s.tensor, found: found, seen: map[reflect.Value]bool{}, left: maxWalk}
	w.visit(v)
	return w.found
}

// A walk searches values for tensors.
type walk struct {
	tensor reflect.Type
	found  []reflect.Value
	seen   map[reflect.Value]bool // pointers and maps
	left   int
}

func (w *walk) visit(v reflect.Value) {
	if w.left--; w.left < 0 || !v.IsValid() {
		return
	}
	if v.Type() == w.tensor {
		w.found = append(w.found, v)
		return
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() && !w.visited(v) {
			w.visit(v.Elem())
		}
	case reflect.Struct:
		if mayHold(v.Type()) {
			w.fields(v)
		}
	case reflect.Slice, reflect.Array:
		if mayHold(v.Type().Elem()) {
			for i := range v.Len() {
				w.visit(v.Index(i))
			}
		}
	case reflect.Map:
		if !w.visited(v) && mayHold(v.Type().Elem()) {
			for i := v.MapRange(); i.Next(); {
				w.visit(i.Value())
			}
		}
	}
}

// fields visits the fields of a struct. It reads unexported ones through their addresses,
// since reflection refuses their values.
func (w *walk) fields(v reflect.Value) {
	for i := range v.NumField() {
		f := v.Field(i)
		if !mayHold(f.Type()) {
			continue
		}
		if !v.Type().Field(i).IsExported() {
			if !f.CanAddr() {
				continue
			}
			f = reflect.NewAt(f.Type(), f.Addr().UnsafePointer()).Elem()
		}
		w.visit(f)
	}
}

// visited reports whether the pointer or map v was visited before, and marks it as visited. Interfaces are not
// marked: a cycle leads through a pointer or a map.
func (w *walk) visited(v reflect.Value) bool {
	if v.Kind() == reflect.Interface {
		return false
	}
	if w.seen[v] {
		return true
	}
	w.seen[v] = true
	return false
}

// mayHold reports whether values of type t can lead to tensors. Numbers and strings cannot.
func mayHold(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Array, reflect.Map:
		return true
	}
	return false
}
