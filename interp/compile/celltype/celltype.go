// Package celltype makes run-time types for the Go types that a notebook declares.
//
// Registers and variables of cells need only the layout of a type. Packages need more of the types of values that they
// get in interfaces: fmt prints a type's name and calls its String method, encoding/json omits unexported fields,
// errors.As asks for methods, and a type switch distinguishes two structs with the same fields. So every type
// of a cell has two run-time types with the same memory layout:
//
//   - [Table.Inner], the layout: it has no names and no methods, all fields are exported, and interfaces that
//     cells declare are any;
//   - [Table.Outer], the author's type: a named type of its own with its fields, tags, embedding and methods.
//
// [Table.Box] turns a value of the inner type into one of the outer type: it replaces the type word of the interface
// that holds the value, and does not copy the value.
package celltype

import (
	"fmt"
	"go/types"
	"reflect"
	"slices"
	"sync"
	"unsafe"

	"github.com/goanvil/notebook/interp/check"
)

// A Resolver returns the run-time type of a compiled named type, or nil.
type Resolver func(path, name string) reflect.Type

// A Table holds the run-time types of one session.
type Table struct {
	mu            sync.Mutex
	resolve       Resolver
	name          func(*types.TypeName) string // returns the unique name of a type declared at the top of a cell
	gen           int                          // the generation; grows when existing types get methods
	inner         map[string]reflect.Type      // the inner types of structs, by key without tags
	namedRecords  map[string]*typeRecord       // by key
	structRecords map[string]*typeRecord       // structs without a name, by key
	recordsByType map[reflect.Type]*typeRecord // by each version of the outer type
	rows          []*Row
	rowOf         map[string]int // by key
	locals        map[*types.TypeName]local
	undo          []func() // remove the types that have been made since rescue was called

	// Local returns the number of a type that a function declares, and the type arguments of the function. The types
	// that functions of a cell declare are numbered from 1. Local is called once for each type.
	Local func(*types.TypeName) (number int, funcArgs []types.Type)

	// Promoted makes a call of a promoted method by a package. sig is the type of the method. Promoted returns the
	// results of call, or others if call panics.
	Promoted func(sig reflect.Type, call func() []reflect.Value) []reflect.Value
}

// A local describes a type that a function declares.
type local struct {
	index    int          // the number of the type among the locals of the session, from 0
	number   int          // the number of the type in its cell; see Table.Local
	funcArgs []types.Type // the type arguments of the function
}

// New returns an empty table. name returns the name, unique in the session, of a type
// declared at the top of a cell, and "" for a type that a function declares.
func New(resolve Resolver, name func(*types.TypeName) string) *Table {
	return &Table{
		resolve:       resolve,
		name:          name,
		inner:         map[string]reflect.Type{},
		structRecords: map[string]*typeRecord{},
		rowOf:         map[string]int{},
		locals:        map[*types.TypeName]local{},
		namedRecords:  map[string]*typeRecord{},
		recordsByType: map[reflect.Type]*typeRecord{},
		Promoted:      func(_ reflect.Type, call func() []reflect.Value) []reflect.Value { return call() },
	}
}

// An Error says why a type has no run-time type. Reason is a predicate: "is larger than ...".
type Error struct{ Type, Reason string }

func (e *Error) Error() string { return e.Type + " " + e.Reason }

// fail panics with an *Error. The exported function that was called returns the error; see rescue.
func fail(t types.Type, format string, args ...any) {
	panic(&Error{Text(t), fmt.Sprintf(format, args...)})
}

// rescue returns a function to defer, which recovers a panic and stores its *Error in err. After a panic, the function
// also removes the types that have been made since the call of rescue: they may be incomplete, or refer to incomplete
// types.
func (tb *Table) rescue(err *error) func() {
	tb.undo = nil
	return func() {
		e := recover()
		if e == nil {
			return
		}
		for _, f := range slices.Backward(tb.undo) {
			f()
		}
		failure, ok := e.(*Error)
		if !ok {
			panic(e)
		}
		*err = failure
	}
}

// Inner returns the run-time type of t in registers and variables of cells.
func (tb *Table) Inner(t types.Type) (r reflect.Type, err error) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	defer tb.rescue(&err)()
	return tb.innerOf(t), nil
}

// Outer returns the run-time type of t that packages see in interfaces.
func (tb *Table) Outer(t types.Type) (r reflect.Type, err error) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	defer tb.rescue(&err)()
	return tb.outerOf(t), nil
}

// Generation returns a number that grows when existing types get methods.
func (tb *Table) Generation() int64 {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	return int64(tb.gen)
}

// basic has the run-time types of the predeclared types.
var basic = map[types.BasicKind]reflect.Type{
	types.Bool: reflect.TypeFor[bool](), types.String: reflect.TypeFor[string](),
	types.Int: reflect.TypeFor[int](), types.Int8: reflect.TypeFor[int8](), types.Int16: reflect.TypeFor[int16](),
	types.Int32: reflect.TypeFor[int32](), types.Int64: reflect.TypeFor[int64](),
	types.Uint: reflect.TypeFor[uint](), types.Uint8: reflect.TypeFor[uint8](), types.Uint16: reflect.TypeFor[uint16](),
	types.Uint32: reflect.TypeFor[uint32](), types.Uint64: reflect.TypeFor[uint64](),
	types.Uintptr: reflect.TypeFor[uintptr](),
	types.Float32: reflect.TypeFor[float32](), types.Float64: reflect.TypeFor[float64](),
	types.Complex64: reflect.TypeFor[complex64](), types.Complex128: reflect.TypeFor[complex128](),
	types.UnsafePointer: reflect.TypeFor[unsafe.Pointer](),
	types.UntypedBool:   reflect.TypeFor[bool](), types.UntypedString: reflect.TypeFor[string](),
	types.UntypedInt: reflect.TypeFor[int](), types.UntypedRune: reflect.TypeFor[rune](),
	types.UntypedFloat: reflect.TypeFor[float64](), types.UntypedComplex: reflect.TypeFor[complex128](),
	types.UntypedNil: anyType,
}

var (
	anyType   = reflect.TypeFor[any]()
	errorType = reflect.TypeFor[error]()
)

// chanDir maps the checker's channel directions to reflect's.
var chanDir = map[types.ChanDir]reflect.ChanDir{
	types.SendRecv: reflect.BothDir, types.SendOnly: reflect.SendDir, types.RecvOnly: reflect.RecvDir,
}

// compose returns the run-time type of the type literal t. of returns the run-time types of the parts of t.
func (tb *Table) compose(t types.Type, of func(types.Type) reflect.Type) reflect.Type {
	switch t := t.(type) {
	case *types.Basic:
		if r, ok := basic[t.Kind()]; ok {
			return r
		}
	case *types.Pointer:
		return reflect.PointerTo(of(t.Elem()))
	case *types.Slice:
		return reflect.SliceOf(of(t.Elem()))
	case *types.Array:
		return arrayOf(t, of(t.Elem()))
	case *types.Map:
		return reflect.MapOf(of(t.Key()), of(t.Elem()))
	case *types.Chan:
		elem := of(t.Elem())
		if elem.Size() >= 1<<16 {
			fail(t, "has elements of 64 KiB or more, which Go does not allow; send pointers")
		}
		return reflect.ChanOf(chanDir[t.Dir()], elem)
	case *types.Signature:
		return reflect.FuncOf(tuple(t.Params(), of), tuple(t.Results(), of), t.Variadic())
	case *types.Interface:
		return anyType
	}
	fail(t, "has no run-time type")
	return nil
}

// maxArray is the greatest size in bytes of an array type. The runtime ends the process if an array does not fit in
// memory.
const maxArray = 1 << 32

// arrayOf returns the run-time type of t with elements of type elem.
func arrayOf(t *types.Array, elem reflect.Type) reflect.Type {
	if size := int64(elem.Size()); size > 0 && t.Len() > maxArray/size {
		fail(t, "is larger than the 4 GiB that an array may take in a cell; make a slice")
	}
	return reflect.ArrayOf(int(t.Len()), elem)
}

// tuple returns the run-time types of the variables of t. of returns the run-time type of a type.
func tuple(t *types.Tuple, of func(types.Type) reflect.Type) []reflect.Type {
	list := make([]reflect.Type, t.Len())
	for i := range list {
		list[i] = of(t.At(i).Type())
	}
	return list
}

// compiled returns the run-time type of a named type of a compiled package.
func (tb *Table) compiled(t *types.Named) reflect.Type {
	obj := t.Obj()
	if obj.Pkg() == nil {
		if obj.Name() == "error" {
			return errorType
		}
		return anyType // comparable, any
	}
	if r := Instance(t); r != nil {
		return r
	}
	if t.TypeArgs().Len() > 0 {
		fail(t, "is an instance of a generic type of a package, which a cell cannot make; declare a type of your own")
	}
	r := tb.resolve(obj.Pkg().Path(), obj.Name())
	if r == nil {
		fail(t, "is not available to cells")
	}
	return r
}

// isNonStructInstance reports whether t is an instance of a compiled generic type and not a struct, such as
// iter.Seq[int]. Cells can make such types from their underlying types.
func isNonStructInstance(t *types.Named) bool {
	if t.TypeArgs().Len() == 0 || check.IsCell(t.Obj().Pkg()) {
		return false
	}
	_, isStruct := t.Underlying().(*types.Struct)
	return !isStruct
}

// IsErased reports whether t is an interface type whose inner type is any: an interface that a cell declares or writes
// as a literal. The inner type of an interface that a compiled package declares is the interface itself.
func IsErased(t types.Type) bool {
	if !types.IsInterface(t) {
		return false
	}
	n, ok := types.Unalias(t).(*types.Named)
	return !ok || check.IsCell(n.Obj().Pkg())
}
