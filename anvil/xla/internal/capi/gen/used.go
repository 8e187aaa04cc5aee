package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
)

// users are the folders, relative to package capi, of the Go files that use the API.
var users = []string{".", "../..", "../../xlatest"}

// used returns the identifiers that occur in the Go files of users, except generated files. dir is
// the folder of package capi.
func used(dir string) (map[string]bool, error) {
	names := map[string]bool{}
	for _, user := range users {
		files, err := filepath.Glob(filepath.Join(dir, user, "*.go"))
		if err != nil {
			return nil, err
		}
		for _, file := range files {
			if strings.Contains(filepath.Base(file), "_gen") {
				continue
			}
			f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
			if err != nil {
				return nil, err
			}
			ast.Inspect(f, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					names[id.Name] = true
				}
				return true
			})
		}
	}
	return names, nil
}

// keep removes the enums, functions and structs that names does not need. The other functions keep their indices. keep
// adds the names of the structs that it keeps to names.
func (a *api) keep(names map[string]bool) {
	a.enums = filter(a.enums, func(e constant) bool { return names[goName(e.name)] })
	for i, f := range a.funcs {
		if name := goName(f); names["Call"+name] || names["fn"+name] {
			names[name+"Args"] = true
		} else {
			a.funcs[i] = ""
		}
	}
	for more := true; more; { // add the structs that used structs contain or point to, until there are no more
		more = false
		for _, s := range a.structs {
			for _, f := range s.fields {
				if name := goType(f.class, 0); names[goName(s.name)] && !names[strings.TrimPrefix(name, "*")] {
					names[strings.TrimPrefix(name, "*")], more = true, true
				}
			}
		}
	}
	a.structs = filter(a.structs, func(s layout) bool { return names[goName(s.name)] })
}

// filter returns the elements of all for which keep is true.
func filter[T any](all []T, keep func(T) bool) (kept []T) {
	for _, x := range all {
		if keep(x) {
			kept = append(kept, x)
		}
	}
	return kept
}
