package tangent_test

import (
	"testing"
	"time"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/tangent"
	"github.com/goanvil/notebook/anvil/tangent/dates"
)

// A boxed value has a type argument.
type boxed[T any] struct{ V T }

// TestErrorSentences checks what the errors of operations say.
func TestErrorSentences(t *testing.T) {
	two, ints := nv.New([]float64{1, 2}), nv.New([]int32{1, 2})
	missing := tangent.NotImplemented("no rule")
	element := tangent.OneElement{Shape: nv.Shape{2}, Index: []int{1}, Value: 1.0}
	long := tangent.OneElement{Shape: nv.Shape{3}, Index: []int{1}, Value: 1.0}
	outside := tangent.OneElement{Shape: nv.Shape{2}, Index: []int{2}, Value: 1.0}
	type plain struct{ X float64 }
	type closed struct{ x []int }
	part := tangent.New(plain{}, tangent.F{"X": 1.0})
	f := func(x float64) float64 { return x }
	for i, row := range []struct {
		f    func()
		want string
	}{
		{func() { tangent.Add(nil, 1.0) }, "tangent.Add(nil, float64): there is no rule for nil and float64"},
		{func() { tangent.Add("a", 1.0) }, "tangent.Add(string, float64): there is no rule for string and float64; declare one: tangent.RegisterAdd(func(a string, b float64) ...)"},
		{func() { tangent.Add(two, "a") }, "tangent.Add(f32{2}, string): there is no rule for f32{2} and string; declare one: tangent.RegisterAdd(func(a nv.Tensor, b string) ...)"},
		{func() { tangent.Add([]float64{1}, []float64{1, 2}) }, "tangent.Add([]float64, []float64): the operands have lengths 1 and 2"},
		{func() { tangent.Add([]any{1}, []any{1}) }, "tangent.Add([]any, []any): there is no rule for []any and []any; declare one: tangent.RegisterAdd(func(a []any, b []any) ...)"},
		{func() { tangent.Add(tangent.F{"a": 1}, 1.0) }, "tangent.Add(F, float64): untyped tangent: an F has no primal type; use tangent.New(value, F{...})"},
		{func() { tangent.Add(1.0, tangent.F{"a": 1}) }, "tangent.Add(float64, F): untyped tangent: an F has no primal type; use tangent.New(value, F{...})"},
		{func() { tangent.Add(time.Time{}, time.Time{}) }, "tangent.Add(Time, Time): a Time is a point, not a tangent, so two of them have no sum; use tangent.Diff for their difference, and tangent.AddTo to add a tangent to one"},
		{func() { tangent.Add(int8(100), int8(100)) }, "tangent.Add(int8, int8): overflow: 200 does not fit in int8"},
		{func() { tangent.Add(uint8(200), uint8(100)) }, "tangent.Add(uint8, uint8): overflow: 300 does not fit in uint8"},
		{func() { tangent.Add(part, nil) }, "tangent.Add(Tangent{plain}, nil): there is no rule for Tangent{plain} and nil"},
		{func() { tangent.Add(part, boxed[*nv.Shape]{}) }, "tangent.Add(Tangent{plain}, boxed[*Shape]): there is no rule for Tangent{plain} and boxed[*Shape]; declare one: tangent.RegisterAdd(func(a tangent.Struct, b boxed[*Shape]) ...)"},
		{func() { tangent.Add(part, "text") }, "tangent.Add(Tangent{plain}, string): there is no rule for Tangent{plain} and string; declare one: tangent.RegisterAdd(func(a tangent.Struct, b string) ...)"},
		{func() { tangent.Add("text", part) }, "tangent.Add(string, Tangent{plain}): there is no rule for string and Tangent{plain}; declare one: tangent.RegisterAdd(func(a string, b tangent.Struct) ...)"},
		{func() { tangent.Add(part, tangent.New(sample{}, tangent.F{"Value": 1.0})) }, "tangent.Add(Tangent{plain}, Tangent{sample}): cannot add Tangent{plain} to Tangent{sample}"},
		{func() { tangent.Add(element, long) }, "tangent.Add(OneElement, OneElement): the shapes [2] and [3] differ"},
		{func() { tangent.Add(long, two) }, "tangent.Add(OneElement, f32{2}): the shapes [3] and [2] differ"},
		{func() { tangent.Add(two, long) }, "tangent.Add(f32{2}, OneElement): the shapes [2] and [3] differ"},
		{func() { tangent.Add(tangent.OneElement{Shape: nv.Shape{2}, Index: []int{2}, Value: 1.0}, element) }, "tangent.Add(OneElement): the index [2] is out of range of [2]"},
		{func() { tangent.Add(tangent.OneElement{Shape: nv.Shape{2}, Index: []int{-1}, Value: 1.0}, element) }, "tangent.Add(OneElement): the index [-1] is out of range of [2]"},
		{func() { tangent.Add(tangent.OneElement{Shape: nv.Shape{2}, Value: 1.0}, element) }, "tangent.Add(OneElement): the index [] does not have one number per axis of [2]"},
		{func() { tangent.Sub(missing, 1.0) }, "tangent.Sub(NotImplemented, float64): the tangent is not implemented: no rule"},
		{func() { tangent.Sub(1.0, missing) }, "tangent.Sub(float64, NotImplemented): the tangent is not implemented: no rule"},
		{func() { tangent.Scale("a", 1.0) }, "tangent.Scale(string, float64): the factor is not a scalar; give a number; tangent.Mul multiplies tensors"},
		{func() { tangent.Scale(two, 1.0) }, "tangent.Scale(f32{2}, float64): the factor is not a scalar; give a number; tangent.Mul multiplies tensors"},
		{func() { tangent.Scale(time.Second, 1.0) }, "tangent.Scale(Duration, float64): the factor is not a scalar; give a number; tangent.Mul multiplies tensors"},
		{func() { tangent.Scale(2.0, nil) }, "tangent.Scale(float64, nil): nil is not a tangent"},
		{func() { tangent.Scale(0.5, time.Nanosecond) }, "tangent.Scale(float64, Duration): inexact: 0.5 is not a value of the integer type Duration"},
		{func() { tangent.Scale(2i, time.Nanosecond) }, "tangent.Scale(complex128, Duration): a complex multiple of a Duration is not a Duration"},
		{func() { tangent.Scale(2, int8(100)) }, "tangent.Scale(int, int8): overflow: 200 does not fit in int8"},
		{func() { tangent.Mul(part, part) }, "tangent.Mul(Tangent{plain}, Tangent{plain}): the product of two tangents has no meaning; multiply a tangent by a number"},
		{func() { tangent.Mul(part, "text") }, "tangent.Mul(Tangent{plain}, string): the product of two tangents has no meaning; multiply a tangent by a number"},
		{func() { tangent.Mul("text", "text") }, "tangent.Mul(string, string): there is no product of string and string; multiply a tangent by a number"},
		{func() { tangent.Mul(2.0, "text") }, "tangent.Mul(float64, string): there is no product of float64 and string; multiply a tangent by a number"},
		{func() { tangent.Mul(element, element) }, "tangent.Mul(OneElement, OneElement): there is no product of OneElement and OneElement; multiply a tangent by a number"},
		{func() { tangent.Mul([]float64{1, 2}, element) }, "tangent.Mul(OneElement, []float64): there is no product of OneElement and []float64; multiply a tangent by a number"},
		{func() { tangent.Mul(time.Second, time.Second) }, "tangent.Mul(Duration, Duration): there is no product of Duration and Duration; multiply a tangent by a number"},
		{func() { tangent.AddTo(1.0, missing) }, "tangent.AddTo(float64, NotImplemented): the tangent is not implemented: no rule"},
		{func() { tangent.AddTo(nil, 1.0) }, "tangent.AddTo(nil, float64): nil has no tangents other than Zero and None"},
		{func() { tangent.AddTo(1.0, nil) }, "tangent.AddTo(float64, nil): nil has no tangents other than Zero and None"},
		{func() { tangent.AddTo(1.0, 1i) }, "tangent.AddTo(float64, complex128): the tangent of a real number cannot be complex; take its real part with tangent.Project"},
		{func() { tangent.AddTo(1, 0.5) }, "tangent.AddTo(int, float64): inexact: 0.5 is not a value of the integer type int"},
		{func() { tangent.AddTo(1.0, time.Second) }, "tangent.AddTo(float64, Duration): Duration is not a tangent of float64; its tangent types are float64, ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{func() { tangent.AddTo(1.0, tangent.F{"a": 1}) }, "tangent.AddTo(float64, F): untyped tangent: an F has no primal type; use tangent.New(value, F{...})"},
		{func() { tangent.AddTo(time.Time{}, time.Time{}) }, "tangent.AddTo(Time, Time): Time is not a tangent of Time; a Time is a point, so two of them have no sum; its tangent types are Duration, Tangent{Time}, ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{func() { tangent.AddTo([]float64{1}, []float64{1, 2}) }, "tangent.AddTo([]float64, []float64): the tangent has length 2, but the primal value has 1; its tangent types are Tangent{[]float64}, ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{func() { tangent.AddTo("a", "b") }, "tangent.AddTo(string, string): string is not a tangent of string; its tangent types are ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{func() { tangent.AddTo(two, "text") }, "tangent.AddTo(f32{2}, string): string is not a tangent of f32{2}; give a number or a tensor"},
		{func() { tangent.AddTo(two, nv.Ones(nv.Shape{2, 2})) }, "tangent.AddTo(f32{2}, f32{2,2}): the shapes differ; give a tangent with the shape of the first operand"},
		{func() { tangent.AddTo(ints, 0.5) }, "tangent.AddTo(i32{2}, float64): inexact: a tensor of integers or bools cannot hold fractions; convert it to a float: x.AsType(nv.F32)"},
		{func() { tangent.AddTo(two, 1i) }, "tangent.AddTo(f32{2}, complex128): a real tensor has no complex tangent; take the real part of the tangent with tangent.Project"},
		{func() { tangent.AddTo(two, outside) }, "tangent.AddTo(OneElement): the index [2] is out of range of [2]"},
		{func() { tangent.Mul(two, outside) }, "tangent.Mul(OneElement): the index [2] is out of range of [2]"},
		{func() { tangent.Equal(outside, outside) }, "tangent.Equal(OneElement): the index [2] is out of range of [2]"},
		{func() { tangent.AddTo(time.Second, tangent.New(time.Second, tangent.F{"value": missing})) }, "tangent.AddTo(Duration, NotImplemented): the tangent is not implemented: no rule"},
		{func() { tangent.AddTo(1.0, part) }, "tangent.AddTo(float64, Tangent{plain}): cannot add Tangent{plain} to a float64"},
		{func() { tangent.AddTo((*plain)(nil), part) }, "tangent.AddTo(*plain, Tangent{plain}): nil has no tangents other than Zero and None"},
		{func() { tangent.AddTo([]float64{1}, tangent.New([]float64{}, 1.0, 2.0)) }, "tangent.AddTo([]float64, Tangent{[]float64}): the tangent has a part for element 1, but the length of the value is 1"},
		{func() {
			tangent.AddTo(map[string]float64{"a": 1}, tangent.New(map[string]float64{}, tangent.F{"b": 1.0}))
		}, "tangent.AddTo(map[string]float64, Tangent{map[string]float64}): the map has no entry \"b\"; give tangents of its entries only"},
		{func() { tangent.AddTo(plain{}, tangent.New(plain{}, tangent.F{"Y": 1.0})) }, "tangent.AddTo(Tangent{plain}): plain has no field Y; its fields are X; declare properties with tangent.Properties"},
		{func() { tangent.AddTo(plain{}, tangent.New(plain{}, tangent.F{"X": "text"})) }, "tangent.AddTo(float64, string): string is not a tangent of float64; its tangent types are float64, ZeroTangent, NoTangent, NotImplemented, Thunk, InplaceableThunk"},
		{func() { tangent.New("text") }, "tangent.New(string): string has no parts; give a struct, slice, array, map or a value of a defined number type"},
		{func() { tangent.New(nil) }, "tangent.New(nil): the value is nil; give a value of the primal type"},
		{func() { tangent.New(plain{}, 1.0) }, "tangent.New(plain, float64): the parts of a Tangent{plain} need names; give one tangent.F{\"name\": tangent} with the names X"},
		{func() { tangent.New(map[int]int{}, tangent.F{"a": 1}) }, "tangent.New(map[int]int, F): the keys of a map[int]int are not strings; use tangent.StructuralFor or tangent.Diff"},
		{func() { tangent.Diff(1.0, "a") }, "tangent.Diff(float64, string): the operands have different types, or one of them is nil"},
		{func() { tangent.Diff(closed{[]int{1}}, closed{[]int{2}}) }, "tangent.Diff(closed, closed): the field x of a closed is not exported; export it, or declare a natural tangent with tangent.DeclareNatural"},
		{func() { tangent.Diff([]float64{1}, []float64{1, 2}) }, "tangent.Diff([]float64, []float64): the operands have lengths 1 and 2; give values of the same length"},
		{func() { tangent.Diff("a", "b") }, "tangent.Diff(string, string): the values differ, but a string has no tangent"},
		{func() { tangent.Project(1.0, "text") }, "tangent.Project(float64, string): string is not a tangent of float64"},
		{func() { tangent.Project([]float64{1}, []float64{1, 2}) }, "tangent.Project([]float64, []float64): the tangent has length 2, but the primal value has 1"},
		{func() { tangent.Project(1.0, time.Second) }, "tangent.Project(float64, Duration): Duration is not a tangent of float64"},
		{func() { tangent.Project(two, long) }, "tangent.Project(f32{2}, OneElement): the shapes [2] and [3] differ"},
		{func() { tangent.Project(two, nv.Ones(nv.Shape{3})) }, "tangent.Project(f32{2}, f32{3}): the shapes [2] and [3] differ"},
		{func() { tangent.Project(two, tangent.F{}) }, "tangent.Project(f32{2}, F): untyped tangent: an F has no primal type; use tangent.New(value, F{...})"},
		{func() { tangent.Accumulate(1.0, 2.0) }, "tangent.Accumulate(float64, float64): the first argument is not a pointer to an accumulator; give &acc"},
		{func() { tangent.Accumulate((*float64)(nil), 2.0) }, "tangent.Accumulate(*float64, float64): the first argument is not a pointer to an accumulator; give &acc"},
		{func() { tangent.Accumulate([]float64{1}, []int{1}) }, "tangent.Add([]float64, []int): there is no rule for []float64 and []int; declare one: tangent.RegisterAdd(func(a []float64, b []int) ...)"},
		{func() { tangent.Inplaceable(1, nil) }, "tangent.Inplaceable(int, Thunk): an argument is nil or has the wrong type; give func(acc *nv.Tensor) { ... } and a function that returns the tangent"},
		{func() { tangent.Inplaceable((func(*nv.Tensor))(nil), func() any { return 1.0 }) }, "tangent.Inplaceable(func(*Tensor), Thunk): an argument is nil or has the wrong type; give func(acc *nv.Tensor) { ... } and a function that returns the tangent"},
		{func() { tangent.Unthunk(tangent.Thunk(nil)) }, "tangent.Unthunk(Thunk): the thunk is nil; give it a function: tangent.Thunk(func() any { ... })"},
		{func() { tangent.RegisterAdd(1) }, "tangent.RegisterAdd(int): the argument is not a function of the right form; give a func(a A, b B) C"},
		{func() { tangent.RegisterAdd(func(a, b string) {}) }, "tangent.RegisterAdd(func(string, string)): the argument is not a function of the right form; give a func(a A, b B) C"},
		{func() { tangent.RegisterConvert(1.0, func() int { return 1 }) }, "tangent.RegisterConvert(func() int): the argument is not a function of the right form; give a func(a A) B"},
		{func() { tangent.RegisterConvert(nil, 1) }, "tangent.RegisterConvert(int): the argument is not a function of the right form; give a func(a A) B"},
		{func() {
			tangent.DeclareNatural(func(p, t int) string { return "" }, func(a, b int) int { return a })
		}, "tangent.DeclareNatural(func(int, int) string, func(int, int) int): the types of the two functions do not agree; give func(p P, t T) P and func(to, from P) T"},
		{func() { tangent.Constructor(1) }, "tangent.Constructor(int): the argument is not a function that returns a struct and has a parameter for each of its fields; give a func(field1 T1, field2 T2, ...) P"},
		{func() { tangent.OverloadAdd(nil, nil) }, "tangent.OverloadAdd(nil): the value is nil; give a value of the primal type"},
		{func() { tangent.Properties(nil, nil) }, "tangent.Properties(nil): the value is nil; give a value of the primal type"},
		{func() { tangent.RegisterRule("r", f, f) }, "tangent.RegisterRule(string, func(float64) float64, func(float64) float64): the rule does not fit the function; for func(x X) Y give func(x X) (Y, func(ct any) []any)"},
		{func() { tangent.VJP("nothing", 1.0) }, "tangent.VJP(string): the first argument is neither a function with one result nor the name of a rule"},
		{func() { tangent.VJP(f, 1.0, 2.0) }, "tangent.VJP(float64, float64): the number of arguments is 2, but the function takes 1"},
		{func() { tangent.VJP(func(x nv.Tensor) nv.Tensor { return x }, 1.0) }, "tangent.VJP(float64): argument 0 must be a Tensor, not a float64"},
		{func() { tangent.JVP(f, []any{1.0, 2.0}, []any{0.0, 0.0}) }, "tangent.JVP(float64, float64): the number of arguments is 2, but the function takes 1"},
		{func() { tangent.CheckRule("At") }, "tangent.CheckRule(): the number of arguments is 0, but the function takes 1 or more"},
		{func() {
			tangent.JVP(func(m model) nv.Tensor { return m.Ptr.W }, []any{model{Ptr: &layer{W: two}}}, []any{tangent.New(model{}, tangent.F{"Unused": two})})
		}, "tangent.JVP(Tensor(nil), f32{2}): a Tensor that has not been set has no tangents other than Zero and None"},
		{func() { tangent.JVP(f, []any{1.0}, nil) }, "tangent.JVP(func(float64) float64): the numbers of arguments (1) and tangents (0) differ"},
		{func() { tangent.JVP("nothing", nil, nil) }, "tangent.JVP(string): the first argument is neither a function with one result nor the name of a rule"},
		{func() { tangent.Natural(nil) }, "tangent.Natural(nil): the value is nil; give a value of the primal type"},
		{func() { tangent.TypesFor(nil) }, "tangent.TypesFor(nil): the value is nil; give a value of the primal type"},
		{func() { tangent.Add(dates.Day(1), dates.Date(2026, 1, 1)) }, "tangent.Add(Day, DateTime): there is no rule for Day and DateTime; declare one: tangent.RegisterAdd(func(a Day, b DateTime) ...)"},
		{func() { tangent.Sub("text", 1.0) }, "tangent.Add(string, float64): there is no rule for string and float64; declare one: tangent.RegisterAdd(func(a string, b float64) ...)"},
		{func() { tangent.Accumulate([]float64{1}, missing) }, "tangent.Accumulate([]float64, NotImplemented): the sum is not a []float64; give a pointer to a variable of type any"},
		{func() { tangent.New(map[string]float64{}, 1.0) }, "tangent.New(map[string]float64, float64): the parts of a Tangent{map[string]float64} need names; give one tangent.F{\"key\": tangent}; if the keys are not strings, use tangent.StructuralFor"},
		{func() { tangent.Diff(map[string]int{"a": 1}, map[string]int{"b": 1}) }, "tangent.Diff(map[string]int, map[string]int): the two maps have different keys; give maps with the same keys"},
		{func() { tangent.VJP("At", two) }, "tangent.VJP(f32{2}, []int): the rule At reads one element; give an index for each axis"},
		{func() { tangent.CheckRule("nothing", 1.0) }, "tangent.CheckRule(string): the first argument is neither a rule nor the name of a rule; make a rule with tangent.RegisterRule"},
		{func() { tangent.StructuralFor(struct{ t nv.Tensor }{two}) }, "tangent.StructuralFor(Tensor(nil)): the field t is not exported; export it"},
		{func() { tangent.StructuralFor(time.Now()) }, "tangent.StructuralFor(Time): the field wall is not exported; use a natural tangent of Time: Duration"},
		{func() { var x struct{ X any }; x.X = &x; tangent.StructuralFor(&x) }, "tangent.StructuralFor(*struct { X any }): the value holds itself in X"},
		{func() {
			_, back := tangent.VJP(tangent.RegisterRule("none", f, func(x float64) (float64, func(any) []any) { return x, func(any) []any { return nil } }), 1.0)
			back(1.0)
		}, "tangent.VJP(*Rule): the number of tangents that the pullback returned is 0, not 2: one for the function and one for each argument; return []any{tangent.None, ...}, the tangent of the function first"},
		{func() { tangent.JVP(func(x nv.Tensor) nv.Tensor { return x }, []any{two}, []any{missing}) }, "tangent.JVP(f32{2}, NotImplemented): the tangent is not implemented: no rule"},
		{func() {
			tangent.JVP(func(p struct{ X nv.Tensor }) nv.Tensor { return p.X }, []any{struct{ X nv.Tensor }{two}}, []any{1.0})
		}, "tangent.JVP(struct { X Tensor }, float64): float64 is not a tangent of struct { X Tensor }"},
		{func() { type plain struct{ Y float64 }; tangent.Add(part, tangent.New(plain{}, tangent.F{"Y": 1.0})) }, "tangent.Add(Tangent{plain}, Tangent{plain}): cannot add Tangent{plain} to Tangent{plain}; plain was declared again in between: compute both tangents with the new type"},
	} {
		if err := nv.Try(row.f); err == nil || err.Error() != row.want {
			t.Errorf("call %d: %v; want %s", i, err, row.want)
		}
	}
}
