package ops_test

import (
	"context"
	"fmt"
	"hash/crc32"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/ops/opstest"
	"github.com/goanvil/notebook/anvil/reference"
	"github.com/goanvil/notebook/anvil/shape"
)

// TestNarrowNumbers compares operations on all numbers of at most 8 bits, and on all pairs of
// them, with ml_dtypes and Python (testdata/narrow.py): in the reference, with flushing as in
// package host, and in XLA.
func TestNarrowNumbers(t *testing.T) {
	points, sums := narrowPoints(t)
	client := newClient(t)
	inBatches(points, func(batch []point) {
		g, args := program(batch)
		evaluated, err := reference.Run(context.Background(), g, args)
		if err != nil {
			t.Error(err)
			return
		}
		flushing, err := reference.RunFlushing(context.Background(), g, args)
		if err != nil {
			t.Error(err)
			return
		}
		compiled, err := runXLA(client, g, args, nil)
		if err != nil {
			t.Error(err)
			return
		}
		for i, p := range batch {
			for way, got := range map[string]array.Array{"reference": evaluated[i], "host": flushing[i], "XLA": compiled[i]} {
				if sum := narrowSum(got); sum != sums[p.sample.Name] {
					t.Errorf("%s: %s: %s, want %s", way, p.sample.Name, sum, sums[p.sample.Name])
				}
			}
		}
	})
}

// relations has the names of the directions of comparison, in order.
var relations = []string{"EQ", "NE", "LT", "LE", "GT", "GE"}

// narrowPoints returns the operations of testdata/narrow.txt, and the checksums of their
// results by name.
func narrowPoints(t *testing.T) (points []point, sums map[string]string) {
	text, err := os.ReadFile("testdata/narrow.txt")
	if err != nil {
		t.Fatal(err)
	}
	defs, sums := map[string]*ops.Def{}, map[string]string{}
	for _, d := range ops.All() {
		defs[d.Name] = d
	}
	for line := range strings.Lines(string(text)) {
		words := strings.Fields(line)
		d, _ := dtype.Parse(words[1])
		name, attrs := words[0], any(nil)
		switch {
		case name == "Convert":
			to, _ := dtype.Parse(words[2])
			attrs = ir.DTypeAttrs{DType: to}
		case defs[name] == nil:
			name, attrs = "Compare", ir.CompareAttrs{Direction: ir.Direction(slices.Index(relations, words[0]))}
		}
		p := point{def: defs[name], dtype: d, sample: opstest.Sample{Name: strings.Join(words[:len(words)-1], " "), Attrs: attrs}}
		p.sample.Args = narrowOperands(d, len(p.def.Params))
		if p.types, err = ops.Infer(p.def.Code, attrs, nil, argTypes(p.sample.Args)...); err != nil {
			t.Fatal(line, err)
		}
		points, sums[p.sample.Name] = append(points, p), words[len(words)-1]
	}
	return points, sums
}

// narrowOperands returns n operands: all numbers of d, or all pairs of them if n is 2.
func narrowOperands(d dtype.DType, n int) []array.Array {
	numbers := 1 << d.Bits()
	size := numbers
	if n == 2 {
		size *= numbers
	}
	args := make([]array.Array, n)
	for k := range args {
		args[k] = array.New(shape.Of(d, size))
		for i := range size {
			at := i % numbers
			if n == 2 && k == 0 {
				at = i / numbers
			}
			args[k].Data[i] = byte(at)
			if d.Bits() < 8 && d.Is(dtype.Signed) { // sign-extended, as in host form
				args[k].Data[i] = byte(int8(at<<(8-d.Bits())) >> (8 - d.Bits()))
			}
		}
	}
	return args
}

// narrowSum returns the checksum of a result, with every NaN taken as 255.
func narrowSum(a array.Array) string {
	data := make([]byte, len(a.Data))
	d := a.DType()
	for i, b := range a.Data {
		data[i] = b & (1<<d.Bits() - 1)
		if d.Is(dtype.Floating) {
			if f := dtype.GetFloat(a.Data[i:], d); f != f {
				data[i] = 255
			}
		}
	}
	return fmt.Sprintf("%08x", crc32.ChecksumIEEE(data))
}
