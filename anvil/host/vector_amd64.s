#include "textflag.h"

// MXCSR with subnormal numbers taken for 0 and made 0, as in XLA's programs.
DATA flush<>+0(SB)/4, $0x9fc0
GLOBL flush<>(SB), RODATA, $4

// BEGIN reads the arguments, out, x and y of n elements, and keeps MXCSR.
#define BEGIN \
	MOVQ out+0(FP), DI \
	MOVQ x+8(FP), SI \
	MOVQ y+16(FP), BX \
	MOVQ n+24(FP), CX \
	STMXCSR old-8(SP) \
	LDMXCSR flush<>(SB)

// LOOP does OP on two vectors of EACH elements together as long as there are so
// many, and ONE, which LOADs and STOREs, on the SIZE bytes of each of the rest.
#define LOOP(OP, ONE, LOAD, EACH, SIZE) \
	SUBQ    $(2*EACH), CX \
	JLT     rest \
	PCALIGN $32 \
pair: \
	VMOVUPS (SI), Y0 \
	VMOVUPS 32(SI), Y1 \
	OP      (BX), Y0, Y0 \
	OP      32(BX), Y1, Y1 \
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
	ONE     (BX), X0, X0 \
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

// func addVectors32(out, x, y *float32, n int)
TEXT ·addVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VADDPS, VADDSS, VMOVSS, 8, 4)

// func subVectors32(out, x, y *float32, n int)
TEXT ·subVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VSUBPS, VSUBSS, VMOVSS, 8, 4)

// func mulVectors32(out, x, y *float32, n int)
TEXT ·mulVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VMULPS, VMULSS, VMOVSS, 8, 4)

// func divVectors32(out, x, y *float32, n int)
TEXT ·divVectors32(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VDIVPS, VDIVSS, VMOVSS, 8, 4)

// func addVectors64(out, x, y *float64, n int)
TEXT ·addVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VADDPD, VADDSD, VMOVSD, 4, 8)

// func subVectors64(out, x, y *float64, n int)
TEXT ·subVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VSUBPD, VSUBSD, VMOVSD, 4, 8)

// func mulVectors64(out, x, y *float64, n int)
TEXT ·mulVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VMULPD, VMULSD, VMOVSD, 4, 8)

// func divVectors64(out, x, y *float64, n int)
TEXT ·divVectors64(SB), NOSPLIT, $8-32
	BEGIN
	LOOP(VDIVPD, VDIVSD, VMOVSD, 4, 8)
