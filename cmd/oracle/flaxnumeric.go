package main

import (
	"math"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// flaxNumeric answers "LayerNorm on f16 [1000,-1000,500,-500]": what the layer
// makes of the numbers, to four places. The rows of a measured rounding error are
// of random numbers, which they do not have.
func flaxNumeric(r row) row {
	layer, rest, ok := strings.Cut(r.text("case"), " on ")
	name, list, listed := strings.Cut(rest, " ")
	layer, _, _ = strings.Cut(layer, "(")
	n, parsed := parse(list)
	if !ok || !listed || !parsed || layer != "LayerNorm" && layer != "RMSNorm" {
		return row{"unsupported": "numbers that the row does not have"}
	}
	s, _ := jaxSystems(r)
	w := workbench{laboratory: laboratory{s, true}}
	xs, err := w.eval(n)
	vs, is := xs.([]any)
	if err != nil || !is {
		return row{"unsupported": errFree.Error()}
	}
	x := w.measured(dtypeOf(name), vs...)
	y := flaxNormalized(w.lib(), x, dtypeOf(r.text("dtype")), layer == "LayerNorm", r.flag("force_float32_reductions"))
	value := whole(y).([]any)
	for i, v := range value {
		if f, finite := v.(real64); finite {
			value[i] = real64(math.Round(float64(f)*1e4) / 1e4)
		}
	}
	return row{"value": value}
}

// flaxNormalized is a layer that divides by the root of the mean square, of what is
// left without the mean where centred. Mean and mean square are computed in f32
// where a half is made wider for them; 1e-6 is added below the root.
// Source: flax/linen/normalization.py.
func flaxNormalized(l *anvil.Lib, x anvil.Tensor, d dtype.DType, centred, wide bool) anvil.Tensor {
	stats := x
	if wide {
		stats = l.AsType(x, promote.JAX.Result(x.DType(), dtype.F32).DType)
	}
	square, mean := l.Mean(l.Mul(stats, stats)), l.ZerosLike(l.Mean(stats))
	if centred {
		mean = l.Mean(stats)
		square = l.Maximum(l.Sub(square, l.Mul(mean, mean)), 0.0)
	}
	y := l.Mul(l.Sub(x, mean), l.Rsqrt(l.Add(square, 1e-6)))
	if centred {
		y = l.Add(y, 0.0) // the bias, of which -0 becomes 0
	}
	return l.AsType(y, d)
}
