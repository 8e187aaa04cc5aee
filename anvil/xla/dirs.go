package xla

import (
	"cmp"
	"os"
	"path/filepath"
)

// DataDir returns the folder for files that must be kept, such as plugins:
// $GOANVIL_DATA, $XDG_DATA_HOME/goanvil or ~/.local/share/goanvil.
func DataDir() string {
	return folder(os.Getenv, "GOANVIL_DATA", "XDG_DATA_HOME", ".local", "share")
}

// CacheDir returns the folder for files that may be deleted, such as compiled programs:
// $GOANVIL_CACHE, $XDG_CACHE_HOME/goanvil or ~/.cache/goanvil.
func CacheDir() string {
	return folder(os.Getenv, "GOANVIL_CACHE", "XDG_CACHE_HOME", ".cache")
}

// folder returns the folder in the environment variable own. If own is not set, it returns the
// subfolder goanvil of the folder in the variable xdg or, if xdg is not set either, of the
// folder sub in the user's home directory.
func folder(getenv func(string) string, own, xdg string, sub ...string) string {
	if dir := getenv(own); dir != "" {
		return dir
	}
	if dir := getenv(xdg); filepath.IsAbs(dir) { // the XDG specification says to ignore relative paths
		return filepath.Join(dir, "goanvil")
	}
	parts := append([]string{homeDir(getenv)}, sub...)
	return filepath.Join(append(parts, "goanvil")...)
}

// homeDir returns $HOME or $USERPROFILE. If neither is set, it returns the directory for
// temporary files, to which other users may write.
func homeDir(getenv func(string) string) string {
	if dir := cmp.Or(getenv("HOME"), getenv("USERPROFILE")); dir != "" {
		return dir
	}
	return filepath.Clean(os.TempDir())
}

// ownFile reports whether the file at path, and each folder below dir that leads to it, can be
// written by this user and root only.
func ownFile(path, dir string) bool {
	for ; path != dir; path = filepath.Dir(path) {
		info, err := os.Lstat(path) // not Stat: the owner of a symbolic link can change its target
		if err != nil || !ownedByUser(info) || path == filepath.Dir(path) {
			return false
		}
	}
	return true
}
