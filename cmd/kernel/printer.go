package main

import (
	"fmt"
	"io"
	"maps"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/wire"
)

// A printer writes cells and their outputs as text.
type printer struct {
	w       io.Writer
	midLine bool   // the last text written did not end with a newline
	updated string // the text of the last update, which is printed before the next output
}

// print writes an output. If updates follow each other, such as those of a progress line, it writes
// only the last.
func (p *printer) print(o client.Output) {
	if content, ok := o.Content.(wire.DisplayData); ok && o.Update() {
		p.updated = plain(content.Data)
		return
	}
	p.flushUpdate()
	switch content := o.Content.(type) {
	case wire.ExecuteInput:
		p.input(content)
	case wire.Stream:
		p.write(content.Text)
	case wire.DisplayData:
		p.line(plain(content.Data))
	case wire.ExecuteResult:
		p.result(content)
	case wire.Failure:
		p.line(strings.Join(content.Traceback, "\n"))
	}
}

// input writes the code of a cell after its prompt.
func (p *printer) input(in wire.ExecuteInput) {
	prompt := fmt.Sprintf("In [%d]: ", in.ExecutionCount)
	continuation := strings.Repeat(" ", len(prompt)-len("...: ")) + "...: "
	code := strings.TrimRight(in.Code, "\n")
	p.line(prompt + strings.ReplaceAll(code, "\n", "\n"+continuation))
}

// result writes a value after its prompt. A value of several lines begins below the prompt.
func (p *printer) result(r wire.ExecuteResult) {
	prompt, text := fmt.Sprintf("Out[%d]: ", r.ExecutionCount), plain(r.Data)
	if strings.Contains(text, "\n") {
		prompt = strings.TrimSuffix(prompt, " ") + "\n"
	}
	p.line(prompt + text)
}

// page writes a payload that a front end would show in its pager. It ignores other payloads.
func (p *printer) page(payload wire.Payload) {
	if payload.Source == "page" {
		p.line(plain(payload.Data))
	}
}

// flushUpdate writes the last update, if it has not been written.
func (p *printer) flushUpdate() {
	if p.updated != "" {
		p.line(p.updated)
		p.updated = ""
	}
}

// end writes an empty line after a cell.
func (p *printer) end() {
	p.flushUpdate()
	if p.midLine {
		p.write("\n")
	}
	p.write("\n")
}

// plain returns the plain text of data, or a list of the MIME types if there is no plain text.
func plain(data wire.Bundle) string {
	if text, ok := data["text/plain"].(string); ok {
		return text
	}
	return "(" + strings.Join(slices.Sorted(maps.Keys(data)), ", ") + ")"
}

// line writes text on lines of its own.
func (p *printer) line(text string) {
	if p.midLine {
		p.write("\n")
	}
	p.write(strings.TrimSuffix(text, "\n") + "\n")
}

// write writes text without escape sequences.
func (p *printer) write(text string) {
	text = ansi().ReplaceAllString(text, "")
	if text == "" {
		return
	}
	p.midLine = !strings.HasSuffix(text, "\n")
	_, _ = io.WriteString(p.w, text)
}

// ansi matches escape sequences of terminals, such as those that set the colour or weight of text.
var ansi = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile("\x1b\\[[0-9;]*[A-Za-z]") })
