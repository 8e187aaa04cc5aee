// Package wire encodes and decodes Jupyter messages: it converts between the
// frames of a ZeroMQ message and a Message, and makes and checks signatures. It
// opens no socket.
//
// The layout is that of "The wire protocol" in "Messaging in Jupyter"
// (https://jupyter-client.readthedocs.io/en/latest/messaging.html):
//
//	identity... | <IDS|MSG> | signature | header | parent header | metadata | content | buffer...
package wire

// ProtocolVersion is the version of the Jupyter messaging protocol.
const ProtocolVersion = "5.5"
