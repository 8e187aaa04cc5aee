package compile

import (
	"go/token"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// binary emits a binary operation.
func (b *builder) binary(in *ssa.BinOp) {
	d := b.off(in)
	if isComparison(in.Op) {
		cond := b.comparison(in)
		b.emit(func(fr unsafe.Pointer) { *at[bool](fr, d) = cond(fr) })
		return
	}
	if f := b.productSum(in, d); f != nil {
		b.emit(f)
		return
	}
	t := b.inner(in.X.Type())
	x, y := b.operandOf(in.X), b.operandOf(in.Y)
	if in.Op == token.SHL || in.Op == token.SHR {
		b.shift(in, d)
		return
	}
	k := t.Kind()
	mayBeZero := !y.isConst || y.n == 0
	if (in.Op == token.QUO || in.Op == token.REM) && isInteger(k) && mayBeZero {
		readInt, pos := int64Readers[k](y.off), b.posOf(in)
		b.emit(func(fr unsafe.Pointer) {
			if readInt(fr) == 0 {
				(*frame)(fr).pos = pos
				var zero int
				_ = 1 / zero // panics
			}
		})
	}
	var f op
	if newStep, ok := arithmetic[k]; ok {
		f = newStep(in.Op, d, x, y)
	}
	switch {
	case k == reflect.String && in.Op == token.ADD:
		x0, y0, pos := x.off, y.off, b.posOf(in)
		f = func(fr unsafe.Pointer) {
			x, y := *at[string](fr, x0), *at[string](fr, y0)
			if n := len(x) + len(y); n >= largeObject {
				(*frame)(fr).pos = pos
				(*frame)(fr).allocate("concatenation", n, 1, func() { *at[string](fr, d) = x + y })
				return
			}
			*at[string](fr, d) = x + y
		}
	case k == reflect.Complex64:
		f = floatArith[complex64](in.Op, d, x, y)
	case k == reflect.Complex128:
		f = floatArith[complex128](in.Op, d, x, y)
	}
	if f == nil {
		b.fail("cells do not support %v of %v", in.Op, t)
	}
	b.emit(f)
}

// operandOf returns v as an operand.
func (b *builder) operandOf(v ssa.Value) operand {
	o := operand{off: b.off(v)}
	if c, ok := v.(*ssa.Const); ok && c.Value != nil {
		if t := b.inner(c.Type()); isInteger(t.Kind()) {
			o.isConst = true
			o.n = c.Int64()
			if !signed(t.Kind()) {
				o.n = int64(c.Uint64())
			}
		}
	}
	return o
}

// productSum returns the step d = x + y*z if in is this sum and fuse has fused the product. Otherwise it returns nil.
// The product is rounded before the addition, as in two separate steps.
func (b *builder) productSum(in *ssa.BinOp, d uintptr) op {
	term, product := in.X, in.Y
	if b.fused[term] {
		term, product = product, term
	}
	p, ok := product.(*ssa.BinOp)
	if !ok || !b.fused[p] {
		return nil
	}
	x, y, z := b.off(term), b.off(p.X), b.off(p.Y)
	if x == d {
		return func(fr unsafe.Pointer) { *at[float64](fr, d) += float64(*at[float64](fr, y) * *at[float64](fr, z)) }
	}
	return func(fr unsafe.Pointer) {
		*at[float64](fr, d) = *at[float64](fr, x) + float64(*at[float64](fr, y)**at[float64](fr, z))
	}
}

// shift emits a shift.
func (b *builder) shift(in *ssa.BinOp, d uintptr) {
	ky := b.inner(in.Y.Type()).Kind()
	newReader, ok := int64Readers[ky]
	newStep, ok2 := shifts[b.inner(in.X.Type()).Kind()]
	if !ok || !ok2 {
		b.fail("cells do not support a shift of %v", in.X.Type())
	}
	readInt, pos := newReader(b.off(in.Y)), b.posOf(in)
	count := func(fr unsafe.Pointer) uint64 { return uint64(readInt(fr)) }
	if signed(ky) {
		count = func(fr unsafe.Pointer) uint64 {
			n := readInt(fr)
			if n < 0 {
				(*frame)(fr).pos = pos
			}
			var one int64 = 1
			_ = one << n // panics if n is negative
			return uint64(n)
		}
	}
	b.emit(newStep(in.Op, d, b.off(in.X), count))
}

func isComparison(o token.Token) bool {
	switch o {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
		return true
	}
	return false
}

// comparison returns the condition that computes in, a comparison.
func (b *builder) comparison(in *ssa.BinOp) condition {
	tx, ty := b.typeOf(in.X, in.Y), b.typeOf(in.Y, in.X)
	x, y := b.operandOf(in.X), b.operandOf(in.Y)
	if (tx.Kind() == reflect.Interface) != (ty.Kind() == reflect.Interface) {
		b.fail("cells do not support a comparison of %v and %v", in.X.Type(), in.Y.Type())
	}
	if f, ok := comparisons[tx.Kind()]; ok {
		return f(in.Op, x, y)
	}
	x0, y0 := x.off, y.off
	var equal condition
	switch tx.Kind() {
	case reflect.String:
		return compare[string](in.Op, x, y)
	case reflect.Bool:
		equal = func(fr unsafe.Pointer) bool { return *at[bool](fr, x0) == *at[bool](fr, y0) }
	case reflect.Slice: // compared with nil
		if isNil(in.Y) {
			equal = func(fr unsafe.Pointer) bool { return at[slice](fr, x0).data == nil }
		} else {
			equal = func(fr unsafe.Pointer) bool { return at[slice](fr, y0).data == nil }
		}
	case reflect.Interface:
		pos := b.posOf(in)
		ax, ay := anyOf(tx), anyOf(ty)
		equal = func(fr unsafe.Pointer) bool {
			(*frame)(fr).pos = pos
			return misuse.Equal(ax(unsafe.Add(fr, x0)), ay(unsafe.Add(fr, y0)))
		}
	case reflect.Complex64:
		equal = func(fr unsafe.Pointer) bool { return *at[complex64](fr, x0) == *at[complex64](fr, y0) }
	case reflect.Complex128:
		equal = func(fr unsafe.Pointer) bool { return *at[complex128](fr, x0) == *at[complex128](fr, y0) }
	case reflect.Struct, reflect.Array:
		pos := b.posOf(in)
		desc, isDirect := descriptor(tx), isDirectIface(tx)
		equal = func(fr unsafe.Pointer) bool {
			(*frame)(fr).pos = pos
			v, w := iface{desc, unsafe.Add(fr, x0)}, iface{desc, unsafe.Add(fr, y0)}
			if isDirect {
				v.data, w.data = *(*unsafe.Pointer)(v.data), *(*unsafe.Pointer)(w.data)
			}
			return misuse.Equal(*(*any)(unsafe.Pointer(&v)), *(*any)(unsafe.Pointer(&w)))
		}
	default:
		if classOf(tx) != pointerClass {
			b.fail("cells do not support a comparison of %v", in.X.Type())
		}
		equal = func(fr unsafe.Pointer) bool { return *at[unsafe.Pointer](fr, x0) == *at[unsafe.Pointer](fr, y0) }
	}
	switch in.Op {
	case token.EQL:
		return equal
	case token.NEQ:
		return func(fr unsafe.Pointer) bool { return !equal(fr) }
	}
	b.fail("cells do not support %v of %v", in.Op, tx)
	return nil
}

// typeOf returns the run-time type of x, which is compared with y. The untyped nil has the type of y.
func (b *builder) typeOf(x, y ssa.Value) reflect.Type {
	if isUntypedNil(x.Type()) {
		return b.inner(y.Type())
	}
	return b.inner(x.Type())
}

func isNil(v ssa.Value) bool {
	c, ok := v.(*ssa.Const)
	return ok && c.IsNil()
}

// unary emits a unary operation, a load or a receive.
func (b *builder) unary(in *ssa.UnOp) {
	switch in.Op {
	case token.MUL:
		b.emit(b.place(in.X).load(b.inner(in.Type()), b.off(in)))
		return
	case token.ARROW:
		b.receive(in)
		return
	}
	d, x := b.off(in), b.off(in.X)
	k := b.inner(in.X.Type()).Kind()
	switch {
	case in.Op == token.NOT:
		b.emit(func(fr unsafe.Pointer) { *at[bool](fr, d) = !*at[bool](fr, x) })
	case k == reflect.Complex64:
		b.emit(negateFloat[complex64](in.Op, d, x))
	case k == reflect.Complex128:
		b.emit(negateFloat[complex128](in.Op, d, x))
	default:
		f, ok := negations[k]
		if !ok {
			b.fail("cells do not support %v of %v", in.Op, k)
		}
		b.emit(f(in.Op, d, x))
	}
}
