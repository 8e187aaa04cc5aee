package main

import (
	"io"
	"strings"
	"sync"

	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A heldOutput is an Output that keeps everything shown until reveal is called, and then passes
// it on. Input goes to the user at once.
type heldOutput struct {
	messaging.Output

	mu   sync.Mutex
	open bool
	kept []heldCall
}

// A heldCall is one kept call of an Output: text of a stream, a value displayed, updated or
// returned by the cell, or a clear.
type heldCall struct {
	what  wire.Type
	name  string // of a stream
	text  string
	value wire.DisplayData
	wait  bool
}

func (h *heldOutput) keep(k heldCall) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open {
		k.show(h.Output)
		return
	}
	h.kept = append(h.kept, k)
}

func (k heldCall) show(out messaging.Output) {
	switch k.what {
	case wire.TypeStream:
		w := out.Stdout()
		if k.name == wire.Stderr {
			w = out.Stderr()
		}
		_, _ = io.WriteString(w, k.text)
	case wire.TypeDisplayData:
		out.Display(k.value)
	case wire.TypeUpdateDisplayData:
		out.Update(k.value)
	case wire.TypeExecuteResult:
		out.Result(k.value)
	case wire.TypeClearOutput:
		out.Clear(k.wait)
	}
}

func (h *heldOutput) stream(name string) io.Writer {
	return writerFunc(func(b []byte) (int, error) {
		h.keep(heldCall{what: wire.TypeStream, name: name, text: string(b)})
		return len(b), nil
	})
}

func (h *heldOutput) Stdout() io.Writer { return h.stream(wire.Stdout) }
func (h *heldOutput) Stderr() io.Writer { return h.stream(wire.Stderr) }

func (h *heldOutput) Display(d wire.DisplayData) {
	h.keep(heldCall{what: wire.TypeDisplayData, value: d})
}
func (h *heldOutput) Update(d wire.DisplayData) {
	h.keep(heldCall{what: wire.TypeUpdateDisplayData, value: d})
}
func (h *heldOutput) Result(d wire.DisplayData) {
	h.keep(heldCall{what: wire.TypeExecuteResult, value: d})
}
func (h *heldOutput) Clear(wait bool) { h.keep(heldCall{what: wire.TypeClearOutput, wait: wait}) }

// reveal shows the kept calls in order; later calls are shown at once.
func (h *heldOutput) reveal() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, k := range h.kept {
		k.show(h.Output)
	}
	h.kept, h.open = nil, true
}

// drop discards the kept calls because they are shown in another form, or not at all.
func (h *heldOutput) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept, h.open = nil, true
}

// printed returns the kept text of the standard output.
func (h *heldOutput) printed() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, k := range h.kept {
		if k.what == wire.TypeStream && k.name == wire.Stdout {
			b.WriteString(k.text)
		}
	}
	return b.String()
}

// bundles returns the kept output as a reader would see it: the text of a stream in one
// piece, updates and clears applied.
func (h *heldOutput) bundles() (shown []display.Bundle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	at, last := map[string]int{}, ""
	for _, k := range h.kept {
		id, stream := k.value.Transient.DisplayID, ""
		b := display.Bundle{Data: k.value.Data, Metadata: k.value.Metadata}
		switch i, known := at[id]; {
		case k.what == wire.TypeClearOutput:
			shown, at = nil, map[string]int{}
		case k.what == wire.TypeUpdateDisplayData:
			if known {
				shown[i] = b
			}
			stream = last
		case k.what == wire.TypeStream && k.name == last:
			end := &shown[len(shown)-1]
			*end = display.TextBundle(end.Text() + k.text)
			stream = last
		case k.what == wire.TypeStream:
			shown, stream = append(shown, display.TextBundle(k.text)), k.name
		default:
			if id != "" {
				at[id] = len(shown)
			}
			shown = append(shown, b)
		}
		last = stream
	}
	return shown
}
