package erase_test

import (
	"context"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/traefik/yaegi/interp"

	"github.com/goanvil/notebook/interp/universe"
	"github.com/goanvil/notebook/interp/yaegi/erase"
	"github.com/goanvil/notebook/interp/yaegi/support"
)

const corpus = "../../testdata/programs"

// A program is a file of the corpus: package main, and in a comment at its end
// what go run prints, or why a cell refuses it.
type program struct {
	name, source    string
	output, refused string
}

func programs(t *testing.T) []program {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(corpus, "*.go"))
	if err != nil || len(files) == 0 {
		t.Fatal("no programs", err)
	}
	var list []program
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, readProgram(strings.TrimSuffix(filepath.Base(f), ".go"), string(data)))
	}
	return list
}

func readProgram(name, text string) program {
	p := program{name: name, source: text}
	if _, after, ok := strings.Cut(text, "\n// Refused: "); ok {
		p.refused, _, _ = strings.Cut(after, "\n")
	}
	key := "\n// Output:\n"
	if strings.Contains(text, "\n// Interpreted:\n") {
		key = "\n// Interpreted:\n"
	} else if strings.Contains(text, "\n// In a cell:\n") {
		key = "\n// In a cell:\n"
	}
	if _, after, ok := strings.Cut(text, key); ok {
		var b strings.Builder
		for _, line := range strings.Split(strings.TrimRight(after, "\n"), "\n") {
			if !strings.HasPrefix(line, "//") {
				break
			}
			b.WriteString(strings.TrimPrefix(strings.TrimPrefix(line, "//"), " ") + "\n")
		}
		p.output = b.String()
	}
	return p
}

// trimmed compares as a comment can say it: without blanks at line ends.
func trimmed(s string) string {
	var b strings.Builder
	for _, l := range strings.Split(strings.TrimRight(s, "\n "), "\n") {
		b.WriteString(strings.TrimRight(l, " ") + "\n")
	}
	return b.String()
}

func TestPrograms(t *testing.T) {
	imports := universe.WithReceivers(nil)
	for _, p := range programs(t) {
		t.Run(p.name, func(t *testing.T) {
			out, err := run(imports, p)
			switch {
			case p.refused != "":
				if err == nil || !strings.Contains(err.Error(), p.refused) {
					t.Errorf("not refused with %q: %v\n%s", p.refused, err, out)
				}
			case err != nil:
				t.Errorf("%v\n%s", err, out)
			case trimmed(out) != trimmed(p.output):
				t.Errorf("got\n%s\nwant\n%s", trimmed(out), trimmed(p.output))
			}
		})
	}
}

// withOutput makes what prints print to w.
func withOutput(path string, symbols map[string]reflect.Value, w *os.File) map[string]reflect.Value {
	own := map[string]any{}
	switch path {
	case "fmt":
		own["Print"] = func(a ...any) (int, error) { return fmt.Fprint(w, a...) }
		own["Println"] = func(a ...any) (int, error) { return fmt.Fprintln(w, a...) }
		own["Printf"] = func(f string, a ...any) (int, error) { return fmt.Fprintf(w, f, a...) }
	case "os":
		symbols = maps.Clone(symbols)
		symbols["Stdout"] = reflect.ValueOf(&w).Elem()
	}
	if len(own) > 0 {
		symbols = maps.Clone(symbols)
	}
	for name, f := range own {
		symbols[name] = reflect.ValueOf(f)
	}
	return symbols
}

func check(fset *token.FileSet, imports types.Importer, p program) (*ast.File, *types.Package, *types.Info, error) {
	file, err := parser.ParseFile(fset, p.name+".go", p.source, parser.SkipObjectResolution)
	if err != nil {
		return nil, nil, nil, err
	}
	info := erase.NewInfo()
	conf := types.Config{Importer: imports, GoVersion: "go1.26"}
	pkg, err := conf.Check("main", fset, []*ast.File{file}, info)
	return file, pkg, info, err
}

// run lowers a program and runs it in an interpreter of its own.
func run(imports types.Importer, p program) (out string, err error) {
	reader, w, err := os.Pipe()
	if err != nil {
		return "", err
	}
	read := make(chan string)
	go func() { data, _ := io.ReadAll(reader); read <- string(data) }()
	i := interp.New(interp.Options{Stdout: w, Stderr: io.Discard})
	u := universe.WithReceivers(nil)
	symbols := func(path string) map[string]reflect.Value { return withOutput(path, u.Symbols(path), w) }
	defer func() { w.Close(); out = <-read }()
	file, pkg, info, err := check(i.FileSet(), imports, p)
	if err != nil {
		return "", err
	}
	s := erase.New(erase.Hooks{
		Symbols: symbols,
		Alias:   func(path string) string { return "ꓸ" + strings.ReplaceAll(path, "/", "ꓸ") },
		TypeName: func(t *types.TypeName) string {
			if t.Parent() == pkg.Scope() {
				return t.Name()
			}
			return ""
		},
		Import: imports.Import,
	})
	r, err := s.File(pkg, info, file, "main")
	if err != nil {
		return "", fmt.Errorf("%v: %w", i.FileSet().Position(err.(*erase.Error).Pos), err)
	}
	for _, path := range r.Imports {
		i.Use(interp.Exports{path + "/" + path[strings.LastIndex(path, "/")+1:]: symbols(path)})
	}
	i.Use(interp.Exports{
		erase.TypesPath + "/types":     r.Symbols,
		erase.SupportPath + "/support": support.New(s.Table).Symbols(),
	})
	r.File.Decls = append([]ast.Decl{imports1(r)}, r.File.Decls...)
	return "", execute(i, r.File)
}

// imports1 declares the imports of a lowered file.
func imports1(r *erase.Result) ast.Decl {
	d := &ast.GenDecl{TokPos: r.File.Package, Tok: token.IMPORT, Lparen: r.File.Package}
	for alias, path := range r.Imports {
		d.Specs = append(d.Specs, &ast.ImportSpec{
			Name: &ast.Ident{NamePos: r.File.Package, Name: alias},
			Path: &ast.BasicLit{ValuePos: r.File.Package, Kind: token.STRING, Value: strconv.Quote(path)},
		})
	}
	return d
}

func execute(i *interp.Interpreter, file *ast.File) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("interpreter: %v", r)
		}
	}()
	prog, err := i.CompileAST(file)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute) // one that hangs fails
	defer cancel()
	_, err = i.ExecuteWithContext(ctx, prog)
	return err
}
