//go:build linux && amd64 && !nopjrt

package xla

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
)

func TestCompileOptionsBytes(t *testing.T) {
	got, err := compileOptions(3, map[string]any{"b": true, "a": -1})
	if err != nil {
		t.Fatal(err)
	}
	// build options {ordinal 3, replicas 1, partitions 1, assignment {1, 1, {[3]}}}, then a and b
	want := "\x1a\x11\x08\x03\x20\x01\x28\x01\x4a\x09\x08\x01\x10\x01\x1a\x03\x0a\x01\x03" +
		"\x3a\x10\x0a\x01a\x12\x0b\x18\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01" + "\x3a\x07\x0a\x01b\x12\x02\x10\x01"
	if string(got) != want {
		t.Errorf("%x, want %x", got, want)
	}
	if _, err := compileOptions(0, map[string]any{"c": []int{1}}); err == nil {
		t.Error("a list is accepted as an override")
	}
}

func TestOverrides(t *testing.T) {
	c := newClient(t, 1)
	f := vector(dtype.F32, 4)
	o := CompileOptions{Args: []Type{f, f}, Results: []Type{f}, Overrides: map[string]any{"xla_backend_optimization_level": 0}}
	compile(t, c, addProgram, o)
	o.Overrides["xla_no_such_option"] = true
	if _, err := c.Compile([]byte(addProgram), o); err == nil || !strings.Contains(err.Error(), "xla_no_such_option") {
		t.Errorf("an unknown option: %v", err)
	}
	if !c.HasOption("xla_backend_optimization_level") || c.HasOption("xla_no_such_option") || !c.HasOption(excessPrecision) {
		t.Error("HasOption is wrong about a name")
	}
}

// TestNoExcessPrecision checks a chain of bf16 subtractions. With excess precision it is computed in f32 and gives
// 0.9999.
func TestNoExcessPrecision(t *testing.T) {
	c := newClient(t, 1)
	var b strings.Builder
	b.WriteString("func.func @main(%x0: tensor<bf16>, %s: tensor<bf16>) -> tensor<bf16> {\n")
	for i := range 100 {
		fmt.Fprintf(&b, "%%x%d = stablehlo.subtract %%x%d, %%s : tensor<bf16>\n", i+1, i)
	}
	b.WriteString("return %x100 : tensor<bf16> }")
	s := Type{DType: dtype.BF16}
	e := compile(t, c, b.String(), CompileOptions{Args: []Type{s, s}, Results: []Type{s}})
	args := make([]*Buffer, 2)
	for i, v := range []float32{1, 1e-4} {
		var err error
		half := binary.LittleEndian.AppendUint16(nil, uint16(math.Float32bits(v)>>16))
		if args[i], err = c.Upload(half, dtype.BF16, nil, nil); err != nil {
			t.Fatal(err)
		}
	}
	out := make([]*Buffer, 1)
	if err := e.Run(args, out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out[0]); !bytes.Equal(got, []byte{0x80, 0x3f}) {
		t.Errorf("1 - 100 x 1e-4, each step rounded, is %x, want 1", got)
	}
}

func TestCompileRefuses(t *testing.T) {
	c, other := newClient(t, 1), newClient(t, 1)
	f, i := vector(dtype.F32, 4), vector(dtype.I32, 4)
	both := CompileOptions{Args: []Type{f, f}, Results: []Type{f}}
	deep, closed := strings.Repeat("tuple<", 20_000), "func.func @main(%a: "+strings.Repeat("tuple<", 4000)+"i32"+strings.Repeat(">", 4000)+") { return }"
	sized := func(typ string) string {
		return "func.func @main(%a: tensor<f32>) -> tensor<1xf32> { %0 = stablehlo.broadcast_in_dim %a, dims = [] : (tensor<f32>) -> " + typ +
			"\n %1 = stablehlo.slice %0 [0:1] : (" + typ + ") -> tensor<1xf32>\n return %1 : tensor<1xf32> }"
	}
	one := CompileOptions{Args: []Type{{DType: dtype.F32}}, Results: []Type{vector(dtype.F32, 1)}}
	for _, test := range []struct {
		name, program string
		o             CompileOptions
		want          string
	}{
		{"empty", "", both, "xla.Compile((f32{4}, f32{4}) -> (f32{4})): the program is empty"},
		{"blank", " \n", both, "xla.Compile((f32{4}, f32{4}) -> (f32{4})): the program is empty"},
		{"syntax", "func.func @main(", CompileOptions{}, "expected"},
		{"no main", "func.func @other() { return }", CompileOptions{},
			"xla.Compile(() -> ()): the program does not declare func.func @main(...); write @main in this " +
				"form, or as func.func public @main(...)"},
		{"type error", strings.Replace(addProgram, "stablehlo.add", "stablehlo.and", 1), both, "and"},
		{"wrong count", addProgram, CompileOptions{Args: []Type{f}, Results: []Type{f}},
			"xla.Compile((f32{4}) -> (f32{4})): @main takes 2 arguments, but 1 are described"},
		{"wrong argument", addProgram, CompileOptions{Args: []Type{f, i}, Results: []Type{f}},
			"xla.Compile((f32{4}, i32{4}) -> (f32{4})): argument 1 of @main is tensor<4xf32>, but " +
				"described as tensor<4xi32>"},
		{"wrong result", addProgram, CompileOptions{Args: []Type{f, f}, Results: []Type{i}},
			"xla.Compile((f32{4}, f32{4}) -> (i32{4})): the program returns (f32{4})"},
		{"invalid type", addProgram, CompileOptions{Args: []Type{f, {}}, Results: []Type{f}},
			"xla.Compile(): argument invalid{}: arrays cannot have dtype invalid"},
		{"negative", addProgram, CompileOptions{Args: []Type{f, f}, Results: []Type{vector(dtype.F32, -4)}},
			"xla.Compile(): result f32{-4}: a dimension is negative"},
		{"device", addProgram, CompileOptions{Device: other.Devices()[0], Args: both.Args, Results: both.Results},
			"xla.Compile((f32{4}, f32{4}) -> (f32{4})): cpu:0 belongs to another client"},
		{"a dimension", sized("tensor<2305843009213693952xf32>"), one,
			"xla.Compile((f32{}) -> (f32{1})): tensor<2305843009213693952xf32> is too large for any memory"},
		{"dimensions", sized("tensor<4294967296x4294967296xf32>"), one,
			"xla.Compile((f32{}) -> (f32{1})): tensor<4294967296x4294967296xf32> is too large for any " +
				"memory"},
		{"digits", sized("tensor<" + strings.Repeat("9", 400) + "xf32>"), one,
			"xla.Compile((f32{}) -> (f32{1})): " +
				"tensor<" + strings.Repeat("9", 400) + "xf32> is too large for any memory"},
		{"recursion", "func.func @main(%a: tensor<f32>) -> tensor<1xf32> { %0 = func.call @main(%a) : (tensor<f32>) -> tensor<1xf32>\n return %0 : tensor<1xf32> }", one,
			"xla.Compile((f32{}) -> (f32{1})): @main calls itself"},
		{"recursion of two", "func.func @main(%a: tensor<f32>) -> tensor<1xf32> { %0 = call @f(%a) : (tensor<f32>) -> tensor<1xf32>\n return %0 : tensor<1xf32> }\n" +
			"func.func private @f(%a: tensor<f32>) -> tensor<1xf32> { %0 = call @main(%a) : (tensor<f32>) -> tensor<1xf32>\n return %0 : tensor<1xf32> }", one,
			"xla.Compile((f32{}) -> (f32{1})): @f calls itself"},
		{"bytecode", "ML\xefR\x00\x01", both, "xla.Compile((f32{4}, f32{4}) -> (f32{4})): the program is not text, " +
			"so its types cannot be checked"},
		{"generic form", `"func.func"() <{sym_name = "main"}> ({}) : () -> ()`, both,
			"xla.Compile((f32{4}, f32{4}) -> (f32{4})): the program does not declare func.func @main(...); " +
				"write @main in this form, or as func.func public @main(...)"},
		{"alias of a type", "!t = tensor<4xi32>\nfunc.func @main(%a: !t, %b: !t) -> !t { %0 = stablehlo.add %a, %b : !t\n return %0 : !t }", CompileOptions{Args: []Type{f, f}, Results: []Type{i}}, "described as"},
		{"closed nesting", closed, both, "xla.Compile((f32{4}, f32{4}) -> (f32{4})): brackets are nested 4001 " +
			"deep, want at most 1000"},
		{"nesting", "func.func @main(%a: " + deep + ")", both,
			"xla.Compile((f32{4}, f32{4}) -> (f32{4})): brackets are nested 20001 deep, want at most 1000"},
		{"infeed", `func.func @main(%t: !stablehlo.token) { %0 = "stablehlo.infeed"(%t) : (!stablehlo.token) -> !stablehlo.token return }`, both,
			"xla.Compile((f32{4}, f32{4}) -> (f32{4})): infeed is not supported: it would wait for the host forever"},
		{"donation", strings.Replace(addProgram, "%b: tensor<4xf32>", "%b: tensor<4xf32> {jax.buffer_donor = true}", 1), both,
			"xla.Compile((f32{4}, f32{4}) -> (f32{4})): jax.buffer_donor is not supported: donate " +
				"arguments with tf.aliasing_output"},
		{"override", addProgram, CompileOptions{Args: both.Args, Results: both.Results, Overrides: map[string]any{"x": 'x'}},
			"xla.Compile((f32{4}, f32{4}) -> (f32{4})): override x: unsupported type int32; want string, bool, int or float64"},
		{"dynamic", "func.func @main(%a: tensor<?xf32>) -> tensor<?xf32> { return %a : tensor<?xf32> }", CompileOptions{Args: []Type{f}, Results: []Type{f}}, ""},
	} {
		e, err := c.Compile([]byte(test.program), test.o)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: %v, %v, want an error with %q", test.name, e, err, test.want)
		}
		if err != nil && strings.Contains(err.Error(), "Failed to parse using StableHLO") {
			t.Errorf("%s: the error has the misleading end: %v", test.name, err)
		}
	}
}

func TestSignatures(t *testing.T) {
	f, pred := Type{dtype.C64, []int{2, 3}}, Type{DType: dtype.I1}
	for program, want := range map[string]bool{
		`module { func.func public @main(%a: tensor<2x3xcomplex<f32>> {jax.x = dense<[1, 2]> : tensor<2xi32>}, %b: tensor<i1>) -> (tensor<i1>) {`: true,
		`func.func @main(%a: tensor<2x3xcomplex<f32>>, %b: tensor<i1>)`:                                                                           true,
		`func.func @main(%a: tensor<2x3xcomplex<f32>>, %b: tensor<i8>)`:                                                                           false,
		`func.func @main(%a: tensor<2x3xcomplex<f32>>)`:                                                                                           false,
		`func.func @main()`:                   false,
		`"func.func"() <{sym_name = "main"}>`: false, // the generic form, whose types cannot be checked
	} {
		if err := checkSignature(program, []Type{f, pred}, nil); (err == nil) != want {
			t.Errorf("%s: %v", program, err)
		}
	}
}

func TestSerialize(t *testing.T) {
	c := newClient(t, 2)
	f := vector(dtype.F32, 4)
	for _, dev := range c.Devices() {
		e := compileAdd(t, c, dev)
		data, err := e.Serialize()
		if err != nil {
			t.Fatal(err)
		}
		e.Destroy()
		if _, err := e.Serialize(); !errors.Is(err, ErrDestroyed) {
			t.Errorf("a destroyed executable: %v", err)
		}
		again, err := c.Deserialize(data, CompileOptions{Device: dev, Args: []Type{f, f}, Results: []Type{f}})
		if err != nil {
			t.Fatal(err)
		}
		a, out := upload(t, c, dev, 1, 2, 3, 4), make([]*Buffer, 1)
		if err := again.Run([]*Buffer{a, a}, out); err != nil {
			t.Fatal(err)
		}
		if got := read(t, out[0]); !bytes.Equal(got, f32s(2, 4, 6, 8)) {
			t.Errorf("on %s: %x", dev, got)
		}
		if _, err := c.Deserialize(data, CompileOptions{Device: dev, Args: []Type{f, f}, Results: []Type{f, f}}); err == nil {
			t.Error("a program with one result is loaded as one with two")
		}
		if _, err := c.Deserialize(data[:len(data)/2], CompileOptions{Args: []Type{f, f}, Results: []Type{f}}); err == nil {
			t.Error("half a program is loaded")
		}
	}
	if _, err := c.Deserialize(nil, CompileOptions{}); err == nil {
		t.Error("empty data is loaded")
	}
}

func TestCompileContext(t *testing.T) {
	c := newClient(t, 1)
	f := vector(dtype.F32, 4)
	o := CompileOptions{Args: []Type{f, f}, Results: []Type{f}}
	if _, err := c.CompileContext(background, []byte(addProgram), o); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(background)
	cancel()
	if e, err := c.CompileContext(ctx, []byte(addProgram), o); e == nil && !errors.Is(err, context.Canceled) {
		t.Errorf("after cancel: %v", err)
	}
}

func TestSizesOfPrograms(t *testing.T) {
	for typ, want := range map[string]bool{
		"tensor<f32>": true, "tensor<0x99999999999999999999xf32>": true, "tensor<99999999999999999999x0xi8>": true, "tensor<8796093022208xi4>": true,
		"tensor<8796093022209xi4>": false, "tensor<4194304x2097153xcomplex<f64>>": false, "tensor<?xf32>": true, "tensor<2x!quant<f32>>": true,
	} {
		if got := tooLarge([]byte("%0 = stablehlo.add %1, %2 : tensor<4xf32>, "+typ)) == ""; got != want {
			t.Errorf("%s is allowed: %t", typ, got)
		}
	}
}

// TestCallsOfFunctions checks that a function may be called several times if there is no recursion.
func TestCallsOfFunctions(t *testing.T) {
	c := newClient(t, 1)
	f := vector(dtype.F32, 4)
	e := compile(t, c, `module {
  func.func public @main(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = call @twice(%a) : (tensor<4xf32>) -> tensor<4xf32>
    %1 = func.call @twice(%0) : (tensor<4xf32>) -> tensor<4xf32>
    return %1 : tensor<4xf32>
  }
  func.func private @twice(%a: tensor<4xf32>) -> tensor<4xf32> {
    %0 = stablehlo.add %a, %a : tensor<4xf32>
    return %0 : tensor<4xf32>
  }
}`, CompileOptions{Args: []Type{f}, Results: []Type{f}})
	out := make([]*Buffer, 1)
	if err := e.Run([]*Buffer{upload(t, c, nil, 1, 2, 3, 4)}, out); err != nil {
		t.Fatal(err)
	}
	if got := read(t, out[0]); !bytes.Equal(got, f32s(4, 8, 12, 16)) {
		t.Errorf("%x", got)
	}
}
