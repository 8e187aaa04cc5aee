package compile

import (
	"bytes"
	"container/ring"
	"fmt"
	"go/types"
	"image"
	"reflect"
	"strings"
	"unicode/utf8"
	"unsafe"

	"golang.org/x/tools/go/ssa"
)

// An estimate returns about how many bytes a call allocates. args are the registers in fr of the arguments; the first
// is the receiver of a method.
type estimate func(fr unsafe.Pointer, args []*register) float64

// allocations holds the estimates for functions of packages that allocate much memory for some arguments. If there is
// not enough memory, withAllocationCheck panics before the call, since the runtime would end the process.
var allocations = map[string]estimate{
	"strings.Repeat": func(fr unsafe.Pointer, args []*register) float64 {
		return float64(len(*at[string](fr, args[0].off))) * intArg(fr, args[1])
	},
	"bytes.Repeat": func(fr unsafe.Pointer, args []*register) float64 {
		return float64(at[slice](fr, args[0].off).len) * intArg(fr, args[1])
	},
	"(*bytes.Buffer).Grow":    secondArg,
	"(*strings.Builder).Grow": secondArg,
	"bufio.NewReaderSize":     secondArg,
	"bufio.NewWriterSize":     secondArg,
	"(*math/big.Int).Lsh":     thirdArgBits,
	"(*math/big.Int).SetBit":  thirdArgBits,
	"reflect.New":             sizeOfType,
	"reflect.Zero":            sizeOfType,
	"reflect.MakeSlice": func(fr unsafe.Pointer, args []*register) float64 {
		return float64((*at[reflect.Type](fr, args[0].off)).Elem().Size()) * intArg(fr, args[2])
	},
	"reflect.MakeChan": func(fr unsafe.Pointer, args []*register) float64 {
		return float64((*at[reflect.Type](fr, args[0].off)).Elem().Size()) * intArg(fr, args[1])
	},
	"(reflect.Value).Grow": func(fr unsafe.Pointer, args []*register) float64 {
		v := *at[reflect.Value](fr, args[0].off)
		if v.Kind() != reflect.Slice {
			return 0
		}
		return float64(v.Type().Elem().Size()) * (float64(v.Len()) + intArg(fr, args[1]))
	},
	"math/rand.Perm": permSize(0), "(*math/rand.Rand).Perm": permSize(1),
	"math/rand/v2.Perm": permSize(0), "(*math/rand/v2.Rand).Perm": permSize(1),
	"crypto/sha3.SumSHAKE128": secondArg,
	"crypto/sha3.SumSHAKE256": secondArg,
	"fmt.Sprint":              formattedSize, "fmt.Sprintf": formattedSize, "fmt.Sprintln": formattedSize,
	"fmt.Print": formattedSize, "fmt.Printf": formattedSize, "fmt.Println": formattedSize,
	"fmt.Fprint": formattedSize, "fmt.Fprintf": formattedSize, "fmt.Fprintln": formattedSize,
	"fmt.Append": formattedSize, "fmt.Appendf": formattedSize, "fmt.Appendln": formattedSize, "fmt.Errorf": formattedSize,
	"strings.Join": joinedSize, "strings.Fields": fieldsSize(unsafe.Sizeof("")), "bytes.Fields": fieldsSize(sizeOfSlice),
	"strings.Split": splitSize(unsafe.Sizeof("")), "strings.SplitAfter": splitSize(unsafe.Sizeof("")),
	"strings.SplitN": splitSize(unsafe.Sizeof("")), "strings.SplitAfterN": splitSize(unsafe.Sizeof("")),
	"bytes.Split": splitSize(sizeOfSlice), "bytes.SplitAfter": splitSize(sizeOfSlice),
	"bytes.SplitN": splitSize(sizeOfSlice), "bytes.SplitAfterN": splitSize(sizeOfSlice),
	"strings.ReplaceAll": replacedSize, "bytes.ReplaceAll": replacedSize,
	"strings.Replace": replacedSize, "bytes.Replace": replacedSize, "(*strings.Replacer).Replace": replacerSize,
	"image.NewRGBA": imageSize(4), "image.NewNRGBA": imageSize(4),
	"image.NewRGBA64": imageSize(8), "image.NewNRGBA64": imageSize(8),
	"image.NewGray": imageSize(1), "image.NewGray16": imageSize(2),
	"image.NewAlpha": imageSize(1), "image.NewAlpha16": imageSize(2),
	"image.NewCMYK": imageSize(4), "image.NewPaletted": imageSize(1), "image.NewYCbCr": imageSize(3),
	"strconv.FormatFloat":                        func(fr unsafe.Pointer, args []*register) float64 { return intArg(fr, args[2]) },
	"strconv.AppendFloat":                        func(fr unsafe.Pointer, args []*register) float64 { return intArg(fr, args[3]) },
	"(*math/big.Float).Text":                     func(fr unsafe.Pointer, args []*register) float64 { return intArg(fr, args[2]) },
	"(*math/big.Rat).FloatString":                secondArg,
	"(*encoding/base64.Encoding).EncodeToString": timesLength(1, 2*4/3.), // 2: the buffer, and the string copied from it
	"(*encoding/base32.Encoding).EncodeToString": timesLength(1, 2*8/5.),
	"encoding/hex.EncodeToString":                timesLength(0, 2*2),
	"encoding/hex.Dump":                          timesLength(0, 79/16.), // 79: the length of the line for 16 bytes
	"strings.Clone":                              timesLength(0, 1),
	"strings.ToUpper":                            timesLength(0, 1),
	"strings.ToLower":                            timesLength(0, 1),
	"bytes.Clone":                                timesLength(0, 1),
	"bytes.ToUpper":                              timesLength(0, 1),
	"bytes.ToLower":                              timesLength(0, 1),
	"container/ring.New": func(fr unsafe.Pointer, args []*register) float64 {
		return float64(unsafe.Sizeof(ring.Ring{})) * intArg(fr, args[0])
	},
}

// growers maps the names of methods that append to a buffer, and may double its capacity, to functions that return the
// length and capacity of the buffer and the maximum number of bytes that the call appends.
var growers = map[string]func(fr unsafe.Pointer, args []*register) (size, capacity, more int){
	"(*bytes.Buffer).Write":          bufferAndBytes,
	"(*bytes.Buffer).WriteString":    bufferAndText,
	"(*strings.Builder).Write":       builderAndBytes,
	"(*strings.Builder).WriteString": builderAndText,
	"(*strings.Builder).WriteByte":   builderAndRune,
	"(*strings.Builder).WriteRune":   builderAndRune,
}

func bufferAndBytes(fr unsafe.Pointer, args []*register) (size, capacity, more int) {
	b := *at[*bytes.Buffer](fr, args[0].off)
	return b.Len(), b.Len() + b.Available(), at[slice](fr, args[1].off).len
}

func bufferAndText(fr unsafe.Pointer, args []*register) (size, capacity, more int) {
	b := *at[*bytes.Buffer](fr, args[0].off)
	return b.Len(), b.Len() + b.Available(), len(*at[string](fr, args[1].off))
}

func builderAndBytes(fr unsafe.Pointer, args []*register) (size, capacity, more int) {
	b := *at[*strings.Builder](fr, args[0].off)
	return b.Len(), b.Cap(), at[slice](fr, args[1].off).len
}

func builderAndText(fr unsafe.Pointer, args []*register) (size, capacity, more int) {
	b := *at[*strings.Builder](fr, args[0].off)
	return b.Len(), b.Cap(), len(*at[string](fr, args[1].off))
}

func builderAndRune(fr unsafe.Pointer, args []*register) (size, capacity, more int) {
	b := *at[*strings.Builder](fr, args[0].off)
	return b.Len(), b.Cap(), utf8.UTFMax
}

// withGrowthCheck returns call, a call of fn. If fn is one of growers, a check that there is memory for the larger
// buffer precedes the call.
func withGrowthCheck(fn *ssa.Function, args []*register, call func(fr *frame)) func(fr *frame) {
	sizes := growers[fn.String()]
	if sizes == nil {
		return call
	}
	return func(fr *frame) {
		if recv := *at[unsafe.Pointer](unsafe.Pointer(fr), args[0].off); recv != nil {
			size, capacity, more := sizes(unsafe.Pointer(fr), args)
			if need := size + more; need >= largeObject && need > capacity {
				fr.checkMemory(fn.Name(), 2*capacity+more, 1)
				if need >= largeAllocation {
					withoutGC(func() { call(fr) })
					return
				}
			}
		}
		call(fr)
	}
}

// formattedSize estimates the memory in bytes that a function of fmt needs. It adds up the lengths of the strings and
// byte slices among the operands, which are the last argument, and multiplies by 3: once for the text, and twice for
// the buffer, which may be twice as large as the text.
func formattedSize(fr unsafe.Pointer, args []*register) float64 {
	total := 0
	for _, v := range *at[[]any](fr, args[len(args)-1].off) {
		switch v := v.(type) {
		case string:
			total += len(v)
		case []byte:
			total += 4 * len(v) // printed as numbers: "255 "
		}
	}
	return 3 * float64(total)
}

// joinedSize estimates the length of the text that strings.Join returns. It counts one separator too many.
func joinedSize(fr unsafe.Pointer, args []*register) float64 {
	parts := *at[[]string](fr, args[0].off)
	total := float64(len(parts)) * float64(len(*at[string](fr, args[1].off)))
	for _, part := range parts {
		total += float64(len(part))
	}
	return total
}

// sizeOfSlice is the size in bytes of a slice, without its elements.
const sizeOfSlice = unsafe.Sizeof(slice{})

// splitSize returns the estimate for Split, SplitN and their variants, whose results have parts of the given size in
// bytes. The estimate is 0 if the first argument is too short for the result to be a large allocation. The parts share
// the memory of the first argument. Byte slices are read as strings, since both begin with a pointer and a length.
func splitSize(part uintptr) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 {
		s := *at[string](fr, args[0].off)
		if len(s) < largeObject {
			return 0
		}
		count := strings.Count(s, *at[string](fr, args[1].off)) + 1
		if len(args) > 2 { // SplitN: at most n parts, unless n is negative
			if n := *at[int](fr, args[2].off); n >= 0 {
				count = min(count, n)
			}
		}
		return float64(part) * float64(count)
	}
}

// fieldsSize is splitSize for Fields.
func fieldsSize(part uintptr) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 {
		s := *at[string](fr, args[0].off)
		if len(s) < largeObject {
			return 0
		}
		count := 0
		for range strings.FieldsSeq(s) {
			count++
		}
		return float64(part) * float64(count)
	}
}

// replacedSize returns the length of the text that Replace or ReplaceAll returns, or 0 if that is certainly less than
// largeAllocation. It reads byte slices as strings, since both begin with a pointer and a length.
func replacedSize(fr unsafe.Pointer, args []*register) float64 {
	s, old, with := *at[string](fr, args[0].off), *at[string](fr, args[1].off), *at[string](fr, args[2].off)
	if float64(len(s)+1)*float64(len(with)+1) < largeAllocation {
		return 0
	}
	count := strings.Count(s, old)
	if len(args) > 3 { // Replace: at most n times, unless n is negative
		if n := *at[int](fr, args[3].off); n >= 0 {
			count = min(count, n)
		}
	}
	return float64(len(s)) + float64(count)*float64(len(with)-len(old))
}

// replacerSize returns the length of the text that a strings.Replacer returns.
func replacerSize(fr unsafe.Pointer, args []*register) float64 {
	r, s := *at[*strings.Replacer](fr, args[0].off), *at[string](fr, args[1].off)
	if r == nil {
		return 0
	}
	var n counter
	_, _ = r.WriteString(&n, s)
	return float64(n)
}

// A counter counts the bytes that are written to it.
type counter int

func (c *counter) Write(b []byte) (int, error)       { *c += counter(len(b)); return len(b), nil }
func (c *counter) WriteString(s string) (int, error) { *c += counter(len(s)); return len(s), nil }

// thirdArgBits returns the third argument, a number of bits, in bytes.
func thirdArgBits(fr unsafe.Pointer, args []*register) float64 { return intArg(fr, args[2]) / 8 }

// sizeOfType returns the size of values of the first argument, a reflect.Type, or 0 if it is nil.
func sizeOfType(fr unsafe.Pointer, args []*register) float64 {
	if t := *at[reflect.Type](fr, args[0].off); t != nil {
		return float64(t.Size())
	}
	return 0
}

// intArg returns an argument of type int or uint.
func intArg(fr unsafe.Pointer, arg *register) float64 { return float64(*at[int](fr, arg.off)) }

// timesLength returns the estimate of factor bytes for each byte of argument i, a string or a slice of bytes.
func timesLength(i int, factor float64) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 {
		return factor * float64(len(*at[string](fr, args[i].off)))
	}
}

// permSize returns the estimate for a slice of n ints, where n is argument i.
func permSize(i int) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 { return 8 * intArg(fr, args[i]) }
}

// secondArg returns the second argument, a number of bytes.
func secondArg(fr unsafe.Pointer, args []*register) float64 { return intArg(fr, args[1]) }

// imageSize returns the estimate for an image with perPixel bytes per pixel. Its bounds are the first argument.
func imageSize(perPixel float64) estimate {
	return func(fr unsafe.Pointer, args []*register) float64 {
		r := at[image.Rectangle](fr, args[0].off)
		return perPixel * float64(r.Dx()) * float64(r.Dy())
	}
}

// isChecked reports whether withChecks adds checks to calls of fn.
func isChecked(fn *ssa.Function) bool {
	name := fn.String()
	return allocations[name] != nil || readers[name].keep != nil || decoders[name] || name == "os.ReadFile" ||
		searchOf(fn) != nil
}

// withChecks returns call, a call of the function fn of a package, with checks that prevent fn from ending the process.
func (b *builder) withChecks(fn *ssa.Function, call caller) caller {
	return b.withPackageMaps(fn, b.withAllocationCheck(fn, b.withReadCheck(fn, call)))
}

// withAllocationCheck returns call, a call of fn. If fn is one of allocations, a check that there is memory for the
// call precedes it.
func (b *builder) withAllocationCheck(fn *ssa.Function, call caller) caller {
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
	path := fn.Pkg.Pkg.Path()
	// fn may call methods that cells declare, which is not allowed in withoutGC.
	callsMethods := path == "fmt" || strings.HasPrefix(path, "gonum.org/v1/gonum/")
	return func(fr *frame, args, results []*register) {
		n := need(unsafe.Pointer(fr), args)
		if n < largeAllocation {
			call(fr, args, results)
			return
		}
		if size := uint64(min(n, 1<<62)); !hasMemoryFor(size) {
			have := afterCollection()
			if !hasMemoryFor(size) {
				text := fmt.Sprintf("out of memory: %s allocates %.1f GiB, and %s", name, n/(1<<30), availableText(have))
				panic(runtimeError(text))
			}
		}
		if callsMethods {
			call(fr, args, results)
			return
		}
		withoutGC(func() { call(fr, args, results) })
	}
}
