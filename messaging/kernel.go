package messaging

import (
	"context"
	"errors"
	"io"

	"github.com/goanvil/notebook/messaging/wire"
)

// ConnectionInfo is the content of a connection file.
type ConnectionInfo = wire.ConnectionInfo

// A Kernel answers what front ends ask. Its methods are called from one
// goroutine, or with Options.Subshells from one goroutine per subshell; Info
// and Shutdown are called from another one while a cell may be running.
//
// A context is cancelled by an interrupt and by shutdown; the method is then
// to return soon. context.Cause tells which: ErrInterrupted or ErrShutdown. A
// reply whose Outcome is zero is taken for success.
type Kernel interface {
	// Info describes implementation, language, banner and links. Status,
	// protocol version and features are filled in by the server.
	Info() wire.KernelInfoReply

	// Execute runs a cell and returns how it ended, and payloads. An outcome
	// that failed is published as an error by the server, which also fills in
	// execution count and user expressions.
	Execute(ctx context.Context, cell Cell, out Output) wire.ExecuteReply

	// Evaluate returns the value of a user expression, after a cell that
	// succeeded.
	Evaluate(ctx context.Context, expr string) wire.Expression

	Complete(ctx context.Context, req wire.CompleteRequest) wire.CompleteReply
	Inspect(ctx context.Context, req wire.InspectRequest) wire.InspectReply
	IsComplete(ctx context.Context, req wire.IsCompleteRequest) wire.IsCompleteReply

	// Shutdown releases what the kernel holds. The contexts of running cells
	// have been cancelled before.
	Shutdown(restart bool)
}

// A Cell is code to run and its execution count, the n of In [n].
type Cell struct {
	wire.ExecuteRequest
	Count int
}

// An Output is where a cell shows things. It is safe for concurrent use, and
// stays usable after the cell has ended: goroutines that go on show their
// output below the cell that started them. With a silent cell it shows
// nothing.
type Output interface {
	// Stdout and Stderr return writers of text. What is written comes out in
	// few messages, all before the cell is reported idle.
	Stdout() io.Writer
	Stderr() io.Writer

	// Display shows a value, Update replaces what was shown under the same
	// Transient.DisplayID, Result shows the cell's own value.
	Display(d wire.DisplayData)
	Update(d wire.DisplayData)
	Result(d wire.DisplayData)

	// Clear removes the cell's output, with wait only when more comes.
	Clear(wait bool)

	// Input asks the user for a line. It fails with ErrNoStdin where the
	// front end does not allow it, and with ctx's error when interrupted.
	Input(ctx context.Context, prompt string, password bool) (string, error)
}

// A Queue is an Output that knows what waits for its cell to end, as all cells
// below do when a front end runs a whole notebook. Those of a Server do.
type Queue interface {
	// Waiting reports whether there is another cell to run.
	Waiting() bool
}

// ErrNoStdin is the error of Output.Input for a request that does not allow
// input.
var ErrNoStdin = errors.New("input: this front end does not allow it; run the cell where a user can answer")
