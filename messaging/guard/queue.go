package guard

import (
	"net"
	"sync"
	"time"
)

// chunk is the number of bytes written to the network at once. A client is dropped
// if it does not read them within Limits.Write.
const chunk = 256 << 10

// minRate is the rate in bytes per second at which a client with a full queue
// must read. The queue waits without limit for a client that reads this fast,
// such as a front end that draws big outputs, and for Limits.Stall in total for a
// slower one.
const minRate = 1 << 20

// A queue holds the messages to be sent to one client. A goroutine in run sends
// them.
type queue struct {
	conn   net.Conn
	limits Limits

	mu      sync.Mutex
	changed sync.Cond // a message was queued or sent, or the queue was closed
	pending net.Buffers
	bytes   int64 // of the messages not yet sent: those in pending and those that run is sending
	hurried bool  // the limit is doubled; see hurry
	closed  bool

	patience time.Duration // how long push may still wait; see minRate
}

func newQueue(conn net.Conn, limits Limits) *queue {
	q := &queue{conn: conn, limits: limits, patience: limits.Stall}
	q.changed.L = &q.mu
	return q
}

// push queues a message. If the queue is full, push waits for room, and closes the queue
// if the client reads too slowly for too long. It reports whether the message was queued.
func (q *queue) push(message []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waitForRoom(message)
	if q.closed || !q.hasRoom(message) {
		q.closeLocked()
		return false
	}
	q.pending = append(q.pending, message)
	q.bytes += int64(len(message))
	q.changed.Broadcast()
	return true
}

// hasRoom reports whether message may be queued. An empty queue takes a message
// of any size.
func (q *queue) hasRoom(message []byte) bool {
	limit := q.limits.Queue
	if q.hurried {
		limit *= 2
	}
	return q.bytes == 0 || q.bytes+int64(len(message)) <= limit
}

// hurry doubles the limit of the queue until the queue is at most half full, so that urgent
// messages need not wait for a client that does not read.
func (q *queue) hurry() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.hurried = true
	q.changed.Broadcast()
}

// waitForRoom waits until message may be queued, q.patience is used up, or the queue is
// closed. The caller holds q.mu.
func (q *queue) waitForRoom(message []byte) {
	for last := time.Now(); !q.closed && !q.hasRoom(message) && q.patience > 0; {
		q.waitAtMost(q.patience)
		now := time.Now()
		q.patience -= now.Sub(last)
		last = now
	}
}

// waitAtMost waits for a signal of q.changed, for at most d. The caller holds q.mu.
func (q *queue) waitAtMost(d time.Duration) {
	timer := time.AfterFunc(d, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})
	defer timer.Stop()
	q.changed.Wait()
}

// drain waits until all messages are sent, the queue is closed, or the deadline has passed.
func (q *queue) drain(deadline time.Time) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for !q.closed && q.bytes > 0 && time.Now().Before(deadline) {
		q.waitAtMost(time.Until(deadline))
	}
}

// close stops the queue and closes the connection.
func (q *queue) close() {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.closeLocked()
}

// closeLocked does the work of close. The caller holds q.mu.
func (q *queue) closeLocked() {
	if !q.closed {
		q.closed = true
		q.pending = nil
		q.changed.Broadcast()
		_ = q.conn.Close()
	}
}

// run sends queued messages until the queue is closed or the client is lost.
func (q *queue) run() {
	for {
		batch := q.take()
		if batch == nil {
			return
		}
		if err := q.send(batch); err != nil {
			q.close()
			return
		}
	}
}

// take waits for messages, and removes and returns all of them. It returns nil
// once the queue is closed.
func (q *queue) take() net.Buffers {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.pending) == 0 && !q.closed {
		q.changed.Wait()
	}
	batch := q.pending
	q.pending = nil
	return batch
}

// send writes batch, a chunk at a time.
func (q *queue) send(batch net.Buffers) error {
	for len(batch) > 0 {
		var part net.Buffers
		part, batch = split(batch, chunk)
		if err := q.conn.SetWriteDeadline(time.Now().Add(q.limits.Write)); err != nil {
			return err
		}
		n, err := part.WriteTo(q.conn)
		q.sent(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// sent records that n bytes were sent, and adds to the patience the time in which a
// client that reads at minRate would have read them.
func (q *queue) sent(n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= n
	q.hurried = q.hurried && q.bytes > q.limits.Queue/2
	q.patience = min(q.limits.Stall, q.patience+time.Duration(n)*time.Second/minRate)
	q.changed.Broadcast()
}

// split returns the first n bytes of b and the rest. It modifies b.
func split(b net.Buffers, n int) (head, tail net.Buffers) {
	for i, m := range b {
		if len(m) > n {
			head = append(append(head, b[:i]...), m[:n])
			b[i] = m[n:]
			return head, b[i:]
		}
		n -= len(m)
	}
	return b, nil
}
