package dtype_test

import (
	"fmt"
	"math"
	"reflect"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TestErrorSentences checks what the errors of this package say.
func TestErrorSentences(t *testing.T) {
	type named int8
	fit := func(v any, d dtype.DType) func() error {
		return func() error { _, err := dtype.Fit(v, d); return err }
	}
	literal := func(v any) func() error {
		return func() error { _, err := dtype.OfLiteral(v); return err }
	}
	panics := func(f func()) func() error {
		return func() (err error) {
			defer func() { err, _ = recover().(error) }()
			f()
			return nil
		}
	}
	for i, row := range []struct {
		f    func() error
		want string
	}{
		{fit(300, dtype.I8), "dtype.Fit(300, i8): the number does not fit i8, which holds -128 to 127; use a wider dtype, or wrap on purpose with AsType"},
		{fit(-1, dtype.U8), "dtype.Fit(-1, ui8): the number does not fit ui8, which holds 0 to 255; use a wider dtype, or wrap on purpose with AsType"},
		{fit(2, dtype.I1), "dtype.Fit(2, i1): the number does not fit i1, which holds 0 to 1; write x.Ne(0), or AsType(nv.I1), which is true for every number but 0"},
		{fit(2.5, dtype.I32), "dtype.Fit(2.5, i32): a fraction does not fit i32; round it first, or make it a float tensor and convert the tensor with AsType, which truncates"},
		{fit(1e30, dtype.I32), "dtype.Fit(1e+30, i32): the number does not fit i32, which holds -2147483648 to 2147483647; make it a float tensor and convert the tensor with AsType, which saturates, and gives 0 for nan"},
		{fit(math.NaN(), dtype.I32), "dtype.Fit(NaN, i32): NaN does not fit i32; make it a float tensor and convert the tensor with AsType, which saturates, and gives 0 for nan"},
		{fit(math.Inf(-1), dtype.U8), "dtype.Fit(-Inf, ui8): -Inf does not fit ui8; make it a float tensor and convert the tensor with AsType, which saturates, and gives 0 for nan"},
		{fit(1e39, dtype.F32), "dtype.Fit(1e+39, f32): the number does not fit f32, which holds up to 3.4028235e+38; use a wider float"},
		{fit(100000, dtype.F16), "dtype.Fit(100000, f16): the number does not fit f16, which holds up to 65504; use a wider float"},
		{fit(8.0, dtype.F4E2M1FN), "dtype.Fit(8, f4e2m1fn): the number does not fit f4e2m1fn, which holds up to 6; use a wider float"},
		{fit(1i, dtype.F32), "dtype.Fit((0+1i), f32): a complex number does not fit f32; convert the other operand to c64 or c128"},
		{fit(1i, dtype.I32), "dtype.Fit((0+1i), i32): a complex number does not fit i32; convert the other operand to c64 or c128"},
		{fit(complex(1e39, 0), dtype.C64), "dtype.Fit((1e+39+0i), c64): the number does not fit c64, which holds up to 3.4028235e+38; use a wider float"},
		{fit(complex(0, 1e39), dtype.C64), "dtype.Fit((0+1e+39i), c64): the number does not fit c64, which holds up to 3.4028235e+38; use a wider float"},
		{fit(1<<40, dtype.I32), "dtype.Fit(1099511627776, i32): the number does not fit i32, which holds -2147483648 to 2147483647; say the dtype: nv.Scalar(v, nv.I64) or int64(v)"},
		{fit(uint64(1<<63), dtype.I64), "dtype.Fit(9223372036854775808, i64): the number does not fit i64, which holds -9223372036854775808 to 9223372036854775807; use a wider dtype, or wrap on purpose with AsType"},
		{fit("1", dtype.F32), "dtype.Cast(string, f32): not a bool or a number; give a value of one of Go's number types"},
		{fit(-1, dtype.F8E8M0FNU), "dtype.Fit(-1, f8e8m0fnu): the number does not fit f8e8m0fnu, which holds only positive numbers; use a float dtype that has a sign"},
		{fit(1, dtype.Invalid), "dtype.Cast(invalid): not a dtype; the dtypes are i1 i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64 f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu bf16 f16 f32 f64 c64 c128"},
		{literal("a"), "dtype.OfLiteral(string): not a number; operands are tensors, bools and numbers"},
		{literal(nil), "dtype.OfLiteral(<nil>): not a number; operands are tensors, bools and numbers"},
		{literal([]int{1}), "dtype.OfLiteral([]int): not a number; operands are tensors, bools and numbers; nv.New makes a tensor of a slice of numbers"},
		{literal([2]int{1}), "dtype.OfLiteral([2]int): not a number; operands are tensors, bools and numbers; nv.New makes a tensor of a slice of numbers"},
		{literal(named(1)), "dtype.OfLiteral(dtype_test.named): a value of a named type has no dtype by itself; convert it: int8(v)"},
		{literal(time.Second), "dtype.OfLiteral(time.Duration): a value of a named type has no dtype by itself; convert it: int64(v)"},
		{func() error { _, err := dtype.Cast("a", dtype.F32); return err }, "dtype.Cast(string, f32): not a bool or a number; give a value of one of Go's number types"},
		{func() error { _, err := dtype.Cast(1, dtype.Invalid); return err }, "dtype.Cast(invalid): not a dtype; the dtypes are i1 i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64 f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu bf16 f16 f32 f64 c64 c128"},
		{func() error { _, err := dtype.Append(nil, dtype.I8, "a"); return err }, "dtype.Cast(string, i8): not a bool or a number; give a value of one of Go's number types"},
		{func() error { return dtype.Put(make([]byte, 8), dtype.Invalid, 1) }, "dtype.Cast(invalid): not a dtype; the dtypes are i1 i2 i4 i8 i16 i32 i64 ui2 ui4 ui8 ui16 ui32 ui64 f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu bf16 f16 f32 f64 c64 c128"},
		{func() error { _, err := dtype.Parse("float31"); return err }, "dtype.Parse(\"float31\"): no dtype has this name; the common names are i1, i8 … i64, ui8 … ui64, bf16, f16, f32, f64, c64, c128"},
		{panics(func() { dtype.MustParse("") }), "dtype.Parse(\"\"): no dtype has this name; the common names are i1, i8 … i64, ui8 … ui64, bf16, f16, f32, f64, c64, c128"},
		{panics(func() { dtype.Encode(dtype.I8, 1) }), "dtype.Encode(i8): not a float dtype; floats are f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu bf16 f16 f32 f64"},
		{panics(func() { dtype.Decode(dtype.C64, 1) }), "dtype.Decode(c64): not a float dtype; floats are f4e2m1fn f8e3m4 f8e4m3 f8e4m3b11fnuz f8e4m3fn f8e4m3fnuz f8e5m2 f8e5m2fnuz f8e8m0fnu bf16 f16 f32 f64"},
	} {
		if got := fmt.Sprint(row.f()); got != row.want {
			t.Errorf("row %d: %s, want %s", i, got, row.want)
		}
	}
}

// TestOfGoTypes checks the dtypes of Go's types, and of literals of them.
func TestOfGoTypes(t *testing.T) {
	type named uint16
	for _, row := range []struct {
		v              any
		dtype, literal string
	}{
		{true, "i1", "i1"}, {1, "i64", "i32?"}, {int8(1), "i8", "i8"}, {int16(1), "i16", "i16"}, {int32(1), "i32", "i32"},
		{int64(1), "i64", "i64"}, {uint(1), "ui64", "ui64"}, {uint8(1), "ui8", "ui8"}, {uint16(1), "ui16", "ui16"},
		{uint32(1), "ui32", "ui32"}, {uint64(1), "ui64", "ui64"}, {float32(1), "f32", "f32"}, {1.0, "f64", "f32?"},
		{complex64(1), "c64", "c64"}, {1i, "c128", "c64?"}, {named(1), "ui16", ""}, {"a", "", ""}, {nil, "", ""}, {[]int{}, "", ""},
	} {
		d, ok := dtype.Of(row.v)
		if ok != (row.dtype != "") || ok && d.String() != row.dtype || !ok && d != dtype.Invalid {
			t.Errorf("Of(%T) is %v, %v", row.v, d, ok)
		}
		lit, err := dtype.OfLiteral(row.v)
		if (err == nil) != (row.literal != "") || err == nil && lit.String() != row.literal {
			t.Errorf("OfLiteral(%T) is %v, %v", row.v, lit, err)
		}
	}
	for d, want := range map[dtype.DType]string{dtype.I1: "bool", dtype.I2: "int8", dtype.U4: "uint8", dtype.I16: "int16", dtype.U16: "uint16",
		dtype.I32: "int32", dtype.U32: "uint32", dtype.I64: "int64", dtype.U64: "uint64", dtype.BF16: "float32", dtype.F32: "float32",
		dtype.F64: "float64", dtype.C64: "complex64", dtype.C128: "complex128"} {
		if got := d.GoType().String(); got != want {
			t.Errorf("the Go type of %s is %s", d, got)
		}
	}
	if d, ok := dtype.OfType(reflect.TypeFor[named]()); d != dtype.U16 || !ok {
		t.Error(d, ok)
	}
}

// TestRanges checks the ranges and the categories of dtypes.
func TestRanges(t *testing.T) {
	for d, want := range map[dtype.DType]string{
		dtype.I1: "0 to 1, boolean", dtype.I2: "-2 to 1, integral", dtype.U2: "0 to 3, integral", dtype.I8: "-128 to 127, integral",
		dtype.U16: "0 to 65535, integral", dtype.I64: "-9223372036854775808 to 9223372036854775807, integral",
		dtype.U64: "0 to 18446744073709551615, integral", dtype.F16: "65504, floating", dtype.BF16: "3.3895314e+38, floating",
		dtype.F32: "3.4028235e+38, floating", dtype.F64: "1.7976931348623157e+308, floating", dtype.C64: "3.4028235e+38, complex",
		dtype.C128: "1.7976931348623157e+308, complex", dtype.F8E5M2: "57344, floating", dtype.F8E4M3FN: "448, floating",
		dtype.F4E2M1FN: "6, floating", dtype.Invalid: "nothing, none",
	} {
		if got := d.Range() + ", " + dtype.CategoryOf(d).String(); got != want {
			t.Errorf("%s: %s, want %s", d, got, want)
		}
	}
	if got := dtype.Category(9).String(); got != "complex" {
		t.Error(got)
	}
	for d, want := range map[dtype.DType]float64{dtype.F64: math.MaxFloat64, dtype.F32: math.MaxFloat32, dtype.F16: 65504} {
		if got := dtype.Largest(d); got != want {
			t.Errorf("the largest %s is %v", d, got)
		}
	}
}

// TestApply checks that a dtype is an option that sets the dtype.
func TestApply(t *testing.T) {
	var o dtype.Options
	if dtype.F16.Apply(&o); o.DType != dtype.F16 {
		t.Error(o)
	}
	foreign := dtype.Foreign()
	for _, d := range append(dtype.All(), foreign...) {
		isForeign := false
		for _, f := range foreign {
			isForeign = isForeign || f == d
		}
		if d.IsForeign() != isForeign || d.Valid() == isForeign || d.String() == "" {
			t.Errorf("%d: %s, foreign %v", d, d, d.IsForeign())
		}
	}
	if len(foreign) == 0 || dtype.Invalid.IsForeign() || dtype.DType(255).String() != dtype.Invalid.String() {
		t.Error(foreign)
	}
}
