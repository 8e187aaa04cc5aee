package main

import (
	"math"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// flaxLists answer the rows about Flax: the dtypes in which its layers compute, and those that they
// store. Both follow from the promotion of input and parameters, as Flax's design note FLIP 1777 describes.
var flaxLists = lists{
	"promote_dtype": {answer: flaxPromote}, "linen": {answer: flaxLayer}, "nnx": {answer: flaxLayer},
	"batch_stats": {answer: flaxStatistics}, "batch_stats_after_step": {answer: flaxStep},
	"numeric": {answer: flaxNumeric}, "attention": {answer: flaxAttention}, "cache": {answer: flaxCached},
}

// flaxPromote answers with the result of promote_dtype.
func flaxPromote(r row) row {
	return dtypeRow(flaxPromoteDType(r, r.flag("inexact"), r.text("input"), r.text("param")))
}

// flaxPromoteDType returns the result of Flax's promote_dtype: the dtype in the row's field "dtype" or, if the row has
// no such field, the common dtype of the arrays. If inexact is set and the common dtype is an integer or a bool, it is
// promoted with f32.
func flaxPromoteDType(r row, inexact bool, arrays ...string) (dtype.Typed, error) {
	s, _ := jaxSystems(r)
	if name := r.text("dtype"); name != "" {
		return s.Resolve(tensor(dtypeOf(name)))
	}
	var xs []promote.Operand
	for _, name := range arrays {
		xs = append(xs, tensor(dtypeOf(name)))
	}
	t, err := s.Resolve(xs...)
	if err == nil && inexact && !t.DType.Is(dtype.Inexact) {
		t, err = s.Resolve(promote.Operand{Typed: t, Rank: 1}, tensor(dtype.F32))
	}
	return t, err
}

// A flaxLayerRule says how a layer differs from one that promotes its input with its parameters.
type flaxLayerRule struct {
	checkInput func(input dtype.DType) error
	state      func(computed dtype.Typed) row // the dtypes that the layer stores
	carries    bool                           // the state passes from step to step, and must have the parameters' dtype
}

// flaxRules maps the layers in rows to their rules. The zero rule is that of a layer that promotes its
// input with its parameters.
var flaxRules = map[string]flaxLayerRule{
	"Dense": {}, "DenseGeneral": {}, "Linear": {}, "LinearGeneral": {}, "MultiHeadAttention": {}, "Conv": {},
	"LayerNorm": {}, "RMSNorm": {}, "GroupNorm": {}, "MultiHeadDotProductAttention": {},
	"Embed":        {checkInput: flaxCheckIndex},
	"BatchNorm":    {state: func(dtype.Typed) row { return row{"batch_stats": flaxRunningStats} }},
	"MHDPA.decode": {state: flaxCache},
	"LSTMCell":     {carries: true},
}

// flaxRunningStats are the dtypes of the running statistics of every layer that has them.
var flaxRunningStats = row{"mean": "f32", "var": "f32"}

// flaxCache returns the dtypes of a cache of keys and values that were computed in t.
func flaxCache(t dtype.Typed) row {
	return row{"cache": row{"cached_key": t.String(), "cached_value": t.String(), "cache_index": "i32"}}
}

// flaxAttention answers with the dtype of dot_product_attention, which promotes query, key
// and value together.
func flaxAttention(r row) row {
	return dtypeRow(flaxPromoteDType(r, true, r.text("query"), r.text("key"), r.text("value")))
}

// flaxCached answers with the dtypes of a MultiHeadDotProductAttention that decodes. The cache has the
// dtype of the projected keys and values; the dtype of the queries does not matter.
func flaxCached(r row) row {
	param := r.text("param_dtype")
	query, err := flaxPromoteDType(r, true, r.text("query"), param)
	if err != nil {
		return errorRow(err)
	}
	key, err := flaxPromoteDType(r, true, r.text("key"), param)
	if err != nil {
		return errorRow(err)
	}
	answer := dtypeRow(flaxPromoteDType(r, true, query.String(), key.String(), param))
	answer["cache"] = flaxCache(key)["cache"]
	return answer
}

// flaxCheckIndex returns Flax's error for an index that is not an integer.
func flaxCheckIndex(input dtype.DType) error {
	if input.Is(dtype.Integral) {
		return nil
	}
	return &promote.Refusal{Op: "Embed", Kind: "ValueError",
		Reason: "Input type must be an integer or unsigned integer."}
}

// flaxLayer answers with the dtypes of a layer's output, parameters and state.
func flaxLayer(r row) row {
	rule, ok := flaxRules[r.text("layer")]
	if !ok {
		return unsupported("no layer " + r.text("layer")).row()
	}
	if rule.checkInput != nil {
		if err := rule.checkInput(dtypeOf(r.text("input"))); err != nil {
			return errorRow(err)
		}
	}
	s, _ := jaxSystems(r)
	param, err := s.Resolve(tensor(dtypeOf(r.text("param_dtype"))))
	if err != nil {
		return errorRow(err)
	}
	promoteWith, stateName := param, "c[1][0]" // stateName is for the error of flaxCarry
	if r.text("api") == "nnx" {
		stateName = "cell[0][0]"
		if rule.state != nil { // the statistics, in f32, promote with the parameters
			promoteWith, err = s.Resolve(tensor(param.DType), tensor(dtype.F32))
		}
	}
	if err != nil {
		return errorRow(err)
	}
	t, err := flaxPromoteDType(r, true, r.text("input"), promoteWith.DType.String())
	if err == nil && rule.carries {
		t, err = flaxCarry(s, t, param, stateName)
	}
	answer := dtypeRow(t, err)
	if err == nil {
		answer["params"] = []string{param.String()}
		if rule.state != nil {
			answer["state"] = rule.state(t)
		}
	}
	return answer
}

// flaxCarry returns the dtype of a cell's state after a step that computes in t. It returns an error if this
// is not the dtype of the parameters, which the state has before the step. name is the name of the state in
// the error.
func flaxCarry(s *promote.System, t, param dtype.Typed, name string) (dtype.Typed, error) {
	next, err := s.Join(promote.Operand{Typed: t, Rank: 1}, promote.Operand{Typed: param, Rank: 1})
	if err == nil && next != param {
		err = &promote.Refusal{Op: "LSTMCell", Kind: "TypeError",
			Reason: "scan body function carry input and carry output must have equal types, but they differ:\n\n" +
				"  * the input carry component " + name + " has type " + param.DType.Long() +
				"[2,3] but the corresponding output carry component has type " + next.DType.Long() + "[2,3]"}
	}
	return next, err
}

// flaxStep answers with the dtypes of the running statistics after a step. The mean has the
// common dtype of f32 and the batch, which may be complex; the variance has the dtype of the
// mean's real part.
func flaxStep(r row) row {
	s, _ := jaxSystems(r)
	name := r.text("dtype")
	if name == "" {
		name = r.text("input")
	}
	mean, err := s.Resolve(tensor(dtype.F32), tensor(dtypeOf(name)))
	if err != nil {
		return errorRow(err)
	}
	variance, err := s.Operation("real", mean)
	if err != nil {
		return errorRow(err)
	}
	return row{"stats": row{"mean": mean.String(), "var": variance.String()}}
}

// flaxStatistics answers with the dtypes of a layer with running statistics and parameters in f32.
func flaxStatistics(r row) row {
	answer := dtypeRow(flaxPromoteDType(r, true, r.text("input"), "f32"))
	if answer["result"] != nil {
		answer["stats"] = flaxRunningStats
	}
	return answer
}

// flaxNumeric answers cases such as "LayerNorm on f16 [1000,-1000,500,-500]" with the layer's output to
// four decimals. Cases about random inputs are not answered, since a row does not list its inputs.
func flaxNumeric(r row) row {
	layer, rest, ok := strings.Cut(r.text("case"), " on ")
	name, list, listed := strings.Cut(rest, " ")
	layer, _, _ = strings.Cut(layer, "(")
	n, parsed := parse(list)
	if !ok || !listed || !parsed || layer != "LayerNorm" && layer != "RMSNorm" {
		return unsupported("the row has no numbers").row()
	}
	s, _ := jaxSystems(r)
	w := valueEvaluator{valueSystem: valueSystem{system: s, flushes: true}}
	xs, err := eval(w, n)
	vs, isList := xs.([]any)
	if err != nil || !isList {
		return errExpression.row()
	}
	x := w.tensorOf(dtypeOf(name), vs...)
	y := flaxNormalize(w.lib(), x, dtypeOf(r.text("dtype")), layer == "LayerNorm", r.flag("force_float32_reductions"))
	value := allValues(y).([]any)
	for i, v := range value {
		if f, finite := v.(pythonFloat); finite {
			value[i] = pythonFloat(math.Round(float64(f)*1e4) / 1e4)
		}
	}
	return row{"value": value}
}

// flaxNormalize returns x / sqrt(m + 1e-6) at dtype d, where m is the mean square of x. If centred is set,
// it first subtracts the mean from x. If wide is set, the mean and the mean square of 16-bit floats are
// computed in f32. Source: flax/linen/normalization.py.
func flaxNormalize(l *anvil.Lib, x anvil.Tensor, d dtype.DType, centred, wide bool) anvil.Tensor {
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
		y = l.Add(y, 0.0) // the layer's bias; it turns -0 into 0
	}
	return l.AsType(y, d)
}
