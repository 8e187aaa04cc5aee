package main

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil"
	backends "github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/interp/magic"
)

// textArguments returns the strings that complete argument n of a call:
//   - the keys of the map m if call is "m["
//   - the names of the columns if call is a method of a table that a variable of the session holds, and
//     argument n is the name of a column
//   - the result of knownTexts otherwise.
func (s *session) textArguments(call string, n int) []string {
	if name, ok := strings.CutSuffix(call, "["); ok {
		return s.keysOf(name)
	}
	name, _, _ := strings.Cut(call, ".")
	if t := s.tableOf(name); t != nil && takesColumns(call[strings.LastIndexByte(call, '.')+1:], n) {
		return t.Names()
	}
	return knownTexts(call, n)
}

// takesColumns reports whether argument n of a method of *anvil.Table or *anvil.GroupedTable is the
// name of a column.
func takesColumns(method string, n int) bool {
	if method == "Col" {
		return n == 0
	}
	for _, t := range []reflect.Type{reflect.TypeFor[*anvil.Table](), reflect.TypeFor[*anvil.GroupedTable]()} {
		if m, ok := t.MethodByName(method); ok && m.Type.IsVariadic() {
			// The variadic parameter is the last. Parameter 0 is the receiver, which n does not count.
			variadic := m.Type.NumIn() - 1
			return n >= variadic-1 && m.Type.In(variadic) == reflect.TypeFor[[]string]()
		}
	}
	return false
}

// knownTexts returns the strings that functions of the library accept as argument n of a call.
func knownTexts(call string, n int) []string {
	if n > 0 {
		return nil
	}
	switch call {
	case "backend.Set", "backend.With":
		return backends.Names()
	case "promote.ByName":
		return magic.Systems()
	case "nv.Precision":
		return []string{"highest", "high", "default"}
	}
	return nil
}

// maxFiles is the greatest number of names in a folder that filesIn returns.
const maxFiles = 1000

// filesIn returns the names in the folder dir, or in the current folder if dir is "". Names of
// subfolders end in a slash. It returns no names if the folder cannot be read.
func filesIn(dir string) []string {
	entries, _ := os.ReadDir(cmp.Or(dir, "."))
	entries = entries[:min(len(entries), maxFiles)]
	names := make([]string, 0, len(entries))
	for _, e := range entries {
		name := e.Name()
		if info, err := os.Stat(filepath.Join(dir, name)); err == nil && info.IsDir() { // Stat follows links
			name += "/"
		}
		names = append(names, name)
	}
	return names
}

// tableOf returns the table that the variable called name holds, or nil.
func (s *session) tableOf(name string) *anvil.Table {
	v, ok := s.interp.Value(name)
	if !ok || !v.CanInterface() {
		return nil
	}
	t, _ := v.Interface().(*anvil.Table)
	return t
}

// keysOf returns the sorted keys of the map that the variable called name holds, or nil if it does
// not hold a map with string keys.
func (s *session) keysOf(name string) []string {
	v, ok := s.interp.Value(name)
	if !ok || v.Kind() != reflect.Map || v.Type().Key().Kind() != reflect.String {
		return nil
	}
	keys := map[string]bool{}
	_ = s.interp.WithMaps([]any{v}, func() {
		for _, key := range v.MapKeys() {
			keys[key.String()] = true
		}
	})
	return slices.Sorted(maps.Keys(keys))
}
