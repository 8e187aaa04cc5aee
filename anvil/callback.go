package anvil

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Type is dtype and shape of a tensor: nv.Type{DType: nv.F32, Shape: nv.Shape{3}}.
type Type = shape.Type

// Print prints x, behind a label where one is given, and returns it. In a
// function that is traced (by Jit, a loop or a branch) it prints each time that
// the program comes there, in the order in which it is written. A program that
// prints runs in pieces around the printing, on any device.
func (l *Lib) Print(x any, label ...string) Tensor {
	c := l.call("Print", x)
	t := c.own(x)
	a, ok := x.(Tensor)
	if !ok {
		a = c.result(c.at(x, t.DType), t.Ambiguous)
	}
	text := strings.Join(label, " ")
	if text != "" {
		text += ": "
	}
	h := &engine.HostCall{Name: "print", Effect: true, Do: func(args []engine.Array) ([]engine.Array, error) {
		seen := Tensor{t: &tensor{ctx: c.ctx, arr: args[0], amb: a.t.amb}}
		_, err := io.WriteString(c.ctx.output(), text+seen.head()+"\n")
		return nil, err
	}}
	_, err := c.ctx.session.CallHost(h, nil, a.t.arr)
	c.check(err)
	return a
}

// output returns where Print prints.
func (c *Context) output() io.Writer {
	if c.options.Output != nil {
		return c.options.Output
	}
	return os.Stdout
}

// head is String with the first elements of a tensor that has many.
func (x Tensor) head() string {
	n := x.Size()
	if n <= maxShown {
		return x.String()
	}
	c := x.t.ctx.Lib.call("Print", x)
	first := asTensor(c.sliceAxis(c.flat(x.t), 0, 0, maxShown/10, 1)).String()
	_, elements, computed := strings.Cut(first, " [")
	if !computed {
		return first
	}
	return fmt.Sprintf("%s [%s ... %d more]", describe(x), strings.TrimSuffix(elements, "]"), n-maxShown/10)
}

// Callback returns f(xs...), computed by a function of the host, as a known tensor of the given type. In a function that is traced (by Jit, a loop or a branch) f is
// called with the values each time that the program comes there, unless nothing
// needs its result. So f should do nothing but compute; it may use tensors and all
// of Go. A program that calls the host runs in pieces around the call, on any
// device.
func (l *Lib) Callback(f func(xs ...Tensor) Tensor, result Type, xs ...any) Tensor {
	xs = spreadSlices(xs)
	c := l.call("Callback", xs...)
	if f == nil {
		c.fail("the function is nil", "give a func(xs ...nv.Tensor) nv.Tensor")
	}
	c.lengths(result.Shape)
	c.checkSize(result)
	args, seen := make([]engine.Array, len(xs)), make([]*tensor, len(xs))
	for i, x := range xs {
		t := c.own(x)
		a := c.at(x, t.DType)
		args[i], seen[i] = a.(*tensor).arr, &tensor{amb: t.Ambiguous}
	}
	result.Shape = result.Shape.Clone()
	given := operands(xs...)
	h := &engine.HostCall{Name: "callback", Do: func(values []engine.Array) ([]engine.Array, error) {
		in := make([]Tensor, len(values))
		for i, v := range values {
			in[i] = Tensor{t: &tensor{ctx: c.ctx, arr: v, amb: seen[i].amb}}
		}
		y := f(in...)
		if y.t == nil || y.t.ctx != c.ctx || y.t.arr.Traced() {
			return nil, &Error{Op: "Callback", Operands: given, Reason: "the function returned no tensor with values", Hint: "make the result with nv.New, in the context of its arguments"}
		}
		if got := y.t.arr.Type(); !got.Equal(result) {
			return nil, &Error{Op: "Callback", Operands: given, Reason: "the function returned " + got.String() + ", not " + result.String(), Hint: "convert it with AsType, or say the type that it returns"}
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
