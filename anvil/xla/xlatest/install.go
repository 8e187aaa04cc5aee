//go:build linux && amd64 && !nopjrt

package xlatest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/goanvil/notebook/anvil/xla"
)

// CPU returns the first CPU plugin that xla.Discover finds. The test fails if there is none.
func CPU(tb testing.TB) *xla.Plugin {
	tb.Helper()
	for _, candidate := range xla.Discover("") {
		if candidate.Platform != "cpu" {
			continue
		}
		p, err := xla.Load(candidate.Path)
		if err != nil {
			tb.Fatal(err)
		}
		return p
	}
	tb.Fatal("no XLA plugin for the CPU: run goanvil setup, or name one in " + xla.PluginVariable)
	return nil
}

// Install returns a new stand-in. Until the test ends, xla.Discover finds only the stand-in and the
// CPU plugin: both are in a temporary data folder, and the driver of the stand-in's platform
// counts as installed.
func Install(tb testing.TB, o Options) *Plugin {
	tb.Helper()
	cpu := CPU(tb)
	o.fill()
	data, empty := tb.TempDir(), tb.TempDir()
	path := filepath.Join(data, "plugins", o.Platform, "xla_plugins", "xla_"+o.Platform, "stand_in.so")
	hash, err := cpu.Hash()
	check(tb, err)
	check(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	// The hash of the stand-in's file identifies the plugin, so it must differ for another CPU plugin.
	check(tb, os.WriteFile(path, []byte("stand-in for "+hash), 0o644))
	check(tb, os.MkdirAll(filepath.Join(data, "plugins", "cpu", "xla_plugins"), 0o755))
	check(tb, os.Symlink(filepath.Dir(cpu.Path()), filepath.Join(data, "plugins", "cpu", "xla_plugins", "cpu")))
	for name, value := range map[string]string{
		"GOANVIL_DATA": data, xla.PluginVariable: "", "GOANVIL_BACKEND": "",
		"VIRTUAL_ENV": "", "CONDA_PREFIX": "", "PYTHONUSERBASE": empty,
	} {
		tb.Setenv(name, value)
	}
	p, err := newAt(path, cpu, o)
	check(tb, err)
	tb.Cleanup(xla.StandIn(p.Plugin))
	return p
}

// check fails the test if err is not nil.
func check(tb testing.TB, err error) {
	if err != nil {
		tb.Helper()
		tb.Fatal(err)
	}
}
