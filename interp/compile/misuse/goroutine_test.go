package misuse

import (
	"net/http"
	"runtime"
	"sync"
	"testing"
)

// TestNilFunctions checks that a nil function is refused in the calling goroutine, and that another one is called.
func TestNilFunctions(t *testing.T) {
	var g sync.WaitGroup
	for name, f := range map[string]func(){
		"Go":                 func() { goInGroup(&g, nil) },
		"RegisterOnShutdown": func() { registerOnShutdown(new(http.Server), nil) },
		"Run":                func() { runBenchmark(new(testing.B), "b", nil) },
		"RunParallel":        func() { runParallel(new(testing.B), nil) },
	} {
		func() {
			defer func() {
				if _, ok := recover().(runtime.Error); !ok {
					t.Errorf("%s: no run-time error", name)
				}
			}()
			f()
		}()
	}
	called := make(chan bool, 2)
	goInGroup(&g, func() { called <- true })
	s := new(http.Server)
	registerOnShutdown(s, func() { called <- true })
	_ = s.Shutdown(t.Context())
	<-called
	<-called
	g.Wait()
}
