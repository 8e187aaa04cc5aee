package main

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"os"
	"reflect"
	"testing"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
)

// TestProgramsComputeWhatOperationsDo tests, for each row of arith, that a traced
// program of the operation has the same value or error as the eager operation.
func TestProgramsComputeWhatOperationsDo(t *testing.T) {
	f, err := os.Open("testdata/arith.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		q, err := readQuestion(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		for field, l := range valueSystems {
			if missingIn[q.Row.text("op")] == field {
				continue
			}
			f, xs := operationOf(q, l)
			eager := valueRow(allValues, func() anvil.Tensor { return f(xs) })
			program := valueRow(allValues, func() anvil.Tensor { return traced(l, f, xs) })
			if !reflect.DeepEqual(eager, program) {
				t.Errorf("%s %v: %v, as a program %v", field, q.Row, eager, program)
			}
		}
	}
}

// operationOf returns the operation of a row and its operands.
func operationOf(q question, l valueSystem) (f func([]anvil.Tensor) anvil.Tensor, xs []anvil.Tensor) {
	op, d := q.Row.text("op"), dtypeOf(q.Row.text("dtype"))
	switch q.List {
	case "binary":
		xs = []anvil.Tensor{l.tensorOf(d, q.Row["a"]), l.tensorOf(d, q.Row["b"])}
		compute, _ := arithFunction(op)
		return func(xs []anvil.Tensor) anvil.Tensor { return compute(l.lib(), xs[0], xs[1]) }, xs
	case "unary":
		xs = []anvil.Tensor{l.tensorOf(d, q.Row["a"])}
		return func(xs []anvil.Tensor) anvil.Tensor { return arithUnaries[op](l.lib(), xs[0]) }, xs
	}
	xs = []anvil.Tensor{l.tensorOf(d, q.Row["xs"].([]any)...)}
	return func(xs []anvil.Tensor) anvil.Tensor { return arithReductions[op](l.lib(), xs[0]) }, xs
}

// traced computes f(xs) as one program.
func traced(l valueSystem, f func([]anvil.Tensor) anvil.Tensor, xs []anvil.Tensor) anvil.Tensor {
	return l.context().JitAny(f).(func([]anvil.Tensor) anvil.Tensor)(xs)
}

// TestXLAsCasts compares casts under anvil with those measured in JAX. They must be
// equal, since both are XLA's.
func TestXLAsCasts(t *testing.T) {
	f, err := os.Open("testdata/cast_values.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	lines, n := bufio.NewScanner(z), 0
	for lines.Scan() {
		q, err := readQuestion(lines.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		r := q.Row
		from, to := dtypeOf(r.text("src")), dtypeOf(r.text("dst"))
		if from.Is(dtype.Complex) && to == dtype.I1 {
			continue // JAX drops the imaginary part first
		}
		n++
		got := valueRow(firstValue, func() anvil.Tensor { return lax.lib().AsType(lax.tensorOf(from, r["v"]), to) })
		if fmt.Sprint(got["v"]) != fmt.Sprint(r["jax"]) {
			t.Errorf("%s %v as %s: %v, want %v", from, r["v"], to, got, r["jax"])
		}
	}
	if n < 6000 {
		t.Errorf("only %d rows", n)
	}
}
