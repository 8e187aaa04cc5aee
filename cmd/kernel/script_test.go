package main

import (
	"os/exec"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	compilingInterval = time.Hour // on slow machines cells must not show how long they compile
	testscript.Main(m, map[string]func(){"goanvil": main})
}

// TestScripts runs the transcripts of the command line. They compute on the
// reference evaluator, which needs no plugin, unless they say otherwise.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script",
		Setup: func(env *testscript.Env) error {
			env.Setenv("GOANVIL_BACKEND", "reference")
			env.Setenv("HOME", env.WorkDir)
			env.Setenv("GOANVIL_DATA", env.WorkDir+"/data")
			env.Setenv("GOANVIL_CACHE", env.WorkDir+"/cache")
			env.Setenv("JUPYTER_DATA_DIR", env.WorkDir+"/jupyter")
			self, err := exec.LookPath("goanvil") // testscript puts it on the path
			env.Setenv("GOANVIL_BIN", self)
			return err
		},
	})
}
