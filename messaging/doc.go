// Package messaging serves a Jupyter kernel: five ZeroMQ sockets, the order of
// messages on them, execution counts, history, interrupts and shutdown.
//
// The Kernel interface runs code; a cell shows results through an Output, which
// is bound to the request that it answers. The messages are those of "Messaging
// in Jupyter", protocol 5.5
// (https://jupyter-client.readthedocs.io/en/latest/messaging.html).
package messaging
