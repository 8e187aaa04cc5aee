package stablehlo

import (
	"math"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/shape"
)

func TestDense(t *testing.T) {
	for _, c := range []struct {
		d      dtype.DType
		s      shape.Shape
		values []any
		want   string
	}{
		{dtype.F32, nil, []any{1.5}, "dense<1.5>"},
		{dtype.F32, nil, []any{1e10}, "dense<1.0e+10>"},
		{dtype.F32, nil, []any{0.1}, "dense<0.1>"},
		{dtype.F32, nil, []any{3.0}, "dense<3.0>"},
		{dtype.F32, nil, []any{math.Copysign(0, -1)}, "dense<-0.0>"},
		{dtype.F32, nil, []any{math.NaN()}, "dense<0x7FC00000>"},
		{dtype.F64, nil, []any{math.Inf(-1)}, "dense<0xFFF0000000000000>"},
		{dtype.F64, nil, []any{0.1}, "dense<0.1>"},
		{dtype.BF16, nil, []any{1.5}, "dense<1.5>"},
		{dtype.F16, nil, []any{math.Inf(1)}, "dense<0x7C00>"},
		{dtype.F8E4M3FN, nil, []any{math.NaN()}, "dense<0x7F>"},
		{dtype.I4, shape.Shape{2}, []any{-8, 7}, "dense<[-8, 7]>"},
		{dtype.U4, nil, []any{15}, "dense<15>"},
		{dtype.I64, nil, []any{math.MinInt64}, "dense<-9223372036854775808>"},
		{dtype.U64, nil, []any{uint64(math.MaxUint64)}, "dense<18446744073709551615>"},
		{dtype.I1, shape.Shape{2, 1}, []any{true, false}, "dense<[[true], [false]]>"},
		{dtype.C64, nil, []any{complex(1, math.Inf(1))}, "dense<(1.0, 0x7F800000)>"},
		{dtype.F32, shape.Shape{2, 3}, []any{2.0}, "dense<2.0>"},
		{dtype.F32, shape.Shape{0, 3}, nil, "dense<>"},
	} {
		var data []byte
		for _, v := range c.values {
			var err error
			if data, err = dtype.Append(data, c.d, v); err != nil {
				t.Fatal(err)
			}
		}
		w := &Writer{}
		w.Dense(c.d, c.s, string(data))
		if got := string(w.buf); got != c.want {
			t.Errorf("%v%v %v: %s, want %s", c.d, c.s, c.values, got, c.want)
		}
	}
}
