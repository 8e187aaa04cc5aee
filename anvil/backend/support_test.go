package backend_test

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/backend"
	"github.com/goanvil/notebook/anvil/dtype"
)

// names returns the names of ds, separated by blanks.
func names(ds []dtype.DType) string {
	var words []string
	for _, d := range ds {
		words = append(words, d.String())
	}
	return strings.Join(words, " ")
}

// message returns the text of f's panic.
func message(f func()) (text string) {
	defer func() {
		if err, ok := recover().(error); ok {
			text = err.Error()
		}
	}()
	f()
	return ""
}

func TestResolveVersion(t *testing.T) {
	cumsum := []string{"2.0.1 and below", "1.12.1"}
	for _, c := range []struct {
		keys          []string
		version, want string
	}{
		{cumsum, "1.12.1", "1.12.1"},
		{cumsum, "1.9", "2.0.1 and below"},
		{cumsum, "1.13", "2.0.1 and below"},
		{cumsum, "2.0.1", "2.0.1 and below"},
		{cumsum, "2.5", "2.0.1 and below"},
		{cumsum, "3.0", "2.0.1 and below"},
		{[]string{"1.9 and below", "1.13 and below", "2.0.1 and below"}, "1.10", "1.13 and below"},
		{[]string{"1.9 and below", "1.13 and below", "2.0.1 and below"}, "1.9.0", "1.9 and below"},
		{[]string{"1.9", "1.13"}, "1.10", "1.13"},
		{[]string{"2.2 and below"}, "2.2.0+cpu", "2.2 and below"},
		{[]string{"1.12.1 and below", "1.12.1 and above"}, "1.12.1", "1.12.1 and below"},
		{[]string{"1.12.1 and below", "1.12.1 and above"}, "1.13", "1.12.1 and above"},
		{[]string{"1.4 and above", "1.9 and above"}, "1.12", "1.9 and above"},
		{[]string{"1.4 to 1.9", "1.2 and below"}, "1.8.1", "1.4 to 1.9"},
		{[]string{"1.4 to 1.9", "1.2 and below"}, "1.10", "1.4 to 1.9"},
		{[]string{"1.4 to 1.9", "1.8 to 1.9"}, "1.8", "1.8 to 1.9"},
		{[]string{"any", "2.1 and above"}, "1.9", "any"},
		{[]string{"any", "2.1 and above"}, "2.1", "2.1 and above"},
		{nil, "1.0", ""},
	} {
		for range 5 {
			if got := backend.ResolveVersion(c.keys, c.version); got != c.want {
				t.Errorf("%q of %q is %q, want %q", c.version, c.keys, got, c.want)
			}
			slices.Reverse(c.keys)
		}
	}
}

func TestDTypes(t *testing.T) {
	for text, want := range map[string]string{
		"valid":                     "i8 i16 i32 i64 ui8 ui16 ui32 ui64 bf16 f16 f32 f64 c64 c128 i1",
		"numeric":                   "i8 i16 i32 i64 ui8 ui16 ui32 ui64 bf16 f16 f32 f64 c64 c128",
		"float":                     "bf16 f16 f32 f64",
		"integer":                   "i8 i16 i32 i64 ui8 ui16 ui32 ui64",
		"unsigned":                  "ui8 ui16 ui32 ui64",
		"complex":                   "c64 c128",
		"unsigned bfloat16 float16": "ui8 ui16 ui32 ui64 bf16 f16",
		"u8 bool":                   "ui8 i1",
		"":                          "",
	} {
		if got := names(backend.DTypes(strings.Fields(text)...)); got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	if got := message(func() { backend.DTypes("floaty") }); got !=
		`backend.DTypes("floaty"): neither one of Ivy's dtypes nor a class of them; classes are `+
			"complex, float, integer, numeric, unsigned, valid" {
		t.Error(got)
	}
}

// golden calls f with each row of a list in the file of Ivy's results.
func golden(t *testing.T, list string, f func(row map[string]any)) {
	t.Helper()
	file, err := os.Open("../../cmd/oracle/testdata/ivy.jsonl.gz")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	unpacked, err := gzip.NewReader(file)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for lines := bufio.NewScanner(unpacked); lines.Scan(); {
		var q struct {
			List string
			Row  map[string]any
		}
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		if q.List == list {
			n++
			f(q.Row)
		}
	}
	if n == 0 {
		t.Fatalf("no rows of %s", list)
	}
}

func TestSupportIsIvys(t *testing.T) {
	golden(t, "function_support", func(row map[string]any) {
		var s backend.Settings
		s.Set(row["backend"].(string))
		for field, ds := range map[string][]dtype.DType{"supported": s.FunctionSupported(row["fn"]), "unsupported": s.FunctionUnsupported(row["fn"])} {
			got := strings.Fields(names(ds))
			slices.Sort(got)
			var want []string
			for _, d := range row[field].([]any) {
				want = append(want, d.(string))
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s of %s on %s: %v, want %v", field, row["fn"], row["backend"], got, want)
			}
		}
	})
}

func TestSupportFollowsTheVersion(t *testing.T) {
	var s backend.Settings
	s.Declare("cumsum", backend.Rule{Framework: "torch", Unsupported: backend.Versions{
		"2.0.1 and below": {"uint8", "bfloat16", "float16"}, "1.12.1": {}}})
	for version, want := range map[string]string{
		"1.12.1": "ui16 ui32 ui64", "1.13": "ui8 ui16 ui32 ui64 bf16 f16", "2.5": "ui8 ui16 ui32 ui64 bf16 f16",
	} {
		s.Set("torch", version)
		if got := names(s.FunctionUnsupported("Cumsum")); got != want {
			t.Errorf("at %s: %s, want %s", version, got, want)
		}
	}
	s.Reset()
	if got := names(s.FunctionUnsupported("cumsum")); got != "" {
		t.Errorf("without a backend %s", got)
	}
}

func TestDeclarationsThatContradict(t *testing.T) {
	var s backend.Settings
	v := backend.Versions{"2.0.1 and below": {"float"}}
	for want, f := range map[string]func(){
		`Declare("f", torch): it names both what is supported and what is not; name only one of the two; ` +
			"everything else counts as the opposite": func() { s.Declare("f", backend.Rule{Framework: "torch", Supported: v, Unsupported: v}) },
		`Declare("f"): there are two rules about torch; give one rule for each framework, with either the ` +
			"supported or the unsupported dtypes": func() {
			s.Declare("f", backend.Rule{Framework: "torch", Supported: v}, backend.Rule{Framework: "torch", Unsupported: v})
		},
		`Declare("f"): a rule is about one framework; set Framework, or Frontend, to one of numpy, jax, torch, ` +
			"tensorflow, paddle, xla": func() { s.Declare("f", backend.Rule{Unsupported: v}) },
		`WithRule("a block"): a rule is about one framework; set Framework, or Frontend, to one of numpy, jax, torch, ` +
			"tensorflow, paddle, xla": func() { s.WithRule(backend.Rule{Unsupported: v}, func(b *backend.Block) {}) },
		`Declare("f", torch): the version key "newest" has an unknown form; write "2.0.1", "2.0.1 and below", ` +
			`"2.0.1 and above" or "1.9 to 2.0.1"`: func() { s.Declare("f", backend.Rule{Framework: "torch", Supported: backend.Versions{"newest": {}}}) },
		`backend.DTypes("floats"): neither one of Ivy's dtypes nor a class of them; classes are complex, float, ` +
			"integer, numeric, unsigned, valid": func() {
			s.Declare("f", backend.Rule{Framework: "torch", Supported: backend.Versions{"1.0": {"floats"}}})
		},
		`Func("fmin"): it is already declared as tensorflow: supported float (2.15.0 and below); declare either ` +
			"the supported or the unsupported dtypes of an operation, not both": func() {
			s.WithRule(backend.Rule{Framework: "tensorflow", Unsupported: v}, func(b *backend.Block) { b.Func("fmin") })
		},
		`Module("poetry"): unknown module; give one of [activations linear_algebra searching sorting statistical]`: func() {
			s.WithRule(backend.Rule{Framework: "torch", Unsupported: v}, func(b *backend.Block) { b.Module("poetry") })
		},
	} {
		if got := message(f); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

func TestBlocks(t *testing.T) {
	var s backend.Settings
	mark := func() {
		s.WithRule(backend.Rule{Framework: "torch", Unsupported: backend.Versions{"0.4.11 and below": {"complex"}}}, func(b *backend.Block) {
			b.Func("f1", "f2")
			b.Module("activations")
		})
	}
	mark()
	mark() // the cell is run again
	s.Set("torch")
	for op, want := range map[string]string{
		"f1": "ui16 ui32 ui64 c64 c128", "f2": "ui16 ui32 ui64 c64 c128", "f3": "ui16 ui32 ui64",
		"sigmoid": "ui16 ui32 ui64 f16 c64 c128", "exp": "ui16 ui32 ui64 f16",
	} {
		if got := names(s.FunctionUnsupported(op)); got != want {
			t.Errorf("%s: %s, want %s", op, got, want)
		}
	}
	var inModule []string // the operations of activations that the rule has reached
	for _, op := range []string{"gelu", "hardswish", "leaky_relu", "log_softmax", "mish", "relu", "sigmoid", "softmax", "softplus", "softsign"} {
		if slices.Contains(s.FunctionUnsupported(op), dtype.C64) {
			inModule = append(inModule, op)
		}
	}
	if len(inModule) != 10 {
		t.Errorf("the rule has reached only %v", inModule)
	}
	if rules := s.Rules("f1"); len(rules) != 1 {
		t.Errorf("f1 has the rules %v", rules)
	}
}

func TestDevices(t *testing.T) {
	var s backend.Settings
	s.Declare("gcd", backend.Rule{Framework: "paddle", UnsupportedOn: map[string]backend.Versions{"cpu": {"2.6.0 and below": {"int8", "int16", "uint8"}}}})
	s.Declare("here", backend.Rule{Framework: "paddle", UnsupportedDevices: backend.Versions{"2.6.0 and below": {"gpu"}}})
	s.Declare("there", backend.Rule{Framework: "paddle", SupportedDevices: backend.Versions{"2.6.0 and below": {"gpu"}}})
	s.Set("paddle")
	for _, c := range []struct{ op, device, want string }{
		{"gcd", "cpu:0", `gcd(i8): gcd on backend "paddle 2.6.0" does not support i8; it supports i32 i64 bf16 f16 ` +
			"f32 f64 c64 c128 i1: convert with AsType, or let backend.UpcastDataTypes() do it"}, {"gcd", "cuda:1", ""}, {"gcd", "gpu", ""},
		{"here", "cpu", ""}, {"here", "cuda:0", `here(gpu): here on backend "paddle 2.6.0" does not run on gpu; ` +
			"move the tensor with nv.ToDevice"},
		{"there", "", `there(cpu): there on backend "paddle 2.6.0" does not run on cpu; move the tensor with ` +
			"nv.ToDevice"}, {"there", "gpu:0", ""},
	} {
		_, err := s.CastOn(c.op, dtype.I8, c.device)
		if got := ""; err != nil {
			got = err.Error()
			if c.want == "" || got != c.want {
				t.Errorf("%s on %s: %s, want %q", c.op, c.device, got, c.want)
			}
		} else if c.want != "" {
			t.Errorf("%s on %s is accepted, want %q", c.op, c.device, c.want)
		}
	}
}

func TestFrontend(t *testing.T) {
	var s backend.Settings
	s.Declare("trace", backend.Rule{Frontend: "torch", Unsupported: backend.Versions{"2.0.1 and below": {"float16", "bfloat16"}}})
	if err := s.CastFrontend("torch", "Trace", dtype.F16); err == nil || err.Error() !=
		`Trace(f16): trace of the frontend "torch 2.2" does not support f16; convert with AsType` {
		t.Error(err)
	}
	for _, c := range []struct {
		frontend string
		d        dtype.DType
	}{{"torch", dtype.F32}, {"jax", dtype.F16}} {
		if err := s.CastFrontend(c.frontend, "Trace", c.d); err != nil {
			t.Error(err)
		}
	}
	s.Set("jax")
	if got := names(s.FunctionUnsupported("trace")); got != "bf16 f16 c64 c128" {
		t.Errorf("the rule of the frontend also applies to the backend: %s", got)
	}
}

func TestLint(t *testing.T) {
	var s backend.Settings
	s.Declare("f", backend.Rule{Framework: "torch", Unsupported: backend.Versions{"2.0.1 and below": {"uint16", "float16"}}})
	s.Declare("g", backend.Rule{Framework: "torch", Unsupported: backend.Versions{"2.0.1 and below": {"unsigned"}}})
	s.Declare("h", backend.Rule{Framework: "torch", UnsupportedDevices: backend.Versions{"2.0.1 and below": {"uint16"}}})
	if got := s.Lint(); len(got) != 1 || got[0].String() !=
		"f: torch lacks uint16 altogether, so the declaration need not say so (torch: unsupported "+
			"uint16, float16 (2.0.1 and below))" {
		t.Errorf("%v", got)
	}
}

// TestNotes checks the notes of rules of the tables.
func TestNotes(t *testing.T) {
	var s backend.Settings
	for op, want := range map[string]string{
		"tensordot": "torch: int32 fails at some shapes, for instance at 1.12.1: https://github.com/pytorch/pytorch/issues/84530",
		"cumsum":    "torch: a sum with dtype bfloat16 fails at 1.11.0 and works from 1.12.1 on",
		"prod":      "torch: the product of uint8 is a uint32, which the framework does not have",
		"gcd":       "paddle: on the cpu only",
		"expm1":     "",
	} {
		var notes []string
		for _, r := range s.Rules(op) {
			if r.Note != "" {
				notes = append(notes, r.Framework+": "+r.Note)
			}
		}
		if got := strings.Join(notes, "; "); got != want {
			t.Errorf("%s: %q, want %q", op, got, want)
		}
	}
}

// TestSupportTable checks the text and the page of the support of an operation.
func TestSupportTable(t *testing.T) {
	s := backend.SupportOf("Tensordot")
	text, page := s.String(), s.HTML()
	seen := map[string]bool{}
	for _, r := range s.Rules {
		if seen[r.Framework] {
			t.Errorf("two rules of %s", r.Framework)
		}
		seen[r.Framework] = true
		if strings.Count(text, "\n"+r.String()) != 1 {
			t.Errorf("%v is not a line of\n%s", r, text)
		}
	}
	table, rules, found := strings.Cut(text, "\n\n")
	if !found || len(s.Rules) < 2 || strings.Contains(rules, "\n\n") {
		t.Errorf("one blank line must be before the rules:\n%s", text)
	}
	lines := strings.Split(table, "\n")
	if len(lines) != len(s.Frameworks) || len(lines) < 3 {
		t.Fatalf("%d lines of %d frameworks", len(lines), len(s.Frameworks))
	}
	for i, f := range s.Frameworks {
		words := strings.Fields(strings.TrimPrefix(lines[i], f.Profile.String()))
		cells := strings.Split(strings.Split(page, "</tr>")[i], "<td ")[1:]
		all := backend.DTypes("valid")
		if !strings.HasPrefix(lines[i], f.Profile.String()) || len(cells) != len(words) || len(words) != len(all) {
			t.Errorf("%s has %d words and %d cells", lines[i], len(words), len(cells))
		}
		supported := 0
		for k, w := range words {
			if w != "-" {
				supported++
			}
			if cell := strings.ReplaceAll(w, "-", "–"); cells[k] != `style="padding:1px 4px">`+cell+"</td>" {
				t.Errorf("cell %d is %s, want %s", k, cells[k], cell)
			}
		}
		if supported != len(f.Supported) {
			t.Errorf("%s: %d dtypes are supported", lines[i], len(f.Supported))
		}
	}
	if strings.Count(page, "<ul>") != 1 || strings.Count(page, "</ul>") != 1 || strings.Count(page, "<li>") != len(s.Rules) ||
		strings.Count(page, "<tr>") != len(s.Frameworks) || !strings.Contains(page, ">tensordot: supported dtypes<") {
		t.Error(page)
	}
	none := backend.Support{Op: "f"}
	if none.String() != "" || strings.Contains(none.HTML(), "ul>") {
		t.Errorf("without rules: %q, %s", none, none.HTML())
	}
}
