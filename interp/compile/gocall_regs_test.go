//go:build amd64 || arm64

package compile

import (
	"fmt"
	"reflect"
	"testing"
	"unsafe"
)

// A rgba is passed in four registers of one byte each, and a pair in two of four bytes.
type (
	rgba  struct{ r, g, b, a uint8 }
	pair  struct{ x, y int32 }
	point struct {
		name string
		x, y float64
		p    *int
	}
)

// TestRegisterCalls tests that calls in machine registers pass arguments and results as Go does: each function returns
// its arguments, some of them in another order. The registers beside those of the results do not change.
func TestRegisterCalls(t *testing.T) {
	seven := 7
	for _, f := range []struct {
		f     any
		args  []any
		words bool // all arguments and results are words of eight bytes
	}{
		{func() {}, nil, true},
		{func(a int) int { return a }, []any{-1}, true},
		{func(a *int, b uint, c map[string]int, d chan int) (chan int, map[string]int, uint, *int) {
			return d, c, b, a
		},
			[]any{&seven, uint(8), map[string]int{"a": 9}, make(chan int)}, true},
		{func(a string, b []int) ([]int, int) { return b, len(a) }, []any{"abc", []int{1, 2}}, true},
		{func(a error, b any) (any, error) { return b, a }, []any{fmt.Errorf("failed"), 3}, true},
		{func(a, b, c, d, e, f, g, h, i int) (int, int, int, int) { return a + b + c + d + e, f, g, 10*h + i },
			[]any{1, 2, 3, 4, 5, 6, 7, 8, 9}, true},
		{func(a struct{}, b [0]int, c [1]string) ([1]string, struct{}) { return c, a },
			[]any{struct{}{}, [0]int{}, [1]string{"a"}}, true},
		{func(a bool, b int8, c uint16, d int32) (int32, uint16, int8, bool) { return d, c, b, a },
			[]any{true, int8(-2), uint16(1 << 15), int32(-5)}, false},
		{func(a rgba) rgba { return rgba{a.a, a.b, a.g, a.r} }, []any{rgba{1, 2, 3, 255}}, false},
		{func(a, b pair) (pair, pair) { return pair{b.y, b.x}, pair{a.y, a.x} },
			[]any{pair{1, -2}, pair{3, -4}}, false},
		{func(a float64, b float32) (float32, float64) { return b, a }, []any{1.5, float32(-2.5)}, false},
		{func(a complex128) complex128 { return -a }, []any{complex(1, 2)}, false},
		{func(a complex64, b int) (int, complex64) { return b, -a }, []any{complex64(complex(1, 2)), 3}, false},
		{func(a point) point { return point{a.name, a.y, a.x, a.p} }, []any{point{"p", 1, 2, &seven}}, false},
		{func(a, b, c, d, e, f, g, h float64) (float64, float64) { return a + b + c + d, e*f + g*h },
			[]any{1., 2., 3., 4., 5., 6., 7., 8.}, false},
	} {
		v := reflect.ValueOf(f.f)
		typ := v.Type()
		call := inRegisters(typ)
		if call == nil {
			t.Errorf("%v is not called in registers", typ)
			continue
		}
		var in []reflect.Value
		for _, a := range f.args {
			in = append(in, reflect.ValueOf(a))
		}
		want := textOf(v.Call(in))
		fr, args, results, read := callFrame(typ, in)
		call(fr, funcPointer(v), args, results)
		if got := read(); got != want {
			t.Errorf("%v: %s, want %s", typ, got, want)
		}
		fr, args, results, read = callFrame(typ, in)
		quick := wordsOnly(typ, funcPointer(v), args, results)
		if (quick != nil) != f.words {
			t.Errorf("%v consists of whole words: %v, want %v", typ, quick != nil, f.words)
		}
		if quick == nil {
			continue
		}
		if quick(fr); read() != want {
			t.Errorf("%v: %s, want %s", typ, read(), want)
		}
		if quick = wordsOnly(typ, funcPointer(v), args, nil); quick == nil {
			t.Errorf("%v is slow without results", typ)
		} else {
			quick(fr)
		}
	}
	for _, f := range []any{
		func([2]int) {}, func() [2]int { return [2]int{} }, func(struct{ _ int }) {}, func(struct{ a [2]int }) {},
		func([1][2]int) {},
		func(a, b, c, d, e, f, g, h, i, j int) {}, func(a, b, c, d, e, f, g, h, i float64) {},
		func() (a, b, c, d, e int) { return }, func() (a, b, c float64) { return },
	} {
		typ := reflect.TypeOf(f)
		if inRegisters(typ) != nil || wordsOnly(typ, nil, nil, nil) != nil {
			t.Errorf("%v is called in registers", typ)
		}
	}
}

// textOf returns the values as text.
func textOf(list []reflect.Value) string {
	var all []any
	for _, v := range list {
		all = append(all, v.Interface())
	}
	return fmt.Sprintf("%+v", all)
}

// callFrame returns a frame with registers for the arguments, which are in, and the results of a function of type t.
// read returns the results as text, and says after which values memory was overwritten.
func callFrame(t reflect.Type, in []reflect.Value) (fr *frame, args, results []*register, read func() string) {
	fields := []reflect.StructField{{Name: "Header", Type: reflect.TypeFor[frame]()}}
	add := func(t reflect.Type) {
		n := len(fields)
		fields = append(fields, reflect.StructField{Name: fmt.Sprint("V", n), Type: t},
			reflect.StructField{Name: fmt.Sprint("Beside", n), Type: reflect.TypeFor[uint64]()})
	}
	for i := range t.NumIn() {
		add(t.In(i))
	}
	for i := range t.NumOut() {
		add(t.Out(i))
	}
	frameType := reflect.StructOf(fields)
	v := reflect.New(frameType).Elem()
	fr = v.Field(0).Addr().Interface().(*frame)
	fr.th = new(thread)
	const beside = 0x1234_5678_9abc_def0
	for i := 1; i < len(fields); i += 2 {
		r := &register{off: frameType.Field(i).Offset, typ: fields[i].Type}
		v.Field(i + 1).SetUint(beside)
		if i/2 < len(in) {
			v.Field(i).Set(in[i/2])
			args = append(args, r)
		} else {
			results = append(results, r)
		}
	}
	return fr, args, results, func() string {
		out := make([]reflect.Value, len(results))
		for i, r := range results {
			out[i] = reflect.NewAt(r.typ, unsafe.Add(unsafe.Pointer(fr), r.off)).Elem()
		}
		text := textOf(out)
		for i := 2; i < len(fields); i += 2 {
			if v.Field(i).Uint() != beside {
				text += fmt.Sprint(" and overwrites what is after value ", i/2)
			}
		}
		return text
	}
}
