package main

import (
	"bytes"
	"fmt"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestLogosAreFresh tests that the logos are those that gen draws. It compares pixels, since encoders
// may differ in their bytes.
func TestLogosAreFresh(t *testing.T) {
	if old, err := os.ReadFile("../logo-svg.svg"); err != nil || !bytes.Equal(old, svg()) {
		t.Errorf("logo-svg.svg is stale: go generate ./kernelspec (%v)", err)
	}
	for _, n := range []int{32, 64} {
		name := fmt.Sprintf("logo-%dx%d.png", n, n)
		f, err := os.Open("../" + name)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		old, err := png.Decode(f)
		if err != nil {
			t.Fatal(err)
		}
		now := raster(n)
		for y := range n {
			for x := range n {
				if old.At(x, y) != now.At(x, y) {
					t.Fatalf("%s is stale at (%d, %d): go generate ./kernelspec", name, x, y)
				}
			}
		}
	}
}

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"gen": main}) }

// run runs main in the folder dir.
func run(dir string) (string, error) {
	cmd := exec.Command("gen")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// TestWrites checks that the logos are written into kernelspec, from the module's root and from kernelspec itself.
func TestWrites(t *testing.T) {
	inRoot, inFolder := t.TempDir(), t.TempDir()
	folder := filepath.Join(inRoot, "kernelspec")
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for dir, written := range map[string]string{inRoot: folder, inFolder: inFolder} {
		if out, err := run(dir); err != nil || out != "" {
			t.Fatalf("%v\n%s", err, out)
		}
		for _, name := range []string{"logo-svg.svg", "logo-32x32.png", "logo-64x64.png"} {
			want, err := os.ReadFile("../" + name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := os.ReadFile(filepath.Join(written, name))
			if err != nil {
				t.Fatal(err)
			}
			if len(got) == 0 || strings.HasSuffix(name, ".svg") && !bytes.Equal(got, want) {
				t.Errorf("%s has %d bytes", name, len(got))
			}
			if strings.HasSuffix(name, ".png") {
				now, err := png.Decode(bytes.NewReader(got))
				old, oldErr := png.Decode(bytes.NewReader(want))
				if err != nil || oldErr != nil || now.Bounds() != old.Bounds() {
					t.Errorf("%s is not the logo: %v, %v", name, err, oldErr)
				}
			}
		}
		entries, err := os.ReadDir(dir)
		if want := map[string]int{inRoot: 1, inFolder: 3}[dir]; err != nil || len(entries) != want {
			t.Errorf("%s has %v, %v", dir, entries, err)
		}
	}
}

// TestWriteFails checks that a file that cannot be written ends the program with an error.
func TestWriteFails(t *testing.T) {
	for _, name := range []string{"logo-svg.svg", "logo-64x64.png"} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, name), 0o755); err != nil {
			t.Fatal(err)
		}
		if out, err := run(dir); err == nil || !strings.HasPrefix(out, "open "+name+":") {
			t.Errorf("%s is a folder: %v\n%s", name, err, out)
		}
	}
}

// TestLogo checks what the drawing shows: a steel anvil, and above it six squares, the last one translucent.
func TestLogo(t *testing.T) {
	img := raster(64)
	for _, c := range []struct {
		x, y int
		want string
	}{
		{34, 40, "{47 111 143 255}"}, {28, 8, "{242 159 61 255}"}, {39, 8, "{242 159 61 255}"}, {50, 8, "{242 159 61 255}"},
		{28, 19, "{242 159 61 255}"}, {39, 19, "{242 159 61 255}"}, {34, 8, "{0 0 0 0}"}, {28, 14, "{0 0 0 0}"},
		{1, 1, "{0 0 0 0}"}, {1, 58, "{0 0 0 0}"}, {61, 58, "{0 0 0 0}"},
	} {
		if got := fmt.Sprint(img.At(c.x, c.y)); got != c.want {
			t.Errorf("at (%d, %d) is %s, want %s", c.x, c.y, got, c.want)
		}
	}
	if _, _, _, a := img.At(50, 19).RGBA(); a == 0 || a == 0xffff {
		t.Errorf("the last square has the opacity %d", a)
	}
	if n := strings.Count(string(svg()), "<polygon "); n != 7 {
		t.Errorf("the SVG file has %d shapes", n)
	}
}
