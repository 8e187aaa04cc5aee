package kernelspec

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// dataDir returns the Jupyter data folder that the options select.
func (o Options) dataDir() (string, error) {
	selected := 0
	for _, set := range []bool{o.User, o.SysPrefix, o.Prefix != ""} {
		if set {
			selected++
		}
	}
	switch {
	case selected > 1:
		return "", errors.New("give only one of --user, --sys-prefix and --prefix")
	case o.Prefix != "":
		return dataDirBelow(o.Prefix), nil
	case o.SysPrefix:
		return environmentDataDir()
	}
	return UserDataDir()
}

// dataDirBelow returns the Jupyter data folder of the Python environment or system at prefix.
func dataDirBelow(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// environmentDataDir returns the Jupyter data folder of the active Python environment.
func environmentDataDir() (string, error) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(name); prefix != "" {
			return dataDirBelow(prefix), nil
		}
	}
	return "", errors.New("--sys-prefix: neither VIRTUAL_ENV nor CONDA_PREFIX is set; " +
		"activate an environment, or use --prefix")
}

// UserDataDir returns the user's Jupyter data folder: the result of jupyter_core.paths.jupyter_data_dir if neither
// JUPYTER_PLATFORM_DIRS nor JUPYTER_CONFIG_DIR is set.
func UserDataDir() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	return dataDirOn(runtime.GOOS, home, os.Getenv), nil
}

// dataDirOn returns the Jupyter data folder of a user with the home folder home, on the operating system goos.
// getenv returns the values of the user's environment variables.
func dataDirOn(goos, home string, getenv func(string) string) string {
	switch goos {
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Jupyter")
	case "windows":
		if appData := getenv("APPDATA"); appData != "" {
			return filepath.Join(appData, "jupyter")
		}
		return filepath.Join(home, ".jupyter", "data")
	}
	if xdg := getenv("XDG_DATA_HOME"); xdg != "" {
		return filepath.Join(xdg, "jupyter")
	}
	return filepath.Join(home, ".local", "share", "jupyter")
}
