// Package messaging serves a Jupyter kernel: five ZeroMQ sockets, the order of
// messages on them, execution counts, history, interrupts and shutdown.
//
// What the kernel computes is behind the Kernel interface; what a cell shows
// goes through an Output, which is bound to the request it answers. Messages
// are those of "Messaging in Jupyter", protocol 5.5
// (https://jupyter-client.readthedocs.io/en/latest/messaging.html).
package messaging
