package kernelspec

import (
	"path/filepath"
	"testing"
)

// TestUserDataDirs checks the folders against the table in Jupyter's documentation, "Common Directories and File
// Locations".
func TestUserDataDirs(t *testing.T) {
	for _, c := range []struct {
		goos string
		env  map[string]string
		want string
	}{
		{"linux", nil, "home/.local/share/jupyter"},
		{"linux", map[string]string{"XDG_DATA_HOME": "xdg", "APPDATA": "app"}, "xdg/jupyter"},
		{"freebsd", nil, "home/.local/share/jupyter"},
		{"darwin", map[string]string{"XDG_DATA_HOME": "xdg"}, "home/Library/Jupyter"},
		{"ios", nil, "home/Library/Jupyter"},
		{"windows", map[string]string{"XDG_DATA_HOME": "xdg", "APPDATA": "app"}, "app/jupyter"},
		{"windows", nil, "home/.jupyter/data"},
	} {
		got := dataDirOn(c.goos, "home", func(name string) string { return c.env[name] })
		if want := filepath.FromSlash(c.want); got != want {
			t.Errorf("%s, %v: %s, want %s", c.goos, c.env, got, want)
		}
	}
}

// TestDataDirs checks the folder that each option selects.
func TestDataDirs(t *testing.T) {
	const one = "give only one of --user, --sys-prefix and --prefix"
	for _, c := range []struct {
		o            Options
		virtual, con string
		want, err    string
	}{
		{Options{Prefix: "p"}, "", "", "p/share/jupyter", ""},
		{Options{SysPrefix: true}, "v", "c", "v/share/jupyter", ""},
		{Options{SysPrefix: true}, "", "c", "c/share/jupyter", ""},
		{Options{SysPrefix: true}, "", "", "",
			"--sys-prefix: neither VIRTUAL_ENV nor CONDA_PREFIX is set; activate an environment, or use --prefix"},
		{Options{User: true}, "v", "c", "data", ""},
		{Options{}, "v", "c", "data", ""},
		{Options{User: true, SysPrefix: true}, "v", "c", "", one},
		{Options{User: true, Prefix: "p"}, "v", "c", "", one},
		{Options{SysPrefix: true, Prefix: "p"}, "v", "c", "", one},
	} {
		t.Setenv("VIRTUAL_ENV", c.virtual)
		t.Setenv("CONDA_PREFIX", c.con)
		t.Setenv("JUPYTER_DATA_DIR", "data")
		got, err := c.o.dataDir()
		text := ""
		if err != nil {
			text = err.Error()
		}
		if got != filepath.FromSlash(c.want) || text != c.err {
			t.Errorf("%+v: %q, %q; want %q, %q", c.o, got, text, c.want, c.err)
		}
	}
}
