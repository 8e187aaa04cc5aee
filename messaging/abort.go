package messaging

import (
	"encoding/json"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// If a cell with stop_on_error fails, the server aborts the cells that the front end sent
// before it could know of the failure. A front end sends the cells of "Run all" one by one,
// in a burst, and the first cell can fail before the front end has sent the second. The
// server therefore holds back the reply to a cell that failed quickly until the burst is
// over: all cells of the burst were then sent before the reply, and are aborted.
//
// Programs send the cells of a burst without pauses. JupyterLab and VS Code pause between
// cells to draw the page. Their cells are recognized by the cell id in the metadata.
const (
	burstGap     = 50 * time.Millisecond  // a failed cell's reply is held until this time passes without a new cell
	loneGap      = 2 * time.Millisecond   // a cell without a cell id is alone if no cell follows within this time
	sameBurst    = 500 * time.Millisecond // a cell with a cell id is not alone if another arrives within this time
	maxBurst     = 500 * time.Millisecond // a reply is held no longer than this
	quickFailure = time.Second            // replies to cells that fail later than this after their arrival are not held
	maxLag       = 5 * time.Second        // cells that arrive later than this after the failure are not aborted
)

// An unawareWindow selects the cells that a front end sent before it could know
// that an earlier cell had ended. The zero unawareWindow selects none.
type unawareWindow struct {
	session        string    // of the front end
	sentBefore     time.Time // on the front end's clock, like the header's date
	receivedBefore time.Time // on this process's clock
}

// abort aborts the cells that the front end sent after r, but before it could know that r
// had failed: they get the reply wire.Aborted and are not run. Some of these cells may not
// have arrived yet. known is the earliest time at which the front end could know of the
// failure: the time of the reply, or of the interrupt that ended r.
func (sh *subshell) abort(r *request, known time.Time) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, waiting := range sh.queue {
		if waiting.isCell() && !waiting.received.After(known) {
			waiting.refusal = &wire.Aborted
		}
	}
	sh.aborting = newUnawareWindow(r, known)
}

// awaitBurst waits for the end of the burst that contains r, unless r arrived longer than
// quickFailure ago. It returns the current time.
func (sh *subshell) awaitBurst(r *request) time.Time {
	if time.Since(r.received) >= quickFailure {
		return time.Now()
	}
	limit := time.NewTimer(maxBurst)
	defer limit.Stop()
	for {
		last, gap := sh.lastCell(), burstGap
		if !last.After(r.received) { // no cell has followed r
			last = r.received
			if !r.hasCellID() {
				gap = loneGap
			}
		}
		select {
		case <-sh.arrived:
		case <-time.After(time.Until(last.Add(gap))):
			return time.Now()
		case <-limit.C:
			return time.Now()
		}
	}
}

// hasCellID reports whether r's metadata has the id of a notebook cell, as requests of
// JupyterLab and VS Code do.
func (r *request) hasCellID() bool {
	var metadata struct {
		CellID string `json:"cellId"`
	}
	return json.Unmarshal(r.Metadata, &metadata) == nil && metadata.CellID != ""
}

// newUnawareWindow returns the window of the cells that the sender of r sent before it could
// know that r had ended. known is the earliest time at which the sender could know, by this
// process's clock. The sender's clock may differ: at that time it shows at least the date of r plus
// the time between the arrival of r and known. A millisecond is subtracted because browsers round
// dates to whole milliseconds.
func newUnawareWindow(r *request, known time.Time) unawareWindow {
	sent, err := time.Parse(time.RFC3339Nano, r.Header.Date)
	if err != nil {
		return unawareWindow{}
	}
	return unawareWindow{
		session:        r.Header.Session,
		sentBefore:     sent.Add(known.Sub(r.received) - time.Millisecond),
		receivedBefore: known.Add(maxLag),
	}
}

// contains reports whether r is a cell inside the window. It does not rely on the
// header's date alone, because the front end's clock may be set back.
func (w unawareWindow) contains(r *request) bool {
	sent, err := time.Parse(time.RFC3339Nano, r.Header.Date)
	return err == nil && r.isCell() && r.Header.Session == w.session &&
		sent.Before(w.sentBefore) && r.received.Before(w.receivedBefore)
}
