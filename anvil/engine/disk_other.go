//go:build !unix

package engine

import "io/fs"

// trusted reports whether a file may be loaded and executed as a program: it must be a regular file. Who may write
// the file is checked on Unix only.
func trusted(info fs.FileInfo) bool { return info.Mode().IsRegular() }
