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

// folder returns the folder named by the environment variable own. If it is not set, folder
// returns the folder goanvil in the folder named by xdg, or, if that is not set either, in
// the folder home of the user's home directory.
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

// homeDir returns $HOME or $USERPROFILE. If neither is set it returns the directory for
// temporary files, which other users may write to.
func homeDir(getenv func(string) string) string {
	if dir := cmp.Or(getenv("HOME"), getenv("USERPROFILE")); dir != "" {
		return dir
	}
	return filepath.Clean(os.TempDir())
}

// ownFile reports whether only this user and root can have written the file at path and have
// made its folders below dir.
func ownFile(path, dir string) bool {
	for ; path != dir; path = filepath.Dir(path) {
		info, err := os.Lstat(path) // the owner of a link may change where it leads
		if err != nil || !ownedByUser(info) || path == filepath.Dir(path) {
			return false
		}
	}
	return true
}
