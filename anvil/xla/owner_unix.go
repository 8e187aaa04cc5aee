//go:build unix

package xla

import (
	"io/fs"
	"os"
	"syscall"
)

// ownedByUser reports whether a file or folder belongs to this user or root and no other user may write to it.
func ownedByUser(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && info.Mode().Perm()&0o022 == 0 && (int(stat.Uid) == os.Geteuid() || stat.Uid == 0)
}
