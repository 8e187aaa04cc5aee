package main

import (
	"bytes"
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) { testscript.Main(m, map[string]func(){"gen": main}) }

// runMain runs main in the folder dir.
func runMain(dir string, args ...string) (string, error) {
	cmd := exec.Command("gen", args...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// smallTable has each form of line, and structs, constants and functions that nothing uses.
const smallTable = `major 1
minor 20
enum PJRT_Error_Code_OK 0
enum PJRT_Error_Code_LATE 5
enum PJRT_Error_Code_UNUSED 6
func 0 PJRT_Skipped
func 1 PJRT_Buffer_Go
func 2 PJRT_Other
func 3 PJRT_No_Args
struct PJRT_Skipped_Args 8
field struct_size 0 size_t
struct PJRT_Buffer_Go_Args 64
field struct_size 0 size_t
field error 8 PJRT_Error*
field shapes 16 PJRT_Shape*
field callback 24 callback
field code 32 PJRT_Error_Code
field flags 36 int32_t
field name 40 char*
field chunk 48 PJRT_Chunk*
field value 56 union
struct PJRT_Chunk 16
field data 0 void*
field dims 8 PJRT_Chunk**
struct PJRT_Lonely 24
field x 0 double
struct PJRT_Other_Args 8
field n 0 int64_t
`

// smallUser uses parts of smallTable.
const smallUser = `package capi

var _ = ErrorCodeOK
var _ = ErrorCodeLATE

func f(t *Table) { t.CallBufferGo(nil); _ = fnOther; _ = fnNoArgs }
`

const smallGo = generated + `package capi

import "unsafe"

// Major and Minor are the version of the PJRT C API that this file declares.
const Major, Minor = 1, 20

// Constants of C's enums. The names are those of C without the prefix PJRT_ and without underscores.
const (
	ErrorCodeOK   = 0
	ErrorCodeLATE = 5
)

const (
	fnBufferGo Func = 1
	fnOther    Func = 2
	fnNoArgs   Func = 3
	numFuncs        = 4
)

var funcNames = [numFuncs]string{
	fnBufferGo: "PJRT_Buffer_Go",
	fnOther:    "PJRT_Other",
	fnNoArgs:   "PJRT_No_Args",
}

// CallBufferGo calls PJRT_Buffer_Go.
func (t *Table) CallBufferGo(a *BufferGoArgs) error {
	a.StructSize = 64
	return t.call(fnBufferGo, unsafe.Pointer(a))
}

// CallOther calls PJRT_Other.
func (t *Table) CallOther(a *OtherArgs) error {
	a.StructSize = 8
	return t.call(fnOther, unsafe.Pointer(a))
}

// ErrorHandle stands for C's PJRT_Error, an opaque struct.
type ErrorHandle struct{ _ byte }

// Shape stands for C's PJRT_Shape, an opaque struct.
type Shape struct{ _ byte }

// BufferGoArgs is C's PJRT_Buffer_Go_Args: 64 bytes.
type BufferGoArgs struct {
	StructSize uint64
	Error      *ErrorHandle
	Shapes     *Shape
	Callback   unsafe.Pointer
	Code       int32
	Flags      int32
	Name       unsafe.Pointer
	Chunk      *Chunk
	Value      [1]uint64
}

// Chunk is C's PJRT_Chunk: 16 bytes.
type Chunk struct {
	Data unsafe.Pointer
	Dims unsafe.Pointer
}

// OtherArgs is C's PJRT_Other_Args: 8 bytes.
type OtherArgs struct {
	N int64
}
`

const smallList = generated + `package capi

var structs = map[string]any{
	"PJRT_Buffer_Go_Args": BufferGoArgs{},
	"PJRT_Chunk":          Chunk{},
	"PJRT_Other_Args":     OtherArgs{},
}
`

// small writes package capi with the table of layouts and its users to a new folder, and returns the folder.
func small(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "xla", "internal", "capi")
	for name, text := range map[string]string{
		tablePath: smallTable, "a.go": "package capi\n", "b_gen.go": "package capi; var _ = ErrorCodeUNUSED",
		"../../user.go": smallUser, "../../xlatest/c_gen_test.go": "nonsense", "../../../outside.go": "package anvil; var _ = ErrorCodeUNUSED",
	} {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.WriteFile(file, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSmallTable checks what is generated from a small table: what the API's users name, and what that needs.
func TestSmallTable(t *testing.T) {
	dir := small(t)
	if out, err := runMain(dir); err != nil || out != "" {
		t.Fatalf("%v\n%s", err, out)
	}
	for name, want := range map[string]string{goPath: smallGo, testPath: smallList, tablePath: smallTable} {
		if got, err := os.ReadFile(filepath.Join(dir, name)); err != nil || string(got) != want {
			t.Errorf("%s: %v\n%s", name, err, got)
		}
	}
}

// TestHeaderFlag checks that -header rewrites the table first.
func TestHeaderFlag(t *testing.T) {
	dir := small(t)
	if out, err := runMain(dir, "-header", "none.h"); err == nil || !strings.HasPrefix(out, "gen: open none.h") {
		t.Errorf("%v\n%s", err, out)
	}
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler")
	}
	if err := os.WriteFile(filepath.Join(dir, "api.h"), []byte(header), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := runMain(dir, "-header", "api.h"); err != nil || out != "" {
		t.Fatalf("%v\n%s", err, out)
	}
	if got, err := os.ReadFile(filepath.Join(dir, tablePath)); err != nil || string(got) != headerTable {
		t.Errorf("%v\n%s", err, got)
	}
	if got, err := os.ReadFile(filepath.Join(dir, goPath)); err != nil || !strings.Contains(string(got), "Major, Minor = 0, 7") {
		t.Errorf("%v\n%s", err, got)
	}
	if err := os.WriteFile(filepath.Join(dir, "api.h"), []byte(header+"nonsense"), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := runMain(dir, "-header", "api.h"); err == nil || !strings.HasPrefix(out, "gen: cc: ") {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestRunFails checks the errors of files that cannot be read or written.
func TestRunFails(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		tablePath:       {"major", `"major": unknown kind of line`},
		"../../user.go": {"nonsense", "expected 'package'"},
		goPath:          {"", goPath}, // folders in place of the files
		testPath:        {"", testPath},
	} {
		dir := small(t)
		file := filepath.Join(dir, name)
		err := os.WriteFile(file, []byte(c.text), 0o644)
		if c.text == "" {
			err = errors.Join(os.Remove(file), os.Mkdir(file, 0o755))
		}
		if err != nil {
			t.Fatal(err)
		}
		if out, err := runMain(dir); err == nil || !strings.HasPrefix(out, "gen: ") || !strings.Contains(out, c.want) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
	dir := small(t)
	if err := os.Remove(filepath.Join(dir, tablePath)); err != nil {
		t.Fatal(err)
	}
	if out, err := runMain(dir); err == nil || !strings.Contains(out, tablePath) {
		t.Errorf("no table: %v\n%s", err, out)
	}
	if names, err := used("["); err == nil {
		t.Errorf("a wrong folder uses %v", names)
	}
}

// TestParseTable checks which lines a table may have.
func TestParseTable(t *testing.T) {
	for _, bad := range []string{
		"", "major", "major x", "major 1 2", "minor", "minor x", "enum A", "enum A x", "func 0", "func 0 A b", "struct A", "struct A x",
		"struct A 8 8", "field a 0 int", "struct A 8\nfield a 0", "struct A 8\nfield a x int", "struct A 8\nfield a 0 int int", "union A 8",
	} {
		if a, err := parseTable(strings.NewReader(bad + "\n")); err == nil {
			t.Errorf("%q is the table %+v", bad, a)
		}
	}
	a, err := parseTable(strings.NewReader("major 3\nminor 4\nenum A 5\nstruct S 6\nfield f 7 int\nstruct T 8\nfunc 0 F\n"))
	if err != nil || a.major != 3 || a.minor != 4 || !slices.Equal(a.enums, []constant{{"A", 5}}) || !slices.Equal(a.funcs, []string{"F"}) ||
		len(a.structs) != 2 || a.structs[0].size != 6 || !slices.Equal(a.structs[0].fields, []field{{"f", 7, "int"}}) || a.structs[1].name != "T" {
		t.Errorf("%+v, %v", a, err)
	}
}

// TestGoTypes checks the types of fields.
func TestGoTypes(t *testing.T) {
	for _, c := range []struct {
		class string
		size  int
		want  string
	}{
		{"union", 8, "[1]uint64"}, {"union", 16, "[2]uint64"}, {"size_t", 8, "uint64"}, {"int", 4, "int32"}, {"bool", 8, "bool"},
		{"int16_t", 2, "int16"}, {"uint8_t", 1, "uint8"}, {"double", 8, "float64"}, {"float", 4, "float32"}, {"uintptr_t", 8, "uintptr"},
		{"intptr_t", 8, "int64"}, {"int64_t", 8, "int64"}, {"uint64_t", 8, "uint64"}, {"uint32_t", 4, "uint32"}, {"int32_t", 4, "int32"},
		{"char*", 8, "unsafe.Pointer"}, {"callback", 8, "unsafe.Pointer"}, {"PJRT_Thing*", 8, "*Thing"}, {"PJRT_Thing**", 8, "unsafe.Pointer"},
		{"PJRT_Error*", 8, "*ErrorHandle"}, {"PJRT_My_Callback*", 8, "unsafe.Pointer"}, {"PJRT_Buffer_Type*", 8, "unsafe.Pointer"},
		{"PJRT_Buffer_Type", 8, "int32"}, {"PJRT_Error_Code", 8, "int32"}, {"PJRT_HostBufferSemantics", 8, "int32"}, {"PJRT_Some_State", 8, "int32"},
		{"PJRT_Enum", 4, "int32"}, {"PJRT_Function", 8, "unsafe.Pointer"}, {"PJRT_Buffer_MemoryLayout", 40, "BufferMemoryLayout"},
	} {
		if got := goType(c.class, c.size); got != c.want {
			t.Errorf("%s of %d bytes is %s, want %s", c.class, c.size, got, c.want)
		}
	}
	for c, want := range map[string]string{
		"PJRT_Buffer_ReadyEvent_Args": "BufferReadyEventArgs", "PJRT_Error": "ErrorHandle", "PJRT_Error_Code_OK": "ErrorCodeOK",
		"struct_size": "StructSize", "x": "X", "trailing_": "Trailing",
	} {
		if got := goName(c); got != want {
			t.Errorf("%s is %s, want %s", c, got, want)
		}
	}
}

// TestClasses checks the names and classes of fields in C.
func TestClasses(t *testing.T) {
	for field, want := range map[string][2]string{
		"size_t n": {"n", "size_t"}, "const char* text": {"text", "char*"}, "const PJRT_Thing* const* things": {"things", "PJRT_Thing**"},
		"struct PJRT_Thing *thing": {"thing", "PJRT_Thing*"}, "void (*done)(void* a)": {"done", "callback"}, "union data": {"data", "union"},
		"unsigned long long wide": {"wide", "unsignedlonglong"},
	} {
		if name, class := classify(field); name != want[0] || class != want[1] {
			t.Errorf("%s is %s of %s, want %v", field, name, class, want)
		}
	}
}

// TestUsed checks that the identifiers of hand-written files are used.
func TestUsed(t *testing.T) {
	names, err := used(small(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ErrorCodeOK", "CallBufferGo", "fnOther"} {
		if !names[want] {
			t.Errorf("%s is not used", want)
		}
	}
	if names["ErrorCodeUNUSED"] {
		t.Error("a name in a generated file, or in another folder, is used")
	}
}

// TestKeepsFollowsStructs checks that the structs that used ones contain or point to are kept, however they are ordered.
func TestKeepsFollowsStructs(t *testing.T) {
	a, err := parseTable(bytes.NewReader([]byte(`struct PJRT_C 8
field x 0 int64_t
struct PJRT_B 8
field c 0 PJRT_C*
struct PJRT_A 8
field b 0 PJRT_B*
struct PJRT_D 8
field a 0 PJRT_A*
`)))
	if err != nil {
		t.Fatal(err)
	}
	names := map[string]bool{"A": true}
	a.keep(maps.Clone(names))
	var kept []string
	for _, s := range a.structs {
		kept = append(kept, s.name)
	}
	if !slices.Equal(kept, []string{"PJRT_C", "PJRT_B", "PJRT_A"}) {
		t.Errorf("kept %v", kept)
	}
}
