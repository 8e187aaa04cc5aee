package misuse

import (
	"fmt"
	"os"
	"os/exec"
	"reflect"
)

func startCommand(c *exec.Cmd) error                    { checkStreams(c); return c.Start() }
func runCommand(c *exec.Cmd) error                      { checkStreams(c); return c.Run() }
func commandOutput(c *exec.Cmd) ([]byte, error)         { checkStreams(c); return c.Output() }
func combinedCommandOutput(c *exec.Cmd) ([]byte, error) { checkStreams(c); return c.CombinedOutput() }

// checkStreams panics if a stream of c is a nil pointer, such as a nil *bytes.Buffer. Package exec would use it in a
// goroutine of its own, where nothing recovers the panic. A nil *os.File is an error of package exec, and panics of the
// methods of cells are recovered in any goroutine.
func checkStreams(c *exec.Cmd) {
	for _, s := range []struct {
		name  string
		value any
	}{{"Stdin", c.Stdin}, {"Stdout", c.Stdout}, {"Stderr", c.Stderr}} {
		v := reflect.ValueOf(s.value)
		if _, isFile := s.value.(*os.File); isFile || v.Kind() != reflect.Pointer || !v.IsNil() {
			continue
		}
		if v.Type().Elem().PkgPath() != "main" {
			panic(fmt.Sprintf("exec.Cmd: %s is a nil %T", s.name, s.value))
		}
	}
}
