package oracle

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// ivySupport answers with the dtypes that a function is declared to support.
func ivySupport(r Row) Row {
	s := new(backend.Settings)
	s.Set(r.text("backend"))
	fn := r.text("fn")
	if !ivyHasFunction(s, fn) {
		return Row{"unsupported": "no function " + fn}
	}
	sorted := func(ds []dtype.DType) []string {
		words := names(ds)
		slices.Sort(words)
		return words
	}
	return Row{"supported": sorted(s.FunctionSupported(fn)), "unsupported": sorted(s.FunctionUnsupported(fn))}
}

// ivyHasFunction reports whether something is declared of the function, or it is
// an operation: of Ivy's table, or of the library.
func ivyHasFunction(s *backend.Settings, fn string) bool {
	if _, own := ivyOwn[fn]; own || ivyLike["numpy"][fn] != "" || len(s.Rules(fn)) > 0 {
		return true
	}
	if operates(promote.Ivy, fn) {
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

// castingModes are the modes by the rows' names.
var castingModes = map[string]backend.Casting{"none": 0, "upcast": backend.Upcast, "downcast": backend.Downcast,
	"crosscast": backend.Crosscast, "cast": backend.CastAll}

// ivyCasting answers rows of a function of one dtype under a casting mode: the
// argument is cast as the mode says, and the backend computes. Ivy does not
// refuse what it declares not to support.
func ivyCasting(r Row) Row {
	name, d := r.text("backend"), dtypeOf(r.text("dtype"))
	modes, ok := castingModes[r.text("mode")]
	if !ok {
		return Row{"unsupported": "no mode " + r.text("mode")}
	}
	s := new(backend.Settings)
	s.Set(name)
	if fn := r.text("fn"); !ivyHasFunction(s, fn) {
		return Row{"unsupported": "no function " + fn}
	}
	if !ivyHas(name, d) {
		return Row{"error": "IvyException: " + name + ": default_dtype: " + name + ": as_native_dtype: Cannot convert to " + name + " dtype. " + d.Long() + " is not supported"}
	}
	s.SetCasting(modes)
	cast, err := s.CastOf(r.text("fn"), d)
	if err != nil {
		cast.To = d
	}
	if name == "torch" && modes&backend.Upcast != 0 && d.Is(dtype.Floating) && d.Bits() == 16 {
		return Row{"error": "IvyBackendException: torch: astype: torch: nested_map: the cast itself fails"}
	}
	return ivyBackend(s, r.text("fn"), cast.To)
}

// ivyLike are the functions that have no rows of their own in the tables, by
// one of the same dtypes.
var ivyLike = map[string]map[string]string{
	"numpy": {"expm1": "exp", "erf": "exp", "lcm": "gcd", "trunc": "floor", "fmin": "maximum", "argmin": "argmax", "cross": "multiply"},
	"torch": {"expm1": "exp", "erf": "exp", "lcm": "left_shift", "gcd": "left_shift", "fmin": "maximum", "argmin": "argmax", "cross": "mul"},
}

// ivyOfTwo are the functions of two arrays.
var ivyOfTwo = strings.Fields("add bitwise_and cross divide floor_divide fmin gcd hypot lcm matmul remainder")

// ivyBare are the functions whose errors Ivy does not make its own.
var ivyBare = []string{"gcd", "lcm"}

// ivyOwn are what Ivy gives of functions that it writes by others, or that its
// backends have for some floats only.
var ivyOwn = map[string]func(s *backend.Settings, d dtype.DType) (dtype.DType, error){
	"cumsum": ivySum, "prod": ivySum,
	"logaddexp2": func(s *backend.Settings, d dtype.DType) (dtype.DType, error) {
		if d.Is(dtype.Bits) {
			d = s.Default(backend.Float)
		}
		return d, nil
	},
	"det": func(_ *backend.Settings, d dtype.DType) (dtype.DType, error) {
		if d.Bits() < 32 {
			return d, &promote.Refusal{Op: "det", Kind: "NotImplementedError", Reason: "not implemented for " + d.Long()}
		}
		return d, nil
	},
}

// ivySum: a sum is of the default dtype of the kind where that is the wider.
func ivySum(s *backend.Settings, d dtype.DType) (dtype.DType, error) {
	wide := s.DefaultLike(d)
	if !s.Active().Has(wide) {
		return d, &promote.Refusal{Op: "sum", Kind: "IvyException", Reason: "Cannot convert to ivy dtype. " + wide.Long() + " is not supported"}
	}
	if wide.Bits() > d.Bits() {
		return wide, nil
	}
	return d, nil
}

// ivyBackend answers with what the active backend's function gives at d.
func ivyBackend(set *backend.Settings, fn string, d dtype.DType) Row {
	name := set.Active().Name
	if own, ok := ivyOwn[fn]; ok {
		r, err := own(set, d)
		return ivyError(name, fn, result(promote.Known(r), err))
	}
	op := fn
	if like, ok := ivyLike[name][fn]; ok {
		op = like
	}
	s := promote.NumPy
	if name == "torch" {
		s = promote.TorchExt
	}
	xs := []any{tensor(d)}
	if slices.Contains(ivyOfTwo, fn) {
		xs = append(xs, tensor(d))
	}
	answer := result(s.Operation(op, xs...))
	if answer["unsupported"] != nil {
		return Row{"unsupported": "no table has " + fn + " of " + name}
	}
	return ivyError(name, fn, answer)
}

// ivyError is the answer with the error as Ivy passes it on.
func ivyError(name, fn string, answer Row) Row {
	text, ok := answer["error"].(string)
	if !ok || slices.Contains(ivyBare, fn) || strings.HasPrefix(text, "Ivy") {
		return answer
	}
	kind := "IvyBackendException"
	if name == "torch" && strings.HasPrefix(text, "NotImplementedError") {
		kind = "IvyNotImplementedException"
	}
	_, reason, _ := strings.Cut(text, ": ")
	return Row{"error": kind + ": " + name + ": " + fn + ": " + reason}
}
