package universe

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestNilArguments checks that a nil argument which a package would use in a new goroutine is refused in the calling
// one, and that a function that is not nil is called.
func TestNilArguments(t *testing.T) {
	for name, f := range map[string]func(){
		"time.AfterFunc":         func() { afterFunc(time.Hour, nil) },
		"context.AfterFunc":      func() { afterDone(t.Context(), nil) },
		"rpc.NewClient":          func() { newClient(nil) },
		"rpc.NewClientWithCodec": func() { newClientWithCodec(nil) },
		"jsonrpc.NewClient":      func() { newJSONClient(nil) },
		"pprof.StartCPUProfile":  func() { _ = startCPUProfile(nil) },
		"testing.Benchmark":      func() { benchmark(nil) },
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
	called := make(chan bool)
	afterFunc(0, func() { called <- true })
	<-called
	ended, end := context.WithCancel(t.Context())
	end()
	afterDone(ended, func() { called <- true })
	<-called
}

// TestRandomText checks the form of the text: 26 letters and digits of base 32, others at each call.
func TestRandomText(t *testing.T) {
	a, b := randomText(), randomText()
	if len(a) != 26 || a == b || strings.Trim(a+b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567") != "" {
		t.Errorf("%q and %q", a, b)
	}
}
