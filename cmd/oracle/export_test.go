package main

import "github.com/goanvil/notebook/anvil"

// computeIn makes all systems compute values in c until restore is called.
func computeIn(c *anvil.Context) (restore func()) {
	oldExact, oldFlushing := exact, flushing
	exact, flushing = func() *anvil.Context { return c }, func() *anvil.Context { return c }
	return func() { exact, flushing = oldExact, oldFlushing }
}
