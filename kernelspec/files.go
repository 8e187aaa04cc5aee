package kernelspec

import (
	"embed"
	"io"
	"os"
	"path/filepath"
	"runtime"
)

//go:generate go run ./gen

// logos holds the logos by file name. JupyterLab looks for logo-64x64.png and logo-svg.svg,
// and the classic notebook for logo-32x32.png.
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

// writeLogos writes the logos into the folder dir.
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

// replaceFile writes a file atomically. Processes that have opened the old file still see it.
func replaceFile(path string, data []byte, mode os.FileMode) error {
	return replace(path, mode, func(f *os.File) error {
		_, err := f.Write(data)
		return err
	})
}

// copyFile atomically replaces dst by a copy of the binary src. It does nothing if both are the same file.
func copyFile(dst, src string) error {
	from, err := os.Open(src)
	if err != nil {
		return err
	}
	defer from.Close()
	if isFile(from, dst) { // the installed binary installs itself again
		return nil
	}
	return replace(dst, 0o755, func(f *os.File) error {
		_, err := io.Copy(f, from)
		return err
	})
}

// isFile reports whether f is the file at path.
func isFile(f *os.File, path string) bool {
	a, errA := f.Stat()
	b, errB := os.Stat(path)
	return errA == nil && errB == nil && os.SameFile(a, b)
}

// replace creates a temporary file, calls fill to write its content, and renames it to path.
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
