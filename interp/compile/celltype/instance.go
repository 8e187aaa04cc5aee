package celltype

import (
	"database/sql"
	"go/types"
	"reflect"
	"sync/atomic"
	"unique"
	"weak"
)

// sharedInstances has one instance of each compiled generic type whose instances all have the same layout and the same
// code, because they refer to the type argument only by a pointer. It serves for all type arguments.
var sharedInstances = map[string]reflect.Type{"sync/atomic.Pointer": reflect.TypeFor[atomic.Pointer[byte]]()}

// instances and instanceFuncs have the other instances of compiled generic types and functions that cells can use. All
// have one type parameter, and instances for all predeclared types except interfaces. Package unique is instantiated
// only for strings, since its code is large and its handles would be larger than the numbers themselves.
var (
	instances     = map[string]reflect.Type{"unique.Handle[string]": reflect.TypeFor[unique.Handle[string]]()}
	instanceFuncs = map[string]reflect.Value{"unique.Make[string]": reflect.ValueOf(unique.Make[string])}
)

func init() {
	instantiate[bool]()
	instantiate[string]()
	instantiate[int]()
	instantiate[int8]()
	instantiate[int16]()
	instantiate[int32]()
	instantiate[int64]()
	instantiate[uint]()
	instantiate[uint8]()
	instantiate[uint16]()
	instantiate[uint32]()
	instantiate[uint64]()
	instantiate[uintptr]()
	instantiate[float32]()
	instantiate[float64]()
	instantiate[complex64]()
	instantiate[complex128]()
}

// instantiate adds the instances for T.
func instantiate[T any]() {
	for _, t := range []reflect.Type{reflect.TypeFor[sql.Null[T]](), reflect.TypeFor[weak.Pointer[T]]()} {
		instances[t.PkgPath()+"."+t.Name()] = t
	}
	instanceFuncs["weak.Make["+reflect.TypeFor[T]().Name()+"]"] = reflect.ValueOf(weak.Make[T])
}

// Instance returns the run-time type of an instance of a generic struct type of a package, or
// nil if cells cannot make it.
func Instance(t *types.Named) reflect.Type {
	if t.TypeArgs().Len() != 1 || t.Obj().Pkg() == nil {
		return nil
	}
	name := t.Obj().Pkg().Path() + "." + t.Obj().Name()
	if r := sharedInstances[name]; r != nil {
		return r
	}
	return instances[name+typeArgument(t.TypeArgs().At(0))]
}

// InstanceFunc returns the instance of a generic function of a package. It is invalid if cells
// cannot make it.
func InstanceFunc(fn *types.Func, args []types.Type) reflect.Value {
	if len(args) != 1 {
		return reflect.Value{}
	}
	return instanceFuncs[fn.Pkg().Path()+"."+fn.Name()+typeArgument(args[0])]
}

// typeArgument returns the end of the name of an instance for t, such as "[int]", or "" if t is not predeclared.
func typeArgument(t types.Type) string {
	if b, ok := types.Unalias(t).(*types.Basic); ok {
		return "[" + basic[b.Kind()].Name() + "]"
	}
	return ""
}
