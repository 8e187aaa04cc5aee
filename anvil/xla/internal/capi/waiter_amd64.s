//go:build linux && !nopjrt

#include "go_asm.h"
#include "textflag.h"

// void onReady(PJRT_Error* err, notification* n)
//
// It is a PJRT_Event_OnReadyCallback: it keeps err and writes to the eventfd. XLA calls it on threads
// of its own, with little stack, so it calls nothing.
TEXT onReady<>(SB), NOSPLIT|NOFRAME, $0
	MOVQ DI, notification_err(SI)
	MOVQ notification_fd(SI), DI
	LEAQ notification_one(SI), SI
	MOVL $8, DX
	MOVL $1, AX // write
	SYSCALL
	RET

// func onReadyAddress() uintptr
TEXT ·onReadyAddress(SB), NOSPLIT, $0-8
	LEAQ onReady<>(SB), AX
	MOVQ AX, ret+0(FP)
	RET
