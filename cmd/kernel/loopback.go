package main

import (
	"context"

	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
)

// A loopback is a kernel in this process and its client. They exchange the same messages as a
// kernel and a front end, over the loopback interface.
type loopback struct {
	client *client.Client
	stop   context.CancelFunc // stops the kernel
	done   chan error         // receives the result of Serve when the kernel has stopped
}

// startLoopback starts a kernel with a new session, and connects a client to it.
func startLoopback(ctx context.Context, b backend) (*loopback, error) {
	session, err := newSession(b)
	if err != nil {
		return nil, err
	}
	server, err := messaging.NewServer(messaging.ConnectionInfo{
		Transport: "tcp", IP: "127.0.0.1", Key: uuid.NewString(), SignatureScheme: "hmac-sha256",
	}, messaging.Options{})
	if err != nil {
		return nil, err
	}
	serving, stop := context.WithCancel(context.WithoutCancel(ctx))
	l := &loopback{stop: stop, done: make(chan error, 1)}
	go func() { l.done <- server.Serve(serving, session) }()
	if l.client, err = client.Dial(ctx, server.Connection()); err != nil {
		l.close()
		return nil, err
	}
	return l, nil
}

// close closes the client, and stops the kernel and waits for it.
func (l *loopback) close() {
	if l.client != nil {
		l.client.Close()
	}
	l.stop()
	<-l.done
}
