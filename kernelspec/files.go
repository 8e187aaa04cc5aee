package kernelspec

import (
	"embed"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

//go:generate go run ./gen

// logos are named as front ends look for them: logo-64x64.png and
// logo-svg.svg in JupyterLab, logo-32x32.png in the classic notebook.
//
//go:embed logo-32x32.png logo-64x64.png logo-svg.svg
var logos embed.FS

// binaryName is what the installed binary is called.
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

// replaceFile writes a file beside its place and moves it there, so that
// whoever reads it meanwhile, or runs it, keeps the old one.
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

// same reports whether the open file is the one at path: the installed binary
// installs itself again.
func same(path string, f *os.File) bool {
	a, errA := os.Stat(path)
	b, errB := f.Stat()
	return errA == nil && errB == nil && os.SameFile(a, b)
}

func replace(path string, mode os.FileMode, fill func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name()) // fails after the rename, as it should
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
