package misuse

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/big"
	"reflect"
	"strings"
	"testing"
	"time"
)

type (
	text   int
	syntax struct{ v any }
	inner  struct {
		name string
		Any  any
		list []any
		p    *int
	}
)

func (text) String() string     { return "text!" }
func (syntax) GoString() string { return "syntax!" }

// TestPartial tests that a partial prints values that neither contain themselves nor nest too deeply as fmt does.
func TestPartial(t *testing.T) {
	one := 1
	var none any
	values := []any{
		[]any{}, []any(nil), []any{nil, 1, -2.5, "s", 'r', true, 2i, []byte("b"), [2]any{1, "x"}},
		map[string]any{}, map[string]any(nil), map[any]any{"b": 1, "a": []any{2}}, map[any]any{3: nil, 1: "x"},
		map[any]any{2.5: nil, 1.5: 1}, map[uint8]any{200: 1, 3: 2}, map[any]any{uint(7): 1, uint(6): 2},
		[]any{big.NewInt(300)},
		inner{"n", 1, []any{"x", nil}, nil}, &inner{"n", &one, nil, nil}, []*inner{nil}, []any{(*inner)(nil)},
		[]any{text(1), syntax{1}, errors.New("e"), time.Second, fmt.Errorf("w: %w", errors.New("e"))},
		syntax{[]any{1}}, &[]any{1}, &map[string]any{"a": 1}, &none, struct{ error }{errors.New("e")},
		[]error{nil, errors.New("e")},
		map[text]any{1: text(2)}, [][]any{{1}, nil}, []any{[]int{1, 2}, map[int]string{1: "a"}, struct{ A, b int }{1, 2}},
	}
	for _, format := range []string{"%v", "%+v", "%#v", "%s", "%q", "%d", "%x", "%-8v|", "%08d"} {
		for _, v := range values {
			got, want := fmt.Sprintf(format, partial{v}), fmt.Sprintf(format, v)
			if got != want {
				t.Errorf("%s of %#v: %s, fmt prints %s", format, v, got, want)
			}
			if endless(v) {
				t.Errorf("endless(%#v) is true", v)
			}
		}
	}
}

// TestPrintable tests that values which fmt cannot print are printed in part.
func TestPrintable(t *testing.T) {
	list := []any{1, nil}
	list[1] = list
	table := map[string]any{}
	table["t"] = &table
	table["u"] = table
	var deep any
	for range 2 * maxNesting {
		deep = []any{deep}
	}
	doubled := []any{1}
	for range 50 {
		doubled = []any{doubled, doubled}
	}
	args := []any{1, list, "s", table}
	text := fmt.Sprint(Printable(args)...)
	if !strings.HasPrefix(text, "1 [1 [...]]s") || !strings.Contains(text, "u:map[...]") {
		t.Error(text)
	}
	if s := fmt.Sprint(args[0]); s != "1" {
		t.Errorf("the arguments have changed: %s", s)
	}
	if s := fmt.Sprint(Printable([]any{deep})...); len(s) < maxNesting/2 || len(s) > 3*maxNesting {
		t.Errorf("a deep list prints %d bytes", len(s))
	}
	if s := fmt.Sprint(Printable([]any{doubled})...); !strings.Contains(s, "...") {
		t.Errorf("a list of 2^50 elements prints %d bytes", len(s))
	}
	if all := Printable([]any{1, "s", nil, []int{1}}); len(all) != 4 {
		t.Error(all)
	}
}

// TestPrintableKinds tests which values with cycles are printed in part: those that fmt does not print by a method.
func TestPrintableKinds(t *testing.T) {
	list := []any{1, nil}
	list[1] = list
	for _, c := range []struct {
		v    any
		want bool
	}{
		{list, true}, {&list, true}, {reflect.ValueOf(list), true}, {reflect.ValueOf(&list), true},
		{reflect.Value{}, false}, {reflect.ValueOf([]any{1}), false}, {listError{list}, false},
		{listFormatter{list}, false}, {struct{ list []any }{list}, true},
		{reflect.ValueOf(struct{ list []any }{list}).Field(0), false}, // not exported, so it cannot be taken out
	} {
		if got := endless(c.v); got != c.want {
			t.Errorf("endless(%T) is %v", c.v, got)
		}
	}
	for _, c := range []struct{ format, want string }{
		{"%v", "[1 [...]]"}, {"%+v", "[1 [...]]"}, {"%#v", "[]interface {}{1, [...]}"}, {"%d", "[1 [...]]"},
		{"%3d", "[  1 [...]]"},
	} {
		for _, v := range []any{list, reflect.ValueOf(list)} {
			if got := fmt.Sprintf(c.format, Printable([]any{v})...); got != c.want {
				t.Errorf("%s of %T: %s, want %s", c.format, v, got, c.want)
			}
		}
	}
	table := map[string]any{}
	table["t"] = table
	for _, c := range []struct{ format, want string }{
		{"%v", "map[t:map[...]]"}, {"%#v", `map[string]interface {}{"t":map[...]}`},
	} {
		if got := fmt.Sprintf(c.format, Printable([]any{table})...); got != c.want {
			t.Errorf("%s: %s, want %s", c.format, got, c.want)
		}
	}
	// A list that occurs twice without holding itself is printed twice.
	twice := []any{[]any{2}, nil}
	twice[1] = twice[0]
	if got := fmt.Sprint(Printable([]any{[]any{list, twice}})...); got != "[[1 [...]] [[2] [2]]]" {
		t.Error(got)
	}
	if _, err := json.Marshal(Printable([]any{list})); err == nil {
		t.Error("a list that holds itself has JSON")
	}
	if text, err := json.Marshal(partial{[]any{1}}); err != nil || string(text) != "[1]" {
		t.Errorf("%s, %v", text, err)
	}
}

type listError struct{ list []any }

func (listError) Error() string { return "list" }

type listFormatter struct{ list []any }

func (listFormatter) Format(f fmt.State, _ rune) { _, _ = f.Write([]byte("list")) }

// TestFunctionsOfDeepValues tests the functions of packages whose replacements refuse a value that nests too deeply.
func TestFunctionsOfDeepValues(t *testing.T) {
	var deep any
	for range 2 * maxNesting {
		deep = []any{deep}
	}
	const reason = ": the value nests more than 100000 deep, or holds more than 16777216 values"
	encoders := map[string]func(v any) error{
		"Marshal": func(v any) error {
			_, err := Functions["encoding/json"]["Marshal"].(func(any) ([]byte, error))(v)
			return err
		},
		"MarshalIndent": func(v any) error {
			_, err := Functions["encoding/json"]["MarshalIndent"].(func(any, string, string) ([]byte, error))(v, "", " ")
			return err
		},
		"Encode": func(v any) error {
			return Named("(*encoding/json.Encoder).Encode").Interface().(func(*json.Encoder, any) error)(
				json.NewEncoder(io.Discard), v)
		},
	}
	for name, encode := range encoders {
		if err := encode(deep); err == nil || err.Error() != "json"+reason {
			t.Errorf("%s: %v", name, err)
		}
		if err := encode([]any{[]any{1}}); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, args := range [][2]any{{deep, 1}, {1, deep}} {
		func() {
			defer func() {
				if r := recover(); fmt.Sprint(r) != "reflect.DeepEqual"+reason {
					t.Errorf("reflect.DeepEqual: %v", r)
				}
			}()
			deepEqual(args[0], args[1])
		}()
	}
}

// TestTooDeep tests values that nest through pointers.
func TestTooDeep(t *testing.T) {
	type node struct{ Next *node }
	cycle := &node{}
	cycle.Next = cycle
	if err := tooDeep("f", cycle, false); err == nil || err.Error() != "f: the value holds itself" {
		t.Error(err)
	}
	if err := tooDeep("f", cycle, true); err != nil {
		t.Error(err)
	}
	var long *node
	for range 2 * maxNesting {
		long = &node{long}
	}
	if err := tooDeep("f", long, true); err == nil || err.Error() != "f: the value nests more than 100000 deep, or holds more than 16777216 values" {
		t.Error(err)
	}
	if err := tooDeep("f", &node{&node{}}, false); err != nil {
		t.Error(err)
	}
}

func BenchmarkPrintable(b *testing.B) {
	for _, c := range []struct {
		name string
		args []any
	}{{"numbers", []any{1, "s", 2.5}}, {"ints", []any{[]int{1, 2, 3}}}, {"list", []any{[]any{1, "s", 2.5}}}} {
		b.Run(c.name, func(b *testing.B) {
			for b.Loop() {
				Printable(c.args)
			}
		})
		b.Run(c.name+"/Sprint", func(b *testing.B) {
			for b.Loop() {
				_ = fmt.Sprint(c.args...)
			}
		})
	}
}
