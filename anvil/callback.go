package anvil

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/shape"
)

// Print prints x, preceded by a label if one is given, and returns x. In a traced function (Jit, loops and
// branches), x is printed each time the program reaches the Print, in program order. A program that prints is
// split at each Print, on every device, and the pieces run one after another.
func (l *Lib) Print(x any, label ...string) Tensor {
	c := l.call("Print", x)
	t := c.typed(x)
	a, ok := x.(Tensor)
	if !ok {
		a = c.result(c.at(x, t.DType), t.Ambiguous)
	}
	prefix := strings.Join(label, " ")
	if prefix != "" {
		prefix += ": "
	}
	h := &engine.HostCall{Name: "print", Effect: true, Do: func(args []engine.Array) ([]engine.Array, error) {
		value := Tensor{t: &tensor{ctx: c.ctx, arr: args[0], amb: a.t.amb}}
		_, err := io.WriteString(c.ctx.output(), prefix+value.head()+"\n")
		return nil, err
	}}
	_, err := c.ctx.session.CallHost(h, nil, a.t.arr)
	c.check(err)
	return a
}

// output returns the writer to which Print prints.
func (c *Context) output() io.Writer {
	if c.options.Output != nil {
		return c.options.Output
	}
	return os.Stdout
}

// head returns x.String(), but shows only the first maxShown/10 elements if x has more than maxShown.
func (x Tensor) head() string {
	n := x.Size()
	if n <= maxShown {
		return x.String()
	}
	c := x.t.ctx.Lib.call("Print", x)
	first := asTensor(c.sliceAxis(c.flat(x.t), 0, 0, maxShown/10, 1)).String()
	_, elements, computed := strings.Cut(first, " [")
	if !computed { // first has no elements, but a type followed by an error
		return first
	}
	return fmt.Sprintf("%s [%s ... %d more]", describe(x), strings.TrimSuffix(elements, "]"), n-maxShown/10)
}

// A Type is the dtype and the shape of a tensor: nv.Type{DType: nv.F32, Shape: nv.Shape{3}}.
type Type = shape.Type

// Callback returns f(xs...), computed by a Go function, as a tensor of the given type, not ambiguous. In a traced
// function (Jit, loops and branches), f is called with the values of xs each time the program reaches the Callback.
// If the result is not needed, the call may be left out, so f should have no side effects. f may use tensors and all
// of Go. A program that calls Go is split at each call, on every device, and the pieces run one after another.
func (l *Lib) Callback(f func(xs ...Tensor) Tensor, result Type, xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("Callback", xs...)
	if f == nil {
		c.fail("the function is nil", "give a func(xs ...nv.Tensor) nv.Tensor")
	}
	c.checkLengths(result.Shape)
	c.checkSize(result)
	args, ambiguous := make([]engine.Array, len(xs)), make([]bool, len(xs))
	for i, x := range xs {
		t := c.typed(x)
		args[i], ambiguous[i] = c.at(x, t.DType).(*tensor).arr, t.Ambiguous
	}
	result.Shape = result.Shape.Clone()
	described := operands(xs...) // made here, so that h does not keep the tensors in memory
	h := &engine.HostCall{Name: "callback", Do: func(values []engine.Array) ([]engine.Array, error) {
		in := make([]Tensor, len(values))
		for i, v := range values {
			in[i] = Tensor{t: &tensor{ctx: c.ctx, arr: v, amb: ambiguous[i]}}
		}
		y := f(in...)
		if y.t == nil || y.t.ctx != c.ctx || y.t.arr.Traced() {
			return nil, &Error{Op: "Callback", Operands: described,
				Reason: "the function returned no tensor, a traced tensor or a tensor of another Context",
				Hint:   "make the result with nv.New, in the context of its arguments"}
		}
		if got := y.t.arr.Type(); !got.Equal(result) {
			return nil, &Error{Op: "Callback", Operands: described,
				Reason: "the function returned " + got.String() + ", not " + result.String(),
				Hint:   "convert it with AsType or Reshape, or give Callback the type that it returns"}
		}
		return []engine.Array{y.t.arr}, nil
	}}
	out, err := c.ctx.session.CallHost(h, []shape.Type{result}, args...)
	if e, ok := err.(*Error); ok {
		panic(e)
	}
	c.check(err)
	c.amb = false
	return c.result(&tensor{ctx: c.ctx, arr: out[0]}, false)
}
