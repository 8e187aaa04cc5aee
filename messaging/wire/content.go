package wire

import "encoding/json"

// A Status is how a request ended.
type Status string

// The statuses of replies. StatusAborted is deprecated by the protocol in
// favour of an error, yet it is what ipykernel sends and front ends know.
const (
	StatusOK      Status = "ok"
	StatusError   Status = "error"
	StatusAborted Status = "aborted"
)

// A Failure is an error as front ends show it. It is the content of an error
// message, too.
type Failure struct {
	Ename     string   `json:"ename"`
	Evalue    string   `json:"evalue"`
	Traceback []string `json:"traceback"`
}

// An Outcome is the part that all replies share. Its Failure is nil unless
// Status is StatusError.
type Outcome struct {
	Status Status `json:"status"`
	*Failure
}

// OK is the outcome of a request that succeeded.
var OK = Outcome{Status: StatusOK}

// Aborted is the outcome of a request that was not tried.
var Aborted = Outcome{Status: StatusAborted}

// Failed returns the outcome of a request that failed. Without a traceback it
// is the line "ename: evalue".
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

// UnmarshalJSON gives absent fields the protocol's defaults.
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
	r.StoreHistory = (p.StoreHistory == nil || *p.StoreHistory) && !r.Silent // silent forces it off
	return nil
}

// An ExecuteReply tells how a cell ended.
type ExecuteReply struct {
	Outcome
	ExecutionCount  int                   `json:"execution_count"`
	UserExpressions map[string]Expression `json:"user_expressions"`
	Payload         []Payload             `json:"payload"`
}

// An Expression is the value of one user expression, or why it has none.
type Expression struct {
	Outcome
	Data     Bundle `json:"data,omitzero"`
	Metadata Bundle `json:"metadata,omitzero"`
}

// A Payload asks the front end for something after a cell. Build one with
// Page or NextInput.
type Payload struct {
	Source  string `json:"source"`
	Data    Bundle `json:"data,omitzero"`
	Start   *int   `json:"start,omitempty"`
	Text    string `json:"text,omitempty"`
	Replace *bool  `json:"replace,omitempty"`
}

// Page returns the payload that shows data in the front end's pager.
func Page(data Bundle) Payload {
	return Payload{Source: "page", Data: data, Start: new(int)}
}

// NextInput returns the payload that puts text into the next cell, or in
// place of this one.
func NextInput(text string, replace bool) Payload {
	return Payload{Source: "set_next_input", Text: text, Replace: &replace}
}

// An InspectRequest asks what is at a position. CursorPos counts code points.
type InspectRequest struct {
	Code        string `json:"code"`
	CursorPos   int    `json:"cursor_pos"`
	DetailLevel int    `json:"detail_level"`
}

// An InspectReply describes what was found.
type InspectReply struct {
	Outcome
	Found    bool   `json:"found"`
	Data     Bundle `json:"data"`
	Metadata Bundle `json:"metadata"`
}

// A CompleteRequest asks how code may go on. CursorPos counts code points.
type CompleteRequest struct {
	Code      string `json:"code"`
	CursorPos int    `json:"cursor_pos"`
}

// A CompleteReply holds texts that may replace code[CursorStart:CursorEnd],
// in code points.
type CompleteReply struct {
	Outcome
	Matches     []string       `json:"matches"`
	CursorStart int            `json:"cursor_start"`
	CursorEnd   int            `json:"cursor_end"`
	Metadata    map[string]any `json:"metadata"`
}

// CompletionTypesKey is the key of CompleteReply.Metadata under which a
// []CompletionType, one for each match, gives kinds and signatures.
const CompletionTypesKey = "_jupyter_types_experimental"

// A CompletionType is what a front end shows beside a match.
type CompletionType struct {
	Start     int    `json:"start"`
	End       int    `json:"end"`
	Text      string `json:"text"`
	Type      string `json:"type"`
	Signature string `json:"signature,omitempty"`
}

// A Completeness is an answer to is_complete_request.
type Completeness string

// The answers to is_complete_request.
const (
	CodeComplete   Completeness = "complete"
	CodeIncomplete Completeness = "incomplete"
	CodeInvalid    Completeness = "invalid"
	CodeUnknown    Completeness = "unknown"
)

// An IsCompleteRequest asks whether code can run as it stands.
type IsCompleteRequest struct {
	Code string `json:"code"`
}

// An IsCompleteReply says so; Indent is for the next line of incomplete code.
type IsCompleteReply struct {
	Status Completeness `json:"status"`
	Indent string       `json:"indent"`
}

// A HistoryRequest asks for cells run earlier.
type HistoryRequest struct {
	Output         bool   `json:"output"`
	Raw            bool   `json:"raw"`
	HistAccessType string `json:"hist_access_type"` // "tail", "range" or "search"
	Session        int    `json:"session"`          // range: 0 is this session, -1 the one before
	Start          int    `json:"start"`
	Stop           *int   `json:"stop"`
	N              *int   `json:"n"`
	Pattern        string `json:"pattern"`
	Unique         bool   `json:"unique"`
}

// A HistoryReply holds one [session, line, input] per cell, or
// [session, line, [input, output]].
type HistoryReply struct {
	Outcome
	History [][3]any `json:"history"`
}

// A ConnectReply holds the ports of the kernel.
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

// A Comm is the content of comm_open, comm_msg and comm_close. TargetName is
// empty but in comm_open.
type Comm struct {
	CommID     string         `json:"comm_id"`
	TargetName string         `json:"target_name,omitempty"`
	Data       map[string]any `json:"data"`
}

// Shutdown is the content of shutdown_request.
type Shutdown struct {
	Restart bool `json:"restart"`
}

// A ShutdownReply repeats what was asked for.
type ShutdownReply struct {
	Outcome
	Restart bool `json:"restart"`
}

// An InputRequest asks the user for a line.
type InputRequest struct {
	Prompt   string `json:"prompt"`
	Password bool   `json:"password"`
}

// An InputReply is the line.
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

// A ListSubshellReply names the subshells.
type ListSubshellReply struct {
	Outcome
	SubshellID []string `json:"subshell_id"`
}

// An ExecutionState is what a status message tells.
type ExecutionState string

// The states of a kernel.
const (
	Starting ExecutionState = "starting"
	Busy     ExecutionState = "busy"
	Idle     ExecutionState = "idle"
)

// A KernelStatus is the content of status.
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

// DisplayData is a value shown. Its Transient.DisplayID, where not empty, is
// how update_display_data finds it.
type DisplayData struct {
	Data      Bundle    `json:"data"`
	Metadata  Bundle    `json:"metadata"`
	Transient Transient `json:"transient"`
}

// Transient holds what notebooks do not keep.
type Transient struct {
	DisplayID string `json:"display_id,omitempty"`
}

// An ExecuteInput repeats the code of a cell to all front ends.
type ExecuteInput struct {
	Code           string `json:"code"`
	ExecutionCount int    `json:"execution_count"`
}

// An ExecuteResult is the last value of a cell.
type ExecuteResult struct {
	ExecutionCount int       `json:"execution_count"`
	Data           Bundle    `json:"data"`
	Metadata       Bundle    `json:"metadata"`
	Transient      Transient `json:"transient"`
}

// ClearOutput removes what a cell has shown, with Wait only when the next
// output comes.
type ClearOutput struct {
	Wait bool `json:"wait"`
}
