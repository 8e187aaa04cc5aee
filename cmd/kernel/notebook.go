package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/google/uuid"
)

// A notebook is a file of nbformat 4 (https://nbformat.readthedocs.io/en/latest/format_description.html).
// Keys that this program does not know are kept.
type notebook struct {
	raw   map[string]any // the JSON object of the file; text updates its "cells"
	cells []*nbCell
}

// An nbCell is one cell of a notebook.
type nbCell struct{ raw map[string]any } // its JSON object

// readNotebook reads the notebook at path.
func readNotebook(path string) (*notebook, error) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	nb, err := parseNotebook(data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return nb, nil
}

// parseNotebook returns the notebook in a file's data. It fails unless the data is JSON of nbformat 4.
func parseNotebook(data []byte) (*notebook, error) {
	nb := &notebook{}
	d := json.NewDecoder(bytes.NewReader(data))
	d.UseNumber()
	if len(bytes.TrimSpace(data)) == 0 {
		return nil, errors.New("not a notebook: the file is empty")
	}
	if err := d.Decode(&nb.raw); err != nil {
		var wrong *json.UnmarshalTypeError
		if errors.As(err, &wrong) {
			return nil, fmt.Errorf("not a notebook: the file holds a JSON %s, not an object", wrong.Value)
		}
		return nil, fmt.Errorf("not a notebook: %w", err)
	}
	switch major := nb.raw["nbformat"]; {
	case major == nil:
		return nil, errors.New("not a notebook: it has no nbformat")
	case fmt.Sprint(major) != "4":
		return nil, fmt.Errorf("nbformat %v: only nbformat 4 can be read; open the file in JupyterLab and save it", major)
	}
	cells, _ := nb.raw["cells"].([]any)
	for _, c := range cells {
		raw, ok := c.(map[string]any)
		if !ok {
			return nil, errors.New("not a notebook: a cell is not a JSON object")
		}
		nb.cells = append(nb.cells, &nbCell{raw})
	}
	return nb, nil
}

// text returns the notebook as JSON in the form of nbformat 4.5: keys are sorted,
// the indent is one space, and each cell has an id.
func (nb *notebook) text() ([]byte, error) {
	cells := make([]any, len(nb.cells))
	for i, c := range nb.cells {
		c.ensureID()
		cells[i] = c.raw
	}
	nb.raw["cells"] = cells
	nb.raw["nbformat"], nb.raw["nbformat_minor"] = 4, max(5, minor(nb.raw["nbformat_minor"]))
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	err := e.Encode(nb.raw)
	return b.Bytes(), err
}

// minor returns a minor version of nbformat, or 0 if v is not an integer.
func minor(v any) int {
	n, _ := v.(json.Number)
	i, _ := n.Int64()
	return int(i)
}

// setKernel stores the kernel that ran the notebook in the metadata.
func (nb *notebook) setKernel(name, display string, language map[string]any) {
	meta := ensureObject(nb.raw, "metadata")
	meta["kernelspec"] = map[string]any{"name": name, "display_name": display, "language": "go"}
	meta["language_info"] = language
}

// ensureObject returns the JSON object m[key]. It creates the object if there is none.
func ensureObject(m map[string]any, key string) map[string]any {
	if o, ok := m[key].(map[string]any); ok {
		return o
	}
	o := map[string]any{}
	m[key] = o
	return o
}

// newCodeCell returns a code cell without outputs.
func newCodeCell(source string, tags ...string) *nbCell {
	c := &nbCell{map[string]any{"cell_type": "code", "source": lines(source)}}
	if tags != nil {
		ensureObject(c.raw, "metadata")["tags"] = tags
	}
	c.clear()
	return c
}

func (c *nbCell) kind() string   { s, _ := c.raw["cell_type"].(string); return s }
func (c *nbCell) source() string { return join(c.raw["source"]) }

// clear removes the outputs and the execution count of an earlier run. It adds metadata if there is none, since
// nbformat requires it.
func (c *nbCell) clear() {
	ensureObject(c.raw, "metadata")
	c.raw["outputs"], c.raw["execution_count"] = []any{}, nil
}

// add appends an output, in the form of nbformat. clear must have been called before.
func (c *nbCell) add(output map[string]any) {
	c.raw["outputs"] = append(c.raw["outputs"].([]any), output)
}

func (c *nbCell) hasTag(tag string) bool {
	switch tags := ensureObject(c.raw, "metadata")["tags"].(type) {
	case []any:
		return slices.Contains(tags, any(tag))
	case []string:
		return slices.Contains(tags, tag)
	}
	return false
}

// idForm matches cell ids that nbformat allows.
var idForm = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[a-zA-Z0-9-_]{1,64}$`) })

// ensureID gives the cell an id unless it has a valid one.
func (c *nbCell) ensureID() {
	if id, _ := c.raw["id"].(string); !idForm().MatchString(id) {
		c.raw["id"] = uuid.NewString()[:8]
	}
}

// lines returns text as nbformat stores it: a list of lines, each with its line end.
func lines(text string) []any {
	all := []any{}
	for line := range strings.Lines(text) {
		all = append(all, line)
	}
	return all
}

// join is the inverse of lines. It also accepts a string, which nbformat allows in place of a list.
func join(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case []any:
		var b strings.Builder
		for _, line := range v {
			s, _ := line.(string)
			b.WriteString(s)
		}
		return b.String()
	}
	return ""
}
