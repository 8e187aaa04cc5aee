package ir_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/google/go-cmp/cmp"
)

var f32 = shape.Of(dtype.F32)

// sum returns a new graph that computes x + x*y.
func sum() *ir.Graph {
	g := &ir.Graph{}
	x, y := g.Param(f32), g.Param(f32)
	m := g.Add(ir.Mul, nil, nil, []*ir.Value{x, y}, f32)
	g.Outputs = g.Add(ir.Add, nil, nil, []*ir.Value{x, m.Results[0]}, f32).Results
	return g
}

// same infers that every result is f32, and returns an error for Neg.
func same(n *ir.Node) ([]shape.Type, error) {
	if n.Code == ir.Neg {
		return nil, errors.New("no")
	}
	return []shape.Type{f32}, nil
}

func TestVerify(t *testing.T) {
	if err := ir.Verify(sum(), same); err != nil {
		t.Errorf("a well-formed graph: %v", err)
	}
	for name, spoil := range map[string]func(g *ir.Graph){
		"used before it is defined":          func(g *ir.Graph) { g.Nodes[0], g.Nodes[1] = g.Nodes[1], g.Nodes[0] },
		"is ui8{}, want f32{}":               func(g *ir.Graph) { g.Nodes[0].Results[0].Type = shape.Of(dtype.U8) },
		"output 0 is not a value":            func(g *ir.Graph) { g.Outputs = sum().Outputs },
		"no":                                 func(g *ir.Graph) { g.Nodes[0].Code = ir.Neg },
		"parameter 1 has a node":             func(g *ir.Graph) { g.Params[1].Index = 0 },
		"has 0 results, want 1":              func(g *ir.Graph) { g.Nodes[1].Results = nil },
		"result 0 has a wrong node or index": func(g *ir.Graph) { g.Nodes[1].Results[0].Index = 3 },
		"operand 1 is used befor":            func(g *ir.Graph) { g.Nodes[0].Args[1] = sum().Params[0] },
	} {
		g := sum()
		spoil(g)
		if err := ir.Verify(g, same); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestErrorsNameTheGraph checks that an error names the graph and, in a region, the operation.
func TestErrorsNameTheGraph(t *testing.T) {
	inner, g := sum(), &ir.Graph{Name: "main"}
	inner.Nodes[0].Code = ir.Neg
	if err := ir.Verify(inner, same); err == nil || err.Error() != "graph: node 0: no" {
		t.Error(err)
	}
	x := g.Param(f32)
	g.Outputs = g.Add(ir.Call, nil, []*ir.Graph{inner}, []*ir.Value{x, x}, f32).Results
	if err := ir.Verify(g, same); err == nil || err.Error() != "graph main: node 0: Call: graph: node 0: no" {
		t.Error(err)
	}
	g = sum()
	g.Nodes[1].Results[0].Node = g.Nodes[0]
	if err := ir.Verify(g, same); err == nil || err.Error() != "graph: node 1: Add: result 0 has a wrong node or index" {
		t.Error(err)
	}
	g = sum()
	g.Params[0].Node = g.Nodes[0]
	if err := ir.Verify(g, same); err == nil || err.Error() != "graph: parameter 0 has a node or a wrong index" {
		t.Error(err)
	}
}

// TestPrint compares a program that has each form of operation with its text.
func TestPrint(t *testing.T) {
	v, i1 := shape.Of(dtype.F32, 2, 3), shape.Of(dtype.I1)
	g := &ir.Graph{}
	x, n := g.Param(v), g.Param(f32)
	n.Ambiguous = true
	constant := func(d dtype.DType, data string, axes ...int) *ir.Value {
		return g.Add(ir.Constant, ir.ConstantAttrs{d, shape.DimsOf(axes...), data}, nil, nil, shape.Of(d, axes...)).Results[0]
	}
	two, many := constant(dtype.F32, "\x00\x00\x00\x40"), constant(dtype.U8, "\x01\x02\x03", 3)
	constant(dtype.I32, "\x01\x00\x00\x00\x02\x00\x00\x00", 2)
	m := g.Add(ir.Mul, nil, nil, []*ir.Value{n, two}, f32).Results[0]
	m.Ambiguous = true
	compared := g.Add(ir.Compare, ir.CompareAttrs{Direction: ir.LE}, nil, []*ir.Value{m, two}, i1).Results[0]
	g.Add(ir.Transpose, ir.AxesAttrs{Axes: shape.DimsOf(1, 0)}, nil, []*ir.Value{x}, shape.Of(dtype.F32, 3, 2))
	g.Add(ir.Sort, ir.SortAttrs{Axis: 1}, nil, []*ir.Value{x}, v)
	sorted := g.Add(ir.Sort, ir.SortAttrs{Axis: 1, Descending: true}, nil, []*ir.Value{x, x}, v, v)
	g.Add(ir.DotGeneral, ir.DotAttrs{LhsContract: shape.DimsOf(0), RhsContract: shape.DimsOf(0), Precision: ir.HighPrecision},
		nil, []*ir.Value{x, x}, shape.Of(dtype.F32, 3, 3))
	g.Add(ir.Exp, ir.CompilerAttrs{}, nil, []*ir.Value{m}, f32)
	g.Add(ir.Exp, "text", nil, []*ir.Value{m}, f32)
	g.Add(ir.TriangularSolve, ir.TriangularAttrs{Upper: true, Op: ir.Adjoint}, nil, []*ir.Value{x, x}, v)
	g.Add(ir.HostCall, nil, nil, []*ir.Value{many})
	branch := func(code ir.Code) *ir.Graph {
		r := &ir.Graph{}
		a, b := r.Param(f32), r.Param(f32)
		r.Outputs = append(r.Add(code, nil, nil, []*ir.Value{a, b}, f32).Results, m)
		return r
	}
	g.Add(ir.If, nil, []*ir.Graph{branch(ir.Max), branch(ir.Min)}, []*ir.Value{compared, m, n}, f32, f32)
	g.Outputs = []*ir.Value{sorted.Results[1], m}
	want := `<AnvilGraph>
  Inputs:
    %x1: f32[2,3]
    %x2: f32?[]
  Constants:
    %c1: f32[] [2]
    %c2: ui8[3] [3 values]
    %c3: i32[2] [2 values]
  Body:
    %1: f32?[] = mul(%x2, %c1)
    %2: i1[] = compare [direction = LE] (%1, %c1)
    %3: f32[3,2] = transpose [axes = [1, 0]] (%x1)
    %4: f32[2,3] = sort [axis = 1] (%x1)
    %5: f32[2,3], %6: f32[2,3] = sort [axis = 1, descending = true] (%x1, %x1)
    %7: f32[3,3] = dot_general [lhs_contract = [0], rhs_contract = [0], precision = HIGH] (%x1, %x1)
    %8: f32[] = exp(%1)
    %9: f32[] = exp [text] (%1)
    %10: f32[2,3] = triangular_solve [upper = true, op = ADJOINT] (%x1, %x1)
    host_call(%c2)
    %11: f32[], %12: f32[] = if(%2, %1, %x2)
      region 1 (%x1: f32[], %x2: f32[])
        %1: f32[] = max(%x1, %x2)
        return %1, %?
      region 2 (%x1: f32[], %x2: f32[])
        %1: f32[] = min(%x1, %x2)
        return %1, %?
  Outputs:
    %6: f32[2,3]
    %1: f32?[]
`
	if got := ir.Print(g); got != want {
		t.Error(cmp.Diff(want, got))
	}
}

func TestNames(t *testing.T) {
	for _, c := range []struct {
		v    fmt.Stringer
		want string
	}{
		{ir.AsIs, "NO_TRANSPOSE"}, {ir.Transposed, "TRANSPOSE"}, {ir.Adjoint, "ADJOINT"}, {ir.Adjoint + 1, "invalid"},
		{ir.EQ, "EQ"}, {ir.NE, "NE"}, {ir.LT, "LT"}, {ir.LE, "LE"}, {ir.GT, "GT"}, {ir.GE, "GE"}, {ir.GE + 1, "invalid"},
		{ir.HighestPrecision, "HIGHEST"}, {ir.HighPrecision, "HIGH"}, {ir.DefaultPrecision, "DEFAULT"},
		{ir.DefaultPrecision + 1, "invalid"},
	} {
		if got := c.v.String(); got != c.want {
			t.Errorf("%T %v, want %s", c.v, got, c.want)
		}
	}
	first, second := ir.ScopeOf("encoder"), ir.ScopeOf("decoder")
	if first == second || ir.ScopeOf("encoder") != first || first.String() != "encoder" || second.String() != "decoder" {
		t.Errorf("scopes %d %v and %d %v", first, first, second, second)
	}
	if s := ir.ScopeOf(""); s != 0 || s.String() != "" {
		t.Errorf("the scope without a name is %d %v", s, s)
	}
}
