package messaging_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/uuid"

	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/client"
	"github.com/goanvil/notebook/messaging/guard"
	"github.com/goanvil/notebook/messaging/messagingtest"
	"github.com/goanvil/notebook/messaging/wire"
)

// alive fails the test unless the server answers the client old and a new one.
func alive(t *testing.T, server *messagingtest.Server, old *client.Client) {
	t.Helper()
	for _, c := range []*client.Client{old, server.Client()} {
		if reply, shown := run(t, c, client.Execution{Code: "echo alive"}); reply.Status != wire.StatusOK || len(shown) != 2 {
			t.Errorf("%+v %q", reply, shown)
		}
		if _, err := c.KernelInfo(t.Context()); err != nil {
			t.Error(err)
		}
		if err := c.Heartbeat(t.Context()); err != nil {
			t.Error(err)
		}
	}
}

// Frames that are not a message, or not signed with the key, are refused, and the
// connections are kept.
func TestHostileMessages(t *testing.T) {
	kernel, server, old := start(t, messaging.Options{})
	info := server.Connection()
	f := newForger(t, info)
	stranger := newForger(t, messaging.ConnectionInfo{Key: "not the key"})
	const run = `{"code":"print hostile"}`
	good := f.frames(wire.TypeExecuteRequest, run)
	edit := func(i int, body string) [][]byte {
		frames := f.frames(wire.TypeExecuteRequest, run)
		frames[i] = []byte(body)
		return frames
	}
	tests := map[string][][]byte{
		"wrong HMAC":           stranger.frames(wire.TypeExecuteRequest, run),
		"no HMAC":              edit(1, ""),
		"HMAC not hexadecimal": edit(1, strings.Repeat("x", 64)),
		"changed content":      edit(5, `{"code":"print other"}`),
		"no delimiter":         good[1:],
		"delimiter alone":      good[:1],
		"one frame after it":   good[:2],
		"truncated":            good[:5],
		"empty frames":         {{}, {}, {}},
		"signed bad JSON":      f.frames(wire.TypeExecuteRequest, `{"code":`),
		"signed array":         f.frames(wire.TypeExecuteRequest, `[]`),
		"signed wrong types":   f.frames(wire.TypeExecuteRequest, `{"code":[]}`),
		"unknown type":         f.frames("no_such_request", `{}`),
		"reply as a request":   f.frames(wire.TypeExecuteReply, `{}`),
		"shell's on control":   f.frames(wire.TypeInterruptRequest, `{}`),
		"answer to no prompt":  f.frames(wire.TypeInputReply, `{"value":"x"}`),
	}
	for name, frames := range tests {
		t.Run(name, func(t *testing.T) {
			for _, port := range []int{info.ShellPort, info.ControlPort, info.StdinPort, info.HBPort, info.IOPubPort} {
				kind := map[int]string{info.HBPort: "REQ", info.IOPubPort: "SUB"}[port]
				if kind == "" {
					kind = "DEALER"
				}
				shake(t, port, kind, uuid.NewString()).put(message(frames...))
			}
			alive(t, server, old)
		})
	}
	for _, code := range kernel.Log() {
		if strings.Contains(code, "hostile") || strings.Contains(code, "other") {
			t.Errorf("ran %q", code)
		}
	}
}

func TestReplayIsNotRun(t *testing.T) {
	kernel, server, old := start(t, messaging.Options{})
	f := newForger(t, server.Connection())
	c := shake(t, server.Connection().ShellPort, "DEALER", "replayer")
	frames := message(f.frames(wire.TypeExecuteRequest, `{"code":"print once"}`)...)
	c.put(frames, frames, frames)
	c.put(message(f.frames(wire.TypeExecuteRequest, `{"code":"print last"}`)...))
	for range 2 { // replies to the first and the last request
		f.decode(c.message())
	}
	alive(t, server, old)
	if log := fmt.Sprint(kernel.Log()[:3]); log != "[print once print last echo alive]" {
		t.Errorf("ran %s", log)
	}
}

// A client that sends bytes that are not ZMTP, or false lengths, loses its
// connection; other clients are unaffected.
func TestHostileBytes(t *testing.T) {
	_, server, old := start(t, messaging.Options{})
	info := server.Connection()
	ready := func(body string) string { return frame(4, "\x05READY"+body) }
	hello := greeting(3, "NULL")
	dealer := hello + ready(property("Socket-Type", "DEALER"))
	tests := map[string]string{
		"HTTP":                     "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n" + strings.Repeat("x", 64),
		"ZMTP 2":                   greeting(2, "NULL"),
		"mechanism CURVE":          greeting(3, "CURVE"),
		"no READY":                 hello + frame(0, "hello"),
		"READY of 2^50 bytes":      hello + header(4, 1<<50),
		"metadata cut off":         hello + ready("\x0bSocket-Type\x00\x00\x00\x10DEALER"),
		"metadata name cut off":    hello + ready("\xffSocket"),
		"metadata length of 2^32":  hello + ready("\x01a\xff\xff\xff\xff"),
		"unknown socket type":      hello + ready(property("Socket-Type", "NONSENSE")),
		"no socket type":           hello + ready(""),
		"socket type PULL":         hello + ready(property("Socket-Type", "PULL")),
		"identity of 300 bytes":    hello + ready(property("Socket-Type", "DEALER")+property("Identity", strings.Repeat("i", 300))),
		"frame of 2^50 bytes":      dealer + header(0, 1<<50),
		"frame of 2^62 bytes":      dealer + header(0, 1<<62),
		"frame of 2^64-1 bytes":    dealer + header(0, 1<<64-1),
		"more of 2^62 bytes twice": dealer + header(1, 1<<62) + header(1, 1<<62),
		"frame of 40 GB":           dealer + header(1, 40<<30),
		"reserved flags":           dealer + frame(0xf8, "x"),
		"command with more":        dealer + frame(5, "\x04PING\x00\x00"),
		"command without name":     dealer + frame(4, ""),
		"command name cut off":     dealer + frame(4, "\xffPING"),
		"PING of 1 MB":             dealer + frame(4, "\x04PING\x00\x00"+strings.Repeat("x", 1<<20)),
	}
	for name, bytes := range tests {
		t.Run(name, func(t *testing.T) {
			for _, port := range []int{info.ShellPort, info.ControlPort} {
				c := connect(t, port)
				c.put(bytes)
				c.dropped()
			}
			for _, port := range []int{info.HBPort, info.IOPubPort} {
				connect(t, port).put(bytes)
			}
			alive(t, server, old)
		})
	}
}

func TestRandomBytes(t *testing.T) {
	_, server, old := start(t, messaging.Options{})
	info := server.Connection()
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 300 {
		junk := make([]byte, random.IntN(300))
		for j := range junk {
			junk[j] = byte(random.IntN(256) & random.IntN(256)) // favors small values
		}
		port := []int{info.ShellPort, info.ControlPort, info.StdinPort, info.HBPort, info.IOPubPort}[i%5]
		c := connect(t, port)
		if i%2 == 0 {
			kind := []string{"DEALER", "DEALER", "DEALER", "REQ", "SUB"}[i%5]
			c.put(greeting(3, "NULL"), frame(4, "\x05READY"+property("Socket-Type", kind)))
		}
		c.put(string(junk))
		_ = c.Close()
	}
	alive(t, server, old)
}

// An announced length takes no memory, which is allocated as bytes arrive.
func TestLengthsTakeNoMemory(t *testing.T) {
	_, server, old := start(t, messaging.Options{})
	before := heap()
	for range 50 {
		shake(t, server.Connection().ShellPort, "DEALER", "").put(header(0, 250<<20), "x")
	}
	alive(t, server, old)
	if grown := heap() - before; grown > 64<<20 {
		t.Errorf("50 frames of 250 MB that never come take %d MB", grown>>20)
	}
}

// heap returns the bytes in use after a collection.
func heap() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

// Clients that connect and send nothing do not keep others out, however many they are.
func TestHalfOpenClients(t *testing.T) {
	_, server, old := start(t, messaging.Options{Limits: guard.Limits{Clients: 16}})
	info := server.Connection()
	for _, port := range []int{info.ShellPort, info.ControlPort, info.StdinPort, info.HBPort, info.IOPubPort} {
		for i := range 40 {
			c := connect(t, port)
			if i%2 == 0 {
				c.put(greeting(3, "NULL")[:30])
			}
		}
	}
	alive(t, server, old)
}

// Clients without the key that have done their handshake do not keep out clients with the key.
func TestClientsWithoutTheKey(t *testing.T) {
	_, server, old := start(t, messaging.Options{Limits: guard.Limits{Clients: 16}})
	info := server.Connection()
	kinds := map[int]string{info.ShellPort: "DEALER", info.ControlPort: "DEALER", info.StdinPort: "DEALER", info.HBPort: "REQ", info.IOPubPort: "SUB"}
	for port, kind := range kinds {
		for range 40 {
			shake(t, port, kind, "")
		}
	}
	alive(t, server, old)
	alive(t, server, server.Client())
}

// A client that requests much and never reads is dropped; others are unaffected.
func TestClientThatNeverReads(t *testing.T) {
	limits := guard.Limits{Queue: 1 << 20, Stall: 3 * time.Second}
	_, server, old := start(t, messaging.Options{Limits: limits})
	f := newForger(t, server.Connection())
	mute := shake(t, server.Connection().ShellPort, "DEALER", "mute")
	const replies, size = 64, 1 << 20
	before := heap()
	for range replies {
		mute.put(message(f.frames(wire.TypeExecuteRequest, fmt.Sprintf(`{"silent":true,"code":"bigpage %d"}`, size))...))
	}
	alive(t, server, old)
	if n, _ := io.Copy(io.Discard, mute.r); n >= replies*size {
		t.Errorf("read all %d bytes: it was not dropped", n)
	}
	if grown := heap() - before; grown > 16<<20 {
		t.Errorf("heap grew by %d MB", grown>>20)
	}
}

// A subscriber that never reads is dropped; the others get every message.
func TestSubscriberThatNeverReads(t *testing.T) {
	limits := guard.Limits{Queue: 4 << 20, Stall: 3 * time.Second}
	_, server, old := start(t, messaging.Options{Limits: limits})
	mute := shake(t, server.Connection().IOPubPort, "SUB", "")
	mute.put(frame(0, "\x01"))
	const displays, size = 64, 1 << 20
	for range displays { // one by one, so that a client that reads never has a full queue
		if _, shown := run(t, old, client.Execution{Code: fmt.Sprintf("big %d", size)}); len(shown) != 2 {
			t.Fatalf("%d outputs, want 2", len(shown))
		}
	}
	if n, _ := io.Copy(io.Discard, mute.r); n >= displays*size {
		t.Errorf("read all %d bytes: it was not dropped", n)
	}
	alive(t, server, old)
}

// A cell whose output waits for a subscriber that never reads can be interrupted.
func TestInterruptBesideASubscriberThatNeverReads(t *testing.T) {
	_, server, old := start(t, messaging.Options{Limits: guard.Limits{Queue: 4 << 20, Stall: time.Hour, Write: time.Hour}})
	mute := shake(t, server.Connection().IOPubPort, "SUB", "")
	mute.put(frame(0, "\x01"))
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	outputs, ended := make(chan client.Output), make(chan wire.ExecuteReply)
	go func() {
		reply, err := old.Execute(ctx, client.Execution{Code: "flood", Output: func(o client.Output) { outputs <- o }})
		if err != nil {
			t.Error(err)
		}
		close(outputs)
		ended <- reply
	}()
	for quiet := false; !quiet; {
		select {
		case <-outputs:
		case <-time.After(time.Second):
			quiet = true
		}
	}
	go func() {
		for range outputs {
		}
	}()
	if err := old.Interrupt(ctx); err != nil {
		t.Fatal(err)
	}
	if reply := <-ended; reply.Ename != "Interrupted" {
		t.Errorf("the reply is %+v", reply)
	}
	alive(t, server, old)
}

// All messages reach a client that reads, even if they are more than zmq4 would queue.
func TestNothingIsLostInABurst(t *testing.T) {
	_, _, c := start(t, messaging.Options{})
	const displays = 5000
	_, shown := run(t, c, client.Execution{Code: strings.Repeat("display i v\n", displays)})
	if len(shown) != 1+displays {
		t.Errorf("%d outputs, want %d", len(shown), 1+displays)
	}
}

// PING is answered, even between the frames of a message, where libzmq may send it.
func TestHeartbeatsOfLibzmq(t *testing.T) {
	kernel, server, old := start(t, messaging.Options{})
	f := newForger(t, server.Connection())
	c := shake(t, server.Connection().ShellPort, "DEALER", "libzmq")
	ping := frame(4, "\x04PING\x00\x64ctx")
	frames := f.frames(wire.TypeExecuteRequest, `{"code":"echo 1"}`)
	c.put(ping)
	for i, part := range frames {
		flags := byte(1)
		if i == len(frames)-1 {
			flags = 0
		}
		c.put(frame(flags, string(part)), ping)
	}
	for pongs, replies := 0, 0; pongs < 1+len(frames) || replies < 1; {
		switch flags, body := c.frame(); {
		case flags == 4 && body == "\x04PONGctx":
			pongs++
		case flags&5 == 0: // the last frame of a message
			replies++
		}
	}
	if log := kernel.Log(); len(log) != 1 || log[0] != "echo 1" {
		t.Errorf("ran %q", log)
	}
	alive(t, server, old)
}

// A client that connects with the identity of a connected one replaces it; the
// older connection is dropped.
func TestSameIdentityReplaces(t *testing.T) {
	_, server, old := start(t, messaging.Options{})
	port := server.Connection().ShellPort
	first := shake(t, port, "DEALER", "same")
	second := shake(t, port, "DEALER", "same")
	first.dropped()
	f := newForger(t, server.Connection())
	second.put(message(f.frames(wire.TypeKernelInfoRequest, `{}`)...))
	if m := f.decode(second.message()); m.Header.MsgType != wire.TypeKernelInfoReply {
		t.Errorf("got %s", m.Header.MsgType)
	}
	alive(t, server, old)
}

// A new subscriber receives iopub_welcome with its subscription (JEP 65), in the
// forms of ZMTP 3.0 and 3.1.
func TestWelcome(t *testing.T) {
	_, server, old := start(t, messaging.Options{})
	for name, subscribe := range map[string]string{"3.0": frame(0, "\x01stat"), "3.1": frame(4, "\x09SUBSCRIBEstat")} {
		f := newForger(t, server.Connection())
		c := shake(t, server.Connection().IOPubPort, "SUB", "")
		c.put(subscribe)
		frames := c.message()
		m := f.decode(frames)
		if m.Header.MsgType != wire.TypeIOPubWelcome || string(frames[0]) != "stat" || string(m.Parent) != "{}" || string(m.Content) != `{"subscription":"stat"}` {
			t.Errorf("%s: greeted with %q", name, bytes.Join(frames, []byte(" ")))
		}
		run(t, old, client.Execution{Code: "echo 1"})
		var states []string // the topic is a prefix of status only
		for len(states) < 2 {
			var status wire.KernelStatus
			m := f.decode(c.message())
			if err := json.Unmarshal(m.Content, &status); err != nil {
				t.Fatalf("%s: %s: %v", name, m.Content, err)
			}
			if status.ExecutionState == wire.Starting { // published by Serve, perhaps after the subscription
				continue
			}
			states = append(states, string(status.ExecutionState))
		}
		if want := []string{"busy", "idle"}; !slices.Equal(states, want) {
			t.Errorf("%s: %q, want %q", name, states, want)
		}
	}
}

// Clients with incomplete messages take a bounded amount of memory together, and
// each is dropped after a bounded time.
func TestIncompleteMessages(t *testing.T) {
	_, server, old := start(t, messaging.Options{Limits: guard.Limits{Message: 1 << 20}})
	half := header(0, 1<<20-64) + strings.Repeat("x", 900<<10)
	port := server.Connection().ShellPort
	shake(t, port, "DEALER", "").put(half)
	shake(t, port, "DEALER", "").put(half)
	third := shake(t, port, "DEALER", "")
	third.put(half)
	fourth := shake(t, port, "DEALER", "")
	fourth.put(half)
	fourth.dropped() // one of the others may have been dropped first, depending on what the server has read
	alive(t, server, old)
}
