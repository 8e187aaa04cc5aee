package erase_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/universe"
)

// TestRefusals finds that what cannot be lowered to something right is refused,
// at the author's position, with a way out.
func TestRefusals(t *testing.T) {
	imports := universe.WithReceivers(nil)
	for _, c := range []struct{ name, source, want string }{
		{"errors.As as a value", `package main

import "errors"

func main() {
	as := errors.As
	_ = as
}`, "p.go:6:8: errors.As that is not called"},
		{"generic compiled function", `package main

import "unique"

func main() { unique.Make(1) }`, "p.go:5:15: unique.Make is generic and compiled"},
		{"array beyond memory", `package main

func main() {
	var a [1 << 40]byte
	a[0] = 1
}`, "is larger than the 4 GiB"},
		{"generic compiled type", `package main

import "sync/atomic"

func main() {
	var p atomic.Pointer[int]
	_ = p.Load()
}`, "p.go:6:6: atomic.Pointer[int]: is an instance of a compiled generic type"},
		{"type depending on parameters", `package main

func f[T any](v T) any {
	type box struct{ v T }
	return box{v}
}

func main() { f(1) }`, "p.go:4:7: type box depends on the type parameters of f"},
		{"struct of a compiled package", `package main

import "net/http"

type Request http.Request

func main() { _ = Request(http.Request{}) }`, "cannot convert between a struct of its own and one of a compiled package"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := run(imports, program{name: "p", source: c.source})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s\n%s", err, c.want, out)
			}
		})
	}
}
