package main

import (
	"maps"
	"strings"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// A recorder stores the outputs of a cell in a notebook, in the form of nbformat.
type recorder struct {
	cell  *nbCell
	shown map[string][]map[string]any // the stored outputs of all cells by display id
	clear bool                        // the next output replaces the earlier ones of the cell
}

// record stores an output. An update or a clear changes the stored outputs instead.
func (r *recorder) record(o client.Output) {
	switch content := o.Content.(type) {
	case wire.Stream:
		r.stream(content)
	case wire.DisplayData:
		if o.Update() {
			r.update(content)
			return
		}
		r.show(bundle("display_data", content.Data, content.Metadata), content.Transient)
	case wire.ExecuteResult:
		output := bundle("execute_result", content.Data, content.Metadata)
		output["execution_count"] = content.ExecutionCount
		r.show(output, content.Transient)
	case wire.Failure:
		r.add(map[string]any{
			"output_type": "error", "ename": content.Ename, "evalue": content.Evalue, "traceback": content.Traceback,
		})
	case wire.ClearOutput:
		if r.clear = content.Wait; !content.Wait {
			r.cell.raw["outputs"] = []any{}
		}
	}
}

// add adds an output to the cell. If r.clear is set, it first removes the earlier outputs.
func (r *recorder) add(output map[string]any) {
	if r.clear {
		r.clear = false
		r.cell.raw["outputs"] = []any{}
	}
	r.cell.add(output)
}

// stream appends text to the last output if that is a text of the same stream. Otherwise it adds an output.
func (r *recorder) stream(s wire.Stream) {
	if outputs := r.cell.raw["outputs"].([]any); len(outputs) > 0 && !r.clear {
		last := outputs[len(outputs)-1].(map[string]any)
		if last["output_type"] == "stream" && last["name"] == s.Name {
			last["text"] = lines(join(last["text"]) + s.Text)
			return
		}
	}
	r.add(map[string]any{"output_type": "stream", "name": s.Name, "text": lines(s.Text)})
}

// show adds an output. Later updates with its display id change the stored output.
func (r *recorder) show(output map[string]any, t wire.Transient) {
	r.add(output)
	if id := t.DisplayID; id != "" {
		r.shown[id] = append(r.shown[id], output)
	}
}

// update replaces the data of all stored outputs that have the display id of d.
func (r *recorder) update(d wire.DisplayData) {
	updated := bundle("", d.Data, d.Metadata)
	for _, output := range r.shown[d.Transient.DisplayID] {
		output["data"], output["metadata"] = updated["data"], updated["metadata"]
	}
}

// bundle returns an output of the given type as nbformat stores it: texts as lists of lines, JSON and
// base64 unchanged.
func bundle(outputType string, data, metadata wire.Bundle) map[string]any {
	stored := map[string]any{}
	for mime, v := range data {
		if text, ok := v.(string); ok && isText(mime) {
			v = lines(text)
		}
		stored[mime] = v
	}
	meta := map[string]any{}
	maps.Copy(meta, metadata)
	return map[string]any{"output_type": outputType, "data": stored, "metadata": meta}
}

// isText reports whether nbformat stores data of a MIME type as a list of lines.
func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" || mime == "application/javascript"
}
