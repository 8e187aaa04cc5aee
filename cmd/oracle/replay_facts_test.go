package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// This file has the rules of the replayer that depend on properties of dtypes.

// other returns that of x and y which is not than.
func other(x, y, than dtype.DType) dtype.DType {
	if x == than {
		return y
	}
	return x
}

func wider(x, y dtype.DType) dtype.DType {
	if x.Bits() > y.Bits() {
		return x
	}
	return y
}

// ofKind returns that of x and y which is of kind k.
func ofKind(x, y dtype.DType, k dtype.Kind) dtype.DType {
	if x.Is(k) {
		return x
	}
	return y
}

// integer returns the signed integer of that many bits.
func integer(bits int) dtype.DType {
	d, _ := promote.Named(fmt.Sprintf("i%d", bits))
	return d
}

func unlessBool(x dtype.Typed, d dtype.DType) dtype.Typed {
	if x.DType == dtype.I1 {
		return promote.Known(d)
	}
	return x
}

// halves maps complex dtypes to the dtypes of their parts.
var halves = map[dtype.DType]dtype.DType{
	dtype.C32: dtype.F16, dtype.BC32: dtype.BF16, dtype.C64: dtype.F32, dtype.C128: dtype.F64, dtype.C160: dtype.F80,
}

func halfOf(d dtype.DType) dtype.DType {
	if h, ok := halves[d]; ok {
		return h
	}
	return d
}

// complexOf returns the narrowest complex dtype from c64 on whose parts can represent d.
func complexOf(d dtype.DType) dtype.DType {
	switch {
	case d.Is(dtype.Complex):
		return d
	case d.Bits() <= 32:
		return dtype.C64
	case d.Bits() == 64:
		return dtype.C128
	}
	return dtype.C160
}

// complexWith returns the complex dtype of the common dtype of the parts of x and y. An integer
// widens the parts only if widths is set.
func complexWith(x, y dtype.DType, widths bool) dtype.DType {
	x, y = halfOf(x), halfOf(y)
	switch {
	case x.Is(dtype.Floating) && y.Is(dtype.Floating):
		return complexOf(wider(x, y))
	case widths:
		return complexOf(floatFor(x, y))
	}
	return complexOf(ofKind(x, y, dtype.Floating))
}

// floatFor returns the float of the two, or a wider one if the integer needs it.
func floatFor(x, y dtype.DType) dtype.DType {
	i, f := ofKind(x, y, dtype.Integral), ofKind(x, y, dtype.Floating)
	for _, wide := range []dtype.DType{f, dtype.F32, dtype.F64} {
		if wide.Bits() >= min(2*i.Bits(), 64) {
			return wide
		}
	}
	return f
}

// x32Of maps 64-bit dtypes to the 32-bit ones that replace them in JAX without x64.
var x32Of = map[dtype.DType]dtype.DType{dtype.I64: dtype.I32, dtype.U64: dtype.U32, dtype.F64: dtype.F32, dtype.C128: dtype.C64}

func narrowed(d dtype.DType) dtype.DType {
	if n, ok := x32Of[d]; ok {
		return n
	}
	return d
}

// wideOf returns the 64-bit dtype of a kind.
func wideOf(d dtype.DType) dtype.DType {
	switch {
	case d.Is(dtype.Complex):
		return dtype.C128
	case d.Is(dtype.Floating):
		return dtype.F64
	case d.Is(dtype.Unsigned):
		return dtype.U64
	case d.Is(dtype.Signed):
		return dtype.I64
	}
	return d
}

func weakDefault(r *replayer, _ string, xs []dtype.Typed) (dtype.Typed, error) {
	return promote.Amb(r.width(wideOf(xs[0].DType))), nil
}

// width returns narrowed(d) for systems of JAX without x64, and d for others.
func (r *replayer) width(d dtype.DType) dtype.DType {
	if strings.HasPrefix(r.system, "jax") && !strings.HasSuffix(r.system, "64") {
		return narrowed(d)
	}
	return d
}

// higher returns the dtype of the higher kind, or the wider one if the kinds are equal.
func higher(x, y dtype.DType) dtype.DType {
	if a, b := dtype.CategoryOf(x), dtype.CategoryOf(y); a != b {
		if a > b {
			return x
		}
		return y
	}
	return wider(x, y)
}

// extensions are NumPy's dtypes with those of ml_dtypes, from the lowest to the highest.
// Dtypes of one group, separated by commas, have no order.
var extensions = strings.Fields(`i1 i2,ui2 i4,ui4 i8,ui8,i16,i32,i64,ui16,ui32,ui64
	f4e2m1fn,bf16,f8e8m0fnu,f8e5m2 f8e4m3fn f8e4m3 f8e3m4 f16,f32,f64,f80 c64,c128,c160`)

// registered returns that of x and y which is higher in extensions.
func registered(x, y dtype.DType) dtype.DType {
	at := func(d dtype.DType) int {
		return slices.IndexFunc(extensions, func(group string) bool {
			return slices.Contains(strings.Split(group, ","), d.String())
		})
	}
	if at(x) > at(y) {
		return x
	}
	return y
}

func asHalf(x, y dtype.DType) dtype.DType {
	switch y = other(x, y, dtype.F8E5M2); {
	case y == dtype.F16:
		return dtype.F32
	case y.Is(dtype.Integral):
		return floatFor(y, dtype.F16)
	}
	return y
}

// latticeNode returns the node of a dtype in a lattice.
func latticeNode(x dtype.Typed) string {
	switch {
	case !x.Ambiguous || x.DType == dtype.I1:
		return x.DType.String()
	case x.DType.Is(dtype.Integral):
		return "i*"
	case x.DType.Is(dtype.Floating):
		return "f*"
	}
	return "c*"
}

// reaches returns n and the nodes above it.
func (r *replayer) reaches(n string) map[string]bool {
	seen, todo := map[string]bool{n: true}, []string{n}
	for len(todo) > 0 {
		for _, up := range r.above[todo[0]] {
			if !seen[up] {
				seen[up], todo = true, append(todo, up)
			}
		}
		todo = todo[1:]
	}
	return seen
}

// bound returns the dtype of the least upper bound of xs: the common upper bound from
// which all others can be reached. The node of a kind stands for its default dtype, weak.
func (r *replayer) bound(xs []dtype.Typed) (dtype.Typed, error) {
	common := r.reaches(latticeNode(xs[0]))
	for _, x := range xs[1:] {
		up := r.reaches(latticeNode(x))
		for n := range common {
			if !up[n] {
				delete(common, n)
			}
		}
	}
	for n := range common {
		up, least := r.reaches(n), true
		for m := range common {
			least = least && up[m]
		}
		if least {
			return r.atNode(n), nil
		}
	}
	return dtype.Typed{}, fmt.Errorf("no least upper bound of %v", xs)
}

// index returns the dtype of positions in the system.
func (r *replayer) index() dtype.DType {
	if r.system == "anvil" || r.system == "rdata" {
		return dtype.I32
	}
	return dtype.I64
}

// climb returns the last of xs. It fails unless each has an edge to the next in the lattice.
func (r *replayer) climb(xs []dtype.Typed) (dtype.Typed, error) {
	for i, x := range xs[1:] {
		if below := latticeNode(xs[i]); !slices.Contains(r.above[below], latticeNode(x)) {
			return x, fmt.Errorf("no edge goes from %s to %s", below, latticeNode(x))
		}
	}
	return xs[len(xs)-1], nil
}

func (r *replayer) atNode(n string) dtype.Typed {
	switch n {
	case "i*":
		return promote.Amb(r.width(dtype.I64))
	case "f*":
		return promote.Amb(r.width(dtype.F64))
	case "c*":
		return promote.Amb(r.width(dtype.C128))
	}
	d, _ := promote.Named(n)
	return promote.Known(d)
}

// intoClass joins an operand with the class of operands before it, if there is one.
func intoClass(r *replayer, name string, xs []dtype.Typed) (dtype.Typed, error) {
	d := xs[len(xs)-1].DType // xs[0] is then the dtype of the class so far
	if len(xs) > 1 {
		d = torchTypes(xs[0].DType, d)
	}
	return promote.Known(d), nil
}

// torchTypes returns the result of PyTorch's promote_types: the dtype of the higher
// kind, or the wider one if the kinds are equal.
func torchTypes(x, y dtype.DType) dtype.DType {
	if x == y {
		return x
	}
	if higher(x, y) == x {
		x, y = y, x
	}
	switch {
	case dtype.CategoryOf(x) != dtype.CategoryOf(y) && y.Is(dtype.Complex):
		return torchParts(x, y)
	case dtype.CategoryOf(x) != dtype.CategoryOf(y):
		return y
	case y.Is(dtype.Floating) && x.Bits() == y.Bits():
		return dtype.F32
	case y.Is(dtype.Complex) && x.Bits() == y.Bits():
		return dtype.C64
	case x == dtype.U8 && y == dtype.I8 || x == dtype.I8 && y == dtype.U8:
		return dtype.I16
	}
	return y
}

// torchParts joins a complex dtype with one of a lower kind.
func torchParts(x, c dtype.DType) dtype.DType {
	if !x.Is(dtype.Floating) {
		return c
	}
	switch p := torchTypes(x, halfOf(c)); p {
	case halfOf(c):
		return c
	default:
		return complexOf(p)
	}
}

// torchComplex returns the complex dtype whose parts are d, or c64.
func torchComplex(d dtype.DType) dtype.DType {
	for c, h := range halves {
		if h == d {
			return c
		}
	}
	return dtype.C64
}

// loopOrder is the order of NumPy's loops.
var loopOrder = strings.Fields("i1 i8 ui8 i16 ui16 i32 ui32 i64 ui64 f16 f32 f64 f80 c64 c128 c160")

// loop returns the first dtype, from the one that the rule's name ends in, to
// which all operands can be cast safely. c64 does not follow f64: its parts are
// less precise.
func loop(_ *replayer, name string, xs []dtype.Typed) (dtype.Typed, error) {
	from := slices.Index(loopOrder, name[strings.LastIndex(name, " ")+1:])
	for _, n := range loopOrder[from:] {
		d, _ := promote.Named(n)
		if loopOrder[from] == "f64" && d == dtype.C64 {
			continue
		}
		if !slices.ContainsFunc(xs, func(x dtype.Typed) bool { return !safe(x.DType, d) }) {
			return promote.Known(d), nil
		}
	}
	return dtype.Typed{}, fmt.Errorf("no loop for %v", xs)
}

// safe reports whether NumPy's cast between two dtypes is safe: it preserves all values,
// except that f64 counts as safe for all integers.
func safe(from, to dtype.DType) bool {
	if from == to || from == dtype.I1 {
		return true
	}
	switch {
	case to.Is(dtype.Complex):
		return safe(halfOf(from), halfOf(to)) || from.Is(dtype.Complex) && from.Bits() < to.Bits()
	case from.Is(dtype.Inexact):
		return !from.Is(dtype.Complex) && to.Is(dtype.Floating) && from.Bits() < to.Bits()
	case to.Is(dtype.Floating):
		return to.Bits() >= min(2*from.Bits(), 64)
	case from.Is(dtype.Signed):
		return to.Is(dtype.Signed) && from.Bits() < to.Bits()
	}
	return to.Is(dtype.Integral) && from.Bits() < to.Bits()
}
