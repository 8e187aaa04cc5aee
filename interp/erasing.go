package interp

import (
	"fmt"
	"go/types"
	"reflect"

	"github.com/goanvil/notebook/interp/check"
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
		rt := support.New(s.eraser.Table)
		rt.Failed = func(v any, _ []byte) { s.caught(v) }
		if err := s.engine.Use(erase.SupportPath, "support", rt.Symbols()); err != nil {
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
