package messaging

import (
	"io"
	"log"
	"os"
	"time"

	"github.com/goanvil/notebook/messaging/guard"
)

// Options are what a server may be told. The zero Options are usable.
type Options struct {
	// HistoryFile keeps the history across sessions; in memory where empty.
	HistoryFile string

	// Interrupts delivers the signals that interrupt running cells (SIGINT).
	Interrupts <-chan os.Signal

	// Subshells lets front ends create subshells (JEP 91). The kernel's
	// methods must then be safe for concurrent use.
	Subshells bool

	// Limits bound what clients can make the server hold.
	Limits guard.Limits

	// Grace is how long Serve waits after a shutdown for running cells and
	// unsent messages: 2 s where zero.
	Grace time.Duration

	// Log receives refused messages and lost clients; discarded where nil.
	Log *log.Logger
}

// orDefault returns o with its zero fields set.
func (o Options) orDefault() Options {
	if o.Grace == 0 {
		o.Grace = 2 * time.Second
	}
	if o.Log == nil {
		o.Log = log.New(io.Discard, "", 0)
	}
	return o
}
