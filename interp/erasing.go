package interp

import (
	"fmt"
	"go/types"
	"maps"
	"reflect"

	"github.com/goanvil/notebook/interp/check"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/yaegi"
	"github.com/goanvil/notebook/interp/yaegi/erase"
	"github.com/goanvil/notebook/interp/yaegi/support"
)

// erasing makes what erases the types of the session's cells.
func (s *Session) erasing() {
	s.eraser = erase.New(erase.Hooks{
		Symbols:  s.symbols,
		Alias:    func(path string) string { return s.env.Alias(path) },
		TypeName: func(t *types.TypeName) string { return yaegi.TypeName(s.env, t) },
		Import:   importer{s}.Import,
		Guarded:  true,
		Late:     true,
	})
	s.support = support.New(s.eraser.Table)
	s.support.Failed = func(v any, _ []byte) { s.caught(v) }
	s.compiler = compile.NewSession(s.eraser.Table, s.support, compile.Hooks{
		Symbols:   s.compiledSymbols,
		Stop:      func() chan struct{} { return s.last.stop },
		Poll:      s.poll,
		Overflow:  s.overflow,
		Enter:     func() int64 { return s.last.depth.Add(1) },
		Leave:     func() { s.last.depth.Add(-1) },
		Unwound:   s.last.passed,
		Recovered: s.last.recovered,
		Caught:    func(v any) { s.caught(v) },
		Waiting:   s.interrupted,
		Stderr:    s.opts.Stderr,
	})
}

// symbols returns the symbols of the package at path, for the engine.
func (s *Session) symbols(path string) map[string]reflect.Value {
	if path == check.AidPath {
		return s.aids
	}
	return s.universe.Symbols(path)
}

// linkErased gives the engine the run-time types of a cell, and before the first cell the
// functions that lowered code calls.
func (s *Session) linkErased(l *yaegi.Lowered) error {
	if l.Erased == nil {
		return nil
	}
	if err := s.engine.Use(erase.TypesPath, "types", l.Erased.Symbols); err != nil {
		return err
	}
	if !s.used[erase.SupportPath] {
		s.used[erase.SupportPath] = true
		if err := s.engine.Use(erase.SupportPath, "support", s.support.Symbols()); err != nil {
			return err
		}
	}
	for alias, path := range l.Erased.Imports {
		if (path == erase.TypesPath || path == erase.SupportPath) && !s.aliases[alias] {
			if err := s.engine.Import(alias, path, l.File.Package); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
			s.aliases[alias] = true
		}
	}
	return nil
}

// linkCompiled tells compiled code of what it uses of the interpreter's, pairs of engine
// name and pointer to a variable or function, and starts what the cell has compiled.
func (s *Session) linkCompiled(serial int, named ...any) {
	for i := 0; i < len(named); i += 2 {
		s.compiler.Link(named[i].(string), named[i+1])
	}
	s.mu.Lock()
	unit := s.unit
	current := s.run != nil && s.run.serial == serial
	s.mu.Unlock()
	if current && unit != nil {
		unit.Start()
	}
}

// compiledSymbols returns the symbols of the package at path for compiled code: what
// prints writes where the session does, as the engine arranges for the interpreter.
func (s *Session) compiledSymbols(path string) map[string]reflect.Value {
	symbols := s.symbols(path)
	if path != "fmt" {
		return symbols
	}
	in, out := s.opts.Stdin, s.opts.Stdout
	own := maps.Clone(symbols)
	maps.Copy(own, map[string]reflect.Value{
		"Print":   reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprint(out, a...) }),
		"Printf":  reflect.ValueOf(func(format string, a ...any) (int, error) { return fmt.Fprintf(out, format, a...) }),
		"Println": reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fprintln(out, a...) }),
		"Scan":    reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fscan(in, a...) }),
		"Scanf":   reflect.ValueOf(func(format string, a ...any) (int, error) { return fmt.Fscanf(in, format, a...) }),
		"Scanln":  reflect.ValueOf(func(a ...any) (int, error) { return fmt.Fscanln(in, a...) }),
	})
	return own
}

// callCompiled runs a statement of a cell that is compiled.
func (s *Session) callCompiled(serial, n int) {
	s.mu.Lock()
	unit := s.unit
	current := s.run != nil && s.run.serial == serial
	s.mu.Unlock()
	if current && unit != nil {
		unit.Calls[n]()
	}
}
