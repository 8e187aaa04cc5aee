package dtype_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

// TestLongNames checks the constants with long names.
func TestLongNames(t *testing.T) {
	for name, d := range map[string]dtype.DType{
		"bool": dtype.Bool, "int2": dtype.Int2, "int4": dtype.Int4, "int8": dtype.Int8, "int16": dtype.Int16,
		"int32": dtype.Int32, "int64": dtype.Int64, "uint2": dtype.Uint2, "uint4": dtype.Uint4, "uint8": dtype.Uint8,
		"uint16": dtype.Uint16, "uint32": dtype.Uint32, "uint64": dtype.Uint64, "bfloat16": dtype.BFloat16,
		"float16": dtype.Float16, "float32": dtype.Float32, "float64": dtype.Float64, "complex64": dtype.Complex64,
		"complex128": dtype.Complex128,
	} {
		if d.Long() != name {
			t.Errorf("the constant for %s is %v", name, d)
		}
	}
}

// TestNames checks the spellings of each dtype, which follow from its class and its bits.
func TestNames(t *testing.T) {
	for _, d := range dtype.All() {
		bits := strconv.Itoa(d.Bits())
		var long, mlir string
		switch d.Kind() {
		case dtype.Boolean:
			long, mlir = "bool", "i1"
		case dtype.Signed:
			long, mlir = "int"+bits, "i"+bits
		case dtype.Unsigned:
			long, mlir = "uint"+bits, "ui"+bits
		case dtype.Complex:
			long, mlir = "complex"+bits, "complex<f"+strconv.Itoa(d.Bits()/2)+">"
		default:
			long, mlir = "float"+bits, "f"+bits
			if d == dtype.BF16 {
				long, mlir = "bfloat16", "bf16"
			}
			if format, ok := strings.CutPrefix(d.String(), "f"+bits+"e"); ok {
				long, mlir = long+"_e"+format, mlir+strings.ToUpper("e"+format)
			}
		}
		if d.Long() != long || d.MLIR() != mlir {
			t.Errorf("%v is %s and %s, want %s and %s", d, d.Long(), d.MLIR(), long, mlir)
		}
		if name := strings.ToLower(mlir); d.Kind() != dtype.Complex && d.String() != name {
			t.Errorf("%s is called %v", name, d)
		}
		if d.Kind() == dtype.Complex && d.String() != "c"+bits {
			t.Errorf("%s is called %v", long, d)
		}
		if got, err := dtype.Parse(long); err != nil || got != d {
			t.Errorf("%s is parsed as %v, %v", long, got, err)
		}
	}
}

func TestCategoryNames(t *testing.T) {
	for i, want := range []string{"none", "boolean", "integral", "floating", "complex", "complex"} {
		if got := dtype.Category(i).String(); got != want {
			t.Errorf("category %d is %s, want %s", i, got, want)
		}
	}
}
