package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync"
	"testing"
	"time"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

var (
	inf, nan = math.Inf(1), math.NaN()
	pair     = shape.Of(dtype.F64, 2)
)

// TestWatch checks which operation is reported for a NaN or an infinity, while operations are watched and
// afterwards.
func TestWatch(t *testing.T) {
	type call = func(t *testing.T, s *Session, x Array) (Array, error)
	op := func(code ir.Code, attrs any, ys ...float64) call {
		return func(t *testing.T, s *Session, x Array) (Array, error) {
			args := []Array{x}
			if len(ys) > 0 {
				args = append(args, floatsOf(t, s, ys...))
			}
			return s.Apply(pair, code, attrs, args...)
		}
	}
	chain := func(calls ...call) call {
		return func(t *testing.T, s *Session, x Array) (_ Array, err error) {
			defer s.Enter("layer")()
			for _, f := range calls {
				if x, err = f(t, s, x); err != nil {
					break
				}
			}
			return x, err
		}
	}
	swap := ir.AxesAttrs{Axes: shape.DimsOf(0)}
	for _, c := range []struct {
		name     string
		x        []float64
		f        call
		want     string
		infinity string
	}{
		{"none", []float64{1, 2}, op(ir.Log, nil), "", ""},
		{"NaN", []float64{1, -2}, op(ir.Log, nil), "element [1] of Log is NaN, computed from -2", ""},
		{"first of two", []float64{-1, -2}, op(ir.Log, nil), "element [0] of Log is NaN, computed from -1", ""},
		{"two operands", []float64{1, 0}, op(ir.Div, nil, 3, 0), "element [1] of Div is NaN, computed from 0 and 0", ""},
		{"given", []float64{1, nan}, op(ir.Add, nil, 3, 4),
			"element [1] of Add is NaN, computed from NaN and 4; an operand already had a NaN before the examined operations", ""},
		{"moved", []float64{1, nan}, op(ir.Reverse, swap), "", ""},
		{"infinity", []float64{1, 0}, op(ir.Log, nil), "", "Log at element [1], computed from 0"},
		{"given infinity", []float64{1, inf}, op(ir.Neg, nil), "", ""},
		{"infinity first", []float64{1, 1000}, chain(op(ir.Exp, nil), op(ir.Sub, nil, 1, inf)),
			"element [1] of Sub in the layer layer is NaN, computed from +Inf and +Inf; the first infinity came from Exp in the layer layer " +
				"at element [1], computed from 1000", "Exp in the layer layer at element [1], computed from 1000"},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := func(err error) string {
				if err == nil {
					return ""
				}
				return err.Error()
			}
			s := New(Options{Executor: NewReference()})
			s.Watch(true)
			if !s.Watching() {
				t.Error("operations are not watched")
			}
			_, err := c.f(t, s, floatsOf(t, s, c.x...))
			if text(err) != c.want || s.Infinity() != c.infinity {
				t.Errorf("%v; the infinity came from %s", err, s.Infinity())
			}
			s.Watch(false)
			if s.Watching() || s.Infinity() != "" {
				t.Errorf("watching %t, infinity %q", s.Watching(), s.Infinity())
			}
			r, err := c.f(t, s, floatsOf(t, s, c.x...))
			if err != nil {
				t.Fatal(err)
			}
			for _, computed := range []bool{false, true} {
				if r.Pending() == computed {
					t.Errorf("pending %t", r.Pending())
				}
				if err := s.FindNaN(r); text(err) != c.want || s.Infinity() != c.infinity {
					t.Errorf("computed %t: %v; the infinity came from %s", computed, err, s.Infinity())
				}
				if err := s.Force(r); err != nil {
					t.Fatal(err)
				}
			}
			if got := s.HasNaN(r); got != (c.want != "" || c.name == "moved") {
				t.Errorf("the result has a NaN: %t", got)
			}
		})
	}
	s := New(Options{Executor: NewReference()})
	tr := s.NewTrace()
	if err := s.FindNaN(tr.Param(pair)); !errors.Is(err, errTraced) {
		t.Errorf("of a parameter: %v", err)
	}
	if !s.HasNaN(tr.Param(pair)) || s.HasNaN(bytesOf(t, s, 2)) {
		t.Error("a parameter without a value may have a NaN, and integers have none")
	}
	s.Watch(true)
	integer := s.Scalar(dtype.I32, []byte{0x70, 0x11, 1, 0}) // 70000
	if _, err := s.Apply(shape.Of(dtype.F16), ir.Convert, ir.DTypeAttrs{DType: dtype.F16}, integer); err != nil {
		t.Fatal(err)
	}
	if got, want := s.Infinity(), "Convert at element []"; got != want {
		t.Errorf("the infinity came from %s, want %s", got, want)
	}
	e := &NaNError{Code: ir.Log, Of: ir.Sqrt, Element: "[]"}
	if want := "element [] of Log in the derivative of Sqrt is NaN"; e.Error() != want {
		t.Errorf("%v, want %s", e, want)
	}
}

// TestWatchRegions checks that a NaN is found in the operations of loops, branches and calls.
func TestWatchRegions(t *testing.T) {
	one := shape.Of(dtype.F64, 1)
	logarithm := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{add(t, g, ir.Log, nil, x[0])}
	}, one)
	unused := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		add(t, g, ir.Log, nil, x[0])
		return x
	}, one)
	for _, c := range []struct {
		code    ir.Code
		attrs   any
		regions []*ir.Graph
		truth   bool
		fails   bool
	}{
		{ir.Call, ir.CallAttrs{}, []*ir.Graph{logarithm}, false, true},
		{ir.Call, ir.CallAttrs{}, []*ir.Graph{unused}, false, false},
		{ir.Scan, ir.ScanAttrs{Length: 2, Carried: 1}, []*ir.Graph{logarithm}, false, true},
		{ir.If, nil, []*ir.Graph{logarithm, unused}, true, true},
	} {
		for _, watched := range []bool{true, false} {
			s := New(Options{Executor: NewReference()})
			s.Watch(watched)
			args := []Array{floatsOf(t, s, 0.5)}
			if c.code == ir.Call {
				args[0] = floatsOf(t, s, -1)
			}
			if c.truth {
				args = []Array{s.Scalar(dtype.I1, []byte{1}), floatsOf(t, s, -1)}
			}
			out, err := s.ApplyMany([]shape.Type{one}, c.code, c.attrs, c.regions, args...)
			if !watched {
				if err != nil {
					t.Fatal(err)
				}
				err = s.FindNaN(out[0])
			}
			var e *NaNError
			if errors.As(err, &e) != c.fails || c.fails && e.Code != ir.Log {
				t.Errorf("%v, watched %t: %v", c.code, watched, err)
			}
		}
	}
}

// TestFindNaNOutsideRegions checks that FindNaN examines the operations that use a result of a call, those without
// operands, and those with several results.
func TestFindNaNOutsideRegions(t *testing.T) {
	one, matrix := shape.Of(dtype.F64, 1), shape.Of(dtype.F64, 1, 1)
	negative := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{add(t, g, ir.Neg, nil, x[0])}
	}, one)
	same := region(func(_ *ir.Graph, x []*ir.Value) []*ir.Value { return x }, one)
	for _, c := range []struct {
		name  string
		apply func(s *Session) ([]Array, error)
		want  string
	}{
		{"of a call", func(s *Session) ([]Array, error) {
			return s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{negative}, floatsOf(t, s, 3))
		}, ""},
		{"that a call was given", func(s *Session) ([]Array, error) {
			return s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{same}, floatsOf(t, s, nan))
		}, ""},
		{"after a call", func(s *Session) ([]Array, error) {
			out, err := s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{negative}, floatsOf(t, s, 3))
			if err != nil {
				return nil, err
			}
			return []Array{apply(t, s, ir.Log, out[0])}, nil
		}, "element [0] of Log is NaN, computed from -3"},
		{"without operands", func(s *Session) ([]Array, error) {
			x, err := s.Apply(pair, ir.Iota, ir.IotaAttrs{DType: dtype.F64, Shape: shape.DimsOf(2)})
			return []Array{apply(t, s, ir.Log, apply(t, s, ir.Neg, x))}, err
		}, "element [1] of Log is NaN, computed from -1"},
		{"several results", func(s *Session) ([]Array, error) {
			x, err := s.Host(matrix, floatBytes(nan), "")
			if err != nil {
				return nil, err
			}
			return s.ApplyMany([]shape.Type{one, matrix}, ir.Eigh, nil, nil, x)
		}, "element [0] of Eigh is NaN, computed from NaN; an operand already had a NaN before the examined operations"},
	} {
		s := New(Options{Executor: NewReference()})
		out, err := c.apply(s)
		if err != nil {
			t.Fatal(err)
		}
		for _, computed := range []bool{false, true} {
			got := ""
			if err := s.FindNaN(out[0]); err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("%s, computed %t: %s, want %s", c.name, computed, got, c.want)
			}
			if err := s.Force(out...); err != nil {
				t.Fatal(err)
			}
		}
	}
}

func TestIndexText(t *testing.T) {
	for i, want := range []string{"[0, 0, 0]", "[0, 0, 1]", "[0, 1, 0]", "[0, 1, 1]", "[0, 2, 0]", "[0, 2, 1]", "[1, 0, 0]"} {
		if got := indexText(i, shape.Shape{2, 3, 2}); got != want {
			t.Errorf("element %d has the index %s, want %s", i, got, want)
		}
	}
	if got := indexText(0, nil); got != "[]" {
		t.Errorf("the element of a scalar has the index %s", got)
	}
	if a, b := numberText(1e-3, dtype.F64), numberText(1+2i, dtype.C64); a != "0.001" || b != "(1+2i)" {
		t.Error(a, b)
	}
	if a, b := shortNumber(1.23456, dtype.F64), shortNumber(1.23456+2i, dtype.C128); a != "1.23" || b != "(1.23+2i)" {
		t.Error(a, b)
	}
}

// TestObserve checks what operations are recorded to have lost.
func TestObserve(t *testing.T) {
	for _, c := range []struct {
		name string
		code ir.Code
		x, y []float64
		want Observation
	}{
		{"overflow", ir.Exp, []float64{1, 1000}, nil, Observation{Overflow: "Exp in the layer layer of 1e+03", Products: 2}},
		{"a given infinity", ir.Neg, []float64{1, inf}, nil, Observation{}},
		{"NaN", ir.Log, []float64{-1, 2}, nil, Observation{NaN: "Log in the layer layer of -1"}},
		{"a given NaN", ir.Neg, []float64{1, nan}, nil, Observation{}},
		{"a mask", ir.Sub, []float64{inf, inf}, []float64{inf, 1}, Observation{}},
		{"underflow", ir.Exp, []float64{-1000, -2000}, nil,
			Observation{Underflow: "Exp in the layer layer of -1e+03", Underflows: 2, Products: 2}},
		{"of products", ir.Mul, []float64{1e-200, 3}, []float64{1e-200, 4},
			Observation{Underflow: "Mul in the layer layer of 1e-200 and 1e-200", Underflows: 1, Products: 2}},
		{"exact products", ir.Mul, []float64{0, 3}, []float64{5, 0}, Observation{}},
		{"the exponential of 0", ir.Exp, []float64{0, 0}, nil, Observation{Products: 2}},
		{"of infinities", ir.Div, []float64{1, 2}, []float64{inf, 4}, Observation{Products: 1}},
		{"absorption", ir.Add, []float64{1, 3}, []float64{1e-20, 4},
			Observation{Absorbed: "Add in the layer layer of 1 and 1e-20", Absorptions: 1, Sums: 2}},
		{"in the second operand", ir.Add, []float64{1e-20, 3}, []float64{1, 4},
			Observation{Absorbed: "Add in the layer layer of 1e-20 and 1", Absorptions: 1, Sums: 2}},
		{"of a difference", ir.Sub, []float64{1e-20, 3}, []float64{1, 4},
			Observation{Absorbed: "Sub in the layer layer of 1e-20 and 1", Absorptions: 1, Sums: 2}},
		{"a sum that is a negative operand", ir.Add, []float64{-2, 3}, []float64{1, 4}, Observation{Sums: 2}},
		{"a difference that is its second operand", ir.Sub, []float64{2, 3}, []float64{1, 4}, Observation{Sums: 2}},
		{"sums with 0", ir.Add, []float64{0, 3}, []float64{1, 0}, Observation{}},
	} {
		s := New(Options{Executor: NewReference()})
		args := []Array{floatsOf(t, s, c.x...)}
		if c.y != nil {
			args = append(args, floatsOf(t, s, c.y...))
		}
		leave := s.Enter("layer")
		end := s.Observe(time.Hour)
		_, err := s.Apply(pair, c.code, nil, args...)
		got := end()
		leave()
		got.deadline = time.Time{}
		if err != nil || fmt.Sprint(got) != fmt.Sprint(c.want) || s.Watching() {
			t.Errorf("%s: %+v, %v; want %+v", c.name, got, err, c.want)
		}
	}
	s := New(Options{Executor: NewReference()})
	x := floatsOf(t, s, 1, 2)
	end := s.Observe(-time.Hour)
	_, err := s.Apply(pair, ir.Exp, nil, x)
	if o := end(); !errors.Is(err, errTimeUp) || !o.Partial {
		t.Errorf("after the time: %+v, %v", o, err)
	}
	large := make([]float64, maxObserved+1)
	large[0] = 1000
	end = s.Observe(time.Hour)
	for n, want := range map[int]bool{maxObserved: true, maxObserved + 1: false} {
		if _, err = s.Apply(shape.Of(dtype.F64, n), ir.Exp, nil, floatsOf(t, s, large[:n]...)); err != nil {
			t.Fatal(err)
		}
		if got := s.observed.Products > 0; got != want {
			t.Errorf("an operation of %d elements is observed: %t", n, got)
		}
		s.observed.Products = 0
	}
	end()
	large[0] = inf
	end = s.Observe(time.Hour)
	if _, err = s.Apply(shape.Of(dtype.F64), ir.ReduceSum, ir.AxesAttrs{Axes: shape.DimsOf(0)}, floatsOf(t, s, large...)); err != nil {
		t.Fatal(err)
	}
	if o := end(); o.Overflow != "" {
		t.Errorf("a sum of an infinity, with too many elements to examine: %+v", o)
	}
}

// TestObserveOthers checks that an Observe may end while other goroutines compute.
func TestObserveOthers(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	x := floatsOf(t, s, 1000, 2)
	stop := make(chan struct{})
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if _, err := s.Apply(x.Type(), ir.Exp, nil, x); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for range 100 {
		end := s.Observe(time.Hour)
		s.Watch(true)
		_ = s.Infinity()
		end()
	}
	close(stop)
	wg.Wait()
}

// TestFindNaNAtTheSameTime checks that operations are not watched any more after two calls of FindNaN
// of which the one that began first ends first.
func TestFindNaNAtTheSameTime(t *testing.T) {
	one := shape.Of(dtype.F64, 1)
	secondHasBegun, firstHasEnded := make(chan struct{}), make(chan struct{})
	secondHasEnded := make(chan error, 1)
	var s *Session
	var first, second Array
	call := func(code ir.Code) Array {
		r := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value { return []*ir.Value{add(t, g, code, nil, x[0])} }, one)
		out, err := s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{r}, floatsOf(t, s, -1))
		if err != nil {
			t.Fatal(err)
		}
		return out[0]
	}
	s = New(Options{Executor: newGate(func(_ context.Context, g *ir.Graph) error {
		if g.Nodes[0].Code == ir.Log {
			go func() { secondHasEnded <- s.FindNaN(second) }()
			<-secondHasBegun
			return nil
		}
		close(secondHasBegun)
		<-firstHasEnded
		return nil
	})})
	first, second = call(ir.Log), call(ir.Exp)
	var nan *NaNError
	if err := s.FindNaN(first); !errors.As(err, &nan) {
		t.Errorf("the first: %v", err)
	}
	close(firstHasEnded)
	if err := <-secondHasEnded; err != nil {
		t.Errorf("the second: %v", err)
	}
	if s.Watching() {
		t.Error("operations are still watched")
	}
}

// TestWatchOperands checks how operands are described that have another shape than the result, another
// dtype, or belong to an operation of several results.
func TestWatchOperands(t *testing.T) {
	before := "; an operand already had a NaN before the examined operations"
	one, scalar, matrix := shape.Of(dtype.F64, 1), shape.Of(dtype.F64), shape.Of(dtype.F64, 1, 1)
	sum := ir.AxesAttrs{Axes: shape.DimsOf(0)}
	for _, c := range []struct {
		name  string
		apply func(s *Session) error
		want  string
	}{
		{"another shape", func(s *Session) error {
			_, err := s.Apply(scalar, ir.ReduceSum, sum, floatsOf(t, s, inf, -inf))
			return err
		}, "element [] of ReduceSum is NaN, computed from f64{2}"},
		{"one element", func(s *Session) error {
			_, err := s.Apply(scalar, ir.ReduceSum, sum, floatsOf(t, s, nan))
			return err
		}, "element [] of ReduceSum is NaN, computed from NaN" + before},
		{"bools", func(s *Session) error {
			truth, err := s.Host(shape.Of(dtype.I1, 2), []byte{0, 1}, "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Apply(pair, ir.Select, nil, truth, floatsOf(t, s, 1, nan), floatsOf(t, s, 2, 3))
			return err
		}, "element [1] of Select is NaN, computed from NaN and 3" + before},
		{"several results", func(s *Session) error {
			x, err := s.Host(matrix, floatBytes(nan), "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.ApplyMany([]shape.Type{one, matrix}, ir.Eigh, nil, nil, x)
			return err
		}, "element [0] of Eigh is NaN, computed from NaN" + before},
		{"complex", func(s *Session) error {
			z := shape.Of(dtype.C128, 1)
			x, err := s.Host(z, floatBytes(0, 0), "")
			if err != nil {
				t.Fatal(err)
			}
			_, err = s.Apply(z, ir.Div, nil, x, x)
			return err
		}, "element [0] of Div is NaN, computed from (0+0i) and (0+0i)"},
		{"integers", func(s *Session) error {
			_, err := s.Apply(shape.Of(dtype.U8, 2), ir.Neg, nil, bytesOf(t, s, 2))
			return err
		}, ""},
		{"traced", func(s *Session) error {
			_, err := s.Apply(one, ir.Log, nil, s.NewTrace().Param(one))
			return err
		}, ""},
	} {
		s := New(Options{Executor: NewReference()})
		s.Watch(true)
		got := ""
		if err := c.apply(s); err != nil {
			got = err.Error()
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", c.name, got, c.want)
		}
	}
}

// TestSizesThatAreExamined checks up to which number of bytes elements are read, and up to which number of
// elements operations are observed.
func TestSizesThatAreExamined(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	if xs, err := s.elements(&node{typ: shape.Of(dtype.F64, maxWatched/8+1)}); xs != nil || err != nil {
		t.Errorf("%d elements, %v", len(xs), err)
	}
	for n, want := range map[int]bool{maxObserved: true, maxObserved + 1: false} {
		ty := shape.Of(dtype.F64, n)
		data := make([]byte, ty.Bytes())
		end := s.Observe(time.Hour)
		large, err := s.Host(ty, data, "")
		if err != nil {
			t.Fatal(err)
		}
		for _, code := range []ir.Code{ir.Exp, ir.ReduceSum} { // a large result, and a large operand
			result, attrs := ty, any(nil)
			if code == ir.ReduceSum {
				result, attrs = shape.Of(dtype.F64), ir.AxesAttrs{Axes: shape.DimsOf(0)}
			}
			if _, err := s.Apply(result, code, attrs, large); err != nil {
				t.Fatal(err)
			}
		}
		if o := end(); (o.Products == n) != want || o.Partial {
			t.Errorf("%d elements: %+v", n, o)
		}
	}
}

// TestRecordAfterAnOperandThatIsNotExamined checks that a NaN of a later operand counts as the cause of one in the
// result.
func TestRecordAfterAnOperandThatIsNotExamined(t *testing.T) {
	o := &Observation{}
	xs := [][]complex128{nil, {1, complex(nan, 0)}}
	o.record(ir.Select, "Select", []*node{{typ: shape.Of(dtype.I1, 2)}, {typ: pair}}, xs, xs[1])
	if o.NaN != "" {
		t.Errorf("the NaN of an operand is lost in %s", o.NaN)
	}
}
