package kernelspec

import (
	"bytes"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"runtime"
	"testing"
)

// fakeBinary writes a file in place of the kernel's binary.
func fakeBinary(t *testing.T, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "built")
	if err := os.WriteFile(path, []byte(content), 0o755); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestInstallWritesAKernelThatRunsItsOwnCopy(t *testing.T) {
	o := Options{Prefix: t.TempDir(), Binary: fakeBinary(t, "one"), Env: map[string]string{"A": "b"}}
	dir, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	if want := filepath.Join(o.Prefix, "share", "jupyter", "kernels", "goanvil"); dir != want {
		t.Errorf("installed at %s; want %s", dir, want)
	}
	var spec map[string]any
	data, err := os.ReadFile(filepath.Join(dir, "kernel.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(data, &spec); err != nil {
		t.Fatal(err)
	}
	argv := spec["argv"].([]any)
	if len(argv) != 4 || argv[1] != "kernel" || argv[2] != "-f" || argv[3] != "{connection_file}" {
		t.Errorf("argv is %v", argv)
	}
	if copied, err := os.ReadFile(argv[0].(string)); err != nil || string(copied) != "one" {
		t.Errorf("argv[0] holds %q, %v", copied, err)
	}
	if info, err := os.Stat(argv[0].(string)); err != nil || runtime.GOOS != "windows" && info.Mode()&0o111 == 0 {
		t.Errorf("argv[0] is not executable: %v, %v", info, err)
	}
	for key, want := range map[string]any{"display_name": "Go (anvil)", "language": "go", "interrupt_mode": "message"} {
		if spec[key] != want {
			t.Errorf("%s is %v; want %v", key, spec[key], want)
		}
	}
}

func TestInstallAgainReplaces(t *testing.T) {
	o := Options{Prefix: t.TempDir(), Binary: fakeBinary(t, "one")}
	if _, err := Install(o); err != nil {
		t.Fatal(err)
	}
	o.Binary, o.DisplayName = fakeBinary(t, "two"), "Go two"
	dir, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := Read(dir)
	if err != nil || spec.DisplayName != "Go two" {
		t.Errorf("%+v, %v", spec, err)
	}
	if data, _ := os.ReadFile(spec.Argv[0]); string(data) != "two" {
		t.Errorf("the binary is %q", data)
	}
	o.Binary = spec.Argv[0] // the installed binary installs itself
	if _, err := Install(o); err != nil {
		t.Error(err)
	}
	if data, _ := os.ReadFile(spec.Argv[0]); string(data) != "two" {
		t.Errorf("after installing itself the binary is %q", data)
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != 5 {
		t.Errorf("the folder holds %v, %v", entries, err)
	}
}

func TestUninstall(t *testing.T) {
	o := Options{Prefix: t.TempDir(), Binary: fakeBinary(t, "one"), Name: "mine"}
	if _, err := Uninstall(o); err == nil || err.Error() != "uninstall: no kernel at "+filepath.Join(o.Prefix, "share", "jupyter", "kernels", "mine") {
		t.Errorf("uninstalling nothing: %v", err)
	}
	dir, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(o); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); !os.IsNotExist(err) {
		t.Errorf("%s is still there: %v", dir, err)
	}
}

func TestUninstallRefusesOthersKernels(t *testing.T) {
	o := Options{Prefix: t.TempDir(), Name: "python3"}
	dir, err := o.Dir()
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "kernel.json"), []byte(`{"argv": ["python3", "-m", "ipykernel"]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(o); err == nil || err.Error() != "uninstall: the kernel at "+dir+" was not installed by goanvil; remove it by hand" {
		t.Errorf("%v", err)
	}
	if _, err := Read(dir); err != nil {
		t.Errorf("the other kernel is gone: %v", err)
	}
}

func TestWhereItIsInstalled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders named here are those of Linux")
	}
	for _, c := range []struct {
		name string
		env  map[string]string
		o    Options
		want string
	}{
		{"JUPYTER_DATA_DIR first", map[string]string{"JUPYTER_DATA_DIR": "/j", "XDG_DATA_HOME": "/x"}, Options{}, "/j/kernels/goanvil"},
		{"then XDG", map[string]string{"XDG_DATA_HOME": "/x"}, Options{User: true}, "/x/jupyter/kernels/goanvil"},
		{"then home", map[string]string{"HOME": "/h"}, Options{}, "/h/.local/share/jupyter/kernels/goanvil"},
		{"virtual environment", map[string]string{"VIRTUAL_ENV": "/v", "CONDA_PREFIX": "/c"}, Options{SysPrefix: true}, "/v/share/jupyter/kernels/goanvil"},
		{"conda", map[string]string{"CONDA_PREFIX": "/c"}, Options{SysPrefix: true}, "/c/share/jupyter/kernels/goanvil"},
		{"prefix", map[string]string{"JUPYTER_DATA_DIR": "/j"}, Options{Prefix: "/p", Name: "Go.2"}, "/p/share/jupyter/kernels/go.2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, name := range []string{"JUPYTER_DATA_DIR", "XDG_DATA_HOME", "VIRTUAL_ENV", "CONDA_PREFIX"} {
				t.Setenv(name, c.env[name])
			}
			if home := c.env["HOME"]; home != "" {
				t.Setenv("HOME", home)
			}
			if got, err := c.o.Dir(); err != nil || got != c.want {
				t.Errorf("%s, %v; want %s", got, err, c.want)
			}
		})
	}
}

func TestWrongOptions(t *testing.T) {
	t.Setenv("VIRTUAL_ENV", "")
	t.Setenv("CONDA_PREFIX", "")
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{User: true, Prefix: "/p"}, "give only one of --user, --sys-prefix and --prefix"},
		{Options{SysPrefix: true}, "--sys-prefix: neither VIRTUAL_ENV nor CONDA_PREFIX is set; activate an environment, or use --prefix"},
		{Options{Name: "a/b"}, `invalid kernel name "a/b"; write ASCII letters, digits, '.', '_' and '-', and not only dots`},
		{Options{Name: ".."}, `invalid kernel name ".."; write ASCII letters, digits, '.', '_' and '-', and not only dots`},
	} {
		if _, err := Install(c.o); err == nil || err.Error() != c.want {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
}

func TestLogos(t *testing.T) {
	for name, side := range map[string]int{"logo-32x32.png": 32, "logo-64x64.png": 64} {
		data, err := logos.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		img, err := png.Decode(bytes.NewReader(data))
		if err != nil || img.Bounds().Dx() != side || img.Bounds().Dy() != side {
			t.Errorf("%s: %v, %v", name, img.Bounds(), err)
		}
	}
	svg, err := logos.ReadFile("logo-svg.svg")
	if err != nil || !bytes.Contains(svg, []byte("<title>goanvil</title>")) {
		t.Errorf("logo-svg.svg: %.80s, %v", svg, err)
	}
}
