package anvil_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// oracles maps the files of trees that real libraries computed, written by
// testdata/trees/generate.py, to the systems that must agree with them.
var oracles = map[string][]*promote.System{
	"anvil": {promote.Anvil}, "numpy": {promote.NumPy}, "torch": {promote.Torch, promote.TorchExt},
	"jax_x32": {promote.JAX}, "jax_x64": {promote.JAX64},
	"tf_off": {promote.TensorFlow}, "tf_legacy": {promote.TensorFlowLegacy}, "tf_all": {promote.TensorFlowAll}, "tf_safe": {promote.TensorFlowSafe},
}

// halfComplex is part of the error for trees that PyTorch computes and this package does not:
// PyTorch compares an f16 or bf16 with a complex number as c32 or bc32, complex dtypes of two
// 16-bit floats, which XLA does not have.
const halfComplex = "c32, which no backend computes"

// A treeRow is a tree, its type in the system's words, and its values. The type and values
// are missing if the system refuses the tree.
type treeRow struct {
	text, typed string
	values      []any
	tree        *tree
}

// UnmarshalJSON reads [tree, type, values] or [tree].
func (r *treeRow) UnmarshalJSON(data []byte) error {
	var parts []any
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if err := d.Decode(&parts); err != nil {
		return err
	}
	r.text = parts[0].(string)
	if len(parts) == 3 {
		r.typed, r.values = parts[1].(string), parts[2].([]any)
	}
	r.tree, _ = parseTree(r.text)
	return nil
}

// parseTree returns the tree at the beginning of s, "Neg(Add(3,0))", and the rest of s.
func parseTree(s string) (e *tree, rest string) {
	end := strings.IndexAny(s+",", "(,)")
	word, rest := s[:end], s[end:]
	if i, err := strconv.Atoi(word); err == nil {
		return &tree{leaf: i}, rest
	}
	e = &tree{op: word}
	for rest[0] != ')' {
		var a *tree
		a, rest = parseTree(rest[1:])
		e.args = append(e.args, a)
	}
	return e, rest[1:]
}

// oracleLeaf reads a leaf: a number of Python, or a tensor.
func oracleLeaf(t *testing.T, data [2]json.RawMessage) (l leaf) {
	t.Helper()
	var name string
	var n struct {
		int     int
		float   float64
		bool    bool
		complex [2]float64
	}
	read(t, data[0], &name)
	switch name {
	case "int":
		read(t, data[1], &n.int)
		return leaf{lit: n.int}
	case "float":
		read(t, data[1], &n.float)
		return leaf{lit: n.float}
	case "bool":
		read(t, data[1], &n.bool)
		return leaf{lit: n.bool}
	case "complex":
		read(t, data[1], &n.complex)
		return leaf{lit: complex(n.complex[0], n.complex[1])}
	}
	bare, ambiguous := strings.CutSuffix(name, "?")
	d, ok := promote.Named(bare)
	if !ok {
		t.Fatalf("no dtype %s", bare)
	}
	l.typed = dtype.Typed{DType: d, Ambiguous: ambiguous}
	read(t, data[1], &l.values)
	return l
}

func read(t *testing.T, data []byte, into any) {
	t.Helper()
	if err := json.Unmarshal(data, into); err != nil {
		t.Fatalf("%s: %v", data, err)
	}
}

// unpacked returns the text of a packed file of trees.
func unpacked(t *testing.T, path string) []byte {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(z)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// oracleTrees returns the leaves and the trees of one system.
func oracleTrees(t *testing.T, name string) (ls []leaf, rows []treeRow) {
	t.Helper()
	lines := bufio.NewScanner(bytes.NewReader(unpacked(t, "testdata/trees/"+name+".jsonl.gz")))
	var head struct{ Leaves [][2]json.RawMessage }
	lines.Scan()
	read(t, lines.Bytes(), &head)
	for _, data := range head.Leaves {
		ls = append(ls, oracleLeaf(t, data))
	}
	for lines.Scan() {
		var r treeRow
		read(t, lines.Bytes(), &r)
		rows = append(rows, r)
	}
	return ls, rows
}

// TestTreesAreAsMeasured fails when a row of testdata/trees has been edited.
func TestTreesAreAsMeasured(t *testing.T) {
	for name := range oracles {
		if _, err := os.Stat("testdata/trees/" + name + ".jsonl.gz"); err != nil {
			t.Error(err)
		}
	}
	asMeasured(t, "testdata/trees")
}

// asMeasured compares the packed files of dir with the checksums in SHA256SUMS.
func asMeasured(t *testing.T, dir string) {
	t.Helper()
	want, err := os.ReadFile(dir + "/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	var got strings.Builder
	files, _ := filepath.Glob(dir + "/*.jsonl.gz")
	for _, path := range files {
		fmt.Fprintf(&got, "%x  %s\n", sha256.Sum256(unpacked(t, path)), strings.TrimSuffix(filepath.Base(path), ".gz"))
	}
	if got.String() != string(want) {
		t.Errorf("%s/SHA256SUMS is not of these rows; they are\n%s", dir, got.String())
	}
}

// TestTreesAgreeWithRealSystems: random expressions have the dtype, the flag and the value
// that they have in the real library, or are refused if it refuses them.
func TestTreesAgreeWithRealSystems(t *testing.T) {
	for name := range oracles {
		t.Run(name, func(t *testing.T) {
			ls, rows := oracleTrees(t, name)
			if len(rows) < 250 {
				t.Errorf("only %d trees", len(rows))
			}
			for _, sys := range oracles[name] {
				agree(t, sys, nv.NewContext(nv.ContextOptions{Backend: "reference"}), ls, rows)
			}
		})
	}
}

// agree computes the trees of a system in c.
func agree(t *testing.T, sys *promote.System, c *nv.Context, ls []leaf, rows []treeRow) {
	t.Helper()
	g := newGrower(nil, c, sys, ls, nil)
	for ; len(rows) > 0; rows = rows[min(batch, len(rows)):] {
		part := rows[:min(batch, len(rows))]
		es := make([]*tree, len(part))
		for i, r := range part {
			es[i] = r.tree
		}
		ys, errs := g.results(way{"", c, false, false, 0}, es)
		for i, r := range part {
			if difference := r.difference(ys[i], errs[i]); difference != "" {
				t.Errorf("%s: %s of %v\n%s", sys, r.text, g.types(r.tree), difference)
			}
		}
	}
}

// difference describes how y, or err in place of it, differs from r, or returns "". The sign
// of zeros is ignored: systems differ in the initial value of a sum and in the product of a
// real factor and an imaginary part.
func (r treeRow) difference(y nv.Tensor, err string) string {
	switch {
	case err != "" && (r.typed == "" || strings.Contains(err, halfComplex)):
		return ""
	case err != "":
		return fmt.Sprintf("is %s %v, and here %s", r.typed, r.values, err)
	case r.typed == "":
		return fmt.Sprintf("is refused, and here %s", y)
	}
	if y.Typed().String() != r.typed || !reflect.DeepEqual(elements(y), r.numbers(y.DType())) {
		return fmt.Sprintf("is %s %v, and here %s", r.typed, r.values, y)
	}
	return ""
}

// elements returns the elements of y as int64, uint64, bool, float64 or
// complex128.
func elements(y nv.Tensor) any {
	switch d := y.DType(); {
	case d == dtype.I1:
		return nv.Values[bool](y)
	case d.Is(dtype.Unsigned):
		return nv.Values[uint64](y)
	case d.Is(dtype.Integral):
		return nv.Values[int64](y)
	case d.Is(dtype.Complex):
		return nv.Values[complex128](y)
	}
	return nv.Values[float64](y)
}

// numbers returns the values of r as elements does those of a tensor of d.
func (r treeRow) numbers(d dtype.DType) any {
	switch {
	case d == dtype.I1:
		return each(r.values, func(v any) bool { return v.(bool) })
	case d.Is(dtype.Unsigned):
		return each(r.values, func(v any) uint64 { n, _ := strconv.ParseUint(v.(json.Number).String(), 10, 64); return n })
	case d.Is(dtype.Integral):
		return each(r.values, func(v any) int64 { n, _ := v.(json.Number).Int64(); return n })
	case d.Is(dtype.Complex):
		return each(r.values, func(v any) complex128 { z := v.([]any); return complex(float(z[0]), float(z[1])) })
	}
	return each(r.values, float)
}

func float(v any) float64 {
	f, _ := v.(json.Number).Float64()
	return f
}

func each[T any](vs []any, f func(any) T) []T {
	ts := make([]T, len(vs))
	for i, v := range vs {
		ts[i] = f(v)
	}
	return ts
}

// TestTreesAgreeOnXLA computes a few of the trees on XLA, which takes long to compile
// programs of many operations.
func TestTreesAgreeOnXLA(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{})
	for name := range oracles {
		ls, rows := oracleTrees(t, name)
		for _, sys := range oracles[name] {
			agree(t, sys, c, ls, rows[:batch])
		}
	}
}
