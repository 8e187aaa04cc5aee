// Command gen writes the generated files of package universe: the declarations and the documentation of every package
// that a cell can import, in a file each, and the tables of their symbols. It does not rewrite files whose content
// is unchanged. It needs the Go toolchain; the kernel does not.
//
//	go run ./interp/universe/gen
package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("dir", "", "folder of package universe (default: found from the module's root)")
	broken := flag.Bool("skip-broken", false, "leave out packages that do not compile, and list them")
	flag.Parse()
	if err := generate(*dir, *broken); err != nil {
		log.Fatal(err)
	}
}

// generate writes the generated files to dir, and removes those of packages that are gone.
func generate(dir string, skipBroken bool) error {
	root, err := moduleRoot()
	if err != nil {
		return err
	}
	if dir == "" {
		dir = filepath.Join(root, "interp", "universe")
	}
	products, err := build(root, skipBroken)
	if err != nil {
		return err
	}
	for name, content := range products {
		if err := replace(filepath.Join(dir, name), content); err != nil {
			return err
		}
	}
	return removeOthers(dir, products)
}

// replace writes a file unless it already has the content.
func replace(file string, content []byte) error {
	if old, err := contentOf(file); err == nil && bytes.Equal(old, content) {
		return nil
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	if strings.HasSuffix(file, ".gz") {
		var b bytes.Buffer
		z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression) // the level exists
		if _, err := z.Write(content); err != nil {
			return err
		}
		if err := z.Close(); err != nil {
			return err
		}
		content = b.Bytes()
	}
	return os.WriteFile(file, content, 0o644)
}

// contentOf returns the uncompressed content of a file.
func contentOf(file string) ([]byte, error) {
	data, err := os.ReadFile(file)
	if err != nil || !strings.HasSuffix(file, ".gz") {
		return data, err
	}
	z, err := gzip.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// removeOthers removes the files that package universe embeds, below dir, that are not among products.
func removeOthers(dir string, products map[string][]byte) error {
	found, err := embedded(dir)
	if err != nil {
		return err
	}
	for _, name := range found {
		if products[name] == nil {
			if err := os.Remove(filepath.Join(dir, name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// embedded returns the names of the files that package universe embeds, below dir.
func embedded(dir string) ([]string, error) {
	var found []string
	for _, folder := range []string{"types", "doc"} {
		err := fs.WalkDir(os.DirFS(dir), folder, func(name string, e fs.DirEntry, err error) error {
			if err == nil && !e.IsDir() {
				found = append(found, name)
			}
			return err
		})
		if err != nil {
			return nil, err
		}
	}
	return found, nil
}

// build returns the content of every generated file, by its name in the folder
// of package universe, for the module at root.
func build(root string, skipBroken bool) (map[string][]byte, error) {
	set, err := loadPackages(root, skipBroken)
	if err != nil {
		return nil, err
	}
	products := map[string][]byte{}
	sources, err := declarations(set)
	if err != nil {
		return nil, err
	}
	for path, source := range sources {
		products["types/"+short(path)+".txt"] = source
	}
	builtin, err := builtins()
	if err != nil {
		return nil, err
	}
	for _, p := range append(slices.Clone(set.packages), builtin) {
		text, err := docText(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p.path, err)
		}
		products[docFile(p)] = text
	}
	for _, g := range groups {
		src, err := symbolFile(set, g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.file, err)
		}
		products[g.file] = src
	}
	return products, nil
}

// docFile returns the name of the file of a package's documentation. The files of packages outside this module are
// compressed, which makes the kernel 2 MB smaller. Their changes need not be readable: they come only with releases of
// Go and gonum.
func docFile(p *pkg) string {
	if strings.HasPrefix(p.path, modulePath) {
		return "doc/" + short(p.path) + ".txt"
	}
	return "doc/" + p.path + ".txt.gz"
}

// short returns a path as cells write it.
func short(path string) string { return strings.TrimPrefix(path, modulePath+"/") }

// moduleRoot returns the folder of the module that contains the working directory.
func moduleRoot() (string, error) {
	out, err := goCommand("", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return "", errors.New("the working directory is in no module; run gen in the folder of this module")
	}
	return filepath.Dir(mod), nil
}
