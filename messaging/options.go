package messaging

import (
	"io"
	"log"
	"os"
	"time"

	"github.com/goanvil/notebook/messaging/guard"
)

// Options configure a Server. The zero Options are usable.
type Options struct {
	// HistoryFile is the file that keeps the history across sessions; where
	// empty, the history is in memory only.
	HistoryFile string

	// Interrupts delivers the signals that interrupt running cells (SIGINT).
	Interrupts <-chan os.Signal

	// Subshells lets front ends create subshells (JEP 91). The kernel's
	// methods must then be safe for concurrent use.
	Subshells bool

	// Limits bound the memory that clients can make the server use.
	Limits guard.Limits

	// Grace is how long Serve waits after a shutdown for running cells and
	// unsent messages; 2 s where zero.
	Grace time.Duration

	// Log receives a line for each refused message and lost client; nil
	// discards them.
	Log *log.Logger
}

// orDefault returns o with defaults for its zero fields.
func (o Options) orDefault() Options {
	if o.Grace == 0 {
		o.Grace = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = log.New(io.Discard, "", 0)
	}
	return o
}
