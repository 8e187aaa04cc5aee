package main

import (
	"io"
	"strings"
	"sync"

	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A heldOutput is an Output that keeps what a cell shows until reveal or drop is called. Later calls,
// and requests for input at any time, go directly to the Output that it contains.
type heldOutput struct {
	messaging.Output

	mu   sync.Mutex
	open bool // reveal or drop has been called
	kept []heldCall
}

// A heldCall is a call of a method of Output: a write to a stream, or Display, Update, Result or
// Clear. Its kind is the type of the message that the call sends.
type heldCall struct {
	kind  wire.Type
	name  string           // the name of the stream
	text  string           // the text written to the stream
	value wire.DisplayData // the argument of Display, Update or Result
	wait  bool             // the argument of Clear
}

// keep stores a call, or makes it at once if h is open.
func (h *heldOutput) keep(c heldCall) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.open {
		c.call(h.Output)
		return
	}
	h.kept = append(h.kept, c)
}

// call makes the call on out.
func (c heldCall) call(out messaging.Output) {
	switch c.kind {
	case wire.TypeStream:
		w := out.Stdout()
		if c.name == wire.Stderr {
			w = out.Stderr()
		}
		_, _ = io.WriteString(w, c.text)
	case wire.TypeDisplayData:
		out.Display(c.value)
	case wire.TypeUpdateDisplayData:
		out.Update(c.value)
	case wire.TypeExecuteResult:
		out.Result(c.value)
	case wire.TypeClearOutput:
		out.Clear(c.wait)
	}
}

func (h *heldOutput) stream(name string) io.Writer {
	return writerFunc(func(b []byte) (int, error) {
		h.keep(heldCall{kind: wire.TypeStream, name: name, text: string(b)})
		return len(b), nil
	})
}

func (h *heldOutput) Stdout() io.Writer { return h.stream(wire.Stdout) }
func (h *heldOutput) Stderr() io.Writer { return h.stream(wire.Stderr) }

func (h *heldOutput) Display(d wire.DisplayData) {
	h.keep(heldCall{kind: wire.TypeDisplayData, value: d})
}
func (h *heldOutput) Update(d wire.DisplayData) {
	h.keep(heldCall{kind: wire.TypeUpdateDisplayData, value: d})
}
func (h *heldOutput) Result(d wire.DisplayData) {
	h.keep(heldCall{kind: wire.TypeExecuteResult, value: d})
}
func (h *heldOutput) Clear(wait bool) { h.keep(heldCall{kind: wire.TypeClearOutput, wait: wait}) }

// reveal makes the stored calls in order, and opens h.
func (h *heldOutput) reveal() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, c := range h.kept {
		c.call(h.Output)
	}
	h.kept, h.open = nil, true
}

// drop discards the stored calls, and opens h.
func (h *heldOutput) drop() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.kept, h.open = nil, true
}

// replace discards the stored calls, opens h, and displays b.
func (h *heldOutput) replace(b display.Bundle) {
	h.drop()
	h.Output.Display(displayData("", b))
}

// printed returns the stored text of the standard output.
func (h *heldOutput) printed() string {
	h.mu.Lock()
	defer h.mu.Unlock()
	var b strings.Builder
	for _, c := range h.kept {
		if c.kind == wire.TypeStream && c.name == wire.Stdout {
			b.WriteString(c.text)
		}
	}
	return b.String()
}

// bundles returns the stored output as a front end would show it: successive texts of a stream are
// joined, and updates and clears are applied.
func (h *heldOutput) bundles() (shown []display.Bundle) {
	h.mu.Lock()
	defer h.mu.Unlock()
	indices := map[string]int{} // the index in shown for each display id
	lastStream := ""            // the stream whose text is the last bundle, or ""
	for _, c := range h.kept {
		id := c.value.Transient.DisplayID
		b := display.Bundle{Data: c.value.Data, Metadata: c.value.Metadata}
		switch i, known := indices[id]; {
		case c.kind == wire.TypeClearOutput:
			shown, indices, lastStream = nil, map[string]int{}, ""
		case c.kind == wire.TypeUpdateDisplayData:
			if known {
				shown[i] = b
			}
		case c.kind == wire.TypeStream && c.name == lastStream:
			last := &shown[len(shown)-1]
			*last = display.TextBundle(last.Text() + c.text)
		case c.kind == wire.TypeStream:
			shown, lastStream = append(shown, display.TextBundle(c.text)), c.name
		default:
			if id != "" {
				indices[id] = len(shown)
			}
			shown, lastStream = append(shown, b), ""
		}
	}
	return shown
}
