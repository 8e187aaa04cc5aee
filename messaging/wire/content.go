package wire

import "encoding/json"

// A Status says how a request ended.
type Status string

// The statuses of replies. The protocol deprecates StatusAborted in favour of an
// error, but ipykernel sends it and front ends handle it.
const (
	StatusOK      Status = "ok"
	StatusError   Status = "error"
	StatusAborted Status = "aborted"
)

// A Failure is an error as front ends show it. It is also the content of an error
// message on iopub.
type Failure struct {
	Ename     string   `json:"ename"`
	Evalue    string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// An Outcome is the part common to all replies. Failure is nil unless Status is
// StatusError.
type Outcome struct {
	Status Status `json:"status"`
	*Failure
}

// OK is the outcome of a request that succeeded.
var OK = Outcome{Status: StatusOK}

// Aborted is the outcome of a request that was not run.
var Aborted = Outcome{Status: StatusAborted}

// Failed returns the outcome of a request that failed. The default traceback is
// the line "ename: evalue".
func Failed(ename, evalue string, traceback ...string) Outcome {
	if traceback == nil {
		traceback = []string{ename + ": " + evalue}
	}
	return Outcome{StatusError, &Failure{ename, evalue, traceback}}
}

// A Bundle maps MIME types to representations of one value: a string, or any
// JSON value for a JSON type.
type Bundle = map[string]any

// A KernelInfoReply describes the kernel.
type KernelInfoReply struct {
	Outcome
	ProtocolVersion       string       `json:"protocol_version"`
	Implementation        string       `json:"implementation"`
	ImplementationVersion string       `json:"implementation_version"`
	LanguageInfo          LanguageInfo `json:"language_info"`
	Banner                string       `json:"banner"`
	Debugger              bool         `json:"debugger"`
	HelpLinks             []HelpLink   `json:"help_links"`
	SupportedFeatures     []string     `json:"supported_features"`
}

// LanguageInfo describes the language of the cells.
type LanguageInfo struct {
	Name              string `json:"name"`
	Version           string `json:"version"`
	MIMEType          string `json:"mimetype"`
	FileExtension     string `json:"file_extension"`
	PygmentsLexer     string `json:"pygments_lexer,omitempty"`
	CodeMirrorMode    string `json:"codemirror_mode,omitempty"`
	NBConvertExporter string `json:"nbconvert_exporter,omitempty"`
}

// A HelpLink is an entry of a front end's help menu.
type HelpLink struct {
	Text string `json:"text"`
	URL  string `json:"url"`
}

// An ExecuteRequest asks to run a cell.
type ExecuteRequest struct {
	Code            string            `json:"code"`
	Silent          bool              `json:"silent"`
	StoreHistory    bool              `json:"store_history"`
	UserExpressions map[string]string `json:"user_expressions"`
	AllowStdin      bool              `json:"allow_stdin"`
	StopOnError     bool              `json:"stop_on_error"`
}

// UnmarshalJSON decodes a request. Absent fields get the protocol's defaults.
func (r *ExecuteRequest) UnmarshalJSON(data []byte) error {
	type plain ExecuteRequest
	var p struct {
		plain
		StoreHistory *bool `json:"store_history"`
		AllowStdin   *bool `json:"allow_stdin"`
		StopOnError  *bool `json:"stop_on_error"`
	}
	if err := json.Unmarshal(data, &p); err != nil {
		return err
	}
	*r = ExecuteRequest(p.plain)
	r.AllowStdin = p.AllowStdin == nil || *p.AllowStdin
	r.StopOnError = p.StopOnError == nil || *p.StopOnError
	r.StoreHistory = (p.StoreHistory == nil || *p.StoreHistory) && !r.Silent // silent cells are not stored
	return nil
}

// An ExecuteReply says how a cell ended.
type ExecuteReply struct {
	Outcome
	ExecutionCount  int                   `json:"execution_count"`
	UserExpressions map[string]Expression `json:"user_expressions"`
	Payload         []Payload             `json:"payload"`
}

// An Expression is the value of one user expression, or its error.
type Expression struct {
	Outcome
	Data     Bundle `json:"data,omitzero"`
	Metadata Bundle `json:"metadata,omitzero"`
}

// A Payload asks the front end to do something after a cell. Page and Exit return payloads.
type Payload struct {
	Source string `json:"source"`
	Data   Bundle `json:"data,omitzero"`
	Start  *int   `json:"start,omitempty"` // page only: the first line to show
}

// Page returns the payload that shows data in the front end's pager.
func Page(data Bundle) Payload {
	return Payload{Source: "page", Data: data, Start: new(int)}
}

// Exit returns the payload that ends a front end in a terminal.
func Exit() Payload { return Payload{Source: "ask_exit"} }

// An InspectRequest asks for the documentation of the name at a position.
// CursorPos counts code points.
type InspectRequest struct {
	Code        string `json:"code"`
	CursorPos   int    `json:"cursor_pos"`
	DetailLevel int    `json:"detail_level"` // 0, or 1 to include the source
}

// An InspectReply describes what was found.
type InspectReply struct {
	Outcome
	Found    bool   `json:"found"`
	Data     Bundle `json:"data"`
	Metadata Bundle `json:"metadata"`
}

// A CompleteRequest asks for completions of code. CursorPos counts code points.
type CompleteRequest struct {
	Code      string `json:"code"`
	CursorPos int    `json:"cursor_pos"`
}

// A CompleteReply has texts that may replace code[CursorStart:CursorEnd], in
// code points.
type CompleteReply struct {
	Outcome
	Matches     []string       `json:"matches"`
	CursorStart int            `json:"cursor_start"`
	CursorEnd   int            `json:"cursor_end"`
	Metadata    map[string]any `json:"metadata"`
}

// CompletionTypesKey is a key of CompleteReply.Metadata. Its value is a
// []CompletionType, one element for each match.
const CompletionTypesKey = "_jupyter_types_experimental"

// A CompletionType describes a match. Text replaces code[Start:End], and Type is the kind
// of match, such as "function".
type CompletionType struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Text      string `json:"text"`
	Type      string `json:"type"`
	Signature string `json:"signature,omitempty"`
}

// A Completeness is the status of an is_complete_reply.
type Completeness string

// The statuses of is_complete_reply.
const (
	CodeComplete   Completeness = "complete"
	CodeIncomplete Completeness = "incomplete"
	CodeInvalid    Completeness = "invalid"
	CodeUnknown    Completeness = "unknown"
)

// An IsCompleteRequest asks whether code is complete, or needs more lines.
type IsCompleteRequest struct {
	Code string `json:"code"`
}

// An IsCompleteReply answers an IsCompleteRequest. Indent is the indentation of
// the next line of incomplete code.
type IsCompleteReply struct {
	Status Completeness `json:"status"`
	Indent string       `json:"indent"`
}

// A HistoryRequest asks for earlier cells.
type HistoryRequest struct {
	Output         bool   `json:"output"`
	Raw            bool   `json:"raw"`
	HistAccessType string `json:"hist_access_type"` // "tail", "range" or "search"
	Session        int    `json:"session"`          // range only: 0 is the current session, -1 the one before it
	Start          int    `json:"start"`            // range only: the first line
	Stop           *int   `json:"stop"`             // range only: the line after the last; nil is no bound
	N              *int   `json:"n"`                // tail and search only: the number of cells; nil is all
	Pattern        string `json:"pattern"`          // search only: a glob for whole inputs; "" matches all
	Unique         bool   `json:"unique"`           // search only: of equal inputs, return only the last
}

// A HistoryReply has [session, line, input] for each cell, or with Output
// [session, line, [input, output]].
type HistoryReply struct {
	Outcome
	History [][3]any `json:"history"`
}

// A ConnectReply has the ports of the kernel.
type ConnectReply struct {
	Outcome
	ShellPort   int `json:"shell_port"`
	IOPubPort   int `json:"iopub_port"`
	StdinPort   int `json:"stdin_port"`
	HBPort      int `json:"hb_port"`
	ControlPort int `json:"control_port"`
}

// A CommInfoRequest asks for the open comms of one target, or of all.
type CommInfoRequest struct {
	TargetName string `json:"target_name"`
}

// A CommInfoReply maps the ids of open comms to their targets.
type CommInfoReply struct {
	Outcome
	Comms map[string]CommInfo `json:"comms"`
}

// CommInfo describes an open comm.
type CommInfo struct {
	TargetName string `json:"target_name"`
}

// A Comm is the content of comm_open, comm_msg and comm_close. Only comm_open has
// a TargetName.
type Comm struct {
	CommID     string         `json:"comm_id"`
	TargetName string         `json:"target_name,omitempty"`
	Data       map[string]any `json:"data"`
}

// Shutdown is the content of shutdown_request.
type Shutdown struct {
	Restart bool `json:"restart"`
}

// A ShutdownReply repeats the request.
type ShutdownReply struct {
	Outcome
	Restart bool `json:"restart"`
}

// An InputRequest asks the user for a line.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// An InputReply has the line that the user typed.
type InputReply struct {
	Outcome
	Value string `json:"value"`
}

// A SubshellID is the content of create_subshell_reply and of
// delete_subshell_request.
type SubshellID struct {
	Outcome
	SubshellID string `json:"subshell_id"`
}

// A ListSubshellReply has the ids of the subshells.
type ListSubshellReply struct {
	Outcome
	SubshellID []string `json:"subshell_id"`
}

// An ExecutionState is the state of the kernel in a status message.
type ExecutionState string

// The states of a kernel.
const (
	Starting ExecutionState = "starting"
	Busy     ExecutionState = "busy"
	Idle     ExecutionState = "idle"
)

// A KernelStatus is the content of a status message.
type KernelStatus struct {
	ExecutionState ExecutionState `json:"execution_state"`
}

// The names of streams.
const (
	Stdout = "stdout"
	Stderr = "stderr"
)

// A Stream is text that a cell printed.
type Stream struct {
	Name string `json:"name"`
	Text string `json:"text"`
}

// DisplayData is a displayed value. update_display_data replaces the values with
// the same non-empty Transient.DisplayID.
type DisplayData struct {
	Data      Bundle    `json:"data"`
	Metadata  Bundle    `json:"metadata"`
	Transient Transient `json:"transient"`
}

// Transient has metadata that is not saved in notebooks.
type Transient struct {
	DisplayID string `json:"display_id,omitempty"`
}

// An ExecuteInput repeats the code of a cell to all front ends.
type ExecuteInput struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// An ExecuteResult is the value of a cell: that of its last expression.
type ExecuteResult struct {
	ExecutionCount int       `json:"execution_count"`
	Data           Bundle    `json:"data"`
	Metadata       Bundle    `json:"metadata"`
	Transient      Transient `json:"transient"`
}

// ClearOutput removes the outputs of a cell; with Wait, only when the next output
// arrives.
type ClearOutput struct {
	Wait bool `json:"wait"`
}

// A Variable is a variable of a session, or a part of a value, in the Debug Adapter Protocol.
// Reference is the number by which a front end asks for the parts of the value, or 0 if the
// value has no parts.
type Variable struct {
	Name      string `json:"name"`
	Value     string `json:"value"`
	Type      string `json:"type"`
	Reference int    `json:"variablesReference"`
	Evaluate  string `json:"evaluateName,omitempty"` // an expression for the variable's value
}
