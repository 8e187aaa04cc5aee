package misuse

import (
	"net/http"
	"sync"
	"testing"
)

// The methods below check that the function they are given is not nil. The original methods call it in a new goroutine,
// where nothing recovers the panic.

func goInGroup(g *sync.WaitGroup, f func()) {
	FailNil(f == nil)
	g.Go(f)
}

func registerOnShutdown(s *http.Server, f func()) {
	FailNil(f == nil)
	s.RegisterOnShutdown(f)
}

func runBenchmark(b *testing.B, name string, f func(*testing.B)) bool {
	FailNil(f == nil)
	return b.Run(name, f)
}

func runParallel(b *testing.B, body func(*testing.PB)) {
	FailNil(body == nil)
	b.RunParallel(body)
}

// FailNil panics like the dereference of a nil pointer if isNil is set.
func FailNil(isNil bool) {
	if isNil {
		var p *int
		*p = 0
	}
}
