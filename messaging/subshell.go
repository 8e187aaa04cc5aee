package messaging

import (
	"slices"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging/wire"
)

// mainShell is the id of the subshell that requests without one belong to.
const mainShell = ""

// A subshell runs its requests one after another (JEP 91).
type subshell struct {
	mu      sync.Mutex
	changed sync.Cond
	queue   []*request
	stopped bool
	blind   blindness
	arrived chan struct{} // holds a token when a request has come
	done    chan struct{} // closed when the goroutine has returned
}

func newSubshell() *subshell {
	sh := &subshell{arrived: make(chan struct{}, 1), done: make(chan struct{})}
	sh.changed.L = &sh.mu
	return sh
}

// run dispatches requests until the subshell is stopped.
func (sh *subshell) run(s *Server) {
	defer close(sh.done)
	for r := sh.next(); r != nil; r = sh.next() {
		s.dispatch(r)
	}
}

// next waits for a request and removes it from the queue; nil once stopped.
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
	return r
}

// waiting reports whether a cell is among the requests to come.
func (sh *subshell) waiting() bool {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	return slices.ContainsFunc(sh.queue, func(r *request) bool { return r.Header.MsgType == wire.TypeExecuteRequest })
}

func (sh *subshell) push(r *request) {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	if sh.blind.covers(r) {
		r.refusal = &wire.Aborted
	}
	sh.queue = append(sh.queue, r)
	sh.changed.Signal()
	select {
	case sh.arrived <- struct{}{}:
	default:
	}
}

func (sh *subshell) stop() {
	sh.mu.Lock()
	defer sh.mu.Unlock()
	sh.stopped = true
	sh.changed.Signal()
}

// subshells are the subshells of a server by id, the main shell among them.
type subshells struct {
	mu   sync.Mutex
	byID map[string]*subshell
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
	go sh.run(s) // wait waits for it
}

// get returns a subshell, nil where there is none of that id.
func (ss *subshells) get(id string) *subshell {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	return ss.byID[id]
}

// route queues r for its subshell. The main shell refuses it where there is no
// such subshell.
func (ss *subshells) route(r *request) {
	sh := ss.get(r.Header.SubshellID)
	if sh == nil {
		sh = ss.get(mainShell)
		r.refusal = noSubshell(r.Header.SubshellID)
	}
	sh.push(r)
}

func noSubshell(id string) *wire.Outcome {
	o := wire.Failed("NoSubshell", "subshell "+id+": there is none of that id; see list_subshell_request")
	return &o
}

// remove stops a subshell and reports whether there was one.
func (ss *subshells) remove(id string) bool {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	sh := ss.byID[id]
	if sh == nil || id == mainShell {
		return false
	}
	delete(ss.byID, id)
	sh.stop()
	return true
}

// ids returns the ids of all but the main shell.
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

// all returns the subshells.
func (ss *subshells) all() (list []*subshell) {
	ss.mu.Lock()
	defer ss.mu.Unlock()
	for _, sh := range ss.byID {
		list = append(list, sh)
	}
	return list
}

// stop lets no further request start.
func (ss *subshells) stop() {
	for _, sh := range ss.all() {
		sh.stop()
	}
}

// wait returns when what runs has ended, or at the deadline: a cell that
// cannot be interrupted must not keep the process.
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

// deleteSubshell answers delete_subshell_request. What runs in the subshell
// runs on to its end.
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
