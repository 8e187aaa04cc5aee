package kernelspec

import (
	"embed"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

//go:generate go run ./gen

// logos has the logos under the names for which front ends look: logo-64x64.png and
// logo-svg.svg in JupyterLab, logo-32x32.png in the classic notebook.
//
//go:embed logo-32x32.png logo-64x64.png logo-svg.svg
var logos embed.FS

// binaryName is the file name of the installed binary.
var binaryName = func() string {
	if runtime.GOOS == "windows" {
		return "goanvil.exe"
	}
	return "goanvil"
}()

func writeLogos(dir string) error {
	entries, err := logos.ReadDir(".")
	if err != nil {
		return err
	}
	for _, e := range entries {
		data, err := logos.ReadFile(e.Name())
		if err != nil {
			return err
		}
		if err := replaceFile(filepath.Join(dir, e.Name()), data, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// replaceFile writes a file atomically: processes that read or run the old file keep it.
func replaceFile(path string, data []byte, mode os.FileMode) error {
	return replace(path, mode, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

func copyFile(to, from string) error {
	src, err := os.Open(from)
	if err != nil {
		return err
	}
	defer src.Close()
	if same(to, src) {
		return nil
	}
	return replace(to, 0o755, func(f *os.File) error {
		_, err := io.Copy(f, src)
		return err
	})
}

// same reports whether f is the file at path, as when the installed binary installs itself
// again.
func same(path string, f *os.File) bool {
	a, errA := os.Stat(path)
	b, errB := f.Stat()
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// replace creates a file with the contents that fill writes and renames it to path.
func replace(path string, mode os.FileMode, fill func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename
	err = fill(f)
	if e := f.Chmod(mode); err == nil {
		err = e
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), path)
}
