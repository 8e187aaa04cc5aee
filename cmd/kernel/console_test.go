package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"testing"

	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A scriptedOutput is an Output of a cell whose user types lines.
type scriptedOutput struct {
	messaging.Output
	lines          []string // typed, in order; afterwards there is no input
	asked          int
	shown          []string
	stdout, stderr bytes.Buffer
}

func (o *scriptedOutput) Stdout() io.Writer { return &o.stdout }
func (o *scriptedOutput) Stderr() io.Writer { return &o.stderr }

func (o *scriptedOutput) Display(d wire.DisplayData) {
	o.shown = append(o.shown, "display "+d.Transient.DisplayID)
}
func (o *scriptedOutput) Update(d wire.DisplayData) {
	o.shown = append(o.shown, "update "+d.Transient.DisplayID)
}
func (o *scriptedOutput) Clear(bool) { o.shown = append(o.shown, "clear") }

func (o *scriptedOutput) Input(context.Context, string, bool) (string, error) {
	o.asked++
	if len(o.lines) == 0 {
		return "", messaging.ErrNoStdin
	}
	line := o.lines[0]
	o.lines = o.lines[1:]
	return line, nil
}

func (o *scriptedOutput) Ask(ctx context.Context, prompt string) (string, error) {
	if prompt == "?" {
		return "yes", nil
	}
	return "", messaging.ErrNotAlone
}

// TestConsole checks to which cell the standard streams belong, and when the user is asked for a line.
func TestConsole(t *testing.T) {
	c, err := newConsole()
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	in := c.stdin()
	read := func(n int) string {
		b := make([]byte, n)
		n, err := in.Read(b)
		if err != nil {
			return err.Error()
		}
		return string(b[:n])
	}
	noStdin := messaging.ErrNoStdin.Error()
	if got := read(5); got != noStdin {
		t.Errorf("before the first cell: %q", got)
	}
	if _, err := c.Ask("?"); !errors.Is(err, display.ErrNobody) {
		t.Errorf("before the first cell: %v", err)
	}
	c.Display("0", display.TextBundle("")) // nowhere
	c.Update("0", display.TextBundle(""))
	c.Clear(true)

	out := &scriptedOutput{lines: []string{"abcd", "", "left"}}
	ctx, cancel := context.WithCancel(t.Context())
	detach := c.attach(ctx, out)
	for i, want := range []string{"abc", "d\n", "\n", "lef"} {
		if got := read(3); got != want {
			t.Errorf("read %d: %q, want %q", i, got, want)
		}
	}
	if out.asked != 3 {
		t.Errorf("asked %d times for 3 lines", out.asked)
	}
	if line, err := c.Ask("?"); line != "yes" || err != nil {
		t.Errorf("asked: %q, %v", line, err)
	}
	if _, err := c.Ask("!"); !errors.Is(err, display.ErrNobody) || !errors.Is(err, messaging.ErrNotAlone) {
		t.Errorf("not alone: %v", err)
	}
	cancel()
	if _, err := c.Ask("!"); errors.Is(err, display.ErrNobody) || !errors.Is(err, messaging.ErrNotAlone) {
		t.Errorf("after an interrupt: %v", err)
	}
	detach()

	// The next cell does not see what was left, and is told once that nobody types.
	next := &scriptedOutput{}
	detach = c.attach(t.Context(), next)
	for range 2 {
		if got := read(3); got != noStdin {
			t.Errorf("without input: %q", got)
		}
	}
	if next.asked != 2 || next.stderr.String() != noStdin+"\n" {
		t.Errorf("asked %d times, and printed %q", next.asked, next.stderr.String())
	}
	c.Display("1", display.TextBundle("a"))
	c.Update("2", display.TextBundle("a"))
	c.Clear(true)
	if _, err := io.WriteString(c.stdout(), "out"); err != nil {
		t.Error(err)
	}
	detach()
	if got := read(3); got != noStdin || next.asked != 2 {
		t.Errorf("after the cell: %q, asked %d times", got, next.asked)
	}
	if _, err := io.WriteString(c.stderr(), "late"); err != nil { // below the cell
		t.Error(err)
	}
	if len(next.shown) != 3 || next.shown[0] != "display 1" || next.shown[1] != "update 2" || next.shown[2] != "clear" {
		t.Errorf("shown %q", next.shown)
	}
	if next.stdout.String() != "out" || next.stderr.String() != noStdin+"\nlate" || out.stderr.Len() > 0 {
		t.Errorf("printed %q and %q", next.stdout.String(), next.stderr.String())
	}
}
