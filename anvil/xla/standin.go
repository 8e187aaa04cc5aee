package xla

import (
	"sync"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// This file is used by the test package xlatest, which makes plugins in Go. They stand in for the
// shared libraries of real plugins.

// FromTable returns a plugin with the functions in table, as if it had been loaded from path.
func FromTable(path string, table *capi.Table) (*Plugin, error) { return newPlugin(path, table) }

// Table returns the functions of the plugin. A stand-in calls them.
func (p *Plugin) Table() *capi.Table { return p.table }

// standIns holds the plugins that StandIn was called with and not undone.
var standIns struct {
	sync.Mutex
	plugins map[string]*Plugin // by path
}

// StandIn makes Discover treat the file at p's path as a plugin whose driver is installed, and makes
// Load return p for that path, until undo is called.
func StandIn(p *Plugin) (undo func()) {
	standIns.Lock()
	defer standIns.Unlock()
	if standIns.plugins == nil {
		standIns.plugins = map[string]*Plugin{}
	}
	standIns.plugins[p.path] = p
	return func() {
		standIns.Lock()
		defer standIns.Unlock()
		delete(standIns.plugins, p.path)
	}
}

// standIn returns the stand-in for the path, or nil.
func standIn(path string) *Plugin {
	standIns.Lock()
	defer standIns.Unlock()
	return standIns.plugins[path]
}

// standsInFor reports whether there is a stand-in for the platform.
func standsInFor(platform string) bool {
	standIns.Lock()
	defer standIns.Unlock()
	for path := range standIns.plugins {
		if platformOf(path) == platform {
			return true
		}
	}
	return false
}
