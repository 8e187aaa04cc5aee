package ops

import (
	"slices"
	"strconv"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// Infer returns the types of the results of c on operands of the given types,
// or an error that says what is wrong and what to do: a *dtype.Error.
func Infer(c ir.Code, attrs any, regions []*ir.Graph, args ...shape.Type) ([]shape.Type, error) {
	d := Lookup(c)
	if d == nil {
		return nil, &dtype.Error{Op: c.String(), Reason: "unknown operation code"}
	}
	if err := d.checkOperands(args); err != nil {
		return nil, d.withOperands(err, args)
	}
	results, err := d.Infer(args, attrs, regions)
	if err != nil {
		return nil, d.withOperands(err, args)
	}
	return results, nil
}

// Param returns the name of operand i.
func (d *Def) Param(i int) string { return d.Params[min(i, len(d.Params)-1)] }

// AcceptsAt returns the kinds of dtypes that operand i may have.
func (d *Def) AcceptsAt(i int) dtype.Kind { return d.Accepts[min(i, len(d.Accepts)-1)] }

// Takes reports whether operand i may have dtype t.
func (d *Def) Takes(i int, t dtype.DType) bool {
	return t.Is(d.AcceptsAt(i)) && (d.Only == nil || slices.Contains(d.Only, t))
}

// checkOperands checks the number and the dtypes of operands.
func (d *Def) checkOperands(args []shape.Type) error {
	if len(args) != len(d.Params) && (!d.Variadic || len(args) < len(d.Params)-1) {
		want := strconv.Itoa(len(d.Params))
		if d.Variadic {
			want = "at least " + strconv.Itoa(len(d.Params)-1)
		}
		return fault("it takes "+want+" operands ("+strings.Join(d.Params, ", ")+")", "")
	}
	for i, a := range args {
		if !d.Takes(i, a.DType) {
			takes := ", and the operation takes " + d.takesText(i)
			if d.takesOneDType(args) {
				return fault("the operands have the common dtype "+a.DType.String()+takes, "convert them with AsType")
			}
			return fault(d.Param(i)+" is "+a.DType.String()+takes, "convert it with AsType")
		}
	}
	return nil
}

// takesOneDType reports whether there are several operands, the row accepts the same dtypes for each of them, and all
// have one dtype.
func (d *Def) takesOneDType(args []shape.Type) bool {
	for i, a := range args {
		if a.DType != args[0].DType || d.AcceptsAt(i) != d.AcceptsAt(0) {
			return false
		}
	}
	return len(args) > 1
}

// withOperands adds the operation and its operands to err, an error of checkOperands or of the row's Infer.
func (d *Def) withOperands(err error, args []shape.Type) error {
	e, ok := err.(*dtype.Error)
	if !ok {
		return err
	}
	e.Op = d.Name
	texts := make([]string, len(args))
	for i, a := range args {
		texts[i] = a.String()
	}
	e.Operands = strings.Join(texts, ", ")
	return e
}

// fault returns an error without the operation and its operands, which Infer adds.
func fault(reason, hint string) error { return &dtype.Error{Reason: reason, Hint: hint} }

// takesText names the dtypes that operand i may have: "f32 and f64".
func (d *Def) takesText(i int) string {
	if d.Only == nil {
		return kindNames(d.AcceptsAt(i))
	}
	names := make([]string, len(d.Only))
	for k, t := range d.Only {
		names[k] = t.String()
	}
	return enumerated(names)
}

// kindTexts has the names of the kinds in errors.
var kindTexts = []struct {
	kind dtype.Kind
	text string
}{
	{dtype.Boolean, "booleans"}, {dtype.Signed, "signed integers"}, {dtype.Unsigned, "unsigned integers"},
	{dtype.Floating, "floats"}, {dtype.Complex, "complex numbers"},
}

// kindNames names the kinds in k: "booleans and floats".
func kindNames(k dtype.Kind) string {
	var names []string
	for _, t := range kindTexts {
		if k&t.kind != 0 {
			names = append(names, t.text)
		}
	}
	return enumerated(names)
}

// enumerated returns names as an enumeration: "f32, f64 and c64".
func enumerated(names []string) string {
	if n := len(names); n > 1 {
		return strings.Join(names[:n-1], ", ") + " and " + names[n-1]
	}
	return strings.Join(names, "")
}
