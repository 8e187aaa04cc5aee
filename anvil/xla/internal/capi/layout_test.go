package capi

import (
	"bufio"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// TestLayout compares the sizes and offsets of the Go structs with those of the C compiler, which
// are in testdata.
func TestLayout(t *testing.T) {
	if runtime.GOARCH != "amd64" && runtime.GOARCH != "arm64" {
		t.Skip("plugins are 64-bit libraries")
	}
	f, err := os.Open("testdata/pjrt_c_api.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var typ reflect.Type
	var field, seen int
	for lines := bufio.NewScanner(f); lines.Scan(); {
		w := strings.Fields(lines.Text())
		n, _ := strconv.Atoi(w[len(w)-1])
		switch w[0] {
		case "struct":
			if typ != nil && field != typ.NumField() {
				t.Errorf("%s: %d fields, C has %d", typ, typ.NumField(), field)
			}
			typ, field = reflect.TypeOf(structs[w[1]]), 0
			if typ == nil {
				continue // not used
			}
			if seen++; int(typ.Size()) != n {
				t.Fatalf("%s: %v, C has %d bytes", w[1], typ, n)
			}
		case "field":
			if typ == nil {
				continue
			}
			n, _ := strconv.Atoi(w[2])
			if got := int(typ.Field(field).Offset); got != n {
				t.Errorf("%s.%s: offset %d, C has %d", typ, w[1], got, n)
			}
			field++
		case "func":
			if i, _ := strconv.Atoi(w[1]); funcNames[i] != "" && funcNames[i] != w[2] {
				t.Errorf("function %d is %s, C has %s", i, funcNames[i], w[2])
			}
		}
	}
	if seen != len(structs) {
		t.Errorf("%d structs were compared of %d", seen, len(structs))
	}
	for f, name := range funcNames {
		if name != "" && structs[name+"_Args"] == nil {
			t.Errorf("function %d, %s, has no arguments", f, name)
		}
	}
}
