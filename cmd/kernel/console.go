package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"

	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// A console provides the standard streams of a session's cells. It is attached to the running cell.
// The output of goroutines that outlive their cell appears below the cell started last.
type console struct {
	mu          sync.Mutex
	ctx         context.Context  // of the running cell; nil between cells
	out         messaging.Output // of the cell started last; nil before the first
	typed       strings.Reader   // the part of the last line of input that has not been read
	saidNoStdin bool             // messaging.ErrNoStdin has been printed below the running cell

	stdoutPipe, stderrPipe *pipe
}

// newConsole returns a console that is not attached to a cell.
func newConsole() (*console, error) {
	c := &console{}
	var err error
	if c.stdoutPipe, err = newPipe(writerFunc(c.writeOut)); err != nil {
		return nil, err
	}
	if c.stderrPipe, err = newPipe(writerFunc(c.writeErr)); err != nil {
		c.stdoutPipe.close()
		return nil, err
	}
	return c, nil
}

// close ends the streams.
func (c *console) close() {
	c.stdoutPipe.close()
	c.stderrPipe.close()
}

// attach attaches the console to a cell. After detach, cells get no input, and output still goes to the cell.
func (c *console) attach(ctx context.Context, out messaging.Output) (detach func()) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ctx, c.out, c.saidNoStdin = ctx, out, false
	c.typed.Reset("")
	return func() {
		c.drain()
		c.mu.Lock()
		defer c.mu.Unlock()
		c.ctx = nil
	}
}

// drain waits until everything that cells have written is published.
func (c *console) drain() {
	c.stdoutPipe.drain()
	c.stderrPipe.drain()
}

// current returns the context of the running cell and the output of the cell started last, or nil.
func (c *console) current() (context.Context, messaging.Output) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.ctx, c.out
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func (c *console) writeOut(b []byte) (int, error) {
	if _, out := c.current(); out != nil {
		return out.Stdout().Write(b)
	}
	return os.Stderr.Write(b) // no cell has been started
}

func (c *console) writeErr(b []byte) (int, error) {
	if _, out := c.current(); out != nil {
		return out.Stderr().Write(b)
	}
	return os.Stderr.Write(b)
}

// stdout returns a writer to the standard output of the running cell. It first publishes what was
// written to os.Stdout earlier, so that the order is kept.
func (c *console) stdout() io.Writer {
	return writerFunc(func(b []byte) (int, error) {
		c.stdoutPipe.drain()
		return c.writeOut(b)
	})
}

// stderr is like stdout for the standard error.
func (c *console) stderr() io.Writer {
	return writerFunc(func(b []byte) (int, error) {
		c.stderrPipe.drain()
		return c.writeErr(b)
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// stdin returns a reader of the user's input. It asks for a line when all of the last line has been read.
func (c *console) stdin() io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		if n, err := c.readTyped(b); err == nil {
			return n, nil
		}
		ctx, out := c.current()
		if ctx == nil || out == nil {
			return 0, messaging.ErrNoStdin
		}
		line, err := out.Input(ctx, "", false)
		if errors.Is(err, messaging.ErrNoStdin) {
			c.sayNoStdin()
		}
		if err != nil {
			return 0, err
		}
		c.mu.Lock()
		c.typed.Reset(line + "\n")
		c.mu.Unlock()
		return c.readTyped(b)
	})
}

// sayNoStdin prints messaging.ErrNoStdin once per cell, since programs rarely look at the error of
// fmt.Scan.
func (c *console) sayNoStdin() {
	c.mu.Lock()
	said := c.saidNoStdin
	c.saidNoStdin = true
	c.mu.Unlock()
	if !said {
		fmt.Fprintln(c.stderr(), messaging.ErrNoStdin)
	}
}

// readTyped reads from the last line of input. It returns io.EOF at the end of the line.
func (c *console) readTyped(b []byte) (int, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.typed.Read(b)
}

// Display, Update and Clear implement display.Sink.
func (c *console) Display(id string, b display.Bundle) {
	if _, out := c.current(); out != nil {
		out.Display(displayData(id, b))
	}
}

func (c *console) Update(id string, b display.Bundle) {
	if _, out := c.current(); out != nil {
		out.Update(displayData(id, b))
	}
}

func (c *console) Clear(wait bool) {
	if _, out := c.current(); out != nil {
		out.Clear(wait)
	}
}

// Line implements display.Terminal. It returns a writer if the front end is jupyter console, the only
// one that cannot replace what is displayed, and nil otherwise.
func (c *console) Line() io.Writer {
	parent := parentCommand()
	if strings.Contains(parent, "jupyter-console") || strings.Contains(parent, "jupyter_console") {
		return c.stdout()
	}
	return nil
}

// parentCommand returns the command line of the process that started the kernel, or "".
var parentCommand = sync.OnceValue(func() string {
	parent := strconv.Itoa(os.Getppid())
	command, err := os.ReadFile("/proc/" + parent + "/cmdline")
	if err != nil {
		command, _ = exec.Command("ps", "-o", "command=", "-p", parent).Output()
	}
	return string(command)
})

// Ask implements display.Asker. It returns display.ErrNobody if the front end cannot ask the user.
func (c *console) Ask(prompt string) (string, error) {
	ctx, out := c.current()
	if ctx == nil || out == nil {
		return "", display.ErrNobody
	}
	line, err := out.Ask(ctx, prompt)
	if err != nil && ctx.Err() == nil {
		err = fmt.Errorf("%w: %w", display.ErrNobody, err)
	}
	return line, err
}

// displayData returns b as the content of a message. id is the display id.
func displayData(id string, b display.Bundle) wire.DisplayData {
	d := wire.DisplayData{Data: wire.Bundle{}, Metadata: b.Metadata, Transient: wire.Transient{DisplayID: id}}
	maps.Copy(d.Data, b.WithAlt().Data)
	if d.Metadata == nil {
		d.Metadata = wire.Bundle{}
	}
	return d
}
