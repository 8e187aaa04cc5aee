// Command gen writes structs_gen.go, the used part of the PJRT C API in Go, and a list
// of its structs for a test, from the table of layouts in testdata/pjrt_c_api.txt. With
// -header it first rewrites that table from pjrt_c_api.h (of OpenXLA, Apache-2.0; the
// wheel of the pinned CPU plugin has it), for which it runs a C compiler.
package main

import (
	"bytes"
	"flag"
	"fmt"
	"os"
)

const (
	tablePath = "testdata/pjrt_c_api.txt"
	goPath    = "structs_gen.go"
	testPath  = "structs_gen_test.go"
)

func main() {
	header := flag.String("header", "", "pjrt_c_api.h; rewrites the table of layouts")
	flag.Parse()
	if err := run(*header); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes the generated files. If header is not "", it first rewrites the table of layouts.
func run(header string) error {
	if header != "" {
		table, err := measure(header)
		if err != nil {
			return err
		}
		if err := os.WriteFile(tablePath, table, 0o644); err != nil {
			return err
		}
	}
	table, err := os.ReadFile(tablePath)
	if err != nil {
		return err
	}
	api, err := parseTable(bytes.NewReader(table))
	if err != nil {
		return err
	}
	names, err := used(".")
	if err != nil {
		return err
	}
	api.keep(names)
	source, err := api.goSource()
	if err != nil {
		return err
	}
	if err := os.WriteFile(goPath, source, 0o644); err != nil {
		return err
	}
	list, err := api.testSource()
	if err != nil {
		return err
	}
	return os.WriteFile(testPath, list, 0o644)
}
