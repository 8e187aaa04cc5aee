// Package wire is the codec of Jupyter messages: frames of a ZeroMQ message
// on one side, a Message on the other, signed and checked. It opens no socket.
//
// The layout is that of "The wire protocol" in "Messaging in Jupyter"
// (https://jupyter-client.readthedocs.io/en/latest/messaging.html):
//
//	identity... | <IDS|MSG> | signature | header | parent header | metadata | content | buffer...
package wire

// ProtocolVersion is the version of the protocol that is spoken.
const ProtocolVersion = "5.5"
