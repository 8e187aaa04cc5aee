package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// table returns the committed table of layouts.
func table(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("..", tablePath))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestGeneratedCodeIsFresh(t *testing.T) {
	api, err := parseTable(bytes.NewReader(table(t)))
	if err != nil {
		t.Fatal(err)
	}
	names, err := used("..")
	if err != nil {
		t.Fatal(err)
	}
	api.keep(names)
	for path, source := range map[string]func() ([]byte, error){goPath: api.goSource, testPath: api.testSource} {
		want, err := source()
		if err != nil {
			t.Fatal(err)
		}
		got, err := os.ReadFile(filepath.Join("..", path))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s is stale: go generate ./anvil/xla/internal/capi (%v)", path, err)
		}
	}
}

// header is a small header with each form of declaration.
const header = `#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#define PJRT_API_MAJOR 0
#define PJRT_API_MINOR 7
typedef enum {
  PJRT_Error_Code_OK = 0,
  PJRT_Error_Code_LATE = 5, // struct PJRT_No { int x; }
} PJRT_Error_Code;
typedef struct PJRT_Thing PJRT_Thing;
typedef void (*PJRT_Named_Callback)(int);
struct PJRT_Args {
  size_t struct_size;
  const PJRT_Thing* const* things;
  PJRT_Thing* thing;
  PJRT_Error_Code code;
  bool flag;
  union { const char* text; int64_t number; };
  void (*inline_callback)(void* a, void* b);
  PJRT_Named_Callback named;
};
#define _PJRT_API_STRUCT_FIELD(x) int x
typedef struct PJRT_Api {
  _PJRT_API_STRUCT_FIELD(PJRT_First);
  _PJRT_API_STRUCT_FIELD(PJRT_Second);
} PJRT_Api;
`

// headerTable is the table of layouts of header.
const headerTable = `major 0
minor 7
enum PJRT_Error_Code_OK 0
enum PJRT_Error_Code_LATE 5
func 0 PJRT_First
func 1 PJRT_Second
struct PJRT_Args 56
field struct_size 0 size_t
field things 8 PJRT_Thing**
field thing 16 PJRT_Thing*
field code 24 PJRT_Error_Code
field flag 28 bool
field text 32 union
field inline_callback 40 callback
field named 48 PJRT_Named_Callback
`

func TestMeasure(t *testing.T) {
	if _, err := exec.LookPath("cc"); err != nil {
		t.Skip("no C compiler")
	}
	path := filepath.Join(t.TempDir(), "api.h")
	if err := os.WriteFile(path, []byte(header), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := measure(path)
	if err != nil {
		t.Fatal(err)
	}
	want := []byte(headerTable)
	if !bytes.Equal(got, want) {
		t.Errorf("%s\nwant\n%s", got, want)
	}
}
