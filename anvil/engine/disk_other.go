//go:build !unix

package engine

import "io/fs"

// trusted reports whether a file may hold a program.
func trusted(info fs.FileInfo) bool { return info.Mode().IsRegular() }
