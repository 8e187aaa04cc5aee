// Package guard stands between the network and zmq4, which as of v0.17.0
// trusts its peers: a frame length makes it allocate that much, a client that
// says nothing keeps all others out, one that does not read stops the others'
// replies, malformed metadata panics.
//
// A Listener does the ZMTP handshake itself, under a deadline, and hands zmq4
// only clients that have introduced themselves, with metadata that is well
// formed. It reads whole messages before zmq4 sees their first byte, within
// Limits; answers PING; and queues what is sent, for each client apart, so
// that a client that does not read is dropped alone.
//
// ZMTP is https://rfc.zeromq.org/spec/23/ (3.0) and /spec/37/ (3.1).
package guard
