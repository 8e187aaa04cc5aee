package kernelspec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// names returns the names of the files in dir.
func names(t *testing.T, dir string) (all []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

// TestReplaceFails checks that a failed write leaves the old file, and no temporary one.
func TestReplaceFails(t *testing.T) {
	dir := t.TempDir()
	file, folder := filepath.Join(dir, "file"), filepath.Join(dir, "folder")
	if err := errors.Join(os.WriteFile(file, []byte("old"), 0o600), os.MkdirAll(filepath.Join(folder, "x"), 0o755)); err != nil {
		t.Fatal(err)
	}
	full := errors.New("the disk is full")
	err := replace(file, 0o644, func(f *os.File) error {
		if filepath.Dir(f.Name()) != dir || f.Name() == file {
			t.Errorf("the new content is written to %s", f.Name())
		}
		if _, err := f.WriteString("new"); err != nil {
			t.Error(err)
		}
		return full
	})
	if data, readErr := os.ReadFile(file); !errors.Is(err, full) || string(data) != "old" || readErr != nil {
		t.Errorf("%v, the file holds %q", err, data)
	}
	if err := replace(file, 0o644, func(f *os.File) error { return f.Close() }); !errors.Is(err, fs.ErrClosed) {
		t.Errorf("a closed file: %v", err)
	}
	if err := replaceFile(folder, []byte("new"), 0o644); err == nil {
		t.Error("a folder is replaced")
	}
	if err := replaceFile(filepath.Join(dir, "none", "x"), []byte("new"), 0o644); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a folder that does not exist: %v", err)
	}
	if got := names(t, dir); strings.Join(got, " ") != "file folder" {
		t.Errorf("the folder holds %v", got)
	}
	if err := replaceFile(file, []byte("new"), 0o640); err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(file)
	info, statErr := os.Stat(file)
	if string(data) != "new" || err != nil || statErr != nil || runtime.GOOS != "windows" && info.Mode() != 0o640 {
		t.Errorf("%q, %v, mode %v, %v", data, err, info.Mode(), statErr)
	}
}

// TestOpenFilesAreKept checks that a process that has opened the old file still sees it.
func TestOpenFilesAreKept(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, []byte("old"), 0o644); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if !isFile(f, file) || isFile(f, file+"x") {
		t.Error("isFile does not know the file")
	}
	if runtime.GOOS == "windows" {
		t.Skip("an open file cannot be replaced")
	}
	if err := replaceFile(file, []byte("new"), 0o644); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, 3)
	if _, err := f.Read(data); err != nil || string(data) != "old" || isFile(f, file) {
		t.Errorf("the open file holds %q, %v, and is the new one: %t", data, err, isFile(f, file))
	}
}

// TestInstallFails checks the errors of Install if it cannot write the kernel's files.
func TestInstallFails(t *testing.T) {
	for _, name := range []string{binaryName, "logo-32x32.png", "logo-svg.svg", "kernel.json"} {
		o := Options{Prefix: t.TempDir(), Binary: fakeBinary(t, "one")}
		dir, err := o.Dir()
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, name, "x"), 0o755); err != nil {
			t.Fatal(err)
		}
		if _, err := Install(o); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s is a folder: %v", name, err)
		}
		for _, n := range names(t, dir) {
			if strings.HasPrefix(n, ".") {
				t.Errorf("%s is left", n)
			}
		}
	}
	file := fakeBinary(t, "one")
	if _, err := Install(Options{Prefix: file, Binary: file}); err == nil || !strings.HasPrefix(err.Error(), "install: mkdir "+file) {
		t.Errorf("the prefix is a file: %v", err)
	}
}

// TestNoHome checks the error of a user without a home folder.
func TestNoHome(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("HOME is the home folder on Linux")
	}
	t.Setenv("HOME", "")
	t.Setenv("JUPYTER_DATA_DIR", "")
	if dir, err := UserDataDir(); err == nil || dir != "" {
		t.Errorf("%s, %v", dir, err)
	}
	if dir, err := (Options{}).Dir(); err == nil || dir != "" {
		t.Errorf("%s, %v", dir, err)
	}
}

// TestNames checks which names kernels can have.
func TestNames(t *testing.T) {
	o := Options{Prefix: t.TempDir()}
	for name, want := range map[string]string{
		"": "goanvil", "A_b-1.x": "a_b-1.x", ".x": ".x", "...x": "...x", ".": "", "..": "", "...": "", "a b": "", "é": "", "a\n": "",
	} {
		o.Name = name
		dir, err := o.Dir()
		if (err == nil) != (want != "") || want != "" && filepath.Base(dir) != want {
			t.Errorf("%q: %s, %v", name, dir, err)
		}
	}
}

// TestInstalledSpecs checks which specs were written by Install.
func TestInstalledSpecs(t *testing.T) {
	binary := filepath.Join("dir", binaryName)
	for _, c := range []struct {
		argv []string
		want bool
	}{{nil, false}, {[]string{binary}, true}, {[]string{binary, "x"}, true}, {[]string{"python3", binary}, false}} {
		if got := Installed(Spec{Argv: c.argv}, "dir"); got != c.want {
			t.Errorf("%v: %t", c.argv, got)
		}
	}
}

// TestSpecFile checks the text of kernel.json: it is indented, and leaves out an empty environment.
func TestSpecFile(t *testing.T) {
	dir := t.TempDir()
	if err := writeSpec(dir, Options{}.spec("b")); err != nil {
		t.Fatal(err)
	}
	const want = `{
 "argv": [
  "b",
  "kernel",
  "-f",
  "{connection_file}"
 ],
 "display_name": "Go (anvil)",
 "language": "go",
 "interrupt_mode": "message",
 "kernel_protocol_version": "5.5",
 "metadata": {
  "debugger": true
 }
}
`
	if got, err := os.ReadFile(filepath.Join(dir, "kernel.json")); err != nil || string(got) != want {
		t.Errorf("%v\n%s", err, got)
	}
}
