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

	mu      sync.Mutex // keeps what is published in the order of the calls
	printed stream
	timer   *time.Timer // pending flush
	flushes int
	result  string
}

func newOutput(s *Server, r *request, cell Cell) *output {
	return &output{server: s, request: r, cell: cell}
}

// A streamWriter is a stream of an output.
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

// print gathers text, and sends it when it is much or has waited.
func (o *output) print(name string, p []byte) {
	if o.cell.Silent || len(p) == 0 {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	o.printed.add(name, p)
	switch {
	case o.printed.size >= streamBytes:
		o.send(false)
	case o.timer == nil:
		o.timer = time.AfterFunc(o.delay(), o.flushLater)
	}
}

// delay returns how long text waits for more.
func (o *output) delay() time.Duration {
	if o.flushes < settleAfter {
		return streamDelay
	}
	return streamSettle
}

// flushLater is what the timer calls.
func (o *output) flushLater() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(false)
}

// flush sends what is gathered, to the last byte.
func (o *output) flush() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.send(true)
}

// send publishes what is gathered. o.mu is held.
func (o *output) send(all bool) {
	if o.timer != nil {
		o.timer.Stop()
		o.timer = nil
	}
	for _, s := range o.printed.take(all) {
		o.flushes++
		_ = o.server.publish(wire.TypeStream, o.request.RawHeader, wire.Stream{Name: s.name, Text: string(s.text)})
	}
}

// show publishes content after what was printed before it. What cannot be
// shown is said to the user.
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

func (o *output) Display(d wire.DisplayData) { o.show(wire.TypeDisplayData, complete(d)) }
func (o *output) Update(d wire.DisplayData)  { o.show(wire.TypeUpdateDisplayData, complete(d)) }
func (o *output) Clear(wait bool)            { o.show(wire.TypeClearOutput, wire.ClearOutput{Wait: wait}) }

func (o *output) Result(d wire.DisplayData) {
	d = complete(d)
	o.note(d.Data)
	o.show(wire.TypeExecuteResult, wire.ExecuteResult{
		ExecutionCount: o.cell.Count, Data: d.Data, Metadata: d.Metadata, Transient: d.Transient})
}

// complete returns d without nil bundles.
func complete(d wire.DisplayData) wire.DisplayData {
	d.Data, d.Metadata = notNil(d.Data), notNil(d.Metadata)
	return d
}

// note keeps the text of the cell's value for the history.
func (o *output) note(data wire.Bundle) {
	if text, ok := data["text/plain"].(string); ok {
		o.mu.Lock()
		defer o.mu.Unlock()
		o.result = text
	}
}

// shown returns the text of the cell's value, empty where it has none.
func (o *output) shown() string {
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

// Waiting makes an output a Queue.
func (o *output) Waiting() bool {
	sh := o.server.shells.get(o.request.Header.SubshellID)
	return sh != nil && sh.waiting()
}
