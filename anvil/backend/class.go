package backend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// classes are the names that stand for several dtypes in declarations.
var classes = map[string]dtype.Kind{
	"valid": dtype.Any, "numeric": dtype.Numeric, "float": dtype.Floating,
	"integer": dtype.Integral, "unsigned": dtype.Unsigned, "complex": dtype.Complex,
}

// DTypes returns the dtypes that names stand for, in Ivy's order: names of
// dtypes in any spelling, and of classes: valid, numeric, float, integer (which
// has the unsigned), unsigned, complex. It panics with a *dtype.Error where a
// name is neither.
func DTypes(names ...string) []dtype.DType {
	ds, err := parseDTypes(names)
	if err != nil {
		panic(err)
	}
	return ds
}

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
		if err != nil || !slices.Contains(all, d) {
			return nil, &dtype.Error{Op: "backend.DTypes", Operands: fmt.Sprintf("%q", name), Reason: "neither one of Ivy's dtypes nor a class of them",
				Hint: "classes are " + strings.Join(slices.Sorted(maps.Keys(classes)), ", ")}
		}
		found[d] = true
	}
	return among(dtype.Any, func(d dtype.DType) bool { return found[d] }), nil
}

// without returns those of Ivy's dtypes that are not in ds.
func without(ds []dtype.DType) []dtype.DType {
	return among(dtype.Any, func(d dtype.DType) bool { return !slices.Contains(ds, d) })
}

// union returns the dtypes that are in one of the sets, in Ivy's order.
func union(sets ...[]dtype.DType) []dtype.DType {
	return among(dtype.Any, func(d dtype.DType) bool {
		return slices.ContainsFunc(sets, func(ds []dtype.DType) bool { return slices.Contains(ds, d) })
	})
}
