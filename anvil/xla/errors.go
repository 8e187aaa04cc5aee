package xla

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goanvil/notebook/anvil/memory"
	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// Errors to be tested for with errors.Is.
var (
	ErrNoDevice    = errors.New("no device")     // the plugin works, but its hardware or driver is missing
	ErrOutOfMemory = errors.New("out of memory") // the memory of the device or of the host is exhausted
	ErrDestroyed   = errors.New("destroyed")     // the buffer or executable was destroyed
	ErrClosed      = errors.New("client closed")
)

// A Code is the kind of an Error, as PJRT numbers it.
type Code int32

// The codes of PJRT.
const (
	Cancelled          Code = capi.ErrorCodeCANCELLED
	Unknown            Code = capi.ErrorCodeUNKNOWN
	InvalidArgument    Code = capi.ErrorCodeINVALIDARGUMENT
	DeadlineExceeded   Code = capi.ErrorCodeDEADLINEEXCEEDED
	NotFound           Code = capi.ErrorCodeNOTFOUND
	AlreadyExists      Code = capi.ErrorCodeALREADYEXISTS
	PermissionDenied   Code = capi.ErrorCodePERMISSIONDENIED
	ResourceExhausted  Code = capi.ErrorCodeRESOURCEEXHAUSTED
	FailedPrecondition Code = capi.ErrorCodeFAILEDPRECONDITION
	Aborted            Code = capi.ErrorCodeABORTED
	OutOfRange         Code = capi.ErrorCodeOUTOFRANGE
	Unimplemented      Code = capi.ErrorCodeUNIMPLEMENTED
	Internal           Code = capi.ErrorCodeINTERNAL
	Unavailable        Code = capi.ErrorCodeUNAVAILABLE
	DataLoss           Code = capi.ErrorCodeDATALOSS
	Unauthenticated    Code = capi.ErrorCodeUNAUTHENTICATED
)

// An Error is an error of the plugin, or of a check before a call. Its text is
// "xla.Op(operands): reason; hint".
type Error struct {
	Op, Operands, Reason, Hint string
	Code                       Code

	cause error
}

func (e *Error) Error() string {
	s := "xla." + e.Op + "(" + e.Operands + "): " + e.Reason
	if e.Hint != "" {
		s += "; " + e.Hint
	}
	return s
}

// Unwrap returns one of this package's Err values, an error of the system, or nil.
func (e *Error) Unwrap() error {
	if e.cause == nil && e.Code == ResourceExhausted {
		return ErrOutOfMemory
	}
	return e.cause
}

// An UnsupportedError says that this build or this system does not support PJRT.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason + "; --backend=reference needs no plugin" }

// refused returns the error of a check that failed before a call to the plugin.
func refused(op, operands string, cause error, hint, format string, args ...any) *Error {
	reason := fmt.Sprintf(format, args...)
	return &Error{Op: op, Operands: operands, Reason: reason, Hint: hint, Code: InvalidArgument, cause: cause}
}

// OutOfMemory returns the error of an operation that needs more bytes of host memory than
// are free.
func OutOfMemory(op, operands string, need, free int64) *Error {
	return &Error{Op: op, Operands: operands, Code: ResourceExhausted,
		Reason: memory.SizeText(need) + " are needed and " + memory.SizeText(free) + " are free",
		Hint:   "use smaller shapes, or clear variables that hold tensors: x = nv.Tensor{}"}
}

// failed returns err, the error of a call to the plugin, as an Error or an UnsupportedError.
func failed(op, operands string, err error, hint string) error {
	var unsupported *capi.UnsupportedError
	if errors.As(err, &unsupported) {
		return &UnsupportedError{unsupported.Reason}
	}
	e := &Error{Op: op, Operands: operands, Hint: hint, Code: Unknown, cause: err}
	var c *capi.Error
	if !errors.As(err, &c) {
		e.Reason = err.Error()
		return e
	}
	e.Code, e.Reason, e.cause = Code(c.Code), clean(c.Message), nil
	switch {
	case e.Code == ResourceExhausted:
		e.cause = ErrOutOfMemory
	case op == "NewClient" && noDevice.MatchString(c.Message):
		e.cause = ErrNoDevice
	}
	return e
}

// noDevice matches the messages of the CUDA and ROCm plugins if there is no device or
// no working driver.
var noDevice = regexp.MustCompile(`(?i)no visible (gpu )?devices|no supported devices|ERROR_NO_DEVICE|` +
	`CUDA_ERROR_(STUB_LIBRARY|SYSTEM_DRIVER_MISMATCH|INSUFFICIENT_DRIVER)|failed call to (cu|hip)Init`)

// misleading matches the text that XLA adds to every syntax error: after XLA has failed to parse a
// program, it tries to read it as a portable artifact, and reports that this fails too.
var misleading = regexp.MustCompile(`(?s)\s*Failed to parse using StableHLO v[\d.]+.*$`)

// clean removes the misleading part of an error message.
func clean(message string) string {
	return strings.TrimSpace(misleading.ReplaceAllString(message, ""))
}
