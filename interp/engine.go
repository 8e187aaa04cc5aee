package interp

// An Engine runs the statements of compiled cells.
type Engine interface {
	// Run calls f in the calling goroutine, and returns when f does. If f panics, Run returns the panic as a
	// *yaegi.Panic.
	Run(f func()) error
}
