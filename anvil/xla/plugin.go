// Package xla runs StableHLO programs through a PJRT plugin, a shared library with a C API. A
// Plugin makes a Client, which compiles the text of a program to an Executable and uploads
// arrays to Buffers on its Devices. The package needs no cgo.
//
// Plugins do not check arguments: for wrong ones they do not return an error, but read bits as
// another dtype or abort the process. So this package checks all arguments first, and a call
// that returns an error has changed nothing. One check is left to the caller: the compilers of
// some plugins kill the process at an integer division by the constant 0, so divisors must be
// parameters.
package xla

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// A Plugin is a loaded PJRT plugin. It is never unloaded.
type Plugin struct {
	path       string
	table      *capi.Table
	attributes map[string]any
	toolkit    string // see the function toolkit

	hash func() (string, error) // see Hash

	mu      sync.Mutex
	options map[string]bool // for each compile option that was tried, whether the plugin knows it; guarded by mu
}

// loaded holds the loaded plugins. The keys are the paths of their files, with symbolic links resolved.
var loaded struct {
	sync.Mutex
	plugins map[string]*Plugin
}

// Load loads the plugin file at path. For a file that is already loaded, it returns the same Plugin
// again. If this build does not support PJRT, the error is an *UnsupportedError.
func Load(path string) (*Plugin, error) {
	if p := standIn.Load(); p.isAt(path) {
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
	if err := checkInstalled(path); err != nil && capi.Supported {
		return nil, refused("Load", path, err, "goanvil setup installs it again", "%v", err)
	}
	if err := checkFlags(real, os.Getenv("XLA_FLAGS")); err != nil && capi.Supported {
		return nil, refused("Load", path, nil, "change the environment variable XLA_FLAGS, or unset it", "%v", err)
	}
	if err := tryFlags(real); err != nil {
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

// newPlugin returns the plugin with the functions in table, after initializing it.
func newPlugin(path string, table *capi.Table) (*Plugin, error) {
	if err := table.Initialize(); err != nil {
		return nil, failed("Load", path, err, "")
	}
	attributes, err := table.Attributes()
	var e *capi.Error
	if errors.As(err, &e) && Code(e.Code) == Unimplemented {
		err = nil // older plugins have no attributes
	}
	if err != nil {
		return nil, failed("Load", path, err, "")
	}
	return &Plugin{
		path: path, table: table, attributes: attributes, toolkit: toolkit(path), options: map[string]bool{},
		hash: sync.OnceValues(func() (string, error) { return cachedHash(path, CacheDir()) }),
	}, nil
}

// Path returns the path of the plugin's file.
func (p *Plugin) Path() string { return p.path }

// Pinned reports whether the plugin's file is one of those that Setup installs and that this
// version of goanvil is tested with.
func (p *Plugin) Pinned() bool {
	hash, err := p.Hash()
	return err == nil && slices.ContainsFunc(targets, func(t target) bool { return t.sha256 == hash })
}

// APIVersion returns the version of the PJRT C API that the plugin implements.
func (p *Plugin) APIVersion() (major, minor int) { return p.table.Version() }

// StableHLO returns the plugin's version of StableHLO and the oldest version that it
// accepts, or zeros if the plugin does not say.
func (p *Plugin) StableHLO() (current, minimum [3]int) {
	return p.version("stablehlo_current_version"), p.version("stablehlo_minimum_version")
}

// version returns the value of the named attribute, a version of three numbers, or zeros if the plugin
// does not have the attribute.
func (p *Plugin) version(name string) (v [3]int) {
	numbers, _ := p.attributes[name].([]int64)
	for i := range min(len(numbers), len(v)) {
		v[i] = int(numbers[i])
	}
	return v
}

// Hash returns the SHA-256 of the plugin's file in hexadecimal. It identifies the plugin that has
// serialized an executable: another plugin may load the executable, but compute garbage. The
// hash is cached in CacheDir until the file changes.
func (p *Plugin) Hash() (string, error) { return p.hash() }
