package misuse

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"unsafe"
)

type (
	box     struct{ v any }
	wrapped struct{ err error }
	padded  struct {
		_     int8
		rows  [2][3]box
		err   error
		after any
	}
)

func (wrapped) Error() string { return "wrapped" }

// boxed returns a value that nests to a depth.
func boxed(depth int) (v any) {
	for range depth {
		v = box{v}
	}
	return v
}

// comparisonFails reports whether f panics with the run-time error of comparisons.
func comparisonFails(t *testing.T, f func()) (fails bool) {
	t.Helper()
	defer func() {
		switch r := recover().(type) {
		case nil:
		case runtime.Error:
			fails = true
			want := "comparing or hashing a value that nests more than 100000 deep, or holds more than 16777216 values"
			if r.Error() != want {
				t.Errorf("panics with %v", r)
			}
		default:
			t.Errorf("panics with %v", r)
		}
	}()
	f()
	return false
}

// TestCheckKey tests where values are found that nest too deeply.
func TestCheckKey(t *testing.T) {
	deep := boxed(maxNesting + 1)
	var deepError error = wrapped{}
	for range maxNesting {
		deepError = wrapped{deepError}
	}
	shared := any([2]any{1, 2})
	for range 30 {
		shared = [2]any{shared, shared}
	}
	inRow := padded{}
	inRow.rows[1][2] = box{deep}
	for _, c := range []struct {
		name  string
		key   any
		fails bool
	}{
		{"nil", nil, false},
		{"a number", 1, false},
		{"a pointer", &box{deep}, false},
		{"a struct without interfaces", struct{ n int }{1}, false},
		{"empty interfaces", padded{}, false},
		{"the greatest depth", boxed(maxNesting), false},
		{"more", deep, true},
		{"errors", deepError, true},
		{"an array", [3]any{1, nil, deep}, true},
		{"an array of structs", [2]box{{1}, {deep}}, true},
		{"an array without interfaces", [2]int{}, false},
		{"an array in an array", inRow, true},
		{"a field with methods", padded{err: deepError}, true},
		{"a field after others", padded{err: errors.New("e"), after: deep}, true},
		{"a pointer in a field", padded{after: &box{deep}}, false},
	} {
		if got := comparisonFails(t, func() { CheckKey(c.key) }); got != c.fails {
			t.Errorf("%s: fails %v, want %v", c.name, got, c.fails)
		}
		if c.key == nil {
			continue
		}
		p := reflect.New(reflect.TypeOf(c.key))
		p.Elem().Set(reflect.ValueOf(c.key))
		check := KeyCheck(p.Type().Elem())
		if got := comparisonFails(t, func() { check(p.UnsafePointer()) }); got != c.fails {
			t.Errorf("KeyCheck of %s: fails %v, want %v", c.name, got, c.fails)
		}
	}
	if !comparisonFails(t, func() { CheckKey(shared) }) { // 2³¹ values, which are 31 in memory
		t.Error("too many values are compared")
	}
	if check := KeyCheck(reflect.TypeFor[any]()); !comparisonFails(t, func() { check(unsafe.Pointer(&deep)) }) {
		t.Error("a key of type any is not checked")
	}
	if check := KeyCheck(reflect.TypeFor[error]()); !comparisonFails(t, func() { check(unsafe.Pointer(&deepError)) }) {
		t.Error("a key of type error is not checked")
	}
}

// TestEqual tests that a comparison fails only if both values nest too deeply.
func TestEqual(t *testing.T) {
	deep := boxed(maxNesting + 1)
	for _, c := range []struct {
		x, y any
		want bool
	}{
		{nil, nil, true}, {nil, 1, false}, {1, 1, true}, {1, 1.0, false}, {box{1}, box{1}, true},
		{box{1}, box{2}, false}, {box{1}, nil, false}, {deep, box{1}, false}, {box{1}, deep, false},
		{deep, [1]any{deep}, false}, {boxed(100), boxed(100), true}, {boxed(100), boxed(101), false},
	} {
		if got := Equal(c.x, c.y); got != c.want {
			t.Errorf("%.20v == %.20v is %v", c.x, c.y, got)
		}
	}
	if !comparisonFails(t, func() { Equal(deep, boxed(maxNesting+1)) }) {
		t.Error("two deep values were compared")
	}
}

// TestMethodsThatCompare tests the replacements of methods and functions that compare or hash an argument: with an
// argument that nests too deeply they panic, and otherwise they do what they replace.
func TestMethodsThatCompare(t *testing.T) {
	deep := boxed(maxNesting + 1)
	var m sync.Map
	var v atomic.Value
	v.Store(box{1})
	table := reflect.ValueOf(map[any]int{"a": 1})
	one := reflect.ValueOf(1)
	for _, c := range []struct {
		name string
		recv any
		args []any
		want string
		keys []int // the arguments that are compared or hashed
	}{
		{"(*sync.Map).Store", &m, []any{"a", 1}, "", []int{0}},
		{"(*sync.Map).Load", &m, []any{"a"}, "1 true", []int{0}},
		{"(*sync.Map).LoadOrStore", &m, []any{"a", 2}, "1 true", []int{0}},
		{"(*sync.Map).Swap", &m, []any{"a", 3}, "1 true", []int{0}},
		{"(*sync.Map).CompareAndSwap", &m, []any{"a", 3, 4}, "true", []int{0, 1}},
		{"(*sync.Map).CompareAndDelete", &m, []any{"a", 3}, "false", []int{0, 1}},
		{"(*sync.Map).LoadAndDelete", &m, []any{"a"}, "4 true", []int{0}},
		{"(*sync.Map).Delete", &m, []any{"a"}, "", []int{0}},
		{"(*sync/atomic.Value).CompareAndSwap", &v, []any{box{1}, box{2}}, "true", []int{0}},
		{"(reflect.Value).Equal", one, []any{one}, "true", nil},
		{"(reflect.Value).MapIndex", table, []any{reflect.ValueOf("a")}, "1", []int{0}},
		{"(reflect.Value).SetMapIndex", table, []any{reflect.ValueOf("a"), one}, "", []int{0}},
	} {
		f := Named(c.name)
		call := func(args []any) (results string) {
			in := []reflect.Value{reflect.ValueOf(c.recv)}
			for i, arg := range args {
				a := reflect.New(f.Type().In(i + 1)).Elem()
				a.Set(reflect.ValueOf(arg))
				in = append(in, a)
			}
			list := []any{}
			for _, v := range f.Call(in) {
				list = append(list, v.Interface())
			}
			return fmt.Sprint(list...)
		}
		for _, i := range c.keys {
			args := append([]any{}, c.args...)
			if args[i] = deep; f.Type().In(i+1) == reflect.TypeFor[reflect.Value]() {
				args[i] = reflect.ValueOf(deep)
			}
			if !comparisonFails(t, func() { call(args) }) {
				t.Errorf("%s: argument %d is not checked", c.name, i)
			}
		}
		if got := call(c.args); got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
	x := reflect.ValueOf(reflect.ValueOf(deep))
	if !comparisonFails(t, func() { Named("(reflect.Value).Equal").Call([]reflect.Value{x, x}) }) {
		t.Error("the receiver of Equal is not checked")
	}
	checkReflected(reflect.Value{}) // holds nothing

	e := wrapped{}
	if !isError(fmt.Errorf("%w", e), e) || isError(errors.New("e"), e) {
		t.Error("errors.Is is another function")
	}
	var deepError error
	for range maxNesting + 1 {
		deepError = wrapped{deepError}
	}
	if !comparisonFails(t, func() { isError(e, deepError) }) {
		t.Error("the target of errors.Is is not checked")
	}
	if ctx := withValue(context.Background(), box{1}, 2); ctx.Value(box{1}) != 2 {
		t.Error("context.WithValue is another function")
	}
	if !comparisonFails(t, func() { withValue(context.Background(), deep, 2) }) {
		t.Error("the key of context.WithValue is not checked")
	}
}
