#include "textflag.h"

// SUM sets the first element of X0 to the sum of the four elements of Y0.
#define SUM \
	VEXTRACTF128 $1, Y0, X1 \
	VADDPD       X1, X0, X0 \
	VHADDPD      X0, X0, X0

// func dotVectors(x, y *float64, n int) float64
TEXT ·dotVectors(SB), NOSPLIT, $0-32
	MOVQ   x+0(FP), SI
	MOVQ   y+8(FP), DI
	MOVQ   n+16(FP), CX
	VXORPD Y0, Y0, Y0
	VXORPD Y1, Y1, Y1
	VXORPD Y2, Y2, Y2
	VXORPD Y3, Y3, Y3
	SUBQ   $16, CX
	JLT    dot4

dot16:
	VMOVUPD     (SI), Y4
	VMOVUPD     32(SI), Y5
	VMOVUPD     64(SI), Y6
	VMOVUPD     96(SI), Y7
	VFMADD231PD (DI), Y4, Y0
	VFMADD231PD 32(DI), Y5, Y1
	VFMADD231PD 64(DI), Y6, Y2
	VFMADD231PD 96(DI), Y7, Y3
	ADDQ        $128, SI
	ADDQ        $128, DI
	SUBQ        $16, CX
	JGE         dot16

dot4:
	ADDQ $12, CX
	JLT  dotsum

dot4loop:
	VMOVUPD     (SI), Y4
	VFMADD231PD (DI), Y4, Y0
	ADDQ        $32, SI
	ADDQ        $32, DI
	SUBQ        $4, CX
	JGE         dot4loop

dotsum:
	VADDPD Y1, Y0, Y0
	VADDPD Y3, Y2, Y2
	VADDPD Y2, Y0, Y0
	SUM
	ADDQ   $4, CX
	JEQ    dotdone

dot1:
	VMOVSD      (SI), X4
	VFMADD231SD (DI), X4, X0
	ADDQ        $8, SI
	ADDQ        $8, DI
	DECQ        CX
	JNE         dot1

dotdone:
	VMOVSD X0, ret+24(FP)
	VZEROUPPER
	RET

// func addVectors(a float64, x, y *float64, n int)
TEXT ·addVectors(SB), NOSPLIT, $0-32
	VBROADCASTSD a+0(FP), Y0
	MOVQ         x+8(FP), SI
	MOVQ         y+16(FP), DI
	MOVQ         n+24(FP), CX
	SUBQ         $8, CX
	JLT          addrest

add8:
	VMOVUPD     (DI), Y1
	VMOVUPD     32(DI), Y2
	VFMADD231PD (SI), Y0, Y1
	VFMADD231PD 32(SI), Y0, Y2
	VMOVUPD     Y1, (DI)
	VMOVUPD     Y2, 32(DI)
	ADDQ        $64, SI
	ADDQ        $64, DI
	SUBQ        $8, CX
	JGE         add8

addrest:
	ADDQ $8, CX
	JEQ  adddone

add1:
	VMOVSD      (DI), X1
	VFMADD231SD (SI), X0, X1
	VMOVSD      X1, (DI)
	ADDQ        $8, SI
	ADDQ        $8, DI
	DECQ        CX
	JNE         add1

adddone:
	VZEROUPPER
	RET

// func add2Vectors(a float64, x *float64, b float64, z, y *float64, n int)
TEXT ·add2Vectors(SB), NOSPLIT, $0-48
	VBROADCASTSD a+0(FP), Y0
	MOVQ         x+8(FP), SI
	VBROADCASTSD b+16(FP), Y3
	MOVQ         z+24(FP), BX
	MOVQ         y+32(FP), DI
	MOVQ         n+40(FP), CX
	SUBQ         $8, CX
	JLT          add2rest

add28:
	VMOVUPD     (DI), Y1
	VMOVUPD     32(DI), Y2
	VFMADD231PD (SI), Y0, Y1
	VFMADD231PD 32(SI), Y0, Y2
	VFMADD231PD (BX), Y3, Y1
	VFMADD231PD 32(BX), Y3, Y2
	VMOVUPD     Y1, (DI)
	VMOVUPD     Y2, 32(DI)
	ADDQ        $64, SI
	ADDQ        $64, BX
	ADDQ        $64, DI
	SUBQ        $8, CX
	JGE         add28

add2rest:
	ADDQ $8, CX
	JEQ  add2done

add21:
	VMOVSD      (DI), X1
	VFMADD231SD (SI), X0, X1
	VFMADD231SD (BX), X3, X1
	VMOVSD      X1, (DI)
	ADDQ        $8, SI
	ADDQ        $8, BX
	ADDQ        $8, DI
	DECQ        CX
	JNE         add21

add2done:
	VZEROUPPER
	RET

// func dotAddVectors(a float64, x, v, y *float64, n int) float64
TEXT ·dotAddVectors(SB), NOSPLIT, $0-48
	VBROADCASTSD a+0(FP), Y8
	MOVQ         x+8(FP), SI
	MOVQ         v+16(FP), BX
	MOVQ         y+24(FP), DI
	MOVQ         n+32(FP), CX
	VXORPD       Y0, Y0, Y0
	VXORPD       Y1, Y1, Y1
	SUBQ         $8, CX
	JLT          darest

da8:
	VMOVUPD     (SI), Y4
	VMOVUPD     32(SI), Y5
	VMOVUPD     (DI), Y6
	VMOVUPD     32(DI), Y7
	VFMADD231PD (BX), Y4, Y0
	VFMADD231PD 32(BX), Y5, Y1
	VFMADD231PD Y4, Y8, Y6
	VFMADD231PD Y5, Y8, Y7
	VMOVUPD     Y6, (DI)
	VMOVUPD     Y7, 32(DI)
	ADDQ        $64, SI
	ADDQ        $64, BX
	ADDQ        $64, DI
	SUBQ        $8, CX
	JGE         da8

darest:
	VADDPD Y1, Y0, Y0
	SUM
	ADDQ   $8, CX
	JEQ    dadone

da1:
	VMOVSD      (SI), X4
	VMOVSD      (DI), X6
	VFMADD231SD (BX), X4, X0
	VFMADD231SD X4, X8, X6
	VMOVSD      X6, (DI)
	ADDQ        $8, SI
	ADDQ        $8, BX
	ADDQ        $8, DI
	DECQ        CX
	JNE         da1

dadone:
	VMOVSD X0, ret+40(FP)
	VZEROUPPER
	RET
