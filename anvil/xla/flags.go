package xla

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// checkFlags refuses what XLA_FLAGS has for XLA that the plugin in the file at path
// does not know: XLA ends the process then. The names of flags stand in the file,
// each before a byte 0.
func checkFlags(path, flags string) error {
	if flags = strings.TrimSpace(flags); flags != "" && flags[0] != '-' { // a file that has them
		text, err := os.ReadFile(flags)
		if err != nil {
			return fmt.Errorf("XLA_FLAGS is neither flags nor a file with them: %w", err)
		}
		flags = string(text)
	}
	missing := map[string]bool{}
	for _, word := range strings.Fields(flags) {
		name, _, _ := strings.Cut(strings.TrimLeft(word, "-"), "=")
		missing[name] = true
	}
	if len(missing) == 0 {
		return nil
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := findNames(f, missing); err != nil {
		return err
	}
	if len(missing) > 0 {
		unknown := slices.Sorted(maps.Keys(missing))
		return fmt.Errorf("XLA_FLAGS has --%s, which this plugin does not know", strings.Join(unknown, " and --"))
	}
	return nil
}

var flagTrial atomic.Pointer[func(plugin string) error]

// TryFlags has Load call try first, where XLA_FLAGS is set: XLA ends the process at
// a value that it cannot read, which only another process can find out.
func TryFlags(try func(plugin string) error) { flagTrial.Store(&try) }

func tried(plugin string) error {
	try := flagTrial.Load()
	if try == nil || !capi.Supported || strings.TrimSpace(os.Getenv("XLA_FLAGS")) == "" {
		return nil
	}
	return (*try)(plugin)
}

// findNames takes the names out of missing that stand in r before a byte 0.
func findNames(r io.Reader, missing map[string]bool) error {
	const most = 256 // bytes of a name
	block, kept := make([]byte, 1<<22), 0
	for len(missing) > 0 {
		n, err := io.ReadFull(r, block[kept:])
		part := block[:kept+n]
		for name := range missing {
			if bytes.Contains(part, append([]byte(name), 0)) {
				delete(missing, name)
			}
		}
		if err == io.EOF || err == io.ErrUnexpectedEOF {
			return nil
		}
		if err != nil {
			return err
		}
		kept = copy(block, part[len(part)-most:])
	}
	return nil
}
