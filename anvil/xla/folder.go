package xla

import (
	"os"
	"path/filepath"
)

// DataDir returns the folder of what is to be kept, such as plugins:
// $GOANVIL_DATA, $XDG_DATA_HOME/goanvil or ~/.local/share/goanvil.
func DataDir() string {
	return folder(os.Getenv, "GOANVIL_DATA", "XDG_DATA_HOME", ".local", "share")
}

// CacheDir returns the folder of what may be deleted, such as compiled programs:
// $GOANVIL_CACHE, $XDG_CACHE_HOME/goanvil or ~/.cache/goanvil.
func CacheDir() string {
	return folder(os.Getenv, "GOANVIL_CACHE", "XDG_CACHE_HOME", ".cache")
}

func folder(getenv func(string) string, own, xdg string, home ...string) string {
	if dir := getenv(own); dir != "" {
		return dir
	}
	if dir := getenv(xdg); filepath.IsAbs(dir) { // the XDG specification ignores others
		return filepath.Join(dir, "goanvil")
	}
	parts := append([]string{homeDir(getenv)}, home...)
	return filepath.Join(append(parts, "goanvil")...)
}

// homeDir falls back to the folder for temporary files, where an account has no home.
func homeDir(getenv func(string) string) string {
	for _, name := range []string{"HOME", "USERPROFILE"} {
		if dir := getenv(name); dir != "" {
			return dir
		}
	}
	return os.TempDir()
}
