package celltype_test

import (
	"strings"
	"testing"

	"github.com/goanvil/notebook/interp/interptest"
)

// TestPrograms runs the programs about types and methods.
func TestPrograms(t *testing.T) {
	for _, pattern := range []string{"*embed*", "*struct*", "*interfaces*", "*json*", "method*", "instances*", "named*",
		"reflect*", "generics*", "alias*", "sort_*", "errors*"} {
		interptest.Programs(t, "../testdata/programs/"+pattern+".go", func(program string) string {
			return strings.Replace(program, "package main\n", "", 1) + "\nmain()"
		})
	}
	for _, pattern := range []string{"*embed*", "same_*", "*types*", "append*", "nil_*"} {
		interptest.Programs(t, "../testdata/pasted/"+pattern+".go", func(program string) string { return program })
	}
}
