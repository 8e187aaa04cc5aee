package messaging

import (
	"context"
	"errors"
	"io"

	"github.com/goanvil/notebook/messaging/wire"
)

// ConnectionInfo is the content of a connection file.
type ConnectionInfo = wire.ConnectionInfo

// A Kernel answers the requests of front ends. Info and Shutdown may be called from any
// goroutine while a cell is running. The other methods are called from one goroutine. With
// Options.Subshells, Complete has a goroutine of its own and so has Inspect, and there is one
// goroutine per subshell for the rest.
//
// An interrupt or a shutdown cancels the context of a method, which must then
// return soon; context.Cause is ErrInterrupted or ErrShutdown. A reply whose
// Outcome is zero means success.
type Kernel interface {
	// Info describes implementation, language, banner and links. The server
	// fills in status, protocol version and features.
	Info() wire.KernelInfoReply

	// Execute runs a cell and returns its outcome and payloads. The server
	// publishes the error of a failed outcome, and fills in execution count and
	// user expressions.
	Execute(ctx context.Context, cell Cell, out Output) wire.ExecuteReply

	// Evaluate returns the value of a user expression of a cell. It is called after
	// the cell has succeeded.
	Evaluate(ctx context.Context, expr string) wire.Expression

	Complete(ctx context.Context, req wire.CompleteRequest) wire.CompleteReply
	Inspect(ctx context.Context, req wire.InspectRequest) wire.InspectReply
	IsComplete(ctx context.Context, req wire.IsCompleteRequest) wire.IsCompleteReply

	// Shutdown releases the kernel's resources. The contexts of running cells
	// are cancelled first.
	Shutdown(restart bool)
}

// A Cell is code to run and its execution count, the n of In [n].
type Cell struct {
	wire.ExecuteRequest
	Count int
}

// An Output publishes what a cell shows. It is safe for concurrent use, and
// usable after the cell has ended: the output of goroutines that outlive their
// cell appears below that cell. The Output of a silent cell publishes nothing.
type Output interface {
	// Stdout and Stderr return writers of text. Text is gathered into few
	// messages. The text that a cell writes before it ends is published before the
	// cell's idle status.
	Stdout() io.Writer
	Stderr() io.Writer

	// Display shows a value. Update shows d in place of all values that were shown with
	// the same Transient.DisplayID. Result shows the value of the cell itself.
	Display(d wire.DisplayData)
	Update(d wire.DisplayData)
	Result(d wire.DisplayData)

	// Clear removes the cell's output. If wait is set, the front end keeps it until
	// new output arrives.
	Clear(wait bool)

	// Input asks the user for a line. It fails with ErrNoStdin if the request does
	// not allow input, and with the cause of ctx if ctx ends first.
	Input(ctx context.Context, prompt string, password bool) (string, error)

	// Ask is like Input, but keeps no other cell waiting, for example when a front
	// end runs a whole notebook: it fails with ErrNotAlone if the cell was sent
	// together with others, or if another cell arrives before the answer.
	Ask(ctx context.Context, prompt string) (string, error)
}

// ErrNotAlone is the error of Output.Ask if other cells would have to wait.
var ErrNotAlone = errors.New("input: the cell cannot wait for an answer while other cells are queued; run it by itself")

// ErrNoStdin is the error of Output.Input for a request that does not allow
// input.
var ErrNoStdin = errors.New("input: not supported by this front end; run the cell where a user can answer")
