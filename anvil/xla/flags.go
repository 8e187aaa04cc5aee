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

// checkFlags returns an error if flags, the value of XLA_FLAGS, has a flag that the
// plugin at path does not know. XLA would end the process at such a flag. The plugin's file
// contains the names of the flags that it knows, each followed by a zero byte.
func checkFlags(path, flags string) error {
	if flags = strings.TrimSpace(flags); flags != "" && flags[0] != '-' { // the path of a file with flags
		text, err := os.ReadFile(flags)
		if err != nil {
			return fmt.Errorf("XLA_FLAGS has neither flags nor the path of a file with flags: %w", err)
		}
		flags = string(text)
	}
	missing := map[string]bool{} // the flags that have not been found in the plugin's file
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

// flagTrial is the argument of the last call of TryFlags, or nil.
var flagTrial atomic.Pointer[func(plugin string) error]

// TryFlags makes Load call try before it loads a plugin, if XLA_FLAGS is set. Load fails if try
// returns an error. XLA ends the process if it cannot parse the value of a flag, so try must load
// the plugin in another process.
func TryFlags(try func(plugin string) error) { flagTrial.Store(&try) }

// tryFlags calls the function given to TryFlags, if XLA_FLAGS is set.
func tryFlags(plugin string) error {
	try := flagTrial.Load()
	if try == nil || !capi.Supported || strings.TrimSpace(os.Getenv("XLA_FLAGS")) == "" {
		return nil
	}
	return (*try)(plugin)
}

// findNames deletes from missing the names that r contains, each followed by a zero byte.
func findNames(r io.Reader, missing map[string]bool) error {
	const maxName = 256 // the greatest length of a name in bytes
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
		kept = copy(block, part[len(part)-maxName:])
	}
	return nil
}
