package messaging

import (
	"maps"
	"slices"
	"sync"

	"github.com/goanvil/notebook/messaging/wire"
)

// A counter counts the cells that are stored in the history.
type counter struct {
	mu sync.Mutex
	n  int
}

// take returns the execution count of a new cell. store says whether the cell is stored in
// the history; only then does the cell advance the counter.
func (c *counter) take(store bool) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	if store {
		c.n++
		return c.n
	}
	return c.n + 1
}

// execute answers execute_request.
func (s *Server) execute(r *request, req wire.ExecuteRequest) wire.ExecuteReply {
	cell := Cell{req, s.counter.take(req.StoreHistory)}
	out := &output{server: s, request: r, cell: cell}
	if !req.Silent {
		_ = s.publish(wire.TypeExecuteInput, r.RawHeader, wire.ExecuteInput{Code: req.Code, ExecutionCount: cell.Count})
	}
	reply := s.kernel.Execute(r.ctx, cell, out)
	reply.Outcome = orOK(reply.Outcome)
	reply.ExecutionCount = cell.Count
	reply.UserExpressions = s.evaluate(r, req, reply.Status)
	if reply.Payload == nil {
		reply.Payload = []wire.Payload{}
	}
	out.flush()
	if reply.Status == wire.StatusError && !req.Silent {
		s.fail(r, req, reply)
	}
	if req.StoreHistory {
		s.history.add(cell.Count, req.Code, out.resultText())
	}
	return reply
}

// evaluate returns the values of a cell's user expressions. The map is empty if
// the cell failed.
func (s *Server) evaluate(r *request, req wire.ExecuteRequest, status wire.Status) map[string]wire.Expression {
	values := make(map[string]wire.Expression)
	if status != wire.StatusOK {
		return values
	}
	for _, name := range slices.Sorted(maps.Keys(req.UserExpressions)) {
		v := s.kernel.Evaluate(r.ctx, req.UserExpressions[name])
		if v.Outcome = orOK(v.Outcome); v.Status == wire.StatusOK {
			v.Data, v.Metadata = notNil(v.Data), notNil(v.Metadata)
		}
		values[name] = v
	}
	return values
}

// fail publishes the error of a cell. With stop_on_error it also aborts the later
// cells that were sent before the front end could know of the error.
func (s *Server) fail(r *request, req wire.ExecuteRequest, reply wire.ExecuteReply) {
	failure := wire.Failure{Traceback: []string{}}
	if reply.Failure != nil {
		failure = *reply.Failure
	}
	_ = s.publish(wire.TypeError, r.RawHeader, failure)
	sh := s.shells.get(r.Header.SubshellID)
	switch {
	case sh == nil || !req.StopOnError:
	case r.ctx.Err() != nil: // an interrupt ended r: the front end could know of the end from the interrupt on
		sh.abort(r, s.running.lastCancel())
	default:
		sh.abort(r, sh.awaitBurst(r))
	}
}

// orOK returns o, or wire.OK if o is zero.
func orOK(o wire.Outcome) wire.Outcome {
	if o.Status == "" {
		return wire.OK
	}
	return o
}

// notNil returns b, or an empty bundle if b is nil: JSON must say {}, not null.
func notNil(b wire.Bundle) wire.Bundle {
	if b == nil {
		return wire.Bundle{}
	}
	return b
}
