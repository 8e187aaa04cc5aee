package compile

import (
	"fmt"
	"go/types"
	"image"
	"reflect"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// allocations are the functions of packages that allocate what their arguments ask for: how
// many bytes, by the registers of the arguments. The run time ends the process where it
// cannot have them.
var allocations = map[string]func(fr unsafe.Pointer, args []place2) float64{
	"strings.Repeat": func(fr unsafe.Pointer, args []place2) float64 {
		return float64(len(*at[string](fr, args[0].at))) * intArg(fr, args[1])
	},
	"bytes.Repeat": func(fr unsafe.Pointer, args []place2) float64 {
		return float64(at[slice](fr, args[0].at).len) * intArg(fr, args[1])
	},
	"(*bytes.Buffer).Grow":    second,
	"(*strings.Builder).Grow": second,
	"bufio.NewReaderSize":     second,
	"bufio.NewWriterSize":     second,
	"(*math/big.Int).Lsh":     func(fr unsafe.Pointer, args []place2) float64 { return intArg(fr, args[2]) / 8 },
	"reflect.MakeSlice": func(fr unsafe.Pointer, args []place2) float64 {
		return float64((*at[reflect.Type](fr, args[0].at)).Elem().Size()) * intArg(fr, args[2])
	},
	"gonum.org/v1/gonum/mat.NewDense": func(fr unsafe.Pointer, args []place2) float64 {
		if at[slice](fr, args[2].at).len > 0 {
			return 0
		}
		return 8 * intArg(fr, args[0]) * intArg(fr, args[1])
	},
	"image.NewRGBA": pixels(4), "image.NewNRGBA": pixels(4), "image.NewRGBA64": pixels(8), "image.NewNRGBA64": pixels(8),
	"image.NewGray": pixels(1), "image.NewGray16": pixels(2), "image.NewAlpha": pixels(1), "image.NewAlpha16": pixels(2),
	"image.NewCMYK": pixels(4),
}

// intArg returns an argument of type int or uint.
func intArg(fr unsafe.Pointer, arg place2) float64 { return float64(*at[int](fr, arg.at)) }

func second(fr unsafe.Pointer, args []place2) float64 { return intArg(fr, args[1]) }

func pixels(size float64) func(fr unsafe.Pointer, args []place2) float64 {
	return func(fr unsafe.Pointer, args []place2) float64 {
		r := at[image.Rectangle](fr, args[0].at)
		return size * float64(r.Dx()) * float64(r.Dy())
	}
}

// allocating returns call, preceded by the check that there is memory for what fn allocates.
func (b *builder) allocating(fn *ssa.Function, call caller) caller {
	need := allocations[fn.String()]
	if need == nil {
		return call
	}
	name := fn.Name()
	if recv := fn.Signature.Recv(); recv != nil {
		name = "(" + types.TypeString(recv.Type(), (*types.Package).Name) + ")." + name
	} else {
		name = fn.Pkg.Pkg.Name() + "." + name
	}
	return func(fr *frame, args, results []place2) {
		if n := need(unsafe.Pointer(fr), args); n >= largeMake {
			if have := available(); n > float64(have) && n > float64(afterCollection()) {
				panic(runtimeError(fmt.Sprintf("out of memory: %s allocates %.1f GiB, and %s are available", name, n/(1<<30), inGiB(have))))
			}
		}
		call(fr, args, results)
	}
}
