package main

import "github.com/goanvil/notebook/anvil"

// computeIn makes all systems compute values in c, until the function that it returns
// is called.
func computeIn(c *anvil.Context) (restore func()) {
	e, f := exact, flushing
	exact, flushing = func() *anvil.Context { return c }, func() *anvil.Context { return c }
	return func() { exact, flushing = e, f }
}
