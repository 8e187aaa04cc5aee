package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// ivyAll are Ivy's fifteen dtypes, in its order.
var ivyAll = []dtype.DType{
	dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128, dtype.I1,
}

// All returns Ivy's fifteen dtypes, or those of them in the set k (dtype.Any, Numeric,
// Integral, Unsigned, Floating, Complex), in Ivy's order. The result does not depend on the
// backend.
func All(k dtype.Kind) []dtype.DType { return ivyDTypes(k, func(dtype.DType) bool { return true }) }

// ivyDTypes returns Ivy's dtypes in the set k for which keep returns true.
func ivyDTypes(k dtype.Kind, keep func(dtype.DType) bool) []dtype.DType {
	ds := []dtype.DType{}
	for _, d := range ivyAll {
		if d.Is(k) && keep(d) {
			ds = append(ds, d)
		}
	}
	return ds
}

// classes are the sets of dtypes that DTypes and rules can name.
var classes = map[string]dtype.Kind{
	"valid": dtype.Any, "numeric": dtype.Numeric, "float": dtype.Floating,
	"integer": dtype.Integral, "unsigned": dtype.Unsigned, "complex": dtype.Complex,
}

// DTypes returns the dtypes with the given names, in Ivy's order. A name is a dtype in any spelling, or a
// class: valid, numeric, float, integer (signed and unsigned), unsigned, complex. DTypes panics with a
// *dtype.Error for other names.
func DTypes(names ...string) []dtype.DType {
	ds, err := parseDTypes(names)
	if err != nil {
		panic(err)
	}
	return ds
}

// parseDTypes is DTypes, but returns an error instead of panicking.
func parseDTypes(names []string) ([]dtype.DType, error) {
	found := map[dtype.DType]bool{}
	for _, name := range names {
		if k, ok := classes[name]; ok {
			for _, d := range All(k) {
				found[d] = true
			}
			continue
		}
		d, err := dtype.Parse(name)
		if err != nil || !slices.Contains(ivyAll, d) {
			return nil, &dtype.Error{Op: "backend.DTypes", Operands: fmt.Sprintf("%q", name),
				Reason: "neither one of Ivy's dtypes nor a class of them",
				Hint:   "classes are " + strings.Join(slices.Sorted(maps.Keys(classes)), ", ")}
		}
		found[d] = true
	}
	return ivyDTypes(dtype.Any, func(d dtype.DType) bool { return found[d] }), nil
}

// without returns Ivy's dtypes that are not in ds.
func without(ds []dtype.DType) []dtype.DType {
	return ivyDTypes(dtype.Any, func(d dtype.DType) bool { return !slices.Contains(ds, d) })
}

// union returns the dtypes that are in any of the sets, in Ivy's order.
func union(sets ...[]dtype.DType) []dtype.DType {
	return ivyDTypes(dtype.Any, func(d dtype.DType) bool {
		return slices.ContainsFunc(sets, func(ds []dtype.DType) bool { return slices.Contains(ds, d) })
	})
}
