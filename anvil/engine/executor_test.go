package engine_test

import (
	"os"
	"testing"

	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/engine/enginetest"
	"github.com/goanvil/notebook/anvil/xla"
)

func TestReference(t *testing.T) { enginetest.Run(t, engine.NewReference()) }

func TestXLA(t *testing.T) {
	client, _, err := xla.Open("", xla.ClientOptions{Devices: 2})
	if err != nil {
		if os.Getenv("GOANVIL_BIN") != "" { // ./test has installed the plugin
			t.Fatal(err)
		}
		t.Skip(err)
	}
	for name, cache := range map[string]bool{"compiled": false, "from disk": true} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOANVIL_CACHE", t.TempDir())
			e := engine.NewCompiledXLA(client, cache)
			if e.HostPrograms() {
				t.Error("package host runs small programs")
			}
			enginetest.Run(t, e)
		})
	}
	t.Run("small programs in host memory", func(t *testing.T) {
		e := engine.NewXLA(client, false)
		if !e.HostPrograms() {
			t.Error("package host does not run small programs")
		}
		enginetest.Run(t, e)
	})
}
