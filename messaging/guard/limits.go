package guard

import "time"

// Limits bounds the resources that clients of one listener can take. A zero field
// has the value of DefaultLimits.
type Limits struct {
	// Message bounds the size of a received message in bytes, counting 64 extra bytes
	// for each frame.
	Message int64

	// Queue bounds the number of bytes waiting to be sent to one client. An empty
	// queue takes one message of any size.
	Queue int64

	// Stall is how long a full queue waits for a client that reads more slowly
	// than 1 MiB a second.
	Stall time.Duration

	// Write is how long a client may take to read the next 256 KiB that are waiting
	// for it, or to send the next piece of a message that has begun. The body of a
	// frame is received in pieces of 64 KiB, 128 KiB, and so on.
	Write time.Duration

	// Handshake bounds the duration of a handshake.
	Handshake time.Duration

	// Clients bounds the number of connections, half-open ones included.
	Clients int
}

// DefaultLimits are enough for a notebook with big outputs, and keep one hostile
// client from taking the memory of the machine.
var DefaultLimits = Limits{
	Message:   256 << 20,
	Queue:     4 << 20,
	Stall:     5 * time.Second,
	Write:     30 * time.Second,
	Handshake: 10 * time.Second,
	Clients:   256,
}

// orDefault returns l with defaults for its zero fields.
func (l Limits) orDefault() Limits {
	d := DefaultLimits
	l.Message = positive(l.Message, d.Message)
	l.Queue = positive(l.Queue, d.Queue)
	l.Stall = positive(l.Stall, d.Stall)
	l.Write = positive(l.Write, d.Write)
	l.Handshake = positive(l.Handshake, d.Handshake)
	l.Clients = positive(l.Clients, d.Clients)
	return l
}

// positive returns v if it is positive, and def otherwise.
func positive[T int | int64 | time.Duration](v, def T) T {
	if v > 0 {
		return v
	}
	return def
}
