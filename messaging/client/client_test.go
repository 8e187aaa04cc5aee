package client_test

import (
	"context"
	"errors"
	"testing"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/messagingtest"
	"github.com/goanvil/notebook/messaging/wire"
)

func newKernel() *messagingtest.Kernel {
	return &messagingtest.Kernel{Started: make(chan struct{}, 1), Release: make(chan struct{})}
}

func TestCallsFailWhenTheKernelIsGone(t *testing.T) {
	kernel := newKernel()
	server := messagingtest.NewServer(t, kernel, messaging.Options{})
	c := server.Client()
	server.Close()
	if _, err := c.Execute(t.Context(), client.Execution{Code: "echo 1"}); err == nil {
		t.Error("a cell ran")
	}
	if _, err := c.KernelInfo(t.Context()); !errors.Is(err, client.ErrClosed) {
		t.Errorf("kernel_info: %v, want %v", err, client.ErrClosed)
	}
}

// A cancelled call leaves the cell running and the client usable.
func TestCallIsGivenUp(t *testing.T) {
	kernel := newKernel()
	c := messagingtest.NewServer(t, kernel, messaging.Options{}).Client()
	ctx, cancel := context.WithCancel(t.Context())
	call, err := c.Begin(client.Execution{Code: "wait"})
	if err != nil {
		t.Fatal(err)
	}
	<-kernel.Started
	cancel()
	if _, err := call.Wait(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("Wait: %v", err)
	}
	if err := c.Interrupt(t.Context()); err != nil {
		t.Error(err)
	}
	if reply, err := c.Execute(t.Context(), client.Execution{Code: "echo 1"}); err != nil || reply.Status != wire.StatusOK {
		t.Errorf("%+v, %v", reply, err)
	}
}

func TestDialWaitsForTheKernel(t *testing.T) {
	// A closed server provides the ports at which the client waits for a later one.
	early := messagingtest.NewServerAt(t, messagingtest.OwnAddress(), newKernel(), messaging.Options{})
	early.Close()
	type result struct {
		c   *client.Client
		err error
	}
	dialed := make(chan result)
	go func() {
		c, err := client.Dial(t.Context(), early.Connection())
		dialed <- result{c, err}
	}()
	messagingtest.NewServerAt(t, early.Connection(), newKernel(), messaging.Options{})
	r := <-dialed
	if r.err != nil {
		t.Fatal(r.err)
	}
	defer r.c.Close()
	if _, err := r.c.KernelInfo(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestDialIsGivenUp(t *testing.T) {
	gone := messagingtest.NewServer(t, newKernel(), messaging.Options{})
	gone.Close()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := client.Dial(ctx, gone.Connection()); err == nil {
		t.Error("dialed nobody")
	}
}

func TestDialWithAWrongKey(t *testing.T) {
	info := messagingtest.NewServer(t, newKernel(), messaging.Options{}).Connection()
	info.SignatureScheme = "none"
	if _, err := client.Dial(t.Context(), info); err == nil {
		t.Error("an unknown scheme was accepted")
	}
}
