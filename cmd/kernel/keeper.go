package main

import (
	"maps"
	"strings"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// A keeper stores the output of a cell as nbformat's outputs.
type keeper struct {
	cell  *nbCell
	shown map[string][]map[string]any // outputs by display id, of all cells
	clear bool                        // the next output replaces the earlier ones
}

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
		k.add(map[string]any{"output_type": "error", "ename": content.Ename, "evalue": content.Evalue, "traceback": content.Traceback})
	case wire.ClearOutput:
		if k.clear = content.Wait; !content.Wait {
			k.cell.raw["outputs"] = []any{}
		}
	}
}

func (k *keeper) add(output map[string]any) {
	if k.clear {
		k.clear = false
		k.cell.raw["outputs"] = []any{}
	}
	k.cell.add(output)
}

// stream adds text. It extends the last output if that is of the same stream.
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

func (k *keeper) show(output map[string]any, t wire.Transient) {
	k.add(output)
	if id := t.DisplayID; id != "" {
		k.shown[id] = append(k.shown[id], output)
	}
}

// update replaces the data of all outputs with a display id.
func (k *keeper) update(d wire.DisplayData) {
	now := bundle("", d.Data, d.Metadata)
	for _, output := range k.shown[d.Transient.DisplayID] {
		output["data"], output["metadata"] = now["data"], now["metadata"]
	}
}

// bundle returns an output as nbformat stores it: texts cut into lines, JSON
// and base64 as they are.
func bundle(kind string, data, metadata wire.Bundle) map[string]any {
	stored := map[string]any{}
	for mime, v := range data {
		if text, ok := v.(string); ok && isText(mime) {
			v = lines(text)
		}
		stored[mime] = v
	}
	meta := map[string]any{}
	maps.Copy(meta, metadata)
	return map[string]any{"output_type": kind, "data": stored, "metadata": meta}
}

func isText(mime string) bool {
	return strings.HasPrefix(mime, "text/") || mime == "image/svg+xml" || mime == "application/javascript"
}
