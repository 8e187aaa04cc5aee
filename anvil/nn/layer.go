package nn

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/internal/extension"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/random"
)

// A State is a tensor that belongs to a model but is not trained, such as a running mean: its gradient is the
// zero Tensor, optimizers neither change it nor keep anything for it, and Summary counts it as not
// trained. It is saved with the model.
type State = nv.State

// Freeze returns an option of nv.Grad and nv.ValueAndGrad that freezes the tensors at or below the
// given paths, as in the results of Names: their gradient is the zero Tensor. With the option,
// optim.Init leaves them out of the state, and Summary counts them as not trained.
func Freeze(paths ...string) nv.GradOption { return nv.Freeze(paths...) }

// base is embedded in every layer. It is comparable and holds no tensors, so that nv.Jit can compare
// its value to decide whether a function must be compiled again.
type base struct {
	collector *collector // while Init, Summary or Audit calls Apply; else nil
	system    int        // index in systems
	path      string     // of the layer in the model that Init returned
}

// layer implements the interface layer.
func (b *base) layer() *base { return b }

// A layer is a pointer to a struct that embeds base. The method layer returns the base.
type layer interface{ layer() *base }

var (
	systemsMu sync.Mutex
	// systems has the default promotion system, followed by those that Under has been called with.
	systems = []*promote.System{promote.JAX64}
)

// Under returns a copy of model whose layers choose dtypes by the promotion system sys.
func Under[M any](sys *promote.System, model M) M { return UnderAny(sys, model).(M) }

// UnderAny is Under for callers that cannot instantiate a generic function.
func UnderAny(sys *promote.System, model any) any {
	if sys == nil {
		fail("Under", "nil", "the promotion system is nil", "write nn.Under(promote.Torch, model)")
	}
	systemsMu.Lock()
	defer systemsMu.Unlock()
	i := slices.Index(systems, sys)
	if i < 0 {
		i = len(systems)
		systems = append(systems, sys)
	}
	return mapLayers("Under", model, func(l layer, _ string) { l.layer().system = i })
}

// promotionSystem returns the promotion system of the layer.
func (b base) promotionSystem() *promote.System {
	systemsMu.Lock()
	defer systemsMu.Unlock()
	return systems[b.system]
}

// fail panics with an *nv.Error.
func fail(op, operands, reason, hint string) {
	panic(&nv.Error{Op: "nn." + op, Operands: operands, Reason: reason, Hint: hint})
}

// describe returns the types of tensors, for an error.
func describe(xs ...nv.Tensor) string {
	var words []string
	for _, x := range xs {
		if x.Valid() {
			words = append(words, x.Typed().String()+x.Shape().String())
		}
	}
	return strings.Join(words, ", ")
}

// lastAxis returns the length of the last axis of x, the input of the layer op. It fails if x has no axes.
func lastAxis(op string, x nv.Tensor) int {
	if x.Rank() == 0 {
		fail(op, describe(x), "the input has no axes", "give it an axis of features")
	}
	return x.Shape()[x.Rank()-1]
}

// enter marks the operations that follow, until leave is called, as operations of the layer, for
// errors about NaNs and for Summary. op is the layer's type and xs are its inputs; *y must be its
// result when leave is called.
func (b base) enter(op string, y *nv.Tensor, xs ...nv.Tensor) (leave func()) {
	if r := b.report(); r != nil {
		return r.enter(b.collector.path, op, y, xs)
	}
	if !xs[0].Valid() {
		return func() {} // the layer's first operation on xs[0] fails
	}
	if b.path == "" {
		return extension.Enter(xs[0], "nn."+op)
	}
	return extension.Enter(xs[0], b.path+" (nn."+op+")")
}

// report returns the report of the Summary or Audit in progress, or nil.
func (b base) report() *report {
	if b.collector == nil {
		return nil
	}
	return b.collector.report
}

// param returns the tensor x of a layer's field, after checking that its shape is s. If x is
// absent and Init, Summary or Audit runs, it returns a placeholder of shape s and dtype d for
// the tensor that init would make.
func (b base) param(op, field string, x nv.Tensor, s nv.Shape, d nv.DType, init Initializer) nv.Tensor {
	if !d.Valid() && b.collector != nil {
		d = b.collector.x[0].Context().LayerDType()
	}
	if !d.Valid() {
		d = dtype.F32
	}
	if r := b.report(); r != nil {
		r.parameter(b.collector.path, field, s, d, x)
	}
	switch {
	case x.Valid():
		if !x.Shape().Equal(s) {
			fail(op, field+" "+describe(x),
				fmt.Sprintf("with this input and the sizes of the layer, %s must have the shape %v", field, s),
				"give an input like the one that the layer was made for, or make new parameters with nn.Init")
		}
		return x
	case b.collector == nil:
		fail(op, "", "the layer has no "+field, "make it with model = nn.Init(model, key, x)")
	case slices.ContainsFunc(s, func(length int) bool { return length <= 0 }):
		fail(op, describe(b.collector.x...), fmt.Sprintf("%s would have the shape %v, without elements", field, s),
			"set the sizes of the layer, as in nn.Dense{Features: 64}")
	}
	return b.collector.make(op, field, s, d, init)
}

// resultDType returns the dtype of a layer's result: given if it is valid, otherwise the dtype set for
// layers in the Context, otherwise the float or complex dtype that xs promote to. It skips absent
// tensors of xs.
func (b base) resultDType(op string, given nv.DType, xs ...nv.Tensor) (d nv.DType) {
	source := "the field DType"
	if !given.Valid() {
		given, source = layerDType(xs), "the dtype set for layers"
	}
	if r := b.report(); r != nil {
		defer func() { r.computed(b.collector.path, d, why(b.promotionSystem(), given, source, d, xs)) }()
	}
	if given.Valid() {
		if !given.Is(dtype.Inexact) {
			fail(op, given.String(), source+" must be a float or complex dtype", "leave it out, or give nv.F32")
		}
		return given
	}
	var operands []any
	for _, x := range xs {
		if x.Valid() {
			operands = append(operands, x)
		}
	}
	d = b.promotionSystem().Result(operands...).DType
	if !d.Is(dtype.Inexact) {
		d = b.promotionSystem().Promote(d, dtype.F32)
	}
	return d
}

// layerDType returns the dtype that is set for layers in the Context of xs, or Invalid.
func layerDType(xs []nv.Tensor) nv.DType {
	for _, x := range xs {
		if x.Valid() {
			return x.Context().LayerDType()
		}
	}
	return dtype.Invalid
}

// promote returns xs at the dtype of the layer's result (see resultDType). Absent tensors stay absent.
func (b base) promote(op string, d nv.DType, xs ...nv.Tensor) []nv.Tensor {
	d = b.resultDType(op, d, xs...)
	out := make([]nv.Tensor, len(xs))
	for i, x := range xs {
		if x.Valid() {
			out[i] = cast(op, x, d)
		}
	}
	return out
}

// cast returns x at dtype d. If that drops imaginary parts, it follows OnComplexTruncation.
func cast(op string, x nv.Tensor, d nv.DType) nv.Tensor {
	if x.DType() == d {
		return x
	}
	if x.DType().Is(dtype.Complex) && !d.Is(dtype.Complex) {
		return extension.Truncate("nn."+op, x, d).(nv.Tensor)
	}
	return x.AsType(d)
}

// The arguments of OnComplexTruncation.
const (
	Error  = nv.RefuseTruncation // fail
	Warn   = nv.WarnTruncation   // drop the imaginary parts and log a warning
	Silent = nv.AllowTruncation  // drop the imaginary parts
)

// OnComplexTruncation sets what a layer with a real DType does if its input or a parameter is
// complex: Error, which is the default, Warn or Silent. (Flax drops imaginary parts silently.)
func OnComplexTruncation(t nv.Truncation) { In(nv.Default()).OnComplexTruncation(t) }

// A Session has the functions of this package that change settings. They apply to the tensors
// of one Context.
type Session struct{ ctx *nv.Context }

// In returns the Session of c.
func In(c *nv.Context) Session { return Session{c} }

// OnComplexTruncation is the function OnComplexTruncation for tensors of one Context.
func (s Session) OnComplexTruncation(t nv.Truncation) { s.ctx.SetTruncation(t) }

// An Initializer makes the first value of a parameter, of shape s, from a key. Package random has
// several, such as random.HeNormal; others are Zeros and Ones.
type Initializer func(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor

// Zeros is the Initializer of zeros.
func Zeros(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return k.Data.Context().Zeros(s, opts...)
}

// Ones is the Initializer of ones.
func Ones(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return k.Data.Context().Ones(s, opts...)
}

// lecunNormal is random.LecunNormal for real and complex dtypes.
func lecunNormal(k random.PRNGKey, s nv.Shape, opts ...nv.Option) nv.Tensor {
	return initialize(random.LecunNormal, k, s, opts)
}

// initialize returns the tensor that init makes. init supports only real dtypes: if opts has a
// complex dtype, it makes the real and the imaginary part, and initialize divides both by the square
// root of 2.
func initialize(init Initializer, k random.PRNGKey, s nv.Shape, opts []nv.Option) nv.Tensor {
	for i, o := range opts {
		d, ok := o.(nv.DType)
		if !ok || !d.Is(dtype.Complex) {
			continue
		}
		realOpts := slices.Clone(opts)
		realOpts[i] = d.Elem()
		k1, k2 := k.Split()
		re, im := init(k1, s, realOpts...), init(k2, s, realOpts...)
		return k.Data.Context().Complex(re.Mul(math.Sqrt2/2), im.Mul(math.Sqrt2/2))
	}
	return init(k, s, opts...)
}

// or returns init, or fallback if init is nil.
func (init Initializer) or(fallback Initializer) Initializer {
	if init == nil {
		return fallback
	}
	return init
}
