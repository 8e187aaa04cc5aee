package main

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// ivySupport answers with the dtypes that a function is declared to support, and those
// that it is declared not to support.
func ivySupport(r row) row {
	s := new(backend.Settings)
	s.Set(r.text("backend"))
	fn := r.text("fn")
	if !ivyHasFunction(s, fn) {
		return unsupported("no function " + fn).row()
	}
	sortedNames := func(ds []dtype.DType) []string {
		names := dtypeNames(ds)
		slices.Sort(names)
		return names
	}
	return row{
		"supported":   sortedNames(s.FunctionSupported(fn)),
		"unsupported": sortedNames(s.FunctionUnsupported(fn)),
	}
}

// ivyHasFunction reports whether fn is known: it has declarations in s or an entry in this file's tables, or it is
// an operation of promote.Ivy or a method of anvil.Lib.
func ivyHasFunction(s *backend.Settings, fn string) bool {
	if _, own := ivyOwnFunctions[fn]; own || ivyBackendNames["numpy"][fn] != "" || len(s.Rules(fn)) > 0 {
		return true
	}
	if hasOperation(promote.Ivy, fn) {
		return true
	}
	methods, bare := reflect.TypeFor[*anvil.Lib](), strings.ReplaceAll(fn, "_", "")
	for i := range methods.NumMethod() {
		if strings.ToLower(methods.Method(i).Name) == bare {
			return true
		}
	}
	return false
}

// castingModes maps the names of casting modes in rows to the modes.
var castingModes = map[string]backend.Casting{"none": 0, "upcast": backend.Upcast, "downcast": backend.Downcast,
	"crosscast": backend.Crosscast, "cast": backend.CastAll}

// ivyCasting answers rows that call a function under a casting mode. The argument is cast as the mode says.
// The backend then computes, even if the dtype is declared unsupported.
func ivyCasting(r row) row {
	name, d := r.text("backend"), dtypeOf(r.text("dtype"))
	modes, ok := castingModes[r.text("mode")]
	if !ok {
		return unsupported("no mode " + r.text("mode")).row()
	}
	s := new(backend.Settings)
	s.Set(name)
	if fn := r.text("fn"); !ivyHasFunction(s, fn) {
		return unsupported("no function " + fn).row()
	}
	if !ivyHas(name, d) {
		return row{"error": "IvyException: " + name + ": default_dtype: " + name +
			": as_native_dtype: Cannot convert to " + name + " dtype. " +
			d.Long() + " is not supported by " + ivyTitles[name] + "."}
	}
	s.SetCasting(modes)
	cast, err := s.CastOf(r.text("fn"), d)
	if err != nil {
		cast.To = d
	}
	if name == "torch" && modes&backend.Upcast != 0 && d.Is(dtype.Floating) && d.Bits() == 16 {
		// In Ivy this cast calls itself endlessly; the error shows the first calls.
		return row{"error": "IvyBackendException: " +
			strings.Repeat("torch: astype: torch: nested_map: torch: nested_map: ", 5)}
	}
	if to, ok := ivyCrosscast(s, r.text("fn"), d); ok && modes&backend.Crosscast != 0 {
		cast.To = to
	}
	return ivyBackend(s, r.text("fn"), cast.To)
}

// ivyTitles are the names of backends in Ivy's errors.
var ivyTitles = map[string]string{"numpy": "NumPy", "torch": "PyTorch"}

// ivyCrosscast returns the dtype to which the released version of Ivy crosscasts d; ok is false if d is
// supported. An unsupported dtype is cast to the default float if the function supports no integer, and
// to the default integer if it supports no float or no bool. (By Ivy's documentation, which package
// backend follows, a dtype is cast only if no dtype of its own kind is supported, and bools never.)
// Source: cross_caster in ivy/func_wrapper.py.
func ivyCrosscast(s *backend.Settings, fn string, d dtype.DType) (to dtype.DType, ok bool) {
	unsupported := s.FunctionUnsupported(fn)
	supportsNo := func(k dtype.Kind) bool {
		return !slices.ContainsFunc(s.Active().Valid(k),
			func(d dtype.DType) bool { return !slices.Contains(unsupported, d) })
	}
	switch {
	case !slices.Contains(unsupported, d):
		return d, false
	case supportsNo(dtype.Integral):
		return s.Default(backend.Float), true
	case supportsNo(dtype.Floating) || supportsNo(dtype.Boolean):
		return s.Default(backend.Int), true
	}
	return d, false
}

// ivyBackendNames maps, for each backend, functions that its table of operations lacks to operations in the
// table that have the same dtypes.
var ivyBackendNames = map[string]map[string]string{
	"numpy": {"expm1": "exp", "erf": "exp", "lcm": "gcd", "trunc": "floor", "fmin": "maximum", "argmin": "argmax",
		"cross": "multiply"},
	"torch": {"expm1": "exp", "erf": "exp", "lcm": "left_shift", "gcd": "left_shift", "fmin": "maximum",
		"argmin": "argmax", "cross": "mul"},
}

// ivyBinary are the functions in rows that take two arrays.
var ivyBinary = strings.Fields("add bitwise_and cross divide floor_divide fmin gcd hypot lcm matmul remainder")

// ivyUnwrapped are the functions whose errors Ivy does not wrap.
var ivyUnwrapped = []string{"gcd", "lcm"}

// ivyOwnFunctions has the functions that Ivy composes from others, or that its backends have only for some
// floats. It maps them to functions that return the dtype of the result for arrays of dtype d.
var ivyOwnFunctions = map[string]func(s *backend.Settings, d dtype.DType) (dtype.DType, error){
	"cumsum": ivySum, "prod": ivySum,
	"logaddexp2": func(s *backend.Settings, d dtype.DType) (dtype.DType, error) {
		if d.Is(dtype.Bits) {
			d = s.Default(backend.Float)
		}
		return d, nil
	},
	"det": func(s *backend.Settings, d dtype.DType) (dtype.DType, error) {
		if d.Bits() < 32 {
			return d, &promote.Refusal{Op: "det", Kind: "NotImplementedError",
				Reason: map[string]string{"numpy": "array type " + d.Long() + " is unsupported in linalg",
					"torch": "\"lu_cpu\" not implemented for '" + promote.TorchName(d) + "'"}[s.Active().Name]}
		}
		return d, nil
	},
}

// ivySum returns the dtype of a sum of elements of dtype d: the default dtype of d's kind if that is
// wider, or else d.
func ivySum(s *backend.Settings, d dtype.DType) (dtype.DType, error) {
	wide := s.DefaultLike(d)
	if !s.Active().Has(wide) {
		name := s.Active().Name
		return d, &promote.Refusal{Op: "sum", Kind: "IvyException",
			Reason: strings.ReplaceAll("@: infer_default_dtype: @: default_uint_dtype: @: as_ivy_dtype: ", "@", name) +
				"Cannot convert to ivy dtype. " + wide.Long() + " is not supported by " + ivyTitles[name] + " backend."}
	}
	if wide.Bits() > d.Bits() {
		return wide, nil
	}
	return d, nil
}

// ivyBackend answers with the dtype of the active backend's function fn for arrays of dtype d.
func ivyBackend(set *backend.Settings, fn string, d dtype.DType) row {
	name := set.Active().Name
	if own, ok := ivyOwnFunctions[fn]; ok {
		r, err := own(set, d)
		return ivyError(name, fn, dtypeRow(promote.Known(r), err))
	}
	op := fn
	if like, ok := ivyBackendNames[name][fn]; ok {
		op = like
	}
	s := promote.NumPy
	if name == "torch" {
		s = promote.TorchExt
	}
	xs := []any{tensor(d)}
	if slices.Contains(ivyBinary, fn) {
		xs = append(xs, tensor(d))
	}
	answer := dtypeRow(s.Operation(op, xs...))
	if answer["unsupported"] != nil {
		return unsupported("no table has " + fn + " of " + name).row()
	}
	if text, failed := answer["error"].(string); failed { // the error must name fn, not op
		answer["error"] = strings.NewReplacer("'"+op+"'", "'"+fn+"'", `"lshift_cpu"`, `"`+fn+`_cpu"`).Replace(text)
	}
	return ivyError(name, fn, answer)
}

// ivyError returns answer with its error, if it has one, as Ivy words it. name is the backend.
func ivyError(name, fn string, answer row) row {
	text, ok := answer["error"].(string)
	if inner, own := strings.CutPrefix(text, "IvyException: "); own {
		return row{"error": "IvyException: " + name + ": " + fn + ": " + inner}
	}
	if !ok || slices.Contains(ivyUnwrapped, fn) {
		return answer
	}
	kind := "IvyBackendException"
	if name == "torch" && strings.HasPrefix(text, "NotImplementedError") {
		kind = "IvyNotImplementedException"
	}
	_, reason, _ := strings.Cut(text, ": ")
	return row{"error": kind + ": " + name + ": " + fn + ": " + reason}
}
