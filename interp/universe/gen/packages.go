package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"log"
	"os"
	"os/exec"
	"path"
	"slices"
	"strings"
)

// modulePath is the path of this module.
const modulePath = "github.com/goanvil/notebook"

// A group describes one file of symbol tables, and the packages in it.
type group struct {
	file     string
	table    string                 // name of the generated variable
	patterns []string               // for go list
	has      func(path string) bool // reports whether cells can import a package that matches the patterns
}

// gonumPackages are the packages of gonum that cells can import: plot with its fonts, palettes, plotters and canvases,
// mat, floats, stat, optimize, and the BLAS packages whose types occur in the APIs of these. plot/cmpimg, which is for
// tests, and plot/gob, which only registers types, are left out.
var gonumPackages = []string{
	"gonum.org/v1/plot", "gonum.org/v1/plot/font", "gonum.org/v1/plot/font/liberation",
	"gonum.org/v1/plot/palette", "gonum.org/v1/plot/palette/brewer", "gonum.org/v1/plot/palette/moreland",
	"gonum.org/v1/plot/plotter", "gonum.org/v1/plot/plotutil", "gonum.org/v1/plot/text",
	"gonum.org/v1/plot/vg", "gonum.org/v1/plot/vg/draw", "gonum.org/v1/plot/vg/recorder",
	"gonum.org/v1/plot/vg/vgeps", "gonum.org/v1/plot/vg/vgimg", "gonum.org/v1/plot/vg/vgpdf",
	"gonum.org/v1/plot/vg/vgsvg", "gonum.org/v1/plot/vg/vgtex",
	"gonum.org/v1/gonum/mat", "gonum.org/v1/gonum/floats", "gonum.org/v1/gonum/stat", "gonum.org/v1/gonum/optimize",
	"gonum.org/v1/gonum/blas", "gonum.org/v1/gonum/blas/blas64", "gonum.org/v1/gonum/blas/cblas128",
}

// withheld has the std packages that cells cannot import, with the reasons.
var withheld = map[string]string{
	"unsafe":                 "gives access to the memory of the kernel",
	"syscall":                "differs by platform and is not safe",
	"plugin":                 "needs cgo",
	"log/syslog":             "not on every platform",
	"runtime/cgo":            "needs cgo",
	"runtime/race":           "only for the race detector",
	"runtime/coverage":       "only for binaries built with -cover",
	"time/tzdata":            "450 kB, imported for its effect",
	"crypto/mlkem/mlkemtest": "for tests of std",
	"testing/cryptotest":     "for tests of std",
	"net/http/pprof":         "imported for its effect on the default mux",
	"encoding/json/jsontext": "only with a GOEXPERIMENT",
	"encoding/json/v2":       "only with a GOEXPERIMENT",
	"simd/archsimd":          "only with a GOEXPERIMENT",
	"runtime/secret":         "only with a GOEXPERIMENT",
}

var groups = []group{
	{"std_gen.go", "stdTable", []string{"std"}, canImportStd},
	{"gonum_gen.go", "gonumTable", gonumPackages, func(p string) bool { return slices.Contains(gonumPackages, p) }},
	{"anvil_gen.go", "anvilTable", []string{modulePath + "/anvil/...", modulePath + "/display/..."}, canImportOurs},
}

// canImportStd reports whether cells can import a package of std.
func canImportStd(p string) bool {
	_, isWithheld := withheld[p]
	return !isWithheld && !strings.Contains(p, "internal") && !strings.HasPrefix(p, "vendor/")
}

// canImportOurs reports whether cells can import a package of this module. Cells cannot import internal packages,
// packages for tests, generators, anvil/memory, anvil/options and anvil/typename. They cannot import anvil/xla and the packages below
// it either, since a cell could use them to free buffers of the session.
func canImportOurs(p string) bool {
	rel := strings.TrimPrefix(p, modulePath+"/")
	switch {
	case rel == p, strings.Contains(rel, "internal"), strings.HasSuffix(rel, "test"), path.Base(rel) == "gen":
		return false
	}
	return rel != "anvil/memory" && rel != "anvil/options" && rel != "anvil/typename" &&
		rel != "anvil/xla" && !strings.HasPrefix(rel, "anvil/xla/")
}

// A pkg is one importable package.
type pkg struct {
	path, name, dir string
	files           []string
	types           *types.Package
	group           int // the index in groups
}

// A packageSet holds all packages that cells can import, ordered by path.
type packageSet struct{ packages []*pkg }

// listed is a package in the output of `go list -json`, with the fields that are used.
type listed struct {
	ImportPath, Name, Dir, Export string
	GoFiles                       []string
}

// loadPackages compiles the packages and reads their types from the export data. Packages that do not compile are an
// error, unless skipBroken is set; then loadPackages logs them and leaves them out.
func loadPackages(root string, skipBroken bool) (*packageSet, error) {
	patterns, err := paths(root)
	if err != nil {
		return nil, err
	}
	args := []string{"-export", "-json=ImportPath,Name,Dir,Export,GoFiles"}
	if skipBroken {
		args = append(args, "-e")
	}
	found, err := list(root, append(args, patterns...)...)
	if err != nil {
		return nil, err
	}
	exports := map[string]string{}
	set := &packageSet{}
	for _, l := range found {
		if l.Export == "" {
			log.Printf("left out: %s", l.ImportPath)
			continue
		}
		exports[l.ImportPath] = l.Export
		p := &pkg{path: l.ImportPath, name: l.Name, dir: l.Dir, files: l.GoFiles, group: groupOf(l)}
		set.packages = append(set.packages, p)
	}
	slices.SortFunc(set.packages, func(a, b *pkg) int { return strings.Compare(a.path, b.path) })
	return set, set.readTypes(exports)
}

// paths returns the import paths of all packages of all groups.
func paths(root string) ([]string, error) {
	args := []string{"-json=ImportPath,Name,GoFiles"}
	for _, g := range groups {
		args = append(args, g.patterns...)
	}
	found, err := list(root, args...)
	if err != nil {
		return nil, err
	}
	var all []string
	for _, l := range found {
		if groupOf(l) >= 0 {
			all = append(all, l.ImportPath)
		}
	}
	return all, nil
}

// list returns the packages that go list prints with args.
func list(root string, args ...string) ([]listed, error) {
	out, err := goCommand(root, append([]string{"list"}, args...)...)
	if err != nil {
		return nil, err
	}
	var all []listed
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		var l listed
		if err := dec.Decode(&l); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, l)
	}
}

// groupOf returns the index of the package's group, or -1 if cells cannot import it. The first group is std.
func groupOf(l listed) int {
	if len(l.GoFiles) == 0 || l.Name == "main" {
		return -1
	}
	isStd := !strings.Contains(strings.Split(l.ImportPath, "/")[0], ".")
	for i, g := range groups {
		if isStdGroup := i == 0; isStdGroup == isStd && g.has(l.ImportPath) {
			return i
		}
	}
	return -1
}

// readTypes sets the field types of the packages. exports has the names of the files of export data, by import path.
func (set *packageSet) readTypes(exports map[string]string) error {
	open := func(path string) (io.ReadCloser, error) { return os.Open(exports[path]) }
	imp := importer.ForCompiler(token.NewFileSet(), "gc", open)
	for _, p := range set.packages {
		var err error
		if p.types, err = imp.Import(p.path); err != nil {
			return fmt.Errorf("%s: %w", p.path, err)
		}
	}
	return nil
}

// goCommand runs the go command for linux/amd64, so that the result is the same on all platforms.
func goCommand(dir string, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=amd64", "CGO_ENABLED=0", "GOWORK=off")
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return nil, fmt.Errorf("go %s: %w\n%s", args[0], err, exit.Stderr)
	}
	return out, err
}
