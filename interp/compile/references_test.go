package compile_test

import (
	"context"
	"fmt"
	"reflect"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/compile"
	"github.com/goanvil/notebook/interp/interptest"
)

// TestReads tests what functions of cells are said to read, and that the code of a function changes with the functions
// that it calls.
func TestReads(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	n := 0
	run := func(code string) reflect.Value {
		t.Helper()
		n++
		res := nb.Run(context.Background(), code, n)
		if res.Err != nil {
			t.Fatalf("%s\n%s", code, res.Err.Text())
		}
		if len(res.Values) == 0 {
			return reflect.Value{}
		}
		return reflect.ValueOf(res.Values[0])
	}
	run("k, unused := 2, 3\nname := \"a\"\ntype T struct{ n int }\nfunc (t T) Get() int { return t.n * k }\n" +
		"type getter interface{ Get() int }")
	run("func plain(x, y int) int { return x + y }\nfunc scaled(x int) int { return k * plain(x, 1) }\n" +
		"func twice(x int) int { return scaled(scaled(x)) }\n" +
		"func both(x int) string { return fmt.Sprint(name, scaled(x)) }\n" +
		"func through(g getter) int { return g.Get() }\nfunc unusedArgument(_ int) int { return 1 }\n" +
		"func passes(w io.Writer) { io.WriteString(w, \"\") }\n" +
		"type named string\nfunc (n named) String() string { return name + string(n) }\n" +
		"func printed(n named) string { return fmt.Sprint(n, 1) }\n" +
		"func printedPointer(n *named) any { return any(n) }\nfunc called(n named) string { return n.String() }")
	for _, c := range []struct{ code, params, names, values string }{
		{"plain", "[x y]", "[]", "[]"},
		{"scaled", "[x]", "[k]", "[2]"},
		{"twice", "[x]", "[k]", "[2]"},
		{"both", "[x]", "[name k]", "[a 2]"},
		{"through", "[g]", "[k]", "[2]"},
		{"unusedArgument", "[_]", "[]", "[]"},
		{"printed", "[n]", "[name]", "[a]"}, // package fmt calls the method String
		{"printedPointer", "[n]", "[name]", "[a]"},
		{"called", "[n]", "[name]", "[a]"},
		{"passes", "[w]", "[k name]", "[2 a]"}, // package io may call any method
		{"a, b := 5, \"c\"; func(x int) string { return fmt.Sprint(x, a, b, len(name)) }", "[x]", "[a b name]", "[5 c a]"},
		{"func() func() int { c := 7; return func() int { c++; return c * k } }()", "[]", "[c k]", "[7 2]"},
		{"T{3}.Get", "[]", "[recv k]", "[{3} 2]"},
	} {
		f := run(c.code)
		code, values, ok := compile.Reads(f)
		texts := []string{}
		for _, v := range values {
			texts = append(texts, fmt.Sprint(v))
		}
		params, names := compile.Names(f)
		if !ok || code == "" || fmt.Sprint(texts) != c.values || fmt.Sprint(names) != c.names {
			t.Errorf("%s reads %s %s, %v, want %s %s", c.code, names, texts, ok, c.names, c.values)
		}
		if fmt.Sprint(params) != c.params {
			t.Errorf("%s has the parameters %s, want %s", c.code, params, c.params)
		}
	}

	codeOf := func(name string) string {
		code, _, _ := compile.Reads(run(name))
		return code
	}
	before, apart := codeOf("twice"), codeOf("unusedArgument")
	if before != codeOf("twice") || before == apart {
		t.Error("the codes of functions are wrong before a change")
	}
	run("k = 4")
	if code, values, _ := compile.Reads(run("twice")); code != before || len(values) != 1 || values[0].Int() != 4 {
		t.Errorf("after a change of a variable: %q, %v, want %q", code, values, before)
	}
	run("func plain(x, y int) int { return x - y }")
	if after := codeOf("twice"); after == before {
		t.Error("the code of a function is the same after a change of one that it calls")
	}
	if codeOf("unusedArgument") != apart {
		t.Error("the code of a function has changed with that of another one")
	}

	// Functions of packages, and what is no function.
	for _, v := range []any{fmt.Sprint, t.Name, 3, (func())(nil)} {
		if _, _, ok := compile.Reads(reflect.ValueOf(v)); ok {
			t.Errorf("%T is a function of a cell", v)
		}
		if params, variables := compile.Names(reflect.ValueOf(v)); params != nil || variables != nil {
			t.Errorf("%T has names %v, %v", v, params, variables)
		}
	}
}
