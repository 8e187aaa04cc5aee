package messaging

import (
	"context"
	"io"
	"sync"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// An output is the Output of one execute_request.
type output struct {
	server  *Server
	request *request
	cell    Cell

	mu      sync.Mutex  // held while publishing, to keep the order of calls
	printed stream      // text that has not been sent yet
	timer   *time.Timer // the pending call of flushLater, or nil
	sent    int         // number of stream messages sent
	result  string      // the text of the cell's value
}

// A streamWriter writes to the named stream of an output.
type streamWriter struct {
	out  *output
	name string
}

func (w streamWriter) Write(p []byte) (int, error) {
	w.out.print(w.name, p)
	return len(p), nil
}

func (o *output) Stdout() io.Writer { return streamWriter{o, wire.Stdout} }
func (o *output) Stderr() io.Writer { return streamWriter{o, wire.Stderr} }

// print adds text to o.printed, which is sent when it has streamBytes bytes or after a delay.
// If the cell is interrupted while print sends a long text, print drops the rest of that text.
// Text printed after an interrupt is kept.
func (o *output) print(name string, p []byte) {
	if o.cell.Silent || len(p) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	interrupted := func() bool { return context.Cause(o.request.ctx) == ErrInterrupted }
	wasInterrupted := interrupted()
	for len(p) > 0 && interrupted() == wasInterrupted {
		n := min(len(p), streamBytes-o.printed.size)
		o.printed.add(name, p[:n])
		p = p[n:]
		if o.printed.size >= streamBytes {
			o.send(false)
		}
	}
	if o.printed.size > 0 && o.timer == nil {
		o.timer = time.AfterFunc(o.delay(), o.flushLater)
	}
}

// delay returns how long unsent text waits for more text.
func (o *output) delay() time.Duration {
	if o.sent < longDelayAfter {
		return streamDelay
	}
	return longStreamDelay
}

// flushLater sends the unsent text. It is called by the timer.
func (o *output) flushLater() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(false)
}

// flush sends all unsent text, including an incomplete character at its end.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(true)
}

// send publishes the unsent text. Unless all is set, it keeps back an incomplete
// character at the end. The caller holds o.mu.
func (o *output) send(all bool) {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
	for _, s := range o.printed.take(all) {
		o.sent++
		_ = o.server.publish(wire.TypeStream, o.request.RawHeader, wire.Stream{Name: s.name, Text: s.text})
	}
}

// show publishes content after the text printed before it. If content cannot be
// encoded, show prints the error to stderr instead.
func (o *output) show(t wire.Type, content any) {
	if o.cell.Silent {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(true)
	if err := o.server.publish(t, o.request.RawHeader, content); err != nil {
		o.printed.add(wire.Stderr, []byte("cannot show this: "+err.Error()+"\n"))
		o.send(true)
	}
}

func (o *output) Display(d wire.DisplayData) { o.show(wire.TypeDisplayData, fillBundles(d)) }
func (o *output) Update(d wire.DisplayData)  { o.show(wire.TypeUpdateDisplayData, fillBundles(d)) }
func (o *output) Clear(wait bool)            { o.show(wire.TypeClearOutput, wire.ClearOutput{Wait: wait}) }

func (o *output) Result(d wire.DisplayData) {
	d = fillBundles(d)
	if text, ok := d.Data["text/plain"].(string); ok {
		o.mu.Lock()
		o.result = text
		o.mu.Unlock()
	}
	o.show(wire.TypeExecuteResult, wire.ExecuteResult{
		ExecutionCount: o.cell.Count, Data: d.Data, Metadata: d.Metadata, Transient: d.Transient})
}

// fillBundles returns d with empty bundles in place of nil ones.
func fillBundles(d wire.DisplayData) wire.DisplayData {
	d.Data, d.Metadata = notNil(d.Data), notNil(d.Metadata)
	return d
}

// resultText returns the text of the cell's value, or "" if there is none.
func (o *output) resultText() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.result
}

func (o *output) Input(ctx context.Context, prompt string, password bool) (string, error) {
	if !o.cell.AllowStdin {
		return "", ErrNoStdin
	}
	o.flush()
	return o.server.ask(ctx, o.request, wire.InputRequest{Prompt: prompt, Password: password})
}

func (o *output) Ask(ctx context.Context, prompt string) (string, error) {
	if !o.cell.AllowStdin {
		return "", ErrNoStdin
	}
	sh := o.request.shell
	untilNext := sh.nextCell() // before the call of alone, so that no cell is missed
	if !sh.alone(o.request) {
		return "", ErrNotAlone
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	defer context.AfterFunc(untilNext, func() { cancel(ErrNotAlone) })()
	return o.Input(ctx, prompt, false)
}
