package xla

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/goanvil/notebook/anvil/xla/internal/capi"
)

// What callers ask for with errors.Is.
var (
	ErrNoDevice    = errors.New("no device")     // the plugin works, its hardware or driver is missing
	ErrOutOfMemory = errors.New("out of memory") // on the device, or in the machine
	ErrDestroyed   = errors.New("destroyed")     // a buffer or an executable that is gone
	ErrClosed      = errors.New("client closed")
)

// A Code says what kind of error it is, in PJRT's numbers.
type Code int32

// The codes.
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

// An Error is what the plugin, or a check before it, had to say. Its text is
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

// An UnsupportedError says that this build or this system has no PJRT.
type UnsupportedError struct{ Reason string }

func (e *UnsupportedError) Error() string { return e.Reason + "; --backend=reference needs none" }

// refused is the error of a check that failed before the C side was called.
func refused(op, operands string, cause error, hint, format string, args ...any) *Error {
	e := &Error{Op: op, Operands: operands, Reason: fmt.Sprintf(format, args...), Hint: hint, Code: InvalidArgument, cause: cause}
	if cause == ErrOutOfMemory {
		e.Code = ResourceExhausted
	}
	return e
}

// failed is the error of a call.
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

// noDevice matches what the CUDA and ROCm plugins say where there is no
// device, or no driver to reach it.
var noDevice = regexp.MustCompile(`(?i)no visible (gpu )?devices|no supported devices|ERROR_NO_DEVICE|CUDA_ERROR_(STUB_LIBRARY|SYSTEM_DRIVER_MISMATCH|INSUFFICIENT_DRIVER)|failed call to (cu|hip)Init`)

// misleading matches what the parser adds to every error: it tries a portable
// artifact after text, and reports that failure too.
var misleading = regexp.MustCompile(`(?s)\s*Failed to parse using StableHLO v[\d.]+.*$`)

func clean(message string) string {
	return strings.TrimSpace(misleading.ReplaceAllString(message, ""))
}
