package kernelspec

import (
	"errors"
	"os"
	"path/filepath"
	"runtime"
)

// dataDir returns Jupyter's data folder that the options choose.
func (o Options) dataDir() (string, error) {
	chosen := 0
	for _, set := range []bool{o.User, o.SysPrefix, o.Prefix != ""} {
		if set {
			chosen++
		}
	}
	switch {
	case chosen > 1:
		return "", errors.New("give only one of --user, --sys-prefix and --prefix")
	case o.Prefix != "":
		return below(o.Prefix), nil
	case o.SysPrefix:
		return environment()
	}
	return UserDataDir()
}

func below(prefix string) string { return filepath.Join(prefix, "share", "jupyter") }

// environment returns the data folder of the active Python environment.
func environment() (string, error) {
	for _, name := range []string{"VIRTUAL_ENV", "CONDA_PREFIX"} {
		if prefix := os.Getenv(name); prefix != "" {
			return below(prefix), nil
		}
	}
	return "", errors.New("--sys-prefix: neither VIRTUAL_ENV nor CONDA_PREFIX is set; activate an environment, or use --prefix")
}

// UserDataDir returns the folder in which Jupyter looks for the user's own
// kernels, as jupyter_core.paths.jupyter_data_dir finds it.
func UserDataDir() (string, error) {
	if dir := os.Getenv("JUPYTER_DATA_DIR"); dir != "" {
		return dir, nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", err
	}
	switch runtime.GOOS {
	case "darwin", "ios":
		return filepath.Join(home, "Library", "Jupyter"), nil
	case "windows":
		if appData := os.Getenv("APPDATA"); appData != "" {
			return filepath.Join(appData, "jupyter"), nil
		}
		return filepath.Join(home, ".jupyter", "data"), nil
	}
	if xdg := os.Getenv("XDG_DATA_HOME"); xdg != "" {
		return filepath.Join(xdg, "jupyter"), nil
	}
	return filepath.Join(home, ".local", "share", "jupyter"), nil
}
