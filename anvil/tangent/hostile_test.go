package tangent_test

import (
	"errors"
	"fmt"
	"reflect"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/anvil/tangent/dates"
)

type ring struct{ Next *ring }

// TestOddValues calls every method of a Registry with odd values. A method may panic, but
// only with an *anvil.Error.
func TestOddValues(t *testing.T) {
	circle := &ring{}
	circle.Next = circle
	odd := []any{nil, 1, -2.5, uint8(3), 2i, "text", true, []float64{1, 2}, []float64(nil), []any{nil, 1.0},
		[2]int{1, 2}, map[string]any{"a": nil},
		map[float64]int{1: 2}, struct{}{}, &struct{ X any }{}, (*sample)(nil), sample{}, circle, errors.New("e"),
		time.Time{}, dates.Day(1), dates.DateTime{},
		nv.Tensor{}, nv.Ones(nv.Shape{2}), nv.New([]bool{true}), func() {}, func(x nv.Tensor) nv.Tensor { return x },
		func(a, b int) int { return a },
		make(chan int), reflect.ValueOf(1), tangent.Zero, tangent.None, tangent.NotImplemented("n"),
		tangent.Thunk(nil), tangent.InplaceableThunk{},
		tangent.Thunk(func() any { return nil }), tangent.F{"x": nil}, tangent.Struct{},
		tangent.New(sample{}, tangent.F{"Value": nil, "No": 1.0}),
		tangent.Sparse{}, tangent.OneElement{}, tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}},
		tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: "v"},
		tangent.Add(tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: 1.0},
			tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: nil})}
	same := func(t reflect.Type) reflect.Type { return t }
	methods := reflect.TypeFor[*tangent.Registry]()
	calls, seen := 0, map[string]bool{}
	try := func(m reflect.Method, args ...reflect.Value) {
		r := tangent.NewRegistry(nv.Default(), same)
		calls++
		defer func() {
			if e := recover(); e != nil {
				if err, ok := e.(*nv.Error); !ok || strings.Contains(err.Error(), "%!") {
					shown := []any{}
					for _, a := range args {
						shown = append(shown, fmt.Sprintf("%#v", a))
					}
					at := "" // the line of this package that panicked
					for line := range strings.Lines(string(debug.Stack())) {
						if strings.Contains(line, "/anvil/tangent/") && !strings.Contains(line, "_test.go") &&
							at == "" {
							at = strings.TrimSpace(line)
						}
					}
					if !seen[m.Name+at] {
						t.Errorf("%s%v: %v\n%s", m.Name, shown, e, at)
					}
					seen[m.Name+at] = true
				}
			}
		}()
		if m.Type.IsVariadic() && len(args) == m.Type.NumIn()-1 && args[len(args)-1].Kind() == reflect.Slice {
			m.Func.CallSlice(append([]reflect.Value{reflect.ValueOf(r)}, args...))
		} else {
			m.Func.Call(append([]reflect.Value{reflect.ValueOf(r)}, args...))
		}
	}
	as := func(v any, want reflect.Type) (out reflect.Value, ok bool) { // returns v as a value of the type want
		out = reflect.New(want).Elem()
		if v == nil {
			return out, true
		}
		if !reflect.TypeOf(v).AssignableTo(want) {
			return out, false
		}
		out.Set(reflect.ValueOf(v))
		return out, true
	}
	for m := range methods.Methods() {
		if m.Type.NumIn() == 1 {
			continue
		}
		for _, a := range odd {
			x, ok := as(a, m.Type.In(1))
			if !ok {
				continue
			}
			if m.Type.NumIn() == 2 {
				try(m, x)
				continue
			}
			for _, b := range odd {
				second := m.Type.In(2)
				if m.Type.IsVariadic() && m.Type.NumIn() == 3 {
					second = second.Elem()
				}
				if y, ok := as(b, second); ok && m.Type.NumIn() == 3 {
					try(m, x, y)
				} else if ok {
					third, _ := as(a, m.Type.In(3))
					try(m, x, y, third)
				}
			}
		}
	}
	t.Log(calls, "calls")
}
