// Command gen writes what package universe embeds: the export data and the
// documentation of every package that a cell may import, and the tables of
// their symbols. It needs the Go toolchain; the kernel does not.
//
//	go run ./interp/universe/gen
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	dir := flag.String("dir", "", "folder of package universe (default: found from the module's root)")
	broken := flag.Bool("skip-broken", false, "leave out packages that do not compile now, saying so")
	flag.Parse()
	if err := generate(*dir, *broken); err != nil {
		log.Fatal(err)
	}
}

// A product is a file of package universe and its content.
type product struct {
	name    string
	content []byte
}

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
	for _, p := range products {
		if err := os.WriteFile(filepath.Join(dir, p.name), p.content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// build returns every generated file for the module at root.
func build(root string, skipBroken bool) ([]product, error) {
	w, err := loadWorld(root, skipBroken)
	if err != nil {
		return nil, err
	}
	export, err := exportBlob(w)
	if err != nil {
		return nil, err
	}
	docs, err := docBlob(w)
	if err != nil {
		return nil, err
	}
	api, err := apiText(w)
	if err != nil {
		return nil, err
	}
	products := []product{{"export.bin", export}, {"doc.bin", docs}, {"api.txt", api}}
	for _, g := range groups {
		src, err := symbolFile(w, g)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", g.file, err)
		}
		products = append(products, product{g.file, src})
	}
	return products, nil
}

func moduleRoot() (string, error) {
	out, err := goCommand("", "env", "GOMOD")
	if err != nil {
		return "", err
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return "", fmt.Errorf("run it inside the module")
	}
	return filepath.Dir(mod), nil
}
