package celltype

import (
	"go/types"
	"math"
	"reflect"
	"runtime"

	"github.com/goanvil/notebook/interp/check"
)

// sizes implements types.Sizes for types in cells. The checker does not know the unexported fields of structs that
// packages declare; sizes gives these structs the sizes of their run-time types.
type sizes struct {
	types.Sizes
	tb *Table
}

// Sizes returns the sizes of types in cells.
func (tb *Table) Sizes() types.Sizes { return sizes{types.SizesFor("gc", runtime.GOARCH), tb} }

// compiled returns the run-time type of a struct that a package declares, or nil.
func (s sizes) compiled(t types.Type) reflect.Type {
	named, ok := types.Unalias(t).(*types.Named)
	if !ok || named.Obj().Pkg() == nil || check.IsCell(named.Obj().Pkg()) || named.TypeArgs().Len() > 0 {
		return nil
	}
	if _, ok := named.Underlying().(*types.Struct); !ok {
		return nil
	}
	return s.tb.resolve(named.Obj().Pkg().Path(), named.Obj().Name())
}

// Alignof implements types.Sizes.
func (s sizes) Alignof(t types.Type) int64 {
	if r := s.compiled(t); r != nil {
		return int64(r.Align())
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		return s.Alignof(u.Elem())
	case *types.Struct:
		n := int64(1)
		for f := range u.Fields() {
			n = max(n, s.Alignof(f.Type()))
		}
		return n
	}
	return s.Sizes.Alignof(t)
}

// Offsetsof implements types.Sizes.
func (s sizes) Offsetsof(fields []*types.Var) []int64 {
	offsets := make([]int64, len(fields))
	end := int64(0)
	for i, f := range fields {
		offsets[i] = aligned(end, s.Alignof(f.Type()))
		end = offsets[i] + s.Sizeof(f.Type())
	}
	return offsets
}

// aligned rounds n up to a multiple of align.
func aligned(n, align int64) int64 { return (n + align - 1) / align * align }

// Sizeof implements types.Sizes.
func (s sizes) Sizeof(t types.Type) int64 {
	if r := s.compiled(t); r != nil {
		return int64(r.Size())
	}
	switch u := t.Underlying().(type) {
	case *types.Array:
		size := s.Sizeof(u.Elem())
		if size > 0 && u.Len() > math.MaxInt64/size {
			return -1 // types.Sizes: the type is too large
		}
		return size * u.Len()
	case *types.Struct:
		n := u.NumFields()
		if n == 0 {
			return 0
		}
		fields := make([]*types.Var, n)
		for i := range fields {
			fields[i] = u.Field(i)
		}
		last, size := s.Offsetsof(fields)[n-1], s.Sizeof(fields[n-1].Type())
		if last > 0 && size == 0 {
			size = 1 // a pointer to the last field must not point past the end of the struct
		}
		return aligned(last+size, s.Alignof(t))
	}
	return s.Sizes.Sizeof(t)
}
