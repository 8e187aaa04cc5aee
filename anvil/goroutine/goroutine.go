// Package goroutine tells goroutines apart, for what belongs to one of them: the
// function that it traces, the cell that it runs.
package goroutine

// Key returns a number that no other goroutine has while the calling goroutine
// lives: the address of the run time's record of it. A goroutine that starts after
// this one has ended may get the same number.
func Key() uintptr { return key() }

// StackUsed returns how many bytes of its stack the calling goroutine uses, and 0 on
// architectures where that is not known.
func StackUsed() uintptr { return stackUsed() }
