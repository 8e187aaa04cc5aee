package xla

import (
	"sync/atomic"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// This file is used by the test package xlatest, which makes plugins in Go. They stand in for the
// shared libraries of real plugins.

// FromTable returns a plugin with the functions in table, as if it had been loaded from path.
func FromTable(path string, table *capi.Table) (*Plugin, error) { return newPlugin(path, table) }

// Table returns the functions of the plugin. A stand-in calls them.
func (p *Plugin) Table() *capi.Table { return p.table }

// standIn is the plugin that StandIn was called with last and that was not undone, or nil.
var standIn atomic.Pointer[Plugin]

// StandIn makes Discover treat the file at p's path as a plugin whose driver is installed, and makes
// Load return p for that path, until undo is called. It replaces an earlier stand-in until then.
func StandIn(p *Plugin) (undo func()) {
	before := standIn.Swap(p)
	return func() { standIn.Store(before) }
}

// isAt reports whether p is not nil and was loaded from path.
func (p *Plugin) isAt(path string) bool { return p != nil && p.path == path }

// isFor reports whether p is not nil and is for the platform.
func (p *Plugin) isFor(platform string) bool { return p != nil && platformOf(p.path) == platform }
