// Package goroutine identifies goroutines. Packages use it for data that belong to one goroutine, such as the
// function that the goroutine traces or the cell that it runs.
package goroutine

// Key returns a number that identifies the calling goroutine until it ends. A goroutine that starts later may
// have the same number.
func Key() uintptr { return key() }

// StackUsed returns how many bytes of its stack the calling goroutine uses, or 0 on
// architectures where that is not known.
func StackUsed() uintptr { return stackUsed() }
