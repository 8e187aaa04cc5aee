#include "textflag.h"

// flush is a value of the register MXCSR. With it, subnormal operands count as 0 and subnormal results become 0, as in
// XLA's programs.
DATA flush<>+0(SB)/4, $0x9fc0
GLOBL flush<>(SB), RODATA, $4

// BEGIN loads the addresses of out, x and y and their length n, saves MXCSR, and sets it to flush.
#define BEGIN \
	MOVQ out+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ y+16(FP), BX \
	MOVQ n+24(FP), CX \
	STMXCSR old-8(SP) \
	LDMXCSR flush<>(SB)

// LOOP computes out from x and y, and returns. It applies OP to two vectors of EACH elements at a time, and ONE to each
// element that is left. LOAD moves one such element of SIZE bytes. The parameters of OP and ONE are a part of y in
// memory, a register with the same part of x, which receives the result, and a free register.
#define LOOP(OP, ONE, LOAD, EACH, SIZE) \
	SUBQ    $(2*EACH), CX \
	JLT     rest \
	PCALIGN $32 \
pair: \
	VMOVUPS (SI), Y0 \
	VMOVUPS 32(SI), Y1 \
	OP((BX), Y0, Y2) \
	OP(32(BX), Y1, Y3) \
	VMOVUPS Y0, (DI) \
	VMOVUPS Y1, 32(DI) \
	ADDQ    $64, SI \
	ADDQ    $64, BX \
	ADDQ    $64, DI \
	SUBQ    $(2*EACH), CX \
	JGE     pair \
rest: \
	ADDQ    $(2*EACH), CX \
	JEQ     done \
one: \
	LOAD    (SI), X0 \
	ONE((BX), X0, X2) \
	LOAD    X0, (DI) \
	ADDQ    $SIZE, SI \
	ADDQ    $SIZE, BX \
	ADDQ    $SIZE, DI \
	DECQ    CX \
	JNE     one \
done: \
	LDMXCSR old-8(SP) \
	VZEROUPPER \
	RET

#define ADDPS(M, X, T) VADDPS M, X, X
#define ADDSS(M, X, T) VADDSS M, X, X
#define ADDPD(M, X, T) VADDPD M, X, X
#define ADDSD(M, X, T) VADDSD M, X, X
#define SUBPS(M, X, T) VSUBPS M, X, X
#define SUBSS(M, X, T) VSUBSS M, X, X
#define SUBPD(M, X, T) VSUBPD M, X, X
#define SUBSD(M, X, T) VSUBSD M, X, X
#define MULPS(M, X, T) VMULPS M, X, X
#define MULSS(M, X, T) VMULSS M, X, X
#define MULPD(M, X, T) VMULPD M, X, X
#define MULSD(M, X, T) VMULSD M, X, X
#define DIVPS(M, X, T) VDIVPS M, X, X
#define DIVSS(M, X, T) VDIVSS M, X, X
#define DIVPD(M, X, T) VDIVPD M, X, X
#define DIVSD(M, X, T) VDIVSD M, X, X

// The NONAN operations are products that are 0 wherever X is 0, even if M is infinite or NaN: the product is masked with
// the result of X != 0, whose bits are all ones or all zeros.
#define NONANPS(M, X, T) \
	VXORPS T, T, T \
	VCMPPS $4, T, X, T \
	VMULPS M, X, X \
	VANDPS T, X, X
#define NONANSS(M, X, T) \
	VXORPS T, T, T \
	VCMPSS $4, T, X, T \
	VMULSS M, X, X \
	VANDPS T, X, X
#define NONANPD(M, X, T) \
	VXORPD T, T, T \
	VCMPPD $4, T, X, T \
	VMULPD M, X, X \
	VANDPD T, X, X
#define NONANSD(M, X, T) \
	VXORPD T, T, T \
	VCMPSD $4, T, X, T \
	VMULSD M, X, X \
	VANDPD T, X, X

// func addVectors32(out, x, y *float32, n int)
TEXT ·addVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(ADDPS, ADDSS, VMOVSS, 8, 4)

// func subVectors32(out, x, y *float32, n int)
TEXT ·subVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(SUBPS, SUBSS, VMOVSS, 8, 4)

// func mulVectors32(out, x, y *float32, n int)
TEXT ·mulVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(MULPS, MULSS, VMOVSS, 8, 4)

// func divVectors32(out, x, y *float32, n int)
TEXT ·divVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(DIVPS, DIVSS, VMOVSS, 8, 4)

// func addVectors64(out, x, y *float64, n int)
TEXT ·addVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(ADDPD, ADDSD, VMOVSD, 4, 8)

// func subVectors64(out, x, y *float64, n int)
TEXT ·subVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(SUBPD, SUBSD, VMOVSD, 4, 8)

// func mulVectors64(out, x, y *float64, n int)
TEXT ·mulVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(MULPD, MULSD, VMOVSD, 4, 8)

// func divVectors64(out, x, y *float64, n int)
TEXT ·divVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(DIVPD, DIVSD, VMOVSD, 4, 8)

// func mulNoNaNVectors32(out, x, y *float32, n int)
TEXT ·mulNoNaNVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(NONANPS, NONANSS, VMOVSS, 8, 4)

// func mulNoNaNVectors64(out, x, y *float64, n int)
TEXT ·mulNoNaNVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(NONANPD, NONANSD, VMOVSD, 4, 8)
