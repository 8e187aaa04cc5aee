package xla

import (
	"cmp"
	"os"
	"path/filepath"
)

// DataDir returns the folder for files to be kept, such as plugins:
// $GOANVIL_DATA, $XDG_DATA_HOME/goanvil or ~/.local/share/goanvil.
func DataDir() string {
	return folder(os.Getenv, "GOANVIL_DATA", "XDG_DATA_HOME", ".local", "share")
}

// CacheDir returns the folder for files that may be deleted, such as compiled programs:
// $GOANVIL_CACHE, $XDG_CACHE_HOME/goanvil or ~/.cache/goanvil.
func CacheDir() string {
	return folder(os.Getenv, "GOANVIL_CACHE", "XDG_CACHE_HOME", ".cache")
}

// folder returns the value of the environment variable own, or the folder goanvil in
// that of xdg or in the folder home of the user's home directory.
func folder(getenv func(string) string, own, xdg string, home ...string) string {
	if dir := getenv(own); dir != "" {
		return dir
	}
	if dir := getenv(xdg); filepath.IsAbs(dir) { // the XDG specification says to ignore relative paths
		return filepath.Join(dir, "goanvil")
	}
	parts := append([]string{homeDir(getenv)}, home...)
	return filepath.Join(append(parts, "goanvil")...)
}

// homeDir returns the user's home directory. If the account has none it returns the
// directory for temporary files, which other users may write to.
func homeDir(getenv func(string) string) string {
	if dir := cmp.Or(getenv("HOME"), getenv("USERPROFILE")); dir != "" {
		return dir
	}
	return os.TempDir()
}

// ownFile reports whether no other user but root can have written the file at path, or have
// made one of its folders below dir.
func ownFile(path, dir string) bool {
	for ; path != dir; path = filepath.Dir(path) {
		info, err := os.Stat(path)
		if err != nil || !ownedByUser(info) || path == filepath.Dir(path) {
			return false
		}
	}
	return true
}
