//go:build amd64 || arm64 || wasm

package goroutine

// key reads the register or thread-local variable in which Go's calling convention
// keeps the goroutine (https://go.dev/s/regabi).
func key() uintptr
