package main

import "github.com/goanvil/notebook/anvil"

// computeIn makes c what the values of all systems are computed in, until the
// function that it returns is called.
func computeIn(c *anvil.Context) (restore func()) {
	e, f := exact, flushing
	exact, flushing = func() *anvil.Context { return c }, func() *anvil.Context { return c }
	return func() { exact, flushing = e, f }
}
