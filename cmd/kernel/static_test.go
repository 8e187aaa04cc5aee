package main

import (
	"bytes"
	"debug/elf"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// staticBinary returns the path of a kernel built for linux/amd64 without PJRT: that
// in the environment variable staticVariable, or else one that it builds.
func staticBinary(t *testing.T) string {
	t.Helper()
	if path := os.Getenv(staticVariable); path != "" {
		return path
	}
	if testing.Short() {
		t.Skip("building a second kernel takes long; " + staticVariable + " names one")
	}
	path := filepath.Join(t.TempDir(), "goanvil-static")
	build := exec.Command("go", "build", "-tags", "nopjrt", "-o", path, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH=amd64")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return path
}

const staticVariable = "GOANVIL_STATIC_BIN"

// TestStaticBinary tests that the binary needs no interpreter and no shared libraries to
// be loaded.
func TestStaticBinary(t *testing.T) {
	f, err := elf.Open(staticBinary(t))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for _, p := range f.Progs {
		if p.Type == elf.PT_INTERP || p.Type == elf.PT_DYNAMIC {
			t.Errorf("it has a segment %s", p.Type)
		}
	}
	if libraries, err := f.ImportedLibraries(); err != nil || len(libraries) > 0 {
		t.Errorf("it needs %q, %v", libraries, err)
	}
}

// TestNotebookWithoutXLA runs the first example with a kernel that cannot load plugins,
// in an environment with no variables but HOME.
func TestNotebookWithoutXLA(t *testing.T) {
	bin := staticBinary(t)
	if err := exec.Command(bin, "--version").Run(); err != nil {
		t.Skipf("this machine does not run programs for linux/amd64: %v", err)
	}
	const notice = "computing with the reference evaluator\n"
	example := filepath.Join("..", "..", "examples", "notebooks", "01-first-promotion.ipynb")
	onReference := strings.NewReplacer("[ CPU", "[ REFERENCE", "cpu:0", "reference:0").Replace
	for _, c := range []struct {
		name    string
		args    []string
		notices int
	}{
		{"by default", nil, 1},
		{"as asked", []string{"--backend=reference"}, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			home := t.TempDir()
			out := filepath.Join(home, "out.ipynb")
			run := exec.Command(bin, append([]string{"run", example, "-o", out}, c.args...)...)
			run.Env = []string{"HOME=" + home}
			var stdout, stderr bytes.Buffer
			run.Stdout, run.Stderr = &stdout, &stderr
			if err := run.Run(); err != nil || stderr.Len() > 0 {
				t.Errorf("%v, %s", err, &stderr)
			}
			if n := strings.Count(stdout.String(), notice); n != c.notices {
				t.Errorf("%d notices that the reference evaluator computes, want %d\n%s", n, c.notices, &stdout)
			}
			if !strings.Contains(stdout.String(), "\n[ REFERENCEf64{} ]\n") {
				t.Errorf("printed\n%s", &stdout)
			}
			want, shown := shownBy(t, openNotebook(t, example)), shownBy(t, openNotebook(t, out))
			for i := range want {
				_, result, noticed := strings.Cut(shown[i], notice+"\n")
				if !noticed {
					result = shown[i]
				}
				if onReference(want[i]) != result {
					t.Errorf("cell %d shows\n%s\nwant\n%s", i+1, result, onReference(want[i]))
				}
			}
		})
	}
}
