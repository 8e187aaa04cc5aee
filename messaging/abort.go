package messaging

import (
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// "Run all" sends its cells one by one, and a cell here can fail before the
// second has left the browser. The reply to a cell that failed at once is held
// until no more cells come, so that all of them were sent without knowing it.
const (
	quiet   = 50 * time.Millisecond  // without a new cell, the burst is over
	maxHold = 500 * time.Millisecond // however long it lasts
	atOnce  = time.Second            // cells that ran longer have no burst behind them
	maxLate = 5 * time.Second        // how late a cell of the burst may come
)

// A blindness tells which cells were sent by a front end that could not know
// that one before them had failed.
type blindness struct {
	session string
	before  time.Time // by the clock of the front end
	until   time.Time // by ours
}

// abort makes the cells behind r, which has failed, be answered without being
// run, if they came before their sender could know: before the reply, or where
// r was interrupted, before that.
func (sh *subshell) abort(r *request, known time.Time) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, waiting := range sh.queue {
		if waiting.Header.MsgType == wire.TypeExecuteRequest && !waiting.received.After(known) {
			waiting.refusal = &wire.Aborted
		}
	}
	sh.blind = blindTo(r, known)
}

// settle returns the time when no cell has come for a while, if r has failed
// at once.
func (sh *subshell) settle(r *request) time.Time {
	if time.Since(r.received) >= atOnce {
		return time.Now()
	}
	limit := time.NewTimer(maxHold)
	defer limit.Stop()
	for {
		select {
		case <-sh.arrived:
		case <-time.After(quiet):
			return time.Now()
		case <-limit.C:
			return time.Now()
		}
	}
}

// blindTo returns what its sender sent without knowing how r ended. The front
// end stamped r at a time d of its own clock, and what tells it so happened here
// e after r came; so it cannot have known before d+e, whatever the difference
// of the clocks. Stamps of browsers are whole milliseconds.
func blindTo(r *request, known time.Time) blindness {
	stamped, err := time.Parse(time.RFC3339Nano, r.Header.Date)
	if err != nil {
		return blindness{}
	}
	return blindness{r.Header.Session, stamped.Add(known.Sub(r.received) - time.Millisecond), known.Add(maxLate)}
}

// covers reports whether r was sent blindly. That is believed for a while only,
// as a clock may be set back.
func (b blindness) covers(r *request) bool {
	stamped, err := time.Parse(time.RFC3339Nano, r.Header.Date)
	return err == nil && r.Header.MsgType == wire.TypeExecuteRequest && r.Header.Session == b.session &&
		stamped.Before(b.before) && r.received.Before(b.until)
}
