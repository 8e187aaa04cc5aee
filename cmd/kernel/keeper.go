package main

import (
	"maps"
	"strings"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// A keeper stores the output of a cell in a notebook, as nbformat defines it.
type keeper struct {
	cell  *nbCell
	shown map[string][]map[string]any // stored outputs by display id, of all cells
	clear bool                        // the next output replaces the earlier ones
}

// keep stores an output, or changes the stored ones if it is an update or a clear.
func (k *keeper) keep(o client.Output) {
	switch content := o.Content.(type) {
	case wire.Stream:
		k.stream(content)
	case wire.DisplayData:
		if o.Update() {
			k.update(content)
			return
		}
		k.show(bundle("display_data", content.Data, content.Metadata), content.Transient)
	case wire.ExecuteResult:
		output := bundle("execute_result", content.Data, content.Metadata)
		output["execution_count"] = content.ExecutionCount
		k.show(output, content.Transient)
	case wire.Failure:
		k.add(map[string]any{
			"output_type": "error", "ename": content.Ename, "evalue": content.Evalue, "traceback": content.Traceback,
		})
	case wire.ClearOutput:
		if k.clear = content.Wait; !content.Wait {
			k.cell.raw["outputs"] = []any{}
		}
	}
}

// add adds an output to the cell, after a pending clear.
func (k *keeper) add(output map[string]any) {
	if k.clear {
		k.clear = false
		k.cell.raw["outputs"] = []any{}
	}
	k.cell.add(output)
}

// stream adds text to the last output if that is of the same stream, and otherwise as a new output.
func (k *keeper) stream(s wire.Stream) {
	if outputs := k.cell.raw["outputs"].([]any); len(outputs) > 0 && !k.clear {
		last := outputs[len(outputs)-1].(map[string]any)
		if last["output_type"] == "stream" && last["name"] == s.Name {
			last["text"] = lines(join(last["text"]) + s.Text)
			return
		}
	}
	k.add(map[string]any{"output_type": "stream", "name": s.Name, "text": lines(s.Text)})
}

// show adds an output, which later updates with its display id change.
func (k *keeper) show(output map[string]any, t wire.Transient) {
	k.add(output)
	if id := t.DisplayID; id != "" {
		k.shown[id] = append(k.shown[id], output)
	}
}

// update replaces the data of all outputs with a display id.
func (k *keeper) update(d wire.DisplayData) {
	updated := bundle("", d.Data, d.Metadata)
	for _, output := range k.shown[d.Transient.DisplayID] {
		output["data"], output["metadata"] = updated["data"], updated["metadata"]
	}
}

// bundle returns an output of the given type as nbformat stores it: texts are
// lists of lines, JSON and base64 are stored as they are.
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
