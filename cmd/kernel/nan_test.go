package main

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/goanvil/notebook/anvil/xla"
)

// TestNaNsAreNamed runs the cells of testdata/nan.txt, in each of which a NaN arises, and tests that the
// error names its origin.
func TestNaNsAreNamed(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/nan.txt")
	if err != nil {
		t.Fatal(err)
	}
	backend := "xla"
	if len(xla.Discover("")) == 0 {
		backend = "reference"
	}
	f := newFront(t, backend)
	at := regexp.MustCompile(`cell\[[0-9]+\]:([0-9]+):[0-9]+: `)
	styled := regexp.MustCompile("\x1b\\[[0-9;]*m")
	planted := 0
	for i := 0; i+1 < len(archive.Files); i += 2 {
		cell, want := archive.Files[i], strings.TrimSpace(string(archive.Files[i+1].Data))
		planted++
		t.Run(cell.Name, func(t *testing.T) {
			a := f.run(strings.TrimSuffix(string(cell.Data), "\n"))
			if a.Status == "ok" {
				t.Fatalf("no error, want %s", want)
			}
			line, facts, _ := strings.Cut(want, ": ")
			text := styled.ReplaceAllString(strings.Join(a.Traceback, "\n"), "")
			m := at.FindStringSubmatch(text)
			if m == nil || m[1] != line || !strings.HasPrefix(a.Evalue, facts) {
				t.Errorf("%s\nwant %s", text, want)
			}
		})
	}
	if planted != 50 {
		t.Error(fmt.Sprint(planted, " cells with NaNs, want 50"))
	}
}

// TestInfinitiesAreNamed tests that a watched cell without a NaN says where its first infinity arose.
func TestInfinitiesAreNamed(t *testing.T) {
	f := newFront(t, "reference")
	a := f.run("%%nan\nx := nv.New([]float64{1, 2, 1000})\nnv.Max(nv.Exp(x * 2))")
	if want := "no NaN arose; the first infinity came from Exp at element [2], computed from 2000\n"; a.Status != "ok" || a.stderr != want {
		t.Errorf("%s: %q, want %q", a.Status, a.stderr, want)
	}
	if a := f.run("%%nan\nx + 1"); a.stderr != "" {
		t.Errorf("without an infinity: %q", a.stderr)
	}
}
