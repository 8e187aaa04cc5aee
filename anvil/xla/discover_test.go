package xla

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// writeFiles writes files, a map from paths below dir to contents.
func writeFiles(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for path, text := range files {
		path = filepath.Join(dir, filepath.FromSlash(path))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// machine returns a finder for an imaginary machine in dir.
func machine(dir string, drivers ...string) *finder {
	env := map[string]string{
		"HOME": filepath.Join(dir, "home"), "VIRTUAL_ENV": filepath.Join(dir, "venv"), "CONDA_PREFIX": filepath.Join(dir, "conda"),
		"GOANVIL_DATA": filepath.Join(dir, "data"),
	}
	return &finder{
		getenv: func(name string) string { return env[name] },
		driver: func(platform string) bool {
			return platform != "cuda" && platform != "rocm" || slices.Contains(drivers, platform)
		},
		plugin: func(path string) bool { return !strings.Contains(path, "solver") },
	}
}

// found returns the plugins that f finds, as text, with their paths below dir.
func found(t *testing.T, f *finder, dir string) (paths []string) {
	t.Helper()
	for _, c := range f.find("") {
		rel, err := filepath.Rel(dir, c.Path)
		if err != nil {
			t.Fatal(err)
		}
		c.Path = filepath.ToSlash(rel)
		paths = append(paths, c.String())
	}
	return paths
}

func TestDiscover(t *testing.T) {
	dir := t.TempDir()
	writeFiles(t, dir, map[string]string{
		"data/plugins/cpu/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so":                                   "1",
		"data/plugins/.staging-1/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so":                            "2",
		"venv/lib/python3.12/site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so":                     "3",
		"venv/lib/python3.12/site-packages/jax_plugins/xla_cuda12/_solver.so":                             "4",
		"conda/lib/python3.11/site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so":                    "5",
		"conda/lib/python3.11/site-packages/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so":                 "6",
		"home/.local/lib/python3.9/site-packages/some_tpu/plugin/lib.so":                                  "7",
		"home/.local/lib/python3.9/site-packages/some_tpu-1.dist-info/entry_points.txt":                   "[jax_plugins]\ntpu = some_tpu.plugin:init\n",
		"home/.local/lib/python3.9/site-packages/unrelated/lib.so":                                        "8",
		"home/.local/lib/python3.9/site-packages/unrelated-1.dist-info/entry_points.txt":                  "[console_scripts]\nx = unrelated:main\n",
		"home/.local/lib/python3.9/site-packages/jax_plugins/xla_rocm60/xla_rocm_plugin.so":               "9",
		"home/.local/lib/python3.9/site-packages/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin_notalibrary.a": "10",
	})
	cpu := []string{
		"data/plugins/cpu/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so (cpu, installed by goanvil setup)",
		"conda/lib/python3.11/site-packages/lammps_jax_pjrt_cpu/pjrt_c_api_cpu_plugin.so (cpu, from CONDA_PREFIX)",
	}
	other := []string{
		"home/.local/lib/python3.9/site-packages/some_tpu/plugin/lib.so (plugin, from the user's Python packages)",
	}
	cuda := []string{
		"conda/lib/python3.11/site-packages/jax_plugins/xla_cuda13/xla_cuda_plugin.so (cuda, from CONDA_PREFIX)",
		"venv/lib/python3.12/site-packages/jax_plugins/xla_cuda12/xla_cuda_plugin.so (cuda, from VIRTUAL_ENV)",
	}
	if got, want := found(t, machine(dir), dir), append(slices.Clone(other), cpu...); !slices.Equal(got, want) {
		t.Errorf("without drivers: %q, want %q", got, want)
	}
	if got, want := found(t, machine(dir, "cuda"), dir), append(append(slices.Clone(cuda), other...), cpu...); !slices.Equal(got, want) {
		t.Errorf("with a driver: %q, want %q", got, want)
	}
}

func TestDiscoverNamedPlugin(t *testing.T) {
	f := machine(t.TempDir())
	inner := f.getenv
	f.getenv = func(name string) string {
		if name == PluginVariable {
			return "/opt/cuda/x.so"
		}
		return inner(name)
	}
	if got := f.find(""); len(got) != 1 || got[0].String() != "/opt/cuda/x.so (cuda, named by GOANVIL_PJRT_PLUGIN)" {
		t.Errorf("by the variable: %v", got)
	}
	if got := f.installed(); len(got) != 0 {
		t.Errorf("nothing is installed: %v", got)
	}
	if got := f.find("/opt/y.so"); len(got) != 1 || got[0].String() != "/opt/y.so (opt, named by --plugin)" {
		t.Errorf("by the flag: %v", got)
	}
}

// TestWithoutHome checks that without a home directory, where plugins are in the folder for
// temporary files, plugins that another user may have put there are not found.
func TestWithoutHome(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("plugins are for Linux")
	}
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	writeFiles(t, dir, map[string]string{".local/share/goanvil/plugins/cpu/xla_plugins/cpu/plugin.so": ""})
	f := machine(dir)
	f.getenv = func(string) string { return "" }
	for _, test := range []struct {
		path string
		mode os.FileMode
		want int
	}{
		{".local", 0o755, 1}, {".local", 0o777, 0}, {".local", 0o755, 1},
		{".local/share/goanvil/plugins/cpu/xla_plugins/cpu/plugin.so", 0o666, 0},
	} {
		if err := os.Chmod(filepath.Join(dir, filepath.FromSlash(test.path)), test.mode); err != nil {
			t.Fatal(err)
		}
		if got := found(t, f, dir); len(got) != test.want {
			t.Errorf("%s of mode %o: %v", test.path, test.mode, got)
		}
	}
}

func TestFolders(t *testing.T) {
	env := map[string]string{"HOME": "/home/ada"}
	getenv := func(name string) string { return env[name] }
	data := func() string {
		return filepath.ToSlash(folder(getenv, "GOANVIL_DATA", "XDG_DATA_HOME", ".local", "share"))
	}
	if got := data(); got != "/home/ada/.local/share/goanvil" {
		t.Error(got)
	}
	env["XDG_DATA_HOME"] = "relative"
	if got := data(); got != "/home/ada/.local/share/goanvil" {
		t.Errorf("a relative path is not ignored: %s", got)
	}
	if filepath.IsAbs("/xdg") { // not on Windows
		env["XDG_DATA_HOME"] = "/xdg"
		if got := data(); got != "/xdg/goanvil" {
			t.Error(got)
		}
	}
	env["GOANVIL_DATA"] = "/own"
	if got := data(); got != "/own" {
		t.Error(got)
	}
}
