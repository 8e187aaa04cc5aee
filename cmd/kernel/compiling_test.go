package main

import (
	"strings"
	"testing"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// TestCompilingIsShown tests that one line says how long a program has been compiling.
func TestCompilingIsShown(t *testing.T) {
	defer func(usual time.Duration) { compilingInterval = usual }(compilingInterval)
	compilingInterval = 10 * time.Millisecond
	a := newFront(t, "xla").run("x := nv.Ones(nv.Shape{400, 400}); x.MatMul(x).Sum().Float()")
	var shown []string
	for _, o := range a.outputs {
		if d, ok := o.Content.(wire.DisplayData); ok {
			shown = append(shown, d.Data["text/plain"].(string))
		}
	}
	if len(shown) < 2 || !strings.HasPrefix(shown[0], "compiling a program of ") || !strings.HasPrefix(shown[len(shown)-1], "compiled a program of ") {
		t.Errorf("shown: %.500q", shown)
	}
}
