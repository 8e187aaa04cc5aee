package main

import (
	"bytes"
	"fmt"
	"go/doc"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// writeExamples writes the Example functions in src, the sources of the standard library, to folder as the programs of
// a suite. For each example that has output, it writes the program name.go, and the expected output to name.output, or
// to name.unordered if the lines may come in any order.
func writeExamples(src, folder string) error {
	return filepath.WalkDir(src, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			switch d.Name() {
			case "cmd", "internal", "vendor", "testdata":
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, "_test.go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil || !bytes.Contains(text, []byte("\nfunc Example")) {
			return err
		}
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(src, filepath.Dir(path))
		if err != nil {
			return err
		}
		for _, ex := range doc.Examples(file) {
			if ex.Output == "" && !ex.EmptyOutput {
				continue
			}
			name := filepath.Join(folder, strings.ReplaceAll(rel, "/", "_")+"_Example"+ex.Name)
			program, err := exampleProgram(fset, string(text), ex)
			if err != nil {
				return err
			}
			suffix := ".output"
			if ex.Unordered {
				suffix = ".unordered"
			}
			if err := os.WriteFile(name+".go", []byte("// run\n\n"+program), 0o666); err != nil {
				return err
			}
			if err := os.WriteFile(name+suffix, []byte(ex.Output), 0o666); err != nil {
				return err
			}
		}
		return nil
	})
}

// packageClause matches the package clause of a file.
var packageClause = regexp.MustCompile(`(?m)^package \w+`)

// exampleProgram returns a program that runs an example: the program that go/doc has made of the example, if there is
// one, and otherwise text, the file of the example, with a main function added.
func exampleProgram(fset *token.FileSet, text string, ex *doc.Example) (string, error) {
	if ex.Play != nil {
		var b bytes.Buffer
		ex.Play.Comments = nil
		if err := format.Node(&b, fset, ex.Play); err != nil {
			return "", err
		}
		return b.String(), nil
	}
	i := packageClause.FindStringIndex(text)
	body := text[i[1]:]
	return fmt.Sprintf("package main%s\n\nfunc main() { Example%s() }\n", body, ex.Name), nil
}

// compareOutput reports whether a program has printed the expected output, and returns the expected output. For a
// program of Go's suite, this is the content of the .out file beside the program, or nothing. For an example, space
// around the output is ignored, and so is the order of the lines if there is a file name.unordered.
func compareOutput(program, printed string) (ok bool, want string) {
	base := strings.TrimSuffix(program, ".go")
	if text, err := os.ReadFile(base + ".output"); err == nil {
		return strings.TrimSpace(printed) == strings.TrimSpace(string(text)), string(text)
	}
	if text, err := os.ReadFile(base + ".unordered"); err == nil {
		sorted := func(s string) string {
			lines := strings.Split(strings.TrimSpace(s), "\n")
			slices.Sort(lines)
			return strings.Join(lines, "\n")
		}
		return sorted(printed) == sorted(string(text)), string(text)
	}
	text, _ := os.ReadFile(base + ".out")
	return printed == string(text), string(text)
}
