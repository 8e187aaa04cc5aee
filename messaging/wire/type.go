package wire

import (
	"maps"
	"slices"
)

// A Type is the msg_type of a message's header.
type Type string

// The message types of protocol 5.5 and of extensions: iopub_welcome (JEP 65),
// subshells (JEP 91), and usage_request of jupyter-resource-usage.
const (
	TypeKernelInfoRequest     Type = "kernel_info_request"
	TypeKernelInfoReply       Type = "kernel_info_reply"
	TypeExecuteRequest        Type = "execute_request"
	TypeExecuteReply          Type = "execute_reply"
	TypeInspectRequest        Type = "inspect_request"
	TypeInspectReply          Type = "inspect_reply"
	TypeCompleteRequest       Type = "complete_request"
	TypeCompleteReply         Type = "complete_reply"
	TypeHistoryRequest        Type = "history_request"
	TypeHistoryReply          Type = "history_reply"
	TypeIsCompleteRequest     Type = "is_complete_request"
	TypeIsCompleteReply       Type = "is_complete_reply"
	TypeConnectRequest        Type = "connect_request"
	TypeConnectReply          Type = "connect_reply"
	TypeCommInfoRequest       Type = "comm_info_request"
	TypeCommInfoReply         Type = "comm_info_reply"
	TypeShutdownRequest       Type = "shutdown_request"
	TypeShutdownReply         Type = "shutdown_reply"
	TypeInterruptRequest      Type = "interrupt_request"
	TypeInterruptReply        Type = "interrupt_reply"
	TypeDebugRequest          Type = "debug_request"
	TypeDebugReply            Type = "debug_reply"
	TypeUsageRequest          Type = "usage_request"
	TypeUsageReply            Type = "usage_reply"
	TypeCreateSubshellRequest Type = "create_subshell_request"
	TypeCreateSubshellReply   Type = "create_subshell_reply"
	TypeDeleteSubshellRequest Type = "delete_subshell_request"
	TypeDeleteSubshellReply   Type = "delete_subshell_reply"
	TypeListSubshellRequest   Type = "list_subshell_request"
	TypeListSubshellReply     Type = "list_subshell_reply"
	TypeInputRequest          Type = "input_request"
	TypeInputReply            Type = "input_reply"
	TypeCommOpen              Type = "comm_open"
	TypeCommMsg               Type = "comm_msg"
	TypeCommClose             Type = "comm_close"
	TypeStatus                Type = "status"
	TypeStream                Type = "stream"
	TypeDisplayData           Type = "display_data"
	TypeUpdateDisplayData     Type = "update_display_data"
	TypeExecuteInput          Type = "execute_input"
	TypeExecuteResult         Type = "execute_result"
	TypeError                 Type = "error"
	TypeClearOutput           Type = "clear_output"
	TypeIOPubWelcome          Type = "iopub_welcome"
	TypeDebugEvent            Type = "debug_event"
)

// A Role says who sends a message and whether it is answered.
type Role uint8

// The roles of messages.
const (
	Request   Role = iota + 1 // from a front end, answered by a Reply
	Reply                     // the kernel's answer to a Request
	Notice                    // from a front end, not answered
	Published                 // from the kernel to every front end, on iopub
	Prompt                    // from the kernel to one front end, on stdin
)

// roles has the role of each type.
var roles = map[Type]Role{
	TypeKernelInfoRequest:     Request,
	TypeKernelInfoReply:       Reply,
	TypeExecuteRequest:        Request,
	TypeExecuteReply:          Reply,
	TypeInspectRequest:        Request,
	TypeInspectReply:          Reply,
	TypeCompleteRequest:       Request,
	TypeCompleteReply:         Reply,
	TypeHistoryRequest:        Request,
	TypeHistoryReply:          Reply,
	TypeIsCompleteRequest:     Request,
	TypeIsCompleteReply:       Reply,
	TypeConnectRequest:        Request,
	TypeConnectReply:          Reply,
	TypeCommInfoRequest:       Request,
	TypeCommInfoReply:         Reply,
	TypeShutdownRequest:       Request,
	TypeShutdownReply:         Reply,
	TypeInterruptRequest:      Request,
	TypeInterruptReply:        Reply,
	TypeDebugRequest:          Request,
	TypeDebugReply:            Reply,
	TypeUsageRequest:          Request,
	TypeUsageReply:            Reply,
	TypeCreateSubshellRequest: Request,
	TypeCreateSubshellReply:   Reply,
	TypeDeleteSubshellRequest: Request,
	TypeDeleteSubshellReply:   Reply,
	TypeListSubshellRequest:   Request,
	TypeListSubshellReply:     Reply,
	TypeInputRequest:          Prompt,
	TypeInputReply:            Notice,
	TypeCommOpen:              Notice,
	TypeCommMsg:               Notice,
	TypeCommClose:             Notice,
	TypeStatus:                Published,
	TypeStream:                Published,
	TypeDisplayData:           Published,
	TypeUpdateDisplayData:     Published,
	TypeExecuteInput:          Published,
	TypeExecuteResult:         Published,
	TypeError:                 Published,
	TypeClearOutput:           Published,
	TypeIOPubWelcome:          Published,
	TypeDebugEvent:            Published,
}

// Types returns all types, sorted.
func Types() []Type { return slices.Sorted(maps.Keys(roles)) }

// RoleOf returns the role of t, or 0 if t is unknown.
func RoleOf(t Type) Role { return roles[t] }
