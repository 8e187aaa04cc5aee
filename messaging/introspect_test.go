package messaging

import (
	"context"
	"reflect"
	"testing"

	"github.com/goanvil/notebook/messaging/wire"
)

// A silentKernel is a kernel whose replies are empty.
type silentKernel struct{ Kernel }

func (silentKernel) Info() wire.KernelInfoReply { return wire.KernelInfoReply{} }

func (silentKernel) Complete(context.Context, wire.CompleteRequest) wire.CompleteReply {
	return wire.CompleteReply{}
}

func (silentKernel) Inspect(context.Context, wire.InspectRequest) wire.InspectReply {
	return wire.InspectReply{}
}

func (silentKernel) IsComplete(context.Context, wire.IsCompleteRequest) wire.IsCompleteReply {
	return wire.IsCompleteReply{}
}

// TestEmptyReplies checks that what a kernel leaves out of its replies has the value that the protocol wants.
func TestEmptyReplies(t *testing.T) {
	s := &Server{kernel: silentKernel{}, info: ConnectionInfo{
		ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}}
	s.options.Subshells = true
	info := func(features ...string) wire.KernelInfoReply {
		return wire.KernelInfoReply{Outcome: wire.OK, ProtocolVersion: "5.5", HelpLinks: []wire.HelpLink{},
			SupportedFeatures: features}
	}
	for _, c := range []struct{ got, want any }{
		{s.kernelInfo(nil), info("iopub_welcome", "kernel subshells")},
		{(&Server{kernel: silentKernel{}}).kernelInfo(nil), info("iopub_welcome")},
		{(&Server{kernel: explorer{silentKernel{}}}).kernelInfo(nil).(wire.KernelInfoReply).Debugger, true},
		{s.complete(&request{}, wire.CompleteRequest{}),
			wire.CompleteReply{Outcome: wire.OK, Matches: []string{}, Metadata: map[string]any{}}},
		{s.inspect(&request{}, wire.InspectRequest{}),
			wire.InspectReply{Outcome: wire.OK, Data: wire.Bundle{}, Metadata: wire.Bundle{}}},
		{s.isComplete(&request{}, wire.IsCompleteRequest{}), wire.IsCompleteReply{Status: wire.CodeUnknown}},
		{s.connect(nil),
			wire.ConnectReply{Outcome: wire.OK, ShellPort: 1, IOPubPort: 2, StdinPort: 3, ControlPort: 4, HBPort: 5}},
		{s.commInfo(nil, wire.CommInfoRequest{}),
			wire.CommInfoReply{Outcome: wire.OK, Comms: map[string]wire.CommInfo{}}},
	} {
		if !reflect.DeepEqual(c.got, c.want) {
			t.Errorf("%+v, want %+v", c.got, c.want)
		}
	}
}
