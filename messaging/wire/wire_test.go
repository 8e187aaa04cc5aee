package wire

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func codec(t testing.TB, key string) *Codec {
	t.Helper()
	c, err := NewCodec("hmac-sha256", key)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// The digests were computed by Python's hmac module over the same bytes:
// hmac.new(b"key", b'{"a":1}{}{}{"code":"1+1"}', hashlib.sha256).hexdigest()
func TestGoldenSignature(t *testing.T) {
	parts := [][]byte{[]byte(`{"a":1}`), []byte(`{}`), []byte(`{}`), []byte(`{"code":"1+1"}`)}
	for scheme, want := range map[string]string{
		"":            "98d1ff687035d256b4b50ca7c75c10efc36146f400712bae4afe59cafe08a30a",
		"hmac-sha256": "98d1ff687035d256b4b50ca7c75c10efc36146f400712bae4afe59cafe08a30a",
		"hmac-sha1":   "bd63ffe9cf51158c7df0c0e3d7b863c1a4e88f87",
		"hmac-sha384": "62b0de8a0a2d4aeecc81db223023c58060693a9daf2beb92396ba56367fcd8dba970feb772e9e8a94dd5100cd6e3933b",
		"hmac-sha512": "73e3f1278fe9195118c87913e36ae5d830c4f4bd1f426b1fe2cbd0f6b69e3f6ffc399e555c8d9bf07df377356103ffe7" +
			"1a04459af0b6df07a4ab252ccd85c914",
	} {
		c, err := NewCodec(scheme, "key")
		if err != nil {
			t.Fatal(err)
		}
		got := c.sign(parts)
		if string(got) != want {
			t.Errorf("%q: signature %s, want %s", scheme, got, want)
		}
		if err := c.verify(got, parts); err != nil {
			t.Errorf("%q: %v", scheme, err)
		}
	}
}

// TestReplayMemory checks that as many signatures are remembered as jupyter_client does: the newest 2¹⁵ at least, and
// 2¹⁶ at most.
func TestReplayMemory(t *testing.T) {
	if got := codec(t, "key").seen.limit; got != 32768 {
		t.Errorf("a generation has %d digests", got)
	}
}

func sample() *Message {
	return &Message{
		Identities: [][]byte{[]byte("client")},
		Header:     Header{MsgID: "1", MsgType: TypeExecuteRequest, Session: "s", Username: "u", Date: "d", Version: "5.5"},
		Parent:     json.RawMessage(`{"msg_id":"0"}`),
		Content:    json.RawMessage(`{"code":"1+1"}`),
		Buffers:    [][]byte{{1, 2, 3}},
	}
}

func TestRoundTrip(t *testing.T) {
	for _, key := range []string{"", "key"} {
		m := sample()
		frames, err := codec(t, key).Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		got, err := codec(t, key).Decode(frames)
		if err != nil {
			t.Fatal(err)
		}
		m.RawHeader, m.Metadata = got.RawHeader, json.RawMessage("{}")
		if d := cmp.Diff(m, got); d != "" {
			t.Errorf("key %q: sent -, got +\n%s", key, d)
		}
		if id := got.ParentHeader().MsgID; id != "0" {
			t.Errorf("parent %q, want 0", id)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	good := func() [][]byte {
		frames, err := codec(t, "key").Encode(sample())
		if err != nil {
			t.Fatal(err)
		}
		return frames
	}
	resigned := func(part int, text string) [][]byte {
		frames := good()
		frames[2+part] = []byte(text)
		frames[2] = codec(t, "key").sign(frames[3:7])
		return frames
	}
	edited := func(i int, frame string) [][]byte {
		frames := good()
		frames[i] = []byte(frame)
		return frames
	}
	const malformed = "message: header, parent header, metadata or content is not a JSON object of the protocol"
	tests := []struct {
		name   string
		frames [][]byte
		want   string
	}{
		{"nothing", nil, "message: no <IDS|MSG> frame"},
		{"no delimiter", edited(1, "<IDS>"), "message: no <IDS|MSG> frame"},
		{"delimiter alone", good()[:2], "message: fewer than five frames after <IDS|MSG>"},
		{"one frame after it", good()[:3], "message: fewer than five frames after <IDS|MSG>"},
		{"no content", good()[:6], "message: fewer than five frames after <IDS|MSG>"},
		{"no signature", edited(2, ""), "message: signature is missing or wrong"},
		{"short signature", edited(2, "ab"), "message: signature is missing or wrong"},
		{"not hexadecimal", edited(2, strings.Repeat("z", 64)), "message: signature is missing or wrong"},
		{"wrong signature", edited(2, strings.Repeat("0", 64)), "message: signature is missing or wrong"},
		{"changed content", edited(6, `{"code":"2"}`), "message: signature is missing or wrong"},
		{"header not JSON", resigned(1, "{"), malformed},
		{"header of other types", resigned(1, `{"msg_id":1}`), malformed + ": header: json: cannot unmarshal number into Go struct field Header.msg_id of type string"},
		{"parent an array", resigned(2, "[]"), malformed},
		{"metadata null", resigned(3, "null"), malformed},
		{"content not JSON", resigned(4, `{"code":`), malformed},
		{"content empty", resigned(4, ""), malformed},
		{"content after white space", resigned(4, " \t\r\n{}"), "<nil>"},
		{"content before text", resigned(4, "{}x"), malformed},
	}
	for _, test := range tests {
		if _, err := codec(t, "key").Decode(test.frames); fmt.Sprint(err) != test.want {
			t.Errorf("%s: %v, want %s", test.name, err, test.want)
		}
	}
}

func TestReplayIsRefused(t *testing.T) {
	c := codec(t, "key")
	c.seen.limit = 4
	send := func(i int) error {
		m := sample()
		m.Header.MsgID = fmt.Sprint(i)
		frames, err := c.Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		_, err = c.Decode(frames)
		return err
	}
	for i := range 20 {
		if err := send(i); err != nil {
			t.Fatalf("message %d: %v", i, err)
		}
		for back := max(0, i-3); back <= i; back++ {
			if err := send(back); !errors.Is(err, ErrReplay) || err.Error() != "message: signature was seen before" {
				t.Fatalf("message %d after %d: %v, want %v", back, i, err, ErrReplay)
			}
		}
		if n := len(c.seen.young) + len(c.seen.old); n > 8 {
			t.Fatalf("%d digests remembered, want at most 8", n)
		}
	}
}

func TestUnknownScheme(t *testing.T) {
	const want = `connection: unknown signature scheme "hmac-md4"; use hmac-sha256`
	if _, err := NewCodec("hmac-md4", "key"); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
}

// The JSON of a reply has all fields that front ends require, even empty ones.
func TestContentJSON(t *testing.T) {
	tests := []struct {
		content any
		want    string
	}{
		{ExecuteReply{Outcome: OK, ExecutionCount: 3, UserExpressions: map[string]Expression{}, Payload: []Payload{}},
			`{"status":"ok","execution_count":3,"user_expressions":{},"payload":[]}`},
		{InputReply{Outcome: Failed("E", ""), Value: "v"},
			`{"status":"error","ename":"E","evalue":"","traceback":["E: "],"value":"v"}`},
		{Expression{Outcome: OK, Data: Bundle{"text/plain": "2"}, Metadata: Bundle{}},
			`{"status":"ok","data":{"text/plain":"2"},"metadata":{}}`},
		{Page(Bundle{"text/plain": "doc"}), `{"source":"page","data":{"text/plain":"doc"},"start":0}`},
	}
	for _, test := range tests {
		got, err := json.Marshal(test.content)
		if err != nil || string(got) != test.want {
			t.Errorf("%T: %s, %v\nwant %s", test.content, got, err, test.want)
		}
	}
	var back InputReply
	if err := json.Unmarshal([]byte(tests[1].want), &back); err != nil || back.Failure == nil || back.Ename != "E" {
		t.Errorf("failure read back as %+v, %v", back, err)
	}
}

func TestExecuteRequestDefaults(t *testing.T) {
	tests := []struct {
		json string
		want ExecuteRequest
	}{
		{`{"code":"1"}`, ExecuteRequest{Code: "1", StoreHistory: true, AllowStdin: true, StopOnError: true}},
		{`{"silent":true,"store_history":true,"unknown":[]}`, ExecuteRequest{Silent: true, AllowStdin: true, StopOnError: true}},
		{`{"store_history":false,"allow_stdin":false,"stop_on_error":false}`, ExecuteRequest{}},
	}
	for _, test := range tests {
		var got ExecuteRequest
		if err := json.Unmarshal([]byte(test.json), &got); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(test.want, got); d != "" {
			t.Errorf("%s:\n%s", test.json, d)
		}
	}
	var got ExecuteRequest
	if err := json.Unmarshal([]byte(`{"code":1}`), &got); err == nil {
		t.Error("code that is a number was accepted")
	}
}

// Every constant of type Type has a role.
func TestEveryTypeHasARole(t *testing.T) {
	file, err := parser.ParseFile(token.NewFileSet(), "type.go", nil, 0)
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	ast.Inspect(file, func(node ast.Node) bool {
		spec, ok := node.(*ast.ValueSpec)
		if !ok || len(spec.Names) != 1 || !strings.HasPrefix(spec.Names[0].Name, "Type") {
			return true
		}
		n++
		value := Type(strings.Trim(spec.Values[0].(*ast.BasicLit).Value, `"`))
		if RoleOf(value) == 0 {
			t.Errorf("%s has no role", spec.Names[0].Name)
		}
		return true
	})
	if n != len(roles) {
		t.Errorf("%d constants, %d roles", n, len(roles))
	}
}

func TestConnectionFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "c.json")
	want := ConnectionInfo{Transport: "tcp", IP: "127.0.0.1", ShellPort: 1, IOPubPort: 2, StdinPort: 3,
		ControlPort: 4, HBPort: 5, Key: "k", SignatureScheme: "hmac-sha256"}
	if err := WriteConnectionFile(path, want); err != nil {
		t.Fatal(err)
	}
	got, err := ReadConnectionFile(path)
	if err != nil || got != want {
		t.Errorf("read back %+v, %v", got, err)
	}
	if info, err := os.Stat(path); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o600 {
		t.Errorf("others can read the key: %v, %v", info.Mode(), err)
	}
	// Fields that a file lacks have the values of other kernels.
	if err := os.WriteFile(path, []byte(`{"shell_port":7}`), 0o600); err != nil {
		t.Fatal(err)
	}
	want = ConnectionInfo{Transport: "tcp", ShellPort: 7, SignatureScheme: "hmac-sha256"}
	if got, err := ReadConnectionFile(path); err != nil || got != want {
		t.Errorf("a file of one field is %+v, %v", got, err)
	}
	if err := os.WriteFile(path, []byte(`{"shell_port":"7"}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := ReadConnectionFile(path); err == nil || !strings.HasPrefix(err.Error(), "connection file "+path+": json: ") {
		t.Errorf("a port that is a string: %v", err)
	}
	if _, err := ReadConnectionFile(path + "x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestAddress(t *testing.T) {
	for _, c := range []struct{ transport, ip, network, address string }{
		{"tcp", "10.0.0.1", "tcp", "10.0.0.1:7"},
		{"tcp", "::1", "tcp", "[::1]:7"},
		{"tcp", "", "tcp", "127.0.0.1:7"},
		{"", "", "tcp", "127.0.0.1:7"},
		{"ipc", "/tmp/k", "unix", "/tmp/k-7"},
	} {
		network, address, err := ConnectionInfo{Transport: c.transport, IP: c.ip}.Address(7)
		if network != c.network || address != c.address || err != nil {
			t.Errorf("%q %q: %s %s, %v, want %s %s", c.transport, c.ip, network, address, err, c.network, c.address)
		}
	}
	if _, _, err := (ConnectionInfo{Transport: "udp"}).Address(1); err == nil ||
		err.Error() != `connection: unknown transport "udp"; want tcp or ipc` {
		t.Errorf("udp: %v", err)
	}
}

// TestDate checks the form of dates: ISO 8601, in UTC, with microseconds.
func TestDate(t *testing.T) {
	east := time.FixedZone("east", 3600)
	if got := Date(time.Date(2026, 1, 2, 3, 4, 5, 6789000, east)); got != "2026-01-02T02:04:05.006789Z" {
		t.Error(got)
	}
}

// TestFailed checks that the traceback of an error is its name and text unless another one is given.
func TestFailed(t *testing.T) {
	want := Outcome{StatusError, &Failure{"E", "why", []string{"E: why"}}}
	if d := cmp.Diff(want, Failed("E", "why")); d != "" {
		t.Error(d)
	}
	want.Traceback = []string{"a", "b"}
	if d := cmp.Diff(want, Failed("E", "why", "a", "b")); d != "" {
		t.Error(d)
	}
}

// FuzzDecode splits data into frames at each 0 byte. Decode must return a message or
// an error, and refuse all frames if there is a key. Without a key, a message that
// it returns must be accepted again after Encode.
func FuzzDecode(f *testing.F) {
	seed, err := codec(f, "").Encode(sample())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(bytes.Join(seed, []byte{0}))
	f.Add([]byte("<IDS|MSG>\x00\x00{}\x00{}\x00{}\x00{}"))
	f.Add([]byte("<IDS|MSG>\x00" + hex.EncodeToString(make([]byte, 32))))
	f.Fuzz(func(t *testing.T, data []byte) {
		frames := bytes.Split(data, []byte{0})
		if _, err := codec(t, "key").Decode(frames); err == nil {
			t.Fatal("accepted without the key")
		}
		m, err := codec(t, "").Decode(frames)
		if err != nil {
			return
		}
		again, err := codec(t, "").Encode(m)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := codec(t, "").Decode(again); err != nil {
			t.Fatal(err)
		}
	})
}

// TestWords checks the words of messages against https://jupyter-client.readthedocs.io/en/stable/messaging.html.
func TestWords(t *testing.T) {
	for _, c := range []struct {
		got  any
		want string
	}{
		{[]Status{StatusOK, StatusError, StatusAborted}, "[ok error aborted]"},
		{[]Completeness{CodeComplete, CodeIncomplete, CodeInvalid, CodeUnknown}, "[complete incomplete invalid unknown]"},
		{[]ExecutionState{Starting, Busy, Idle}, "[starting busy idle]"},
		{[]string{Stdout, Stderr}, "[stdout stderr]"},
		{CompletionTypesKey, "_jupyter_types_experimental"},
		{ProtocolVersion, "5.5"},
		{Page(Bundle{"a": 1}).Source, "page"},
		{*Page(nil).Start, "0"},
		{Exit().Source, "ask_exit"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
	requests := "kernel_info execute inspect complete history is_complete connect comm_info shutdown interrupt debug " +
		"usage create_subshell delete_subshell list_subshell input"
	others := "comm_open comm_msg comm_close status stream display_data update_display_data execute_input " +
		"execute_result error clear_output iopub_welcome debug_event"
	want := strings.Fields(others)
	for _, name := range strings.Fields(requests) {
		want = append(want, name+"_request", name+"_reply")
	}
	slices.Sort(want)
	if got := fmt.Sprint(Types()); got != fmt.Sprint(want) {
		t.Errorf("types %s, want %s", got, want)
	}
}
