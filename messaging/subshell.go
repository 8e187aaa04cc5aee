package messaging

import (
	"context"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging/wire"
)

// mainShell is the id of the main shell: requests without a subshell id belong
// to it.
const mainShell = ""

// A subshell runs its requests one after another (JEP 91). A lane is a subshell that front
// ends do not see, for requests to the main shell that can be answered while a cell runs;
// see laneNames.
type subshell struct {
	mu          sync.Mutex
	changed     sync.Cond // signals changes of queue, stopped and running
	queue       []*request
	stopped     bool
	running     bool               // a cell is being run
	aborting    unawareWindow      // cells to be aborted after a failure
	ended       unawareWindow      // cells sent before the front end could know that the previous cell had ended
	last        time.Time          // when the last cell arrived
	arrived     chan struct{}      // receives a value when a cell arrives
	untilNext   context.Context    // made by nextCell; ends when a cell arrives, and is then set to nil
	cellArrives context.CancelFunc // ends untilNext
	done        chan struct{}      // closed when run or runLane has returned
}

func newSubshell() *subshell {
	sh := &subshell{arrived: make(chan struct{}, 1), done: make(chan struct{})}
	sh.changed.L = &sh.mu
	return sh
}

// laneNames maps the requests that may be answered while a cell runs to the names of their
// lanes. A lane answers its requests in order. There are lanes only with Options.Subshells.
var laneNames = map[wire.Type]string{
	wire.TypeCompleteRequest: "complete",
	wire.TypeInspectRequest:  "inspect",
	wire.TypeCommOpen:        "comm",
	wire.TypeCommMsg:         "comm",
	wire.TypeCommClose:       "comm",
	wire.TypeCommInfoRequest: "comm",
}

// maxCellWait is how long a request in a lane waits for earlier cells. Most cells end
// within this time, so that completion knows the names that they declare.
const maxCellWait = 100 * time.Millisecond

// runLane dispatches requests until the lane is stopped. main is the subshell that runs the
// cells.
func (sh *subshell) runLane(s *Server, main *subshell) {
	defer close(sh.done)
	for r := sh.next(); r != nil; r = sh.next() {
		main.awaitCells(r)
		s.dispatch(r)
	}
}

// awaitCells waits until no cell runs and all cells that arrived before r have run, but not
// longer than maxCellWait after r arrived.
func (sh *subshell) awaitCells(r *request) {
	end := r.received.Add(maxCellWait)
	timer := time.AfterFunc(time.Until(end), func() {
		sh.mu.Lock()
		defer sh.mu.Unlock()
		sh.changed.Broadcast()
	})
	defer timer.Stop()
	earlier := func(q *request) bool { return q.isCell() && !q.received.After(r.received) }
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for !sh.stopped && (sh.running || slices.ContainsFunc(sh.queue, earlier)) && time.Now().Before(end) {
		sh.changed.Wait()
	}
}

// run dispatches requests until the subshell is stopped.
func (sh *subshell) run(s *Server) {
	defer close(sh.done)
	for r := sh.next(); r != nil; r = sh.next() {
		s.dispatch(r)
	}
}

// next waits for a request and removes it from the queue. It returns nil once
// the subshell is stopped.
func (sh *subshell) next() *request {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	for len(sh.queue) == 0 && !sh.stopped {
		sh.changed.Wait()
	}
	if sh.stopped {
		return nil
	}
	r := sh.queue[0]
	sh.queue = sh.queue[1:]
	sh.running = sh.running || r.isCell()
	return r
}

// finish records that r has been run. The reply to r has not been sent yet.
func (sh *subshell) finish(r *request) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if r.isCell() {
		sh.running, sh.ended = false, newUnawareWindow(r, time.Now())
		sh.changed.Broadcast()
	}
}

// alone reports whether the running cell r was sent by itself: the front end sent r after it
// could know that the previous cell had ended, and sends no cell soon after r. To find out,
// alone waits for another cell until loneGap after the arrival of r. JupyterLab pauses to draw
// between the cells of "Run all" (for 150 ms in a measurement) while the kernel already runs
// them. A cell with a cell id is therefore alone only if no other cell arrives within sameBurst
// before or after it.
func (sh *subshell) alone(r *request) bool {
	next, pause := sh.nextCell(), loneGap
	if r.hasCellID() {
		pause = sameBurst
	}
	if r.inBurst || sh.hasQueuedCell() {
		return false
	}
	select {
	case <-next.Done():
		return false
	case <-time.After(time.Until(r.received.Add(pause))):
		return true
	}
}

// hasQueuedCell reports whether a cell is queued.
func (sh *subshell) hasQueuedCell() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return slices.ContainsFunc(sh.queue, (*request).isCell)
}

// nextCell returns a context that ends when the next cell arrives.
func (sh *subshell) nextCell() context.Context {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.untilNext == nil {
		sh.untilNext, sh.cellArrives = context.WithCancel(context.Background())
	}
	return sh.untilNext
}

func (r *request) isCell() bool { return r.Header.MsgType == wire.TypeExecuteRequest }

// push adds r to the queue. It sets r.refusal if r is a cell that must be aborted, and
// r.inBurst if r is a cell that was sent together with an earlier one.
func (sh *subshell) push(r *request) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	r.shell = sh
	if sh.aborting.contains(r) {
		r.refusal = &wire.Aborted
	}
	// Whether the front end sent r before it could know that all earlier cells had ended.
	sentEarly := sh.running || sh.ended.contains(r) || slices.ContainsFunc(sh.queue, (*request).isCell)
	sh.queue = append(sh.queue, r)
	sh.changed.Broadcast()
	if !r.isCell() {
		return
	}
	r.inBurst = sentEarly || r.hasCellID() && r.received.Sub(sh.last) < sameBurst
	sh.last = r.received
	if sh.untilNext != nil {
		sh.cellArrives()
		sh.untilNext = nil
	}
	select {
	case sh.arrived <- struct{}{}:
	default:
	}
}

// lastCell returns when the last cell arrived.
func (sh *subshell) lastCell() time.Time {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return sh.last
}

// stop prevents queued requests from starting, and returns them.
func (sh *subshell) stop() (queued []*request) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	queued, sh.queue = sh.queue, nil
	sh.stopped = true
	sh.changed.Broadcast()
	return queued
}

// subshells holds the subshells of a server by id, including the main shell, and
// the lanes of the main shell by name.
type subshells struct {
	mu    sync.Mutex
	byID  map[string]*subshell
	lanes map[string]*subshell // set before the first request arrives
}

// add starts a subshell.
func (ss *subshells) add(s *Server, id string) {
	sh := newSubshell()
	ss.mu.Lock()
	defer ss.mu.Unlock()
	if ss.byID == nil {
		ss.byID = make(map[string]*subshell)
	}
	ss.byID[id] = sh
	go sh.run(s) // subshells.wait waits for it, unless remove has removed it
}

// addLanes starts the lanes of the main shell.
func (ss *subshells) addLanes(s *Server) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ss.lanes = make(map[string]*subshell)
	for _, name := range laneNames {
		if ss.lanes[name] == nil {
			ss.lanes[name] = newSubshell()
			go ss.lanes[name].runLane(s, ss.byID[mainShell]) // subshells.wait waits for it
		}
	}
}

// get returns the subshell with the given id, or nil.
func (ss *subshells) get(id string) *subshell {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.byID[id]
}

// route queues r for its subshell or lane. If the subshell does not exist, the
// main shell answers r with an error.
func (ss *subshells) route(r *request) {
	ss.mu.Lock() // held until r is queued, so that remove finds it
	defer ss.mu.Unlock()
	sh := ss.byID[r.Header.SubshellID]
	if sh == nil {
		sh = ss.byID[mainShell]
		r.refusal = noSubshell(r.Header.SubshellID)
	}
	if lane := ss.lanes[laneNames[r.Header.MsgType]]; lane != nil && r.Header.SubshellID == mainShell {
		sh = lane
	}
	sh.push(r)
}

func noSubshell(id string) *wire.Outcome {
	o := wire.Failed("NoSubshell", "subshell "+id+": not found; see list_subshell_request")
	return &o
}

// remove stops a subshell and reports whether it existed. The main shell cannot
// be removed. It answers the requests that were queued in the subshell with an error.
func (ss *subshells) remove(id string) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	sh := ss.byID[id]
	if sh == nil || id == mainShell {
		return false
	}
	delete(ss.byID, id)
	for _, r := range sh.stop() {
		r.refusal = noSubshell(id)
		ss.byID[mainShell].push(r)
	}
	return true
}

// ids returns the ids of all subshells but the main one, sorted.
func (ss *subshells) ids() []string {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	ids := []string{}
	for id := range ss.byID {
		if id != mainShell {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids)
	return ids
}

// all returns the subshells and lanes.
func (ss *subshells) all() []*subshell {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return slices.AppendSeq(slices.Collect(maps.Values(ss.byID)), maps.Values(ss.lanes))
}

// stop stops all subshells and lanes.
func (ss *subshells) stop() {
	for _, sh := range ss.all() {
		sh.stop()
	}
}

// wait waits until the running requests have ended, or until the deadline: a cell
// that cannot be interrupted must not keep the process alive.
func (ss *subshells) wait(deadline time.Time) {
	timer := time.NewTimer(time.Until(deadline))
	defer timer.Stop()
	for _, sh := range ss.all() {
		select {
		case <-sh.done:
		case <-timer.C:
			return
		}
	}
}

// createSubshell answers create_subshell_request.
func (s *Server) createSubshell(*request) any {
	if !s.options.Subshells {
		return wire.Failed("NoSubshells", "create_subshell_request: this kernel runs one cell at a time")
	}
	id := uuid.NewString()
	s.shells.add(s, id)
	return wire.SubshellID{Outcome: wire.OK, SubshellID: id}
}

// deleteSubshell answers delete_subshell_request. A cell that is running in the
// subshell still runs to its end.
func (s *Server) deleteSubshell(_ *request, req wire.SubshellID) wire.Outcome {
	if !s.shells.remove(req.SubshellID) {
		return *noSubshell(req.SubshellID)
	}
	return wire.OK
}

// listSubshells answers list_subshell_request.
func (s *Server) listSubshells(*request) any {
	return wire.ListSubshellReply{Outcome: wire.OK, SubshellID: s.shells.ids()}
}
