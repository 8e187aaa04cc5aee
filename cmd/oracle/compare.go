package main

import (
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// compareLists answer the rows that compare systems.
var compareLists = lists{
	"pairs":         {answer: comparePairs},
	"scalars":       {answer: compareScalars},
	"associativity": {answer: compareAssociativity},
}

// A column is one of the systems that the rows compare. Answers have a field for each.
type column struct {
	name      string
	system    *promote.System
	undefined string // the answer if there is no common dtype
	duplicate bool   // not counted in the number of different results, since another column of its framework is counted
}

var columns = []column{
	{"anvil", promote.Anvil, "error", false},
	{"jax_x32", promote.JAX, "error", true},
	{"jax_x64", promote.JAX64, "error", false},
	{"jax_strict", promote.JAXStrict64, "error", false},
	{"torch", promote.TorchExt, "error", false},
	{"numpy", promote.NumPy, "error", false},
	{"array_api", promote.ArrayAPI, "undefined", false},
	{"ivy_precise", promote.IvyPrecise, "error", true},
	{"ivy_nonprecise", promote.IvyFast, "error", false},
	{"tf_off", promote.TensorFlow, "error", false},
	{"tf_legacy", promote.TensorFlowLegacy, "error", false},
	{"tf_all", promote.TensorFlowAll, "error", false},
	{"tf_safe", promote.TensorFlowSafe, "error", false},
	{"mlx", promote.MLX, "error", false},
	{"polars_add", promote.Polars, "error", true},
	{"polars_supertype", promote.PolarsSupertype, "error", false},
	{"pyarrow_add", promote.Arrow, "error", false},
	{"pyarrow_unify", promote.ArrowUnify, "error", false},
	{"julia", promote.Julia, "error", false},
}

// isJAX reports whether the column is one of JAX's. For pairs of dtypes these columns have the results of
// promote_types, which knows the 64-bit dtypes even if they are not enabled; for a tensor and a number, those of
// result_type.
func (c column) isJAX() bool { return strings.HasPrefix(c.name, "jax") }

// isIvy reports whether the column is one of Ivy's, on its backend NumPy.
func (c column) isIvy() bool { return strings.HasPrefix(c.name, "ivy") }

// has reports whether the column's system has all of ds.
func (c column) has(ds ...dtype.DType) bool {
	known := c.system.DTypes()
	switch {
	case c.isJAX():
		known = promote.JAX64.DTypes()
	case c.system == promote.NumPy:
		known = append(known, dtype.BF16) // by ml_dtypes
	}
	for _, d := range ds {
		if !slices.Contains(known, d) {
			return false
		}
	}
	return true
}

// join returns the common dtype of two arrays.
func (c column) join(a, b dtype.DType) (dtype.Typed, error) {
	if c.isJAX() {
		d, err := promote.JAXPromoteTypes(c.system, a, b)
		return promote.Known(d), err
	}
	return c.system.Join(tensor(a), tensor(b))
}

// answer returns the name of t, or if there is an error, the column's word for an undefined result.
func (c column) answer(t dtype.Typed, err error) string {
	if err != nil {
		return c.undefined
	}
	return t.String()
}

// comparePairs answers with the common dtype of a and b in each column, and the number of different dtypes.
func comparePairs(r row) row {
	a, b := dtypeOf(r.text("a")), dtypeOf(r.text("b"))
	answer, distinct := row{}, map[string]bool{}
	for _, c := range columns {
		if !c.has(a, b) {
			continue
		}
		t, err := c.join(a, b)
		answer[c.name] = c.answer(t, err)
		if err == nil && !c.duplicate {
			distinct[t.DType.String()] = true
		}
	}
	answer["distinct"] = len(distinct)
	return answer
}

// scalarColumns are the columns in the answers to rows that combine a tensor and a number. PyTorch has two: one for a
// tensor with dimensions and one for a zero-dimensional tensor.
var scalarColumns = func() []column {
	var cs []column
	for _, c := range columns {
		switch c.name {
		case "polars_add":
			c.name = "polars"
		case "torch":
			c.name = "torch_dim"
			cs = append(cs, c)
			c.name = "torch_zero"
		case "polars_supertype", "pyarrow_add", "pyarrow_unify", "julia":
			continue
		}
		cs = append(cs, c)
	}
	return cs
}()

// compareScalars answers with the common dtype of a tensor and a number in each column.
func compareScalars(r row) row {
	answer := row{}
	number, ok := pythonValues[r.text("b")]
	if !ok {
		return unsupported("no number " + r.text("b")).row()
	}
	_, isComplex := number.(complex128)
	for _, c := range scalarColumns {
		x := tensor(dtypeOf(r.text("a")))
		if !c.has(x.DType) || isComplex && !hasComplex(c.system) || c.isIvy() && !ivyHas("numpy", x.DType) {
			continue
		}
		if c.name == "torch_zero" {
			x.Rank = 0
		}
		answer[c.name] = c.answer(c.joinNumber(x, number))
	}
	if len(answer) == 0 {
		return unsupported("no column has the dtype").row()
	}
	return answer
}

// joinNumber returns the common dtype of a tensor and a number.
func (c column) joinNumber(x promote.Operand, number any) (dtype.Typed, error) {
	if c.isJAX() {
		return promote.JAXResultType(c.system, x, number)
	}
	// These columns have the dtypes of sums, which are not defined for all operands that have a common dtype.
	if strings.HasPrefix(c.name, "tf_") || c.name == "polars" {
		return c.system.Operation("add", x, number)
	}
	n, err := c.system.Operand(number)
	if err != nil {
		return dtype.Typed{}, err
	}
	return c.system.Join(x, n)
}

func hasComplex(s *promote.System) bool {
	for _, d := range s.DTypes() {
		if d.Is(dtype.Complex) {
			return true
		}
	}
	return false
}

// associativityRows maps the field system of a row about associativity to the columns and dtypes that the
// row is about, where those are not commonDTypes.
var associativityRows = map[string]struct {
	columns    []string
	dtypes     []dtype.DType
	valuesOnly bool // ignore triples whose orders give either one dtype or an error
}{
	"jax (pairwise fold, incl. f8/int4)": {[]string{"jax_x64"}, jaxDTypes(), false},
	"torch (value conflicts)":            {[]string{"torch"}, torchDTypes, true},
	"torch (incl. uint16+ errors)":       {[]string{"torch"}, torchDTypes, false},
	"numpy":                              {[]string{"numpy"}, numpyDTypes, false},
	"array_api":                          {[]string{"array_api"}, promote.ArrayAPI.DTypes(), false},
	"ivy precise+nonprecise":             {[]string{"ivy_precise", "ivy_nonprecise"}, promote.Ivy.DTypes(), false},
}

var (
	// torchDTypes are the dtypes of PyTorch's documentation and the wider unsigned integers.
	torchDTypes = append(promote.Torch.DTypes(), dtype.U16, dtype.U32, dtype.U64)
	// numpyDTypes include NumPy's long doubles, which no tensor can have.
	numpyDTypes = append(promote.NumPy.DTypes(), dtype.F80, dtype.C160)
)

// jaxDTypes returns the dtypes in JAX's lattice that are not foreign.
func jaxDTypes() (ds []dtype.DType) {
	for _, node := range promote.JAX64.Lattice().Nodes() {
		if d, ok := promote.Named(node); ok && !d.IsForeign() {
			ds = append(ds, d)
		}
	}
	return ds
}

// compareAssociativity answers with the number of triples whose order matters.
func compareAssociativity(r row) row {
	switch over := r.text("over"); over {
	case "":
	case "15 common dtypes":
		return auditCommon(r.text("system"))
	default:
		return unsupported("no dtypes " + over).row()
	}
	if r.text("system") == "anvil" { // known and ambiguous dtypes, also repeated in a triple
		f := promote.AuditStates(promote.Anvil, knownAndAmbiguous(promote.Anvil.DTypes())...)
		return row{"order_dependent_triples": len(f.Dependent) + len(f.Repeated), "of": f.Triples + f.Repeats}
	}
	audit, ok := associativityRows[r.text("system")]
	if !ok {
		return unsupported("no audit of " + r.text("system")).row()
	}
	dependent, triples := 0, 0
	for _, c := range columns {
		if !slices.Contains(audit.columns, c.name) {
			continue
		}
		f := promote.AuditJoin(c.name, c.joinKnown, knownTypes(audit.dtypes)...)
		triples += f.Triples
		for _, t := range f.Dependent {
			if !audit.valuesOnly || hasDifferentDTypes(t) {
				dependent++
			}
		}
	}
	return row{"order_dependent_triples": dependent, "of": triples}
}

// hasDifferentDTypes reports whether orders of a triple give different dtypes.
func hasDifferentDTypes(t promote.Triple) bool {
	seen := map[string]bool{}
	for _, o := range t.Outcomes {
		if o != "error" {
			seen[o] = true
		}
	}
	return len(seen) > 1
}

// joinKnown is join for known dtypes, without their flags; its result is known too.
func (c column) joinKnown(a, b dtype.Typed) (dtype.Typed, error) {
	t, err := c.join(a.DType, b.DType)
	return promote.Known(t.DType), err
}

// commonDTypes are the dtypes over which the columns are compared. A system may lack
// some.
var commonDTypes = []dtype.DType{
	dtype.I1, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.U8, dtype.U16, dtype.U32, dtype.U64,
	dtype.BF16, dtype.F16, dtype.F32, dtype.F64, dtype.C64, dtype.C128,
}

// auditCommon answers with the number of triples of commonDTypes whose order matters in a column, and an
// example.
func auditCommon(name string) row {
	for _, c := range columns {
		if c.name != name {
			continue
		}
		var ds []dtype.DType
		for _, d := range commonDTypes {
			if c.has(d) {
				ds = append(ds, d)
			}
		}
		f := promote.AuditJoin(c.name, c.joinKnown, knownTypes(ds)...)
		answer := row{"order_dependent_triples": len(f.Dependent), "of": f.Triples, "example": nil}
		if len(f.Dependent) > 0 {
			t := f.Dependent[0]
			triple := []string{t.X[0].String(), t.X[1].String(), t.X[2].String()}
			answer["example"] = row{"triple": triple, "results": t.Distinct()}
		}
		return answer
	}
	return unsupported("no column " + name).row()
}

// knownTypes returns ds as known dtypes.
func knownTypes(ds []dtype.DType) []dtype.Typed {
	ts := make([]dtype.Typed, len(ds))
	for i, d := range ds {
		ts[i] = promote.Known(d)
	}
	return ts
}

// knownAndAmbiguous returns each dtype twice, known and ambiguous.
func knownAndAmbiguous(ds []dtype.DType) (ts []dtype.Typed) {
	for _, d := range ds {
		ts = append(ts, promote.Known(d), promote.Amb(d))
	}
	return ts
}
