// Command gen writes structs_gen.go, which declares the used part of the PJRT C API in Go, and
// structs_gen_test.go, a list of its structs. It reads the table of layouts in
// testdata/pjrt_c_api.txt. With the flag -header it first rewrites this table from the header
// pjrt_c_api.h, with a C compiler. The header is a part of OpenXLA (Apache-2.0), and the Python
// package of the CPU plugin that goanvil setup installs contains it.
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
	header := flag.String("header", "", "path of pjrt_c_api.h, from which the table of layouts is rewritten")
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
