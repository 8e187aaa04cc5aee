package main

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"go/types"
	"strings"
)

// apiText says what the blobs describe, one line a package: path, name, number
// of exported names and a hash of their declarations, and of our own packages,
// whose comments change most often, one of their documentation. The freshness
// test compares it, for blobs of equal content may differ in their bytes.
func apiText(w *world) ([]byte, error) {
	var b bytes.Buffer
	for _, p := range w.packages {
		text := declarations(p.types)
		fmt.Fprintf(&b, "%s %s %d %.6x", p.path, p.name, bytes.Count(text, []byte("\n")), sha256.Sum256(text))
		if strings.HasPrefix(p.path, modulePath) {
			d, err := docText(p)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, " %.6x", sha256.Sum256(d))
		}
		b.WriteByte('\n')
	}
	return b.Bytes(), nil
}

// declarations lists the exported objects of a package and their methods, one
// a line.
func declarations(p *types.Package) []byte {
	var b bytes.Buffer
	scope := p.Scope()
	for _, name := range scope.Names() {
		o := scope.Lookup(name)
		if !o.Exported() {
			continue
		}
		fmt.Fprint(&b, types.ObjectString(o, (*types.Package).Path))
		if c, ok := o.(*types.Const); ok {
			fmt.Fprint(&b, " = ", c.Val().ExactString())
		}
		if n, ok := o.Type().(*types.Named); ok && n.Obj() == o {
			for m := range n.Methods() {
				if m.Exported() {
					fmt.Fprint(&b, "; ", types.ObjectString(m, (*types.Package).Path))
				}
			}
		}
		b.WriteByte('\n')
	}
	return b.Bytes()
}
