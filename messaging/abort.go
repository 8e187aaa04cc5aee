package messaging

import (
	"encoding/json"
	"time"

	"github.com/goanvil/notebook/messaging/wire"
)

// A front end sends the cells of "Run all" one by one, in a burst, and the first
// can fail here before the second has left the browser. The reply to a cell that
// failed quickly is therefore held back until the burst is over: all its cells
// were then sent before the front end could know of the failure, and are aborted.
//
// Programs send the cells of a burst without pauses. JupyterLab and VS Code draw
// between them; they are recognized by the id of the notebook's cell in the
// metadata.
const (
	burstGap     = 50 * time.Millisecond  // the burst is over after this time without a new cell
	loneGap      = 2 * time.Millisecond   // a program's cell is not part of a burst if no other follows within this time
	sameBurst    = 500 * time.Millisecond // cells of a notebook that arrive within this time belong to one burst
	maxBurst     = 500 * time.Millisecond // a reply is held no longer than this
	quickFailure = time.Second            // replies of cells that ran longer are not held
	maxLag       = 5 * time.Second        // how long after the failure cells are still aborted
)

// An abortWindow selects the cells that a front end sent before it could know
// that an earlier cell had failed.
type abortWindow struct {
	session string
	before  time.Time // cells stamped before this are aborted; the front end's clock
	until   time.Time // cells received later are not; this process's clock
}

// abort marks the cells that were sent after r and before the front end could
// know that r had failed: they are answered without being run. known is the
// time when the front end could first know: that of the reply, or of the
// interrupt that ended r.
func (sh *subshell) abort(r *request, known time.Time) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for _, waiting := range sh.queue {
		if waiting.isCell() && !waiting.received.After(known) {
			waiting.refusal = &wire.Aborted
		}
	}
	sh.aborting = newAbortWindow(r, known)
}

// awaitBurst waits for the end of the burst if r has failed quickly, and
// returns the time at which it is over.
func (sh *subshell) awaitBurst(r *request) time.Time {
	if time.Since(r.received) >= quickFailure {
		return time.Now()
	}
	limit := time.NewTimer(maxBurst)
	defer limit.Stop()
	for {
		last, gap := sh.lastCell(), burstGap
		if !last.After(r.received) {
			last = r.received
			if !r.namesCell() {
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

// namesCell reports whether r's metadata names a cell of a notebook.
func (r *request) namesCell() bool {
	var metadata struct {
		CellID string `json:"cellId"`
	}
	return json.Unmarshal(r.Metadata, &metadata) == nil && metadata.CellID != ""
}

// newAbortWindow returns the window of cells that r's sender sent before it
// could know that r had failed. The front end stamped r at time d of its own
// clock, and the failure became known a time e after r arrived. The front end
// cannot have known before d+e of its clock, however the two clocks differ.
// A millisecond is subtracted because browsers stamp whole milliseconds.
func newAbortWindow(r *request, known time.Time) abortWindow {
	stamped, err := time.Parse(time.RFC3339Nano, r.Header.Date)
	if err != nil {
		return abortWindow{}
	}
	return abortWindow{r.Header.Session, stamped.Add(known.Sub(r.received) - time.Millisecond), known.Add(maxLag)}
}

// covers reports whether r is a cell inside the window. A stamp alone does not
// decide that, because the front end's clock may be set back.
func (w abortWindow) covers(r *request) bool {
	stamped, err := time.Parse(time.RFC3339Nano, r.Header.Date)
	return err == nil && r.isCell() && r.Header.Session == w.session &&
		stamped.Before(w.before) && r.received.Before(w.until)
}
