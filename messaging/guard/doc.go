// Package guard protects zmq4 from hostile clients. As of v0.17.0 zmq4 trusts
// its peers: it allocates whatever length a frame announces, a client that sends
// nothing keeps all others out, a client that does not read blocks the replies
// to others, and malformed metadata makes it panic.
//
// A Listener does the ZMTP handshake itself, under a deadline, and hands zmq4
// only clients that have sent well-formed metadata. It reads whole messages,
// within Limits, before zmq4 sees their first byte; it answers PING; and it has
// a queue of messages to send for each client, so that a client that does not
// read is dropped without harm to others.
//
// ZMTP is specified at https://rfc.zeromq.org/spec/23/ (3.0) and /spec/37/ (3.1).
package guard
