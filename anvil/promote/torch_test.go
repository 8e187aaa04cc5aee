package promote_test

import (
	"errors"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// named returns the dtype with that name, which may be one that only PyTorch has.
func named(t *testing.T, name string) dtype.DType {
	t.Helper()
	d, ok := promote.Named(name)
	if !ok {
		t.Fatal(name)
	}
	return d
}

// TestTorchAgainstItsTable checks that Promote agrees with PyTorch's table of thirteen
// dtypes, and is symmetric and associative.
func TestTorchAgainstItsTable(t *testing.T) {
	data, err := os.ReadFile("testdata/torch_table.txt")
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	eachCell(string(data), func(row, col, want string) {
		cells++
		if got := promote.Torch.Promote(named(t, row), named(t, col)); got != named(t, want) {
			t.Errorf("%s with %s: %s, want %s", row, col, got, want)
		}
	})
	if cells != 169 {
		t.Error(cells, "cells")
	}
	p, all := promote.Torch.Promote, promote.Torch.DTypes()
	for _, a := range all {
		for _, b := range all {
			for _, c := range all {
				if p(a, b) != p(b, a) || p(p(a, b), c) != p(a, p(b, c)) {
					t.Error(a, b, c)
				}
			}
		}
	}
}

// TestCombineCategories checks each rule of combine_categories, and classes without operands.
func TestCombineCategories(t *testing.T) {
	for _, c := range [][3]string{{"c64", "f64", "c64"}, {"f64", "c64", "c128"}, {"f16", "c64", "c32"}, {"bf16", "c128", "c64"},
		{"i32", "c64", "c64"}, {"f16", "f64", "f16"}, {"i1", "i64", "i64"}, {"i32", "f32", "f32"}, {"i64", "f16", "f16"},
		{"i32", "i64", "i32"}, {"ui8", "i8", "ui8"}, {"i8", "i1", "i8"}} {
		if got := promote.CombineCategories(named(t, c[0]), named(t, c[1])); got != named(t, c[2]) {
			t.Errorf("%s over %s: %s, want %s", c[0], c[1], got, c[2])
		}
	}
	for _, d := range promote.Torch.DTypes() {
		if promote.CombineCategories(dtype.Invalid, d) != d || promote.CombineCategories(d, dtype.Invalid) != d {
			t.Error(d, "changes beside a class without operands")
		}
		if promote.Torch.Promote(dtype.Invalid, d) != dtype.Invalid {
			t.Error(d, "promoted with Invalid is not Invalid")
		}
	}
	if s := promote.Categories(); len(s.Cells) != 13 || s.Cells[5][7].Result.DType != dtype.F16 || !strings.HasPrefix(s.Caption(), "combine_categories") {
		t.Error(s.Caption(), s.Cells[5][7])
	}
}

// TestTorchStates checks the classes of operands: the rank decides first, and then whether an
// operand is a number. Undefined operands are skipped.
func TestTorchStates(t *testing.T) {
	rules, ok := promote.Torch.Torch()
	if _, other := promote.JAX.Torch(); !ok || other {
		t.Fatal("rules of PyTorch")
	}
	known := func(d dtype.DType, rank int) promote.Operand {
		return promote.Operand{Typed: promote.Known(d), Rank: rank}
	}
	ranked := promote.Wrap(5)
	ranked.Rank = 1
	for _, c := range []struct {
		xs   []promote.Operand
		want string
	}{
		{[]promote.Operand{known(dtype.I32, 1), known(dtype.F64, 0), promote.Wrap(5)}, "dim i32, zero f64, wrapped i64"},
		{[]promote.Operand{promote.Wrap(5.5), promote.Wrap(true)}, "dim -, zero -, wrapped f32"},
		{[]promote.Operand{promote.Wrap(1i)}, "dim -, zero -, wrapped c64"},
		{[]promote.Operand{promote.Undefined, known(dtype.I8, 2), known(dtype.U8, 1)}, "dim i16, zero -, wrapped -"},
		{[]promote.Operand{ranked}, "dim i64, zero -, wrapped -"},
		{[]promote.Operand{promote.Wrap(int8(5))}, "dim -, zero i8, wrapped -"}, // a sized number has a dtype
	} {
		var s promote.TorchState
		for _, x := range c.xs {
			var err error
			if s, _, err = rules.Update(s, x); err != nil {
				t.Fatal(err)
			}
		}
		if s.String() != c.want {
			t.Errorf("%v: %s, want %s", c.xs, s, c.want)
		}
	}
}

// TestWithDefault checks that float numbers and quotients of integers have the default dtype,
// and that systems of other libraries have none.
func TestWithDefault(t *testing.T) {
	s := promote.Torch.WithDefault(dtype.F64)
	for want, got := range map[dtype.DType]dtype.Typed{dtype.F64: s.Result(dtype.I32, 5.5), dtype.C128: s.Result(dtype.I32, 1i), dtype.F16: s.Result(dtype.F16, 5.5)} {
		if got.DType != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if d, err := s.Operation("true_divide", dtype.I32, 5); d.DType != dtype.F64 || err != nil {
		t.Error(d, err)
	}
	if back := s.WithDefault(dtype.F32); back.Name() != "torch" || s.Name() != "torch default f64" {
		t.Error(s, back)
	}
	for _, f := range []func(){func() { promote.Torch.WithDefault(dtype.I32) }, func() { promote.Anvil.WithDefault(dtype.F64) }} {
		func() {
			defer func() {
				if _, ok := recover().(*dtype.Error); !ok {
					t.Error("no error")
				}
			}()
			f()
		}()
	}
}

// TestTorchIsStrict checks that Torch refuses dtypes beyond the thirteen, which TorchExt has.
func TestTorchIsStrict(t *testing.T) {
	for _, xs := range [][]any{{dtype.U16, dtype.I32}, {dtype.U16, dtype.U16}, {dtype.U32, 5}, {dtype.F8E5M2, 1.5}} {
		var no *promote.Refusal
		if e := promote.Torch.Explain(xs...); !errors.As(e.Err, &no) || !strings.Contains(no.Reason, "promote.TorchExt") {
			t.Errorf("%v: %v", xs, e.Err)
		}
	}
	if got := promote.TorchExt.Result(dtype.U16, 5); got.DType != dtype.U16 {
		t.Error(got)
	}
	if e := promote.TorchExt.Explain(dtype.U16, dtype.I32); e.Err == nil {
		t.Error(e)
	}
	if e := promote.Torch.Explain(promote.Undefined, promote.Undefined); e.Err == nil {
		t.Error(e)
	}
}

// TestPowersOfTypedNumbers checks that only a number without a dtype makes a trivial power, which every dtype allows.
func TestPowersOfTypedNumbers(t *testing.T) {
	if got, err := promote.TorchExt.Operation("pow", dtype.U16, uint16(3)); err == nil {
		t.Errorf("ui16 to the power of a ui16 is %v, want an error", got)
	}
	if got, err := promote.TorchExt.Operation("pow", dtype.U16, 0); err != nil {
		t.Errorf("ui16 to the power of 0 is %v, %v", got, err)
	}
}

// TestLeastIntOverflows: an unsigned dtype takes the negatives of its numbers, so that the least int fits ui64.
func TestLeastIntOverflows(t *testing.T) {
	for d, want := range map[dtype.DType]string{dtype.I8: "int8_t", dtype.I32: "int", dtype.U8: "uint8_t"} {
		e := promote.TorchExt.ExplainOperation("where", d, math.MinInt)
		if e.Err == nil || !strings.Contains(e.Err.Error(), "cannot be converted to type "+want+" without overflow") {
			t.Errorf("%s: %v", d, e.Err)
		}
	}
	for _, d := range []dtype.DType{dtype.I64, dtype.U64} {
		if e := promote.TorchExt.ExplainOperation("where", d, math.MinInt); e.Err != nil {
			t.Errorf("%s: %v", d, e.Err)
		}
	}
}
