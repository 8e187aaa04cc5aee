//go:build unix

package engine

import (
	"io/fs"
	"os"
	"syscall"
)

// trusted reports whether a file may be loaded as a program, which is then executed: only
// this user or root can have written it.
func trusted(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	othersMayWrite := info.Mode().Perm()&0o022 != 0
	return ok && info.Mode().IsRegular() && !othersMayWrite && (int(stat.Uid) == os.Geteuid() || stat.Uid == 0)
}
