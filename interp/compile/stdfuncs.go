package compile

import (
	"cmp"
	"crypto/hkdf"
	"crypto/pbkdf2"
	"hash"
	"hash/maphash"
	"iter"
	"reflect"
	"runtime"
	"slices"
	"unsafe"

	"github.com/goanvil/notebook/interp/compile/misuse"
)

// stdFunctions has the functions that variables of the packages in stdFiles hold, by the names of the variables.
var stdFunctions = map[string]any{
	"sortOrdered": sortOrdered, "sortPerm": sortPerm, "stableSortPerm": stableSortPerm,
	"hkdfExtract": hkdf.Extract[hash.Hash], "hkdfExpand": hkdf.Expand[hash.Hash], "hkdfKey": hkdf.Key[hash.Hash],
	"pbkdf2Key": pbkdf2.Key[hash.Hash],
	"hashAny":   hashAny, "writeHashAny": writeHashAny,
	"addCleanup": addCleanup,
}

// sortPerm returns the permutation that slices.SortFunc would apply to n elements. It orders elements that compare
// equal as SortFunc does. compare compares two elements, given their original positions.
func sortPerm(n int, compare func(i, j int) int) []int {
	perm := identityPerm(n)
	slices.SortFunc(perm, compare)
	return perm
}

// stableSortPerm is sortPerm for slices.SortStableFunc.
func stableSortPerm(n int, compare func(i, j int) int) []int {
	perm := identityPerm(n)
	slices.SortStableFunc(perm, compare)
	return perm
}

// identityPerm returns the numbers from 0 to n-1.
func identityPerm(n int) []int {
	perm := make([]int, n)
	for i := range perm {
		perm[i] = i
	}
	return perm
}

// sorters has the functions that sort slices, by the kind of the elements.
var sorters = map[reflect.Kind]func(reflect.Value){
	reflect.Int: sortAs[int], reflect.Int8: sortAs[int8], reflect.Int16: sortAs[int16],
	reflect.Int32: sortAs[int32], reflect.Int64: sortAs[int64],
	reflect.Uint: sortAs[uint], reflect.Uint8: sortAs[uint8], reflect.Uint16: sortAs[uint16],
	reflect.Uint32: sortAs[uint32], reflect.Uint64: sortAs[uint64], reflect.Uintptr: sortAs[uintptr],
	reflect.Float32: sortAs[float32], reflect.Float64: sortAs[float64], reflect.String: sortAs[string],
}

// sortAs sorts x, a slice whose elements have the underlying type T.
func sortAs[T cmp.Ordered](x reflect.Value) {
	slices.Sort(*(*[]T)(pointerTo(x)))
}

// sortOrdered sorts x, a slice whose elements have any ordered type.
func sortOrdered(x any) {
	v := reflect.ValueOf(x)
	sorters[v.Type().Elem().Kind()](v)
}

// pull is iter.Pull for an iterator without values. A panic of the iterator continues in the caller of next or stop.
func (s *Session) pull(seq func(yield func() bool)) (next func() bool, stop func()) {
	n, stop := iter.Pull(func(yield func(struct{}) bool) {
		defer s.Own()()
		seq(func() bool { return yield(struct{}{}) })
	})
	return func() bool { _, ok := n(); return ok }, stop
}

// addCleanup is runtime.AddCleanup for a pointer of any type.
func addCleanup(ptr unsafe.Pointer, cleanup func()) runtime.Cleanup {
	return runtime.AddCleanup((*byte)(ptr), func(f func()) { f() }, cleanup)
}

// hashAny is maphash.Comparable for values of any type.
func hashAny(seed maphash.Seed, v any) uint64 {
	misuse.CheckKey(v)
	return maphash.Comparable(seed, v)
}

// writeHashAny is maphash.WriteComparable for values of any type.
func writeHashAny(h *maphash.Hash, v any) {
	misuse.CheckKey(v)
	maphash.WriteComparable(h, v)
}

// pointerTo returns a pointer to a copy of v.
func pointerTo(v reflect.Value) unsafe.Pointer {
	p := reflect.New(v.Type())
	p.Elem().Set(v)
	return p.UnsafePointer()
}
