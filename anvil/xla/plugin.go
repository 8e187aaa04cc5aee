// Package xla runs StableHLO programs through a PJRT plugin: Plugin, Client,
// Device, Buffer, Executable. It takes program text, not graphs, and needs no
// cgo.
//
// The C side trusts its caller: it reads bits as another dtype, or aborts the
// process, where it should complain. So everything is checked here first, and
// a call that returns an error has changed nothing. What cannot be seen from
// here is the caller's: integer division by a constant 0 kills the process
// inside the compiler of some plugins, so divisors must be parameters.
package xla

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Plugin is a PJRT plugin that has been loaded; it is never unloaded.
type Plugin struct {
	path       string
	table      *capi.Table
	attributes map[string]any
	toolkit    string // folder of the vendor's compiler files, or ""

	mu      sync.Mutex
	options map[string]bool // names of compile options that were asked for: known or not
	hash    func() (string, error)
}

var loaded struct {
	sync.Mutex
	plugins map[string]*Plugin
}

// Load opens the plugin file at path; a path loaded before gives the same
// Plugin. Where this build has no PJRT the error is an *UnsupportedError.
func Load(path string) (*Plugin, error) {
	if p := standIn(path); p != nil {
		return p, nil
	}
	real, err := filepath.EvalSymlinks(path)
	if err != nil && capi.Supported {
		return nil, failed("Load", path, err, "goanvil setup installs a plugin")
	}
	loaded.Lock()
	defer loaded.Unlock()
	if p := loaded.plugins[real]; p != nil {
		return p, nil
	}
	if err := checkFlags(real, os.Getenv("XLA_FLAGS")); err != nil && capi.Supported {
		return nil, refused("Load", path, nil, "change the environment variable XLA_FLAGS, or unset it", "%v", err)
	}
	if err := tried(real); err != nil {
		return nil, refused("Load", path, nil, "change the environment variable XLA_FLAGS, or unset it", "%v", err)
	}
	if platformOf(path) == "cpu" {
		capi.KeepHostMemory()
	}
	table, err := capi.Open(real)
	if err != nil {
		return nil, failed("Load", path, err, "")
	}
	p, err := newPlugin(path, table)
	if err != nil {
		return nil, err
	}
	if loaded.plugins == nil {
		loaded.plugins = map[string]*Plugin{}
	}
	loaded.plugins[real] = p
	return p, nil
}

func newPlugin(path string, table *capi.Table) (*Plugin, error) {
	if err := table.Initialize(); err != nil {
		return nil, failed("Load", path, err, "")
	}
	attributes, err := table.Attributes()
	if e := (*capi.Error)(nil); errors.As(err, &e) && Code(e.Code) == Unimplemented {
		err = nil
	}
	if err != nil {
		return nil, failed("Load", path, err, "")
	}
	return &Plugin{
		path: path, table: table, attributes: attributes, toolkit: toolkit(path), options: map[string]bool{},
		hash: sync.OnceValues(func() (string, error) { return rememberedHash(path, CacheDir()) }),
	}, nil
}

// Path returns the file that the plugin was loaded from.
func (p *Plugin) Path() string { return p.path }

// Pinned reports whether the plugin is one that Setup fetches: the file that this
// version of goanvil is tested with.
func (p *Plugin) Pinned() bool {
	hash, err := p.Hash()
	return err == nil && slices.ContainsFunc(targets, func(t target) bool { return t.sha256 == hash })
}

// APIVersion returns the version of the PJRT C API that the plugin speaks.
func (p *Plugin) APIVersion() (major, minor int) { return p.table.Version() }

// StableHLO returns the plugin's own version of StableHLO and the oldest it
// accepts; zeros where it does not say.
func (p *Plugin) StableHLO() (current, minimum [3]int) {
	return p.version("stablehlo_current_version"), p.version("stablehlo_minimum_version")
}

func (p *Plugin) version(name string) (v [3]int) {
	numbers, _ := p.attributes[name].([]int64)
	for i := range min(len(numbers), len(v)) {
		v[i] = int(numbers[i])
	}
	return v
}

// Hash returns the SHA-256 of the plugin's file in hexadecimal. Serialized
// executables belong to it: another plugin may load them and compute garbage.
// It is computed once for a file as it is, and remembered in CacheDir.
func (p *Plugin) Hash() (string, error) { return p.hash() }
