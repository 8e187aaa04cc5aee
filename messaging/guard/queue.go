package guard

import (
	"net"
	"sync"
	"time"
)

// chunk is how many bytes are handed to the network at once; a client that
// takes none of them in Limits.Write is lost.
const chunk = 256 << 10

// minRate is how many bytes a second a client with a full queue has to read:
// one that does is waited for as long as it takes, as a front end that draws
// big outputs is, and one that does not only for Limits.Stall in all.
const minRate = 1 << 20

// A queue holds the messages on their way to one client, and has a goroutine
// of its own that sends them.
type queue struct {
	conn   net.Conn
	limits Limits

	mu      sync.Mutex
	changed sync.Cond // a message came or went, or the queue was closed
	pending net.Buffers
	bytes   int64 // in pending and on their way from it
	closed  bool

	patience time.Duration // how long the client will still be waited for
}

func newQueue(conn net.Conn, limits Limits) *queue {
	q := &queue{conn: conn, limits: limits, patience: limits.Stall}
	q.changed.L = &q.mu
	return q
}

// push queues a message, waiting for room while the client reads. It reports
// whether the client is still there.
func (q *queue) push(message []byte) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.waitForRoom(message)
	if q.closed || !q.hasRoom(message) {
		q.shut()
		return false
	}
	q.pending = append(q.pending, message)
	q.bytes += int64(len(message))
	q.changed.Broadcast()
	return true
}

// hasRoom reports whether message may be queued. One always may where none is.
func (q *queue) hasRoom(message []byte) bool {
	return q.bytes == 0 || q.bytes+int64(len(message)) <= q.limits.Queue
}

// waitForRoom returns when message may be queued, the client has not read fast
// enough for too long, or the queue is closed. q.mu is held.
func (q *queue) waitForRoom(message []byte) {
	for last := time.Now(); !q.closed && !q.hasRoom(message) && q.patience > 0; {
		q.waitAtMost(q.patience)
		now := time.Now()
		q.patience -= now.Sub(last)
		last = now
	}
}

// waitAtMost returns when something has changed, or after d. q.mu is held.
func (q *queue) waitAtMost(d time.Duration) {
	timer := time.AfterFunc(d, func() {
		q.mu.Lock()
		defer q.mu.Unlock()
		q.changed.Broadcast()
	})
	defer timer.Stop()
	q.changed.Wait()
}

// drain returns when all is sent, at the deadline or when the client is gone.
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
	q.shut()
}

// shut is close with q.mu held.
func (q *queue) shut() {
	if !q.closed {
		q.closed = true
		q.pending = nil
		q.changed.Broadcast()
		_ = q.conn.Close()
	}
}

// run sends what is pushed until the queue is closed or the client is lost.
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

// take waits for messages and returns all there are, nil once closed.
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

// sent notes that n bytes have left.
func (q *queue) sent(n int64) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.bytes -= n
	q.patience = min(q.limits.Stall, q.patience+time.Duration(n)*time.Second/minRate)
	q.changed.Broadcast()
}

// split returns the first n bytes of b, and the rest.
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
