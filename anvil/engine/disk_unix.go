//go:build unix

package engine

import (
	"io/fs"
	"os"
	"syscall"
)

// trusted reports whether a file may be loaded and executed as a program: it must be a regular file that belongs to
// this user or to root and that no other user may write.
func trusted(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	othersMayWrite := info.Mode().Perm()&0o022 != 0
	return ok && info.Mode().IsRegular() && !othersMayWrite && (int(stat.Uid) == os.Geteuid() || stat.Uid == 0)
}
