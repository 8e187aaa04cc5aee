package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// small is a notebook of nbformat 4.4.
const small = `{
 "cells": [
  {"cell_type": "markdown", "metadata": {}, "source": ["# <b>Title</b>\n", "text"]},
  {"cell_type": "code", "execution_count": 7, "metadata": {"tags": ["parameters"]}, "outputs": [{"output_type": "stream", "name": "stdout", "text": "old"}], "source": "n := 1"},
  {"cell_type": "code", "id": "kept", "execution_count": null, "metadata": {}, "outputs": [], "source": ["n + 1\n", "n"]}
 ],
 "metadata": {"custom": {"big": 12345678901234567890}},
 "nbformat": 4,
 "nbformat_minor": 4
}`

func parse(t *testing.T, text string) *notebook {
	t.Helper()
	nb, err := parseNotebook([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

func TestNotebookKeepsWhatItDoesNotKnow(t *testing.T) {
	nb := parse(t, small)
	if got := nb.cells[2].source(); got != "n + 1\nn" {
		t.Errorf("source %q", got)
	}
	data, err := nb.text()
	if err != nil {
		t.Fatal(err)
	}
	text := string(data)
	for _, want := range []string{"12345678901234567890", "<b>Title</b>", `"id": "kept"`, `"nbformat_minor": 5`, `"text": "old"`} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is missing in\n%s", want, text)
		}
	}
	again := parse(t, text)
	for i, c := range again.cells {
		if id, _ := c.raw["id"].(string); !idForm().MatchString(id) {
			t.Errorf("cell %d has the id %q", i, id)
		}
	}
	second, err := again.text()
	if err != nil || string(second) != text {
		t.Errorf("written twice it differs: %v", err)
	}
}

func TestNotebooksThatAreNone(t *testing.T) {
	for text, want := range map[string]string{
		"hello":                                "not a notebook: invalid character 'h' looking for beginning of value",
		" \n":                                  "not a notebook: the file is empty",
		"[]":                                   "not a notebook: the file holds a JSON array, not an object",
		"1":                                    "not a notebook: the file holds a JSON number, not an object",
		`{"nbformat": 3}`:                      "nbformat 3: only nbformat 4 can be read; open the file in JupyterLab and save it",
		`{"nbformat": 4, "cells": [1]}`:        "not a notebook: a cell is not a JSON object",
		`{"worksheets": [], "metadata": null}`: "not a notebook: it has no nbformat",
	} {
		if _, err := parseNotebook([]byte(text)); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

func TestParameters(t *testing.T) {
	for text, want := range map[string]string{
		"n=3":             "3",
		"n=-2.5":          "-2.5",
		"n=true":          "true",
		`n="a b"`:         `"a b"`,
		"n=[]int{1, 2}":   "[]int{1, 2}",
		"n=hello":         `"hello"`,
		"n=hello world":   `"hello world"`,
		"n=os.Exit(1)":    `"os.Exit(1)"`,
		"n=":              `""`,
		"n=a=b":           `"a=b"`,
		"n=1; panic(1)":   `"1; panic(1)"`,
		"n=/data/x.csv":   `"/data/x.csv"`,
		"n=2026-01-01":    `"2026-01-01"`,
		"n=[]int{f()}":    "[]int{f()}",
		"n=\"x\ny\"":      `"\"x\ny\""`,
		"n=1e-3":          "1e-3",
		"n='x'":           "'x'",
		"n=`raw`":         "`raw`",
		"n=héllo":         `"héllo"`,
		"n=\x00":          `"\x00"`,
		"n=func(){}":      `"func(){}"`,
		"n=(1)":           `"(1)"`,
		"n=map[int]int{}": "map[int]int{}",
	} {
		p, err := parseParameter(text)
		if err != nil || p.name != "n" || p.value != want {
			t.Errorf("%q: %+v, %v; want %s", text, p, err, want)
		}
	}
	for _, text := range []string{"n", "=1", "a b=1", "1n=1", "func=1"} {
		if p, err := parseParameter(text); err == nil {
			t.Errorf("%q: %+v", text, p)
		}
	}
}

func TestInject(t *testing.T) {
	params := []parameter{{"n", "5"}, {"s", `"x"`}}
	nb := parse(t, small)
	nb.inject(params)
	if got := nb.cells[2].source(); len(nb.cells) != 4 || got != "n = 5\ns = \"x\"" {
		t.Errorf("after the parameters: %q", got)
	}
	nb.inject(params[:1])
	if got := nb.cells[2].source(); len(nb.cells) != 4 || got != "n = 5" {
		t.Errorf("injected again: %q of %d cells", got, len(nb.cells))
	}
	untagged := parse(t, strings.Replace(small, `"parameters"`, `"other"`, 1))
	untagged.inject(params[:1])
	if got := untagged.cells[0].source(); got != "n := 5" {
		t.Errorf("at the head: %q", got)
	}
}

// outputsOf returns the JSON of the outputs that a recorder stores for the contents of messages.
func outputsOf(t *testing.T, shown ...any) string {
	t.Helper()
	cell := newCodeCell("")
	k := &recorder{cell: cell, shown: map[string][]map[string]any{}}
	for _, content := range shown {
		o := client.Output{Content: content}
		if d, ok := content.(updated); ok {
			o = client.Output{Type: wire.TypeUpdateDisplayData, Content: wire.DisplayData(d)}
		}
		k.record(o)
	}
	data, err := json.Marshal(cell.raw["outputs"])
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// updated marks an update_display_data.
type updated wire.DisplayData

func text(id, s string) wire.DisplayData {
	return wire.DisplayData{Data: wire.Bundle{"text/plain": s}, Transient: wire.Transient{DisplayID: id}}
}

func TestKeeper(t *testing.T) {
	for _, c := range []struct {
		name  string
		shown []any
		want  string
	}{
		{"streams are joined", []any{wire.Stream{Name: "stdout", Text: "a\nb"}, wire.Stream{Name: "stdout", Text: "c\n"}, wire.Stream{Name: "stderr", Text: "e"}},
			`[{"name":"stdout","output_type":"stream","text":["a\n","bc\n"]},{"name":"stderr","output_type":"stream","text":["e"]}]`},
		{"a result has its count", []any{wire.ExecuteResult{ExecutionCount: 3, Data: wire.Bundle{"text/plain": "1\n2", "image/png": "iVBO\n"}}},
			`[{"data":{"image/png":"iVBO\n","text/plain":["1\n","2"]},"execution_count":3,"metadata":{},"output_type":"execute_result"}]`},
		{"an update replaces", []any{text("d", "one"), updated(text("d", "two"))},
			`[{"data":{"text/plain":["two"]},"metadata":{},"output_type":"display_data"}]`},
		{"an update of something else does not", []any{text("d", "one"), updated(text("e", "two"))},
			`[{"data":{"text/plain":["one"]},"metadata":{},"output_type":"display_data"}]`},
		{"clear", []any{text("", "one"), wire.ClearOutput{}}, `[]`},
		{"clear that waits", []any{text("", "one"), wire.ClearOutput{Wait: true}, text("", "two")},
			`[{"data":{"text/plain":["two"]},"metadata":{},"output_type":"display_data"}]`},
		{"clear that waits in vain", []any{wire.Stream{Name: "stdout", Text: "a"}, wire.ClearOutput{Wait: true}},
			`[{"name":"stdout","output_type":"stream","text":["a"]}]`},
		{"clear that waits for a stream", []any{wire.Stream{Name: "stdout", Text: "a"}, wire.ClearOutput{Wait: true}, wire.Stream{Name: "stdout", Text: "b"}},
			`[{"name":"stdout","output_type":"stream","text":["b"]}]`},
		{"an error", []any{wire.Failure{Ename: "E", Evalue: "v", Traceback: []string{"t"}}},
			`[{"ename":"E","evalue":"v","output_type":"error","traceback":["t"]}]`},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := outputsOf(t, c.shown...); got != c.want {
				t.Errorf("kept %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestPrinter(t *testing.T) {
	var b strings.Builder
	p := &printer{w: &b}
	for _, content := range []any{
		wire.ExecuteInput{ExecutionCount: 12, Code: "x := 1\nx\n"},
		wire.Stream{Name: "stdout", Text: "half"},
		text("", "shown"),
		wire.Stream{Name: "stdout", Text: "\x1b[31mred\n\x1b[0m"},
		wire.ExecuteResult{ExecutionCount: 12, Data: wire.Bundle{"text/plain": "1"}},
		wire.ExecuteResult{ExecutionCount: 12, Data: wire.Bundle{"text/plain": "A\n1"}},
		wire.Failure{Traceback: []string{"\x1b[31mwrong\x1b[0m", "  ^"}},
	} {
		p.print(client.Output{Content: content})
	}
	p.end()
	want := "In [12]: x := 1\n    ...: x\nhalf\nshown\nred\nOut[12]: 1\nOut[12]:\nA\n1\nwrong\n  ^\n\n"
	if got := b.String(); got != want {
		t.Errorf("printed %q\nwant    %q", got, want)
	}
}

func openNotebook(t *testing.T, path string) *notebook {
	t.Helper()
	nb, err := readNotebook(path)
	if err != nil {
		t.Fatal(err)
	}
	return nb
}

// shownBy returns the text of the outputs of each code cell, as the notebook's file has them.
func shownBy(t *testing.T, nb *notebook) (shown []string) {
	t.Helper()
	stored, err := nb.text()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range parse(t, string(stored)).cells {
		if c.kind() != "code" {
			continue
		}
		var b strings.Builder
		outputs, _ := c.raw["outputs"].([]any)
		for _, o := range outputs {
			output := o.(map[string]any)
			data, _ := output["data"].(map[string]any)
			for _, part := range []any{output["name"], output["text"], output["ename"], output["evalue"], data["text/plain"], data["text/html"]} {
				if part != nil {
					b.WriteString(join(part) + "\n")
				}
			}
		}
		shown = append(shown, b.String())
	}
	return shown
}
