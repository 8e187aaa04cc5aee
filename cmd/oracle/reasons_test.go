package main

import (
	"reflect"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// TestEveryOperationHasAReason tests for every method of the library, under every
// system that computes, that the names of the rules in the steps of Why are enough to
// derive the dtype of the result.
func TestEveryOperationHasAReason(t *testing.T) {
	ctx := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	reasons := 0
	for _, sys := range promote.Systems() {
		if promote.OnlyTable(sys) {
			continue
		}
		l := reflect.ValueOf(ctx.With(sys))
		for i := range l.NumMethod() {
			name, f := l.Type().Method(i).Name, l.Method(i)
			for _, args := range arguments(ctx, f.Type(), mayBeAmbiguous(sys)) {
				for _, x := range results(f, args) {
					reasons++
					checkReason(t, name, nv.Why(x))
				}
			}
		}
	}
	if reasons < 5000 {
		t.Errorf("only %d reasons", reasons)
	}
}

// reasonDTypes are the dtypes of the operands.
var reasonDTypes = []dtype.Typed{
	{DType: nv.I1}, {DType: nv.I8}, {DType: nv.U8}, {DType: nv.I32}, {DType: nv.I32, Ambiguous: true}, {DType: nv.U64},
	{DType: nv.BF16}, {DType: nv.F32}, {DType: nv.F32, Ambiguous: true}, {DType: nv.F64}, {DType: nv.C64},
}

// mayBeAmbiguous reports whether tensors of the system may be ambiguous.
func mayBeAmbiguous(s *promote.System) bool {
	return s == promote.Anvil || strings.HasPrefix(s.Name(), "jax")
}

// arguments returns lists of matrices and numbers for the operands that a method takes
// before its options. It returns no lists if an operand is of another type.
func arguments(ctx *nv.Context, f reflect.Type, flags bool) (lists [][]reflect.Value) {
	n := f.NumIn()
	if f.IsVariadic() {
		n--
	}
	matrix := func(d dtype.Typed) reflect.Value {
		return reflect.ValueOf(ctx.Ones(nv.Shape{2, 2}, d.DType, nv.Ambiguous(d.Ambiguous)))
	}
	lists = [][]reflect.Value{nil}
	for i := range n {
		var choices []reflect.Value
		switch f.In(i) {
		case reflect.TypeFor[any]():
			for k, d := range reasonDTypes {
				if (i == 0 || k%3 == 0) && (flags || !d.Ambiguous) {
					choices = append(choices, matrix(d))
				}
			}
			if i == n-1 && i > 0 { // one literal is enough
				choices = append(choices, reflect.ValueOf(2), reflect.ValueOf(2.5))
			}
		case reflect.TypeFor[nv.DType]():
			choices = append(choices, reflect.ValueOf(nv.F64), reflect.ValueOf(nv.I8))
		case reflect.TypeFor[nv.Shape]():
			choices = append(choices, reflect.ValueOf(nv.Shape{2, 2}))
		case reflect.TypeFor[nv.Axis]():
			choices = append(choices, reflect.ValueOf(nv.Axis(i%2)))
		case reflect.TypeFor[int]():
			choices = append(choices, reflect.ValueOf(2))
		}
		var longer [][]reflect.Value
		for _, list := range lists {
			for _, c := range choices {
				longer = append(longer, append(list[:len(list):len(list)], c))
			}
		}
		lists = longer
	}
	return lists
}

// results calls a method and returns its results, or none if it fails.
func results(f reflect.Value, args []reflect.Value) (xs []nv.Tensor) {
	_ = nv.Try(func() {
		for _, v := range f.Call(args) {
			switch v := v.Interface().(type) {
			case nv.Tensor:
				xs = append(xs, v)
			case []nv.Tensor:
				xs = append(xs, v...)
			}
		}
	})
	return xs
}

// checkReason replays a reason and compares the result.
func checkReason(t *testing.T, name string, r nv.Reason) {
	t.Helper()
	if len(r.Steps) == 0 {
		t.Errorf("%s: no reason: %s", name, r)
		return
	}
	// The dtype may be given by the caller instead of a rule.
	if last := r.Steps[len(r.Steps)-1]; last.Rule.Name == "made" || last.Rule.Name == "asked for" {
		if last.Result != r.Result {
			t.Errorf("%s", r)
		}
		return
	}
	e := promote.Explanation{System: r.System, Steps: r.Steps}
	for i, o := range r.Operands {
		if r.Literals[i] {
			e.Operands = append(e.Operands, promote.Operand{Typed: o, Literal: map[bool]any{true: 2, false: 2.5}[o.DType.Is(dtype.Integral)]})
		}
	}
	e.Operands = append(e.Operands, promote.Operand{Typed: literalOf(r.System, 1.0), Literal: 1.0})
	got, wrong := replay(e)
	if wrong != "" || got != r.Result {
		t.Errorf("%s: replayed %s, is %s; %s\n%s", name, got, r.Result, wrong, strings.TrimSpace(r.String()))
	}
}

func literalOf(s *promote.System, v any) dtype.Typed {
	d, err := s.Literal(v)
	if err != nil {
		panic(err)
	}
	return d
}
