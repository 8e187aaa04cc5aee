package kernelspec

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestInstalledFiles checks the files of an installed kernel: all users can read them, and run the binary.
func TestInstalledFiles(t *testing.T) {
	o := Options{Prefix: t.TempDir(), DisplayName: "Mine", Args: []string{"--backend", "reference"},
		Env: map[string]string{"A": "b"}} // without Binary, this test's own is copied
	dir, err := Install(o)
	if err != nil {
		t.Fatal(err)
	}
	modes := map[string]fs.FileMode{
		binaryName: 0o755, "kernel.json": 0o644, "logo-32x32.png": 0o644, "logo-64x64.png": 0o644, "logo-svg.svg": 0o644,
	}
	entries, err := os.ReadDir(dir)
	if err != nil || len(entries) != len(modes) {
		t.Errorf("%d files, %v, want %d", len(entries), err, len(modes))
	}
	for _, e := range entries {
		info, err := e.Info()
		if err != nil {
			t.Fatal(err)
		}
		if mode, known := modes[e.Name()]; !known || runtime.GOOS != "windows" && info.Mode() != mode {
			t.Errorf("%s has the mode %v, want %v", e.Name(), info.Mode(), mode)
		}
	}
	if info, err := os.Stat(dir); err != nil || runtime.GOOS != "windows" && info.Mode()&0o500 != 0o500 {
		t.Errorf("the folder has the mode %v, %v", info.Mode(), err)
	}
	own, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	ownInfo, err := os.Stat(own)
	if err != nil {
		t.Fatal(err)
	}
	binary := filepath.Join(dir, binaryName)
	if info, err := os.Stat(binary); err != nil || info.Size() != ownInfo.Size() {
		t.Errorf("the binary is not a copy of this one: %v", err)
	}
	want := Spec{
		Argv:        []string{binary, "kernel", "-f", "{connection_file}", "--backend", "reference"},
		DisplayName: "Mine", Language: "go", InterruptMode: "message", ProtocolVersion: "5.5",
		Env: o.Env, Metadata: map[string]any{"debugger": true},
	}
	if got, err := Read(dir); err != nil || cmp.Diff(want, got) != "" {
		t.Errorf("%v\n%s", err, cmp.Diff(want, got))
	}
}

// TestSpecsThatAreNone checks the errors of folders without a kernel.json that can be read.
func TestSpecsThatAreNone(t *testing.T) {
	o := Options{Prefix: t.TempDir()}
	dir, err := o.Dir()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no folder: %v", err)
	}
	if _, err := Uninstall(o); err == nil || err.Error() != "uninstall: no kernel at "+dir {
		t.Errorf("no folder: %v", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, "kernel.json")
	if err := os.WriteFile(file, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Read(dir); err == nil || err.Error() != file+": unexpected end of JSON input" {
		t.Errorf("no JSON: %v", err)
	}
	if _, err := Uninstall(o); err == nil || err.Error() != "uninstall: "+file+": unexpected end of JSON input" {
		t.Errorf("no JSON: %v", err)
	}
	if err := os.WriteFile(file, []byte(`{"argv":[]}`), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Uninstall(o); err == nil || err.Error() != "uninstall: the kernel at "+dir+" was not installed by goanvil; remove it by hand" {
		t.Errorf("another kernel: %v", err)
	}
	o.Binary = filepath.Join(dir, "none")
	if _, err := Install(o); !errors.Is(err, fs.ErrNotExist) || !strings.HasPrefix(err.Error(), "install: ") {
		t.Errorf("no binary: %v", err)
	}
	for _, o := range []Options{{Name: "a/b"}, {User: true, SysPrefix: true}} {
		if _, err := Install(o); err == nil {
			t.Errorf("%+v was installed", o)
		}
		if _, err := Uninstall(o); err == nil {
			t.Errorf("%+v was uninstalled", o)
		}
	}
}
