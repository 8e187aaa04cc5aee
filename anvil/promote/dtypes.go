package promote

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// everyDType holds every dtype, including the foreign ones (see dtype.Foreign).
var everyDType = append(dtype.All(), dtype.Foreign()...)

var dtypeByName = func() map[string]dtype.DType {
	m := make(map[string]dtype.DType, len(everyDType))
	for _, d := range everyDType {
		m[d.String()] = d
	}
	return m
}()

// Named returns the dtype, possibly a foreign one, with the given short name; ok is
// false if there is none.
func Named(name string) (d dtype.DType, ok bool) {
	d, ok = dtypeByName[name]
	return d, ok
}

// mustNamed is Named for names in this package's tables. It panics if there is no such dtype.
func mustNamed(name string) dtype.DType {
	d, ok := dtypeByName[name]
	if !ok {
		panic("promote: no dtype " + name)
	}
	return d
}

// A dtypeSet is a set of dtypes: element d says whether dtype d is in the set.
type dtypeSet [256]bool

// setOf returns the set of the dtypes in lists.
func setOf(lists ...[]dtype.DType) *dtypeSet {
	var set dtypeSet
	for _, d := range slices.Concat(lists...) {
		set[d] = true
	}
	return &set
}

// kindRank returns the position of d's kind in the order bool, integer, float, complex,
// counted from 0. A dtype without a kind has rank 0.
func kindRank(d dtype.DType) uint8 { return kindRanks[d] }

var kindRanks = func() (ranks [256]uint8) {
	for _, d := range everyDType {
		switch {
		case d.Is(dtype.Complex):
			ranks[d] = 3
		case d.Is(dtype.Floating):
			ranks[d] = 2
		case d.Is(dtype.Integral):
			ranks[d] = 1
		}
	}
	return ranks
}()

// foreignElems are the dtypes of the parts of the foreign complex dtypes.
var foreignElems = map[dtype.DType]dtype.DType{dtype.C32: dtype.F16, dtype.BC32: dtype.BF16, dtype.C160: dtype.F80}

// elem returns the dtype of the parts of a complex dtype, and other dtypes unchanged.
func elem(d dtype.DType) dtype.DType {
	if e, ok := foreignElems[d]; ok {
		return e
	}
	return d.Elem()
}

// complexOf returns the narrowest complex dtype, at least c64, whose parts hold the float d.
func complexOf(d dtype.DType) dtype.DType {
	switch d {
	case dtype.F64:
		return dtype.C128
	case dtype.F80:
		return dtype.C160
	}
	return dtype.C64
}

// anyOf reports whether an operand's dtype is in the set k.
func anyOf(xs []Operand, k dtype.Kind) bool {
	return slices.ContainsFunc(xs, func(x Operand) bool { return x.DType.Is(k) })
}

// allOf reports whether every operand's dtype is in the set k.
func allOf(xs []Operand, k dtype.Kind) bool {
	return !slices.ContainsFunc(xs, func(x Operand) bool { return !x.DType.Is(k) })
}

// knownFirst returns a and b, exchanged if only b is known.
func knownFirst(a, b Operand) (first, second Operand) {
	if a.Ambiguous && !b.Ambiguous {
		return b, a
	}
	return a, b
}

// listed returns the texts of xs, separated by commas.
func listed[T fmt.Stringer](xs []T) string { return joinTexts(xs, ", ") }

// joinTexts returns the texts of xs with sep between them.
func joinTexts[T fmt.Stringer](xs []T, sep string) string {
	texts := make([]string, len(xs))
	for i, x := range xs {
		texts[i] = x.String()
	}
	return strings.Join(texts, sep)
}
