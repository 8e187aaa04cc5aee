package main

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rooms is the order in which packages may import each other: "a < b c"
// lets b and c import a, and all that a may import. A package that is in no
// line, and an import that does not follow from the lines, fail the test.
const rooms = `
	anvil/memory < anvil/xla anvil/npy anvil/safetensors anvil/data interp/compile
	anvil/dtype < anvil/promote anvil/shape anvil/xla anvil/table
	anvil/promote < anvil/backend anvil/promote/tensoriter
	anvil/shape < anvil/ir anvil/array anvil/npy anvil/safetensors
	anvil/table < anvil/table/ipc
	anvil/npy anvil/safetensors anvil/table anvil/table/ipc < anvil
	anvil/options < anvil display/chart interp/check
	anvil/typename < anvil/backend
	anvil/dtype < anvil/internal/extension
	anvil/internal/extension < anvil
	anvil/backend anvil < cmd/oracle
	anvil/ir < anvil/expr anvil/stablehlo
	anvil/array anvil/expr anvil/stablehlo anvil/threefry < anvil/ops
	anvil/ops < anvil/autodiff anvil/reference anvil/engine
	anvil/ops < anvil/ops/opstest
	anvil/autodiff anvil/ops/opstest anvil/reference < anvil/autodiff/rulestest
	anvil/xla/internal/capi < anvil/xla
	anvil/xla < anvil/xla/xlatest
	anvil/reference anvil/dense < anvil/host
	anvil/host anvil/xla < anvil/engine
	anvil/engine < anvil/engine/enginetest
	anvil/goroutine < anvil/engine interp interp/compile
	anvil/promote anvil/expr < anvil/emulate
	anvil/emulate anvil/backend anvil/autodiff anvil/engine < anvil
	anvil/threefry < anvil/random
	anvil < anvil/random anvil/tangent anvil/optim display
	anvil/random < anvil/nn anvil/data
	anvil/tangent < anvil/tangent/dates
	display < display/chart
	display/chart anvil/random anvil/data anvil/tangent/dates anvil/nn anvil/optim < interp/universe
	interp/compile/celltype anvil/tangent < interp/universe
	interp/universe < cmd/kernel interp/universe/goroot
	anvil/promote/tensoriter < interp/universe

	messaging/wire messaging/guard < messaging messaging/client
	messaging messaging/client < messaging/messagingtest

	interp/cell < interp/check
	interp/check < interp/explain interp/complete
	interp/explain anvil/dtype < interp/tensor
	interp/check interp/compile/misuse < interp/compile/celltype
	interp/compile/celltype interp/compile/std < interp/compile
	interp/tensor interp/compile < interp/lower
	interp/lower interp/yaegi < interp
	interp < interp/universe
	interp/universe < interp/interptest
	interp/cell anvil/autodiff anvil/promote < interp/magic

	messaging messaging/client interp/complete interp/magic kernelspec < cmd/kernel
	anvil anvil/nn anvil/optim anvil/random anvil/tangent display < cmd/kernel/bench/worker
`

const module = "github.com/goanvil/notebook/"

// allowed returns, for each room, the rooms that it may import.
func allowed() map[string][]string {
	direct := map[string][]string{}
	for line := range strings.Lines(rooms) {
		low, high, ok := strings.Cut(line, "<")
		if !ok {
			continue
		}
		for _, l := range strings.Fields(low) {
			direct[l] = append(direct[l], []string{}...)
			for _, h := range strings.Fields(high) {
				direct[h] = append(direct[h], l)
			}
		}
	}
	all := map[string][]string{}
	var collect func(room string) []string // the transitive closure of direct
	collect = func(room string) []string {
		if below, ok := all[room]; ok {
			return below
		}
		below := slices.Clone(direct[room])
		for _, l := range direct[room] {
			below = append(below, collect(l)...)
		}
		all[room] = below
		return below
	}
	for room := range direct {
		collect(room)
	}
	return all
}

func TestRoomsImportOnlyWhatLiesBelow(t *testing.T) {
	root := filepath.Join("..", "..")
	mayImport := allowed()
	seen := map[string]bool{}
	err := fs.WalkDir(os.DirFS(root), ".", func(file string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := e.Name()
		if e.IsDir() && (name == "testdata" || file != "." && strings.HasPrefix(name, ".")) {
			return fs.SkipDir
		}
		if e.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		room := path.Dir(file)
		seen[room] = true
		if isGenerator(room) {
			return nil // a program of go generate, which no package imports
		}
		below, known := mayImport[room]
		if !known {
			t.Errorf("%s: the package %s is in no line of the table", file, room)
			return nil
		}
		for _, imported := range importsOf(t, filepath.Join(root, file)) {
			if low, ours := strings.CutPrefix(imported, module); ours && !slices.Contains(below, low) {
				t.Errorf("%s: %s may not import %s", file, room, low)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(seen) < 15 {
		t.Errorf("found only %d packages", len(seen))
	}
}

func isGenerator(room string) bool { return path.Base(room) == "gen" || path.Base(room) == "facade" }

func importsOf(t *testing.T, file string) []string {
	f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ImportsOnly)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			t.Fatal(err)
		}
		paths = append(paths, p)
	}
	return paths
}
