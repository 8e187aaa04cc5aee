//go:build linux && amd64 && !nopjrt

package xla

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// fakePip writes executables and returns a pip whose path has their folders a and b,
// and the lines that it reports.
func fakePip(t *testing.T, scripts map[string]string) (pip, *[]string) {
	dir := t.TempDir()
	for path, script := range scripts {
		writeFiles(t, dir, map[string]string{path: "#!/bin/sh\n" + script})
	}
	var lines []string
	path := filepath.Join(dir, "a") + ":" + filepath.Join(dir, "b")
	return pip{func(name string) string {
		if name == "PATH" {
			return path
		}
		return ""
	}, func(line string) { lines = append(lines, line) }}, &lines
}

// withoutPip is the script of a Python without pip.
const withoutPip = `echo "No module named pip" >&2; exit 1`

// installing returns a pip script that makes the library a link to plugin; $5 is the
// argument of --target.
func installing(library, plugin string) string {
	return fmt.Sprintf(`[ "$3" = --version ] && exit 0
[ "$PIP_USER" = 0 ] || exit 7
echo "Collecting $*"
mkdir -p "$5/%s" && ln -s "%s" "$5/%s"`, filepath.Dir(library), plugin, library)
}

// cpuTarget returns a target whose library is the CPU plugin.
func cpuTarget(t *testing.T) target {
	t.Helper()
	sum, err := cpuPlugin(t).Hash()
	if err != nil {
		t.Fatal(err)
	}
	return target{name: "cpu", requirements: "some-plugin==1 --hash=sha256:00\n", library: "xla_plugins/some/plugin.so", sha256: sum}
}

func TestInstall(t *testing.T) {
	tg, dir := cpuTarget(t), t.TempDir()
	p, lines := fakePip(t, map[string]string{"a/python3": withoutPip, "b/python3": installing(tg.library, cpuPlugin(t).Path())})
	c, err := tg.install(background, dir, p)
	if err != nil {
		t.Fatal(err)
	}
	if c.Path != filepath.Join(dir, "cpu", tg.library) || !exportsPJRT(c.Path) {
		t.Errorf("installed %s", c)
	}
	log := strings.Join(*lines, "\n")
	if !strings.Contains(log, "Collecting") || !strings.Contains(log, "--no-deps") || !strings.Contains(log, "result is right") {
		t.Errorf("progress was %s", log)
	}
	p, _ = fakePip(t, nil)
	if _, err := tg.install(background, dir, p); err != nil {
		t.Errorf("a second installation needs pip: %v", err)
	}
}

// TestPipCommand checks the commands that install packages: they take only the listed packages, with their
// hashes, run no code of the packages, and change nothing outside of the folder.
func TestPipCommand(t *testing.T) {
	for path, want := range map[string]string{
		"b/python": " -m pip install --target DIR --no-deps --only-binary=:all: --no-input --no-compile " +
			"--disable-pip-version-check --progress-bar off --require-hashes -r DIR/requirements.txt",
		"a/uv": " pip install --target DIR --no-deps --only-binary=:all: --require-hashes -r DIR/requirements.txt",
	} {
		p, lines := fakePip(t, map[string]string{"a/python3": withoutPip, path: "exit 0"})
		dir, requirements := t.TempDir(), "some-plugin==1 --hash=sha256:00\n"
		if err := p.install(background, dir, requirements); err != nil {
			t.Fatal(err)
		}
		command := p.onPath(filepath.Base(path))[0] + strings.ReplaceAll(want, "DIR", dir)
		if len(*lines) != 1 || (*lines)[0] != command {
			t.Errorf("%s: %q, want %s", path, *lines, command)
		}
		if text, err := os.ReadFile(filepath.Join(dir, "requirements.txt")); string(text) != requirements {
			t.Errorf("requirements %q, %v", text, err)
		}
	}
}

// TestFailedInstallLeavesNothing checks the errors of installations, and that they leave only the file of the lock.
func TestFailedInstallLeavesNothing(t *testing.T) {
	good := cpuTarget(t)
	bad := good
	bad.sha256 = strings.Repeat("0", 64)
	link := installing(good.library, cpuPlugin(t).Path())
	for name, test := range map[string]struct {
		target  target
		scripts map[string]string
		want    []string
	}{
		"no python": {good, nil, []string{"python3", "python3-pip", "--backend=reference"}},
		"no pip":    {good, map[string]string{"a/python3": withoutPip}, []string{"has no pip", "python3-pip", "python3-venv", "--backend=reference"}},
		"network": {good, map[string]string{"a/python3": `[ "$3" = --version ] && exit 0; echo "ERROR: no route to host" >&2; exit 1`},
			[]string{"some-plugin==1", "no route to host", "network", "--backend=reference"}},
		"another file": {bad, map[string]string{"a/python3": link}, []string{"SHA-256", "not used"}},
		"no library":   {good, map[string]string{"a/python3": "exit 0"}, []string{"no such file"}},
		"uv fails":     {good, map[string]string{"a/python3": withoutPip, "b/uv": "echo uv says no; exit 2"}, []string{"uv says no"}},
	} {
		dir := t.TempDir()
		p, _ := fakePip(t, test.scripts)
		_, err := test.target.install(background, dir, p)
		for _, want := range test.want {
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v; want %q", name, err, want)
			}
		}
		left, _ := os.ReadDir(dir)
		if len(left) != 1 || left[0].Name() != ".lock" {
			t.Errorf("%s left %v", name, left)
		}
	}
}

// TestRequirements checks that all packages and plugins have a hash, the packages a version, and that the
// paths of the plugins tell their platform.
func TestRequirements(t *testing.T) {
	line := regexp.MustCompile(`^[a-z0-9-]+==[0-9.]+ --hash=sha256:[0-9a-f]{64}$`)
	hash := regexp.MustCompile(`^[0-9a-f]{64}$`)
	hashes := map[string]bool{}
	for _, tg := range targets {
		platform := platformOf(tg.library)
		if !hash.MatchString(tg.sha256) || hashes[tg.sha256] || !strings.HasPrefix(tg.name, platform) ||
			tg.driver != "" && tg.driver != platform {
			t.Errorf("%s: hash %s, platform %s, driver %q", tg.name, tg.sha256, platform, tg.driver)
		}
		hashes[tg.sha256] = true
		for _, r := range strings.Split(strings.TrimSuffix(tg.requirements, "\n"), "\n") {
			if !line.MatchString(r) {
				t.Errorf("%s: %s", tg.name, r)
			}
		}
	}
}

// TestDamagedPlugin checks that a plugin is not loaded if it was changed after Setup had installed it.
func TestDamagedPlugin(t *testing.T) {
	data, err := os.ReadFile(cpuPlugin(t).Path())
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("GOANVIL_DATA", t.TempDir())
	t.Setenv("GOANVIL_CACHE", t.TempDir())
	path := filepath.Join(DataDir(), "plugins", targets[0].name, targets[0].library)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	data[len(data)/2] ^= 1
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(path); err == nil || !strings.Contains(err.Error(), "SHA-256") || !strings.Contains(err.Error(), "goanvil setup") {
		t.Errorf("a damaged plugin: %v", err)
	}
}

func TestSetupTargets(t *testing.T) {
	if _, err := Setup(background, "tpu", func(string) {}); err == nil || !strings.Contains(err.Error(), "cuda13") {
		t.Errorf("%v", err)
	}
}

func TestLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "lock")
	unlock, err := lock(background, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancelWhenWaiting := func(string) { cancel() }
	if _, err := lock(ctx, path, cancelWhenWaiting); !errors.Is(err, context.Canceled) {
		t.Errorf("a second lock: %v", err)
	}
	unlock()
	again, err := lock(background, path, nil)
	if err != nil {
		t.Fatal(err)
	}
	again()
}

func TestOpen(t *testing.T) {
	c, skipped, err := Open(cpuPlugin(t).Path(), ClientOptions{})
	if err != nil || len(skipped) != 0 {
		t.Fatalf("%v, %v", skipped, err)
	}
	c.Close()
	c, skipped, err = openFirst([]Candidate{{Path: "/nonexistent/cuda.so"}, {Path: cpuPlugin(t).Path()}}, ClientOptions{})
	if err != nil || len(skipped) != 1 || c.Platform() != "cpu" {
		t.Fatalf("a plugin after one that fails: %v, %v", skipped, err)
	}
	c.Close()
	_, skipped, err = Open("/nonexistent/plugin.so", ClientOptions{})
	if !errors.Is(err, ErrNoPlugin) || len(skipped) != 1 || !strings.Contains(err.Error(), "--backend=reference") {
		t.Errorf("%v, %v", skipped, err)
	}
}

func TestExportsPJRT(t *testing.T) {
	if !exportsPJRT(cpuPlugin(t).Path()) || exportsPJRT("/proc/self/exe") || exportsPJRT("setup_test.go") {
		t.Error("exportsPJRT is wrong about a file")
	}
}
