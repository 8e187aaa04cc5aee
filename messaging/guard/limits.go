package guard

import "time"

// Limits bound what one listener lets its clients make it hold. A zero field
// takes the value of DefaultLimits.
type Limits struct {
	Message   int64         // bytes of one message received, counting 64 for each frame
	Queue     int64         // bytes waiting to be sent to one client; one message of any size always may
	Stall     time.Duration // how long a client whose queue is full is waited for, unless it reads at a fair rate
	Write     time.Duration // how long a client may take no byte while bytes wait for it, or send none in the middle of a message
	Handshake time.Duration // how long a client may take to introduce itself
	Clients   int           // connections at once, half-open ones included
}

// DefaultLimits are generous to a notebook with big outputs, and keep one
// hostile client from taking the memory of the machine.
var DefaultLimits = Limits{
	Message:   256 << 20,
	Queue:     64 << 20,
	Stall:     5 * time.Second,
	Write:     30 * time.Second,
	Handshake: 10 * time.Second,
	Clients:   256,
}

// orDefault returns l with its zero fields set.
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

// positive returns v where it is greater than 0, else def.
func positive[T int | int64 | time.Duration](v, def T) T {
	if v > 0 {
		return v
	}
	return def
}
