package tensoriter_test

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/promote/tensoriter"
)

// drawn returns the lines of testdata/drawn.txt, which must be as the generator wrote them.
func drawn(t *testing.T) []string {
	t.Helper()
	data, err := os.ReadFile("testdata/drawn.txt")
	if err != nil {
		t.Fatal(err)
	}
	sum, err := os.ReadFile("testdata/drawn.sha256")
	if err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprintf("%x  drawn.txt\n", sha256.Sum256(data)); got != string(sum) {
		t.Fatal("testdata/drawn.txt was edited: run drawn.py")
	}
	return strings.Split(strings.TrimSpace(string(data)), "\n")[1:]
}

// read returns the operand that a line writes as s: "i32[2,1]", "5.5", "2i".
func read(t *testing.T, s string) any {
	t.Helper()
	if name, shape, ok := strings.Cut(s, "["); ok {
		rank := 0
		if shape != "]" {
			rank = strings.Count(shape, ",") + 1
		}
		d, ok := promote.Named(name)
		if !ok {
			t.Fatal(s)
		}
		return tensoriter.Tensor(d, rank)
	}
	if s == "true" {
		return true
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n
	}
	if f, err := strconv.ParseFloat(s, 64); err == nil {
		return f
	}
	c, err := strconv.ParseComplex(s, 128)
	if err != nil {
		t.Fatal(s)
	}
	return c
}

// chain returns the trace of the last operation of a line: op is applied to more than two
// operands in pairs from the left, except clamp.
func chain(s *promote.System, op string, xs []any) tensoriter.Trace {
	if op == "clamp" || len(xs) < 3 {
		return tensoriter.BuildOpUnder(s, op, xs...)
	}
	first := tensoriter.BuildOpUnder(s, op, xs[:2]...)
	if first.Err != nil {
		return first
	}
	rank := 0
	for _, o := range first.Operands {
		rank = max(rank, o.Rank)
	}
	return chain(s, op, append([]any{tensoriter.Tensor(first.Result(), rank)}, xs[2:]...))
}

// TestDrawn compares 2000 random lists of one to four operands, of all ranks, dtypes
// and kinds of numbers, with PyTorch.
func TestDrawn(t *testing.T) {
	lines := drawn(t)
	if len(lines) != 2000 {
		t.Fatal(len(lines), "lines")
	}
	for _, line := range lines {
		part := strings.SplitN(line, ": ", 3)
		var xs []any
		for _, s := range strings.Split(part[1], ", ") {
			xs = append(xs, read(t, s))
		}
		trace := chain(promote.TorchExt, part[0], xs)
		if got := answer(trace); got != part[2] {
			t.Errorf("%s: %s, want %s\n%s", part[0], part[1], part[2], trace)
		}
		if documented := chain(promote.Torch, part[0], xs); answer(documented) != part[2] && !strings.Contains(trace.String(), "bc32") {
			t.Errorf("the documented rule: %s: %s, want %s\n%s", part[0], part[1], part[2], documented)
		}
	}
}

// answer returns the result of a trace as the lines have it: the dtype or the error.
func answer(t tensoriter.Trace) string {
	if t.Err != nil {
		_, text, _ := strings.Cut(t.Title(), "): ")
		return text
	}
	return dtype.Typed{DType: t.Result()}.String()
}
