//go:build linux && amd64 && !nopjrt

package engine

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/xla"
	"github.com/goanvil/notebook/anvil/xla/xlatest"
)

// TestUntestedPlugin checks that a CPU plugin other than the one that goanvil setup installs is logged, unless the
// user has named it in the option or in the environment.
func TestUntestedPlugin(t *testing.T) {
	cpu, data := xlatest.CPU(t), t.TempDir()
	path := filepath.Join(data, "plugins", "other", "xla_plugins", "cpu", "plugin.so")
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte("another plugin"), 0o644); err != nil {
		t.Fatal(err)
	}
	p, err := xla.FromTable(path, cpu.Table())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(xla.StandIn(p))
	for _, name := range []string{"GOANVIL_BACKEND", "GOANVIL_DEVICES", "VIRTUAL_ENV", "CONDA_PREFIX"} {
		t.Setenv(name, "")
	}
	for _, name := range []string{"GOANVIL_CACHE", "PYTHONUSERBASE"} {
		t.Setenv(name, t.TempDir())
	}
	t.Setenv("GOANVIL_DATA", data)
	for _, c := range []struct {
		option, variable string
		want             []string
	}{
		{"", "", []string{unpinnedMessage(path)}},
		{path, "", nil},
		{"", path, nil},
		{path, path, nil},
	} {
		t.Setenv(xla.PluginVariable, c.variable)
		var logged []string
		s := New(Options{Plugin: c.option, NoDiskCache: true, Log: func(line string) { logged = append(logged, line) }})
		if err := s.Start(); err != nil {
			t.Fatal(err)
		}
		if s.Name() != "xla:cpu" || !slices.Equal(logged, c.want) {
			t.Errorf("option %q, variable %q: %s, logged %q, want %q", c.option, c.variable, s.Name(), logged, c.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
