package host

import (
	"context"
	"errors"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/ops"
)

// kernelOf returns the kernel of n: a loop of this package if there is one for the operation
// and the dtypes, and otherwise Eval of package ops.
func kernelOf(n *ir.Node) kernel {
	if newLoop := loops[n.Code]; newLoop != nil {
		if k := newLoop(n); k != nil {
			return k
		}
	}
	return evalKernel(n)
}

// loops has, for each operation with loops, the function that returns the loop for a node as a kernel. The
// function returns nil for dtypes without a loop.
var loops [ir.NumCodes]func(n *ir.Node) kernel

func init() {
	for c, f := range map[ir.Code]func(n *ir.Node) kernel{
		ir.Constant: constant, ir.Iota: iota, ir.Convert: conversion,
		ir.Reshape: copyKernel, ir.BitcastConvert: bitcast, ir.BroadcastInDim: broadcast, ir.Transpose: transpose,
		ir.Slice: slice, ir.DynamicSlice: dynamicSlice, ir.Reverse: reverse, ir.Concatenate: concatenate,
		ir.Compare: comparison, ir.Select: selection, ir.Sort: sortKernel, ir.DotGeneral: product,
	} {
		loops[c] = f
	}
	for _, c := range []ir.Code{ir.Neg, ir.Abs, ir.Not, ir.Sqrt, ir.Floor, ir.Ceil} {
		loops[c] = unary
	}
	for _, c := range []ir.Code{ir.Add, ir.Sub, ir.Mul, ir.MulNoNaN, ir.Div, ir.Max, ir.Min, ir.And, ir.Or, ir.Xor} {
		loops[c] = binary
	}
}

// evalKernel returns a kernel that computes n by Eval of package ops.
func evalKernel(n *ir.Node) kernel {
	many := evalManyKernel(n)
	return func(ctx context.Context, out []byte, in [][]byte) error { return many(ctx, [][]byte{out}, in) }
}

// evalManyKernel is evalKernel for an operation with several results.
func evalManyKernel(n *ir.Node) manyKernel {
	eval := ops.Lookup(n.Code).Eval
	return func(ctx context.Context, out, in [][]byte) error {
		args := make([]array.Array, len(in))
		for i, data := range in {
			args[i] = array.Array{Type: n.Args[i].Type, Data: data}
		}
		results, err := eval(evaluator{ctx}, n, args)
		if err != nil {
			return err
		}
		for i, r := range results {
			copy(out[i], r.Data)
		}
		return nil
	}
}

// An evaluator is an ops.Evaluator for operations without regions.
type evaluator struct{ ctx context.Context }

// Context implements ops.Evaluator.
func (e evaluator) Context() context.Context { return e.ctx }

// Run implements ops.Evaluator.
func (e evaluator) Run(*ir.Graph, []array.Array) ([]array.Array, error) {
	return nil, errors.New("host: operations with regions are not supported")
}

// infallible returns f as a kernel whose error is always nil.
func infallible(f func(out []byte, in [][]byte)) kernel {
	return func(_ context.Context, out []byte, in [][]byte) error {
		f(out, in)
		return nil
	}
}

// map1 returns f, a loop over one operand, as a kernel, or nil if f is nil.
func map1[X, R array.Number](f func(out []R, x []X)) kernel {
	if f == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) { f(array.View[R](out), array.View[X](in[0])) })
}

// map2 returns f, a loop over two operands, as a kernel, or nil if f is nil.
func map2[X, R array.Number](f func(out []R, x, y []X)) kernel {
	if f == nil {
		return nil
	}
	return infallible(func(out []byte, in [][]byte) { f(array.View[R](out), array.View[X](in[0]), array.View[X](in[1])) })
}

// isHalf reports whether d is bf16 or f16, which are computed in f32.
func isHalf(d dtype.DType) bool { return d == dtype.BF16 || d == dtype.F16 }
