// Package goroutine identifies goroutines, for data that belong to one of them, such as
// the function that it traces or the cell that it runs.
package goroutine

// Key returns a number that identifies the calling goroutine while it lives. A goroutine
// that starts after this one has ended may get the same number.
func Key() uintptr { return key() }

// StackUsed returns how many bytes of its stack the calling goroutine uses, or 0 on
// architectures where that is not known.
func StackUsed() uintptr { return stackUsed() }
