package compile

import (
	"bufio"
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"fmt"
	"go/types"
	"image"
	"image/color"
	"io"
	"maps"
	"math/big"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"
)

// arguments returns a frame that holds args, and their registers. A reflect.Value stands for the value that it holds,
// whose type may be an interface.
func arguments(args ...any) (fr unsafe.Pointer, regs []*register) {
	values := make([]reflect.Value, len(args))
	fields := make([]reflect.StructField, len(args))
	for i, arg := range args {
		v, ok := arg.(reflect.Value)
		if !ok {
			v = reflect.ValueOf(arg)
		}
		values[i] = v
		fields[i] = reflect.StructField{Name: string(rune('A' + i)), Type: v.Type()}
	}
	frame := reflect.New(reflect.StructOf(fields))
	for i, v := range values {
		frame.Elem().Field(i).Set(v)
		regs = append(regs, &register{off: frame.Elem().Type().Field(i).Offset, typ: v.Type()})
	}
	return frame.UnsafePointer(), regs
}

// as returns x as an argument whose type is the interface I.
func as[I any](x I) reflect.Value { return reflect.ValueOf(&x).Elem() }

// TestAllocations tests the estimates of the memory that functions of packages allocate.
func TestAllocations(t *testing.T) {
	typ := func(t reflect.Type) reflect.Value { return as(t) }
	bounds := image.Rect(1, 2, 4, 6) // 12 pixels
	operands := []any{"abc", []byte("de"), 5, 2.5}
	thousand := strings.Repeat("a", 1<<10)
	long := strings.Repeat("a", 1<<16)
	x := new(big.Int)
	tested := map[string]bool{}
	test := func(names string, want float64, args ...any) {
		t.Helper()
		fr, regs := arguments(args...)
		for name := range strings.FieldsSeq(names) {
			tested[name] = true
			estimate := allocations[name]
			if estimate == nil {
				t.Errorf("%s has no estimate", name)
			} else if got := estimate(fr, regs); got != want {
				t.Errorf("%s(%.20v): %g bytes, want %g", name, args, got, want)
			}
		}
	}
	test("strings.Repeat", 10, "ab", 5)
	test("bytes.Repeat", 12, []byte("abc"), 4)
	test("(*bytes.Buffer).Grow", 7, new(bytes.Buffer), 7)
	test("(*strings.Builder).Grow", 7, new(strings.Builder), 7)
	test("bufio.NewReaderSize", 7, as[io.Reader](nil), 7)
	test("bufio.NewWriterSize", 7, as[io.Writer](nil), 7)
	test("(*math/big.Int).Lsh", 10, x, x, uint(80))
	test("(*math/big.Int).SetBit", 10, x, x, 80, uint(1))
	test("reflect.New reflect.Zero", 24, typ(reflect.TypeFor[[3]int64]()))
	test("reflect.New reflect.Zero", 0, typ(nil))
	test("reflect.MakeSlice", 20, typ(reflect.TypeFor[[]int32]()), 2, 5)

	test("reflect.MakeChan", 20, typ(reflect.TypeFor[chan int32]()), 5)
	test("(reflect.Value).Grow", 4*(3+5), reflect.ValueOf(reflect.ValueOf(make([]int32, 3))), 5)
	test("(reflect.Value).Grow", 0, reflect.ValueOf(reflect.ValueOf(1)), 5)
	test("math/rand.Perm math/rand/v2.Perm", 80, 10)
	test("(*math/rand.Rand).Perm (*math/rand/v2.Rand).Perm", 80, new(int), 10)
	test("container/ring.New", 32*10, 10)
	test("crypto/sha3.SumSHAKE128 crypto/sha3.SumSHAKE256", 80, []byte(nil), 80)

	// Texts. The buffer of fmt may be three times as long as what is in it; a byte takes up to four characters.
	test("fmt.Sprint fmt.Sprintln fmt.Print fmt.Println", 3*(3+4*2), operands)
	test("fmt.Sprintf fmt.Printf", 3*(3+4*2), "%v", operands)
	test("fmt.Fprint fmt.Fprintln", 3*(3+4*2), as[io.Writer](nil), operands)
	test("fmt.Fprintf", 3*(3+4*2), as[io.Writer](nil), "%v", operands)
	test("fmt.Append fmt.Appendln", 3*(3+4*2), []byte(nil), operands)
	test("fmt.Appendf", 3*(3+4*2), []byte(nil), "%v", operands)
	test("fmt.Errorf", 3*(3+4*2), "%v", operands)
	test("strings.Join", 2+1+2*2, []string{"ab", "c"}, "--") // one separator too many
	pairs := strings.Repeat("a,", 1<<15)
	test("strings.Split strings.SplitAfter", 16*(1<<15+1), pairs, ",")
	test("strings.SplitN strings.SplitAfterN", 16*3, pairs, ",", 3)
	test("strings.SplitN strings.SplitAfterN", 16*(1<<15+1), pairs, ",", -1)
	test("bytes.Split bytes.SplitAfter", 24*(1<<15+1), []byte(pairs), []byte(","))
	test("bytes.SplitN bytes.SplitAfterN", 24*3, []byte(pairs), []byte(","), 3)
	test("strings.Split strings.Fields", 0, strings.Repeat("a", 1<<16-1), "a")
	test("bytes.Split bytes.Fields", 0, make([]byte, 1<<16-1), []byte{0})
	test("strings.Fields", 16*(1<<15), strings.Repeat("a ", 1<<15))
	test("bytes.Fields", 24*(1<<15), bytes.Repeat([]byte("a "), 1<<15))
	replaced := float64(len(long) * 2000)
	test("strings.ReplaceAll", replaced, long, "a", strings.Repeat("b", 2000))
	test("bytes.ReplaceAll", replaced, []byte(long), []byte("a"), bytes.Repeat([]byte("b"), 2000))
	test("strings.Replace", replaced, long, "a", strings.Repeat("b", 2000), -1)
	test("bytes.Replace", replaced, []byte(long), []byte("a"), bytes.Repeat([]byte("b"), 2000), len(long)+1)
	test("strings.Replace", float64(len(long)+5*1999), long, "a", strings.Repeat("b", 2000), 5)
	test("strings.ReplaceAll", float64(len(long)), long, "c", strings.Repeat("b", 2000))
	test("strings.ReplaceAll", float64(len(long)+(len(long)+1)*2000), long, "", strings.Repeat("b", 2000))
	test("strings.Replace", float64(len(long)), long, "a", strings.Repeat("b", 2000), 0)
	test("strings.ReplaceAll", 0, long, "a", strings.Repeat("b", 1000)) // less than largeAllocation
	test("(*strings.Replacer).Replace", 3<<10, strings.NewReplacer("a", "bbb"), thousand)
	test("(*strings.Replacer).Replace", 3, strings.NewReplacer("a", "bbb"), "a")
	test("(*strings.Replacer).Replace", 0, (*strings.Replacer)(nil), thousand)
	test("strings.Clone strings.ToUpper strings.ToLower", 1<<10, thousand)
	test("bytes.Clone bytes.ToUpper bytes.ToLower", 1<<10, []byte(thousand))

	// Pictures.
	test("image.NewRGBA image.NewNRGBA image.NewCMYK", 12*4, bounds)
	test("image.NewRGBA64 image.NewNRGBA64", 12*8, bounds)
	test("image.NewGray image.NewAlpha", 12, bounds)
	test("image.NewGray16 image.NewAlpha16", 12*2, bounds)
	test("image.NewPaletted", 12, bounds, color.Palette(nil))
	test("image.NewYCbCr", 12*3, bounds, image.YCbCrSubsampleRatio444)

	// Numbers, with 300 digits after the point.
	test("strconv.FormatFloat", 300, 1.5, byte('f'), 300, 64)
	test("strconv.AppendFloat", 300, []byte(nil), 1.5, byte('f'), 300, 64)
	test("(*math/big.Float).Text", 300, new(big.Float), byte('f'), 300)
	test("(*math/big.Rat).FloatString", 300, new(big.Rat), 300)

	// Encodings, whose text is copied once, except that of a dump.
	test("(*encoding/base64.Encoding).EncodeToString", 2*40, base64.StdEncoding, make([]byte, 30))
	test("(*encoding/base32.Encoding).EncodeToString", 2*48, base32.StdEncoding, make([]byte, 30))
	test("encoding/hex.EncodeToString", 2*60, make([]byte, 30))
	test("encoding/hex.Dump", 2*79, make([]byte, 32))

	for name := range allocations {
		if !tested[name] && !strings.Contains(name, "gonum") { // see TestMatrixAllocations
			t.Errorf("the estimate of %s is not tested", name)
		}
	}
}

// TestGrowers tests what methods that append to a buffer may need: the length and capacity of the buffer, and the
// number of bytes appended.
func TestGrowers(t *testing.T) {
	buffer := bytes.NewBuffer(append(make([]byte, 0, 10), "abc"...))
	builder := new(strings.Builder)
	builder.Grow(100)
	builder.WriteString("abcd")
	for _, c := range []struct {
		name                 string
		recv, arg            any
		size, capacity, more int
	}{
		{"(*bytes.Buffer).Write", buffer, []byte("xy"), 3, 10, 2},
		{"(*bytes.Buffer).WriteString", buffer, "xyz", 3, 10, 3},
		{"(*strings.Builder).Write", builder, []byte("xy"), 4, builder.Cap(), 2},
		{"(*strings.Builder).WriteString", builder, "xyz", 4, builder.Cap(), 3},
		{"(*strings.Builder).WriteByte", builder, byte('x'), 4, builder.Cap(), 4},
		{"(*strings.Builder).WriteRune", builder, 'x', 4, builder.Cap(), 4},
	} {
		fr, regs := arguments(c.recv, c.arg)
		size, capacity, more := growers[c.name](fr, regs)
		if size != c.size || capacity != c.capacity || more != c.more {
			t.Errorf("%s: %d, %d, %d, want %d, %d, %d", c.name, size, capacity, more, c.size, c.capacity, c.more)
		}
	}
	if len(growers) != 6 {
		t.Errorf("%d methods", len(growers))
	}
}

// TestReaders tests which argument of a function is the reader, and whether what is read is kept in memory.
func TestReaders(t *testing.T) {
	const never, always, toMemory = 0, 1, 2
	want := map[string][2]int{
		"io.ReadAll": {0, always}, "io/ioutil.ReadAll": {0, always}, "(*bytes.Buffer).ReadFrom": {1, always},
		"io.Copy": {1, toMemory}, "io.CopyBuffer": {1, toMemory}, "io.CopyN": {1, toMemory},
		"bufio.NewScanner": {}, "bufio.NewReader": {}, "bufio.NewReaderSize": {},
		"fmt.Fscan": {}, "fmt.Fscanf": {}, "fmt.Fscanln": {},
		"encoding/csv.NewReader": {}, "encoding/gob.NewDecoder": {}, "encoding/json.NewDecoder": {},
		"encoding/xml.NewDecoder": {},
	}
	if got, want := slices.Sorted(maps.Keys(readers)), slices.Sorted(maps.Keys(want)); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for name, r := range readers {
		if r.arg != want[name][0] {
			t.Errorf("%s reads argument %d", name, r.arg)
		}
		for w, inMemory := range map[io.Writer]bool{
			new(bytes.Buffer): true, new(strings.Builder): true, io.Discard: false, bufio.NewWriter(nil): false,
		} {
			fr, regs := arguments(as(w), as[io.Reader](nil))
			kept := want[name][1] == always || want[name][1] == toMemory && inMemory
			if got := r.keep(fr, regs); got != kept {
				t.Errorf("%s to a %T: kept %v, want %v", name, w, got, kept)
			}
		}
	}
	pictures := []string{"image.Decode", "image/gif.Decode", "image/gif.DecodeAll", "image/jpeg.Decode",
		"image/png.Decode"}
	for _, name := range pictures {
		if !decoders[name] {
			t.Errorf("%s does not check the picture", name)
		}
	}
	if len(decoders) != len(pictures) {
		t.Errorf("%d decoders, want %d", len(decoders), len(pictures))
	}
}

// TestChecked tests that calls of functions with checks are not made directly, and that calls of others are.
func TestChecked(t *testing.T) {
	names := slices.Concat(slices.Collect(maps.Keys(allocations)), slices.Collect(maps.Keys(readers)),
		slices.Collect(maps.Keys(decoders)), []string{"os.ReadFile"})
	for _, name := range names {
		if fn := packageFunc(name, types.NewStruct(nil, nil)); fn.String() != name || !isChecked(fn) {
			t.Errorf("%s is called without checks", fn)
		}
	}
	for _, name := range []string{"math.Sqrt", "os.ReadDir", "io.WriteString", "(*bytes.Buffer).Len"} {
		if fn := packageFunc(name, types.NewStruct(nil, nil)); fn.String() != name || isChecked(fn) {
			t.Errorf("%s is called with checks", fn)
		}
	}
}

// TestPolledReader tests that a Read polls for an interrupt, and that the memory for what is read is checked again each
// time that it has grown by a quarter. The buffer of the caller may be twice as large as what is read.
func TestPolledReader(t *testing.T) {
	polls := 0
	stop := make(chan struct{}, 1)
	s := &Session{Hooks: Hooks{Stop: func() chan struct{} { return stop }, Poll: func() { polls++ }}}
	th := new(thread)
	r := &polledReader{s: s, r: strings.NewReader(strings.Repeat("a", 1000)), fr: &frame{th: th}, name: "f", next: 100}
	for i, c := range []struct {
		read      int
		allocated uint64 // the sum of what was checked
	}{
		{99, 0},
		{1, 2 * 100},
		{24, 2 * 100},
		{1, 2 * (100 + 125)},
		{30, 2 * (100 + 125)},
		{845, 2 * (100 + 125 + 1000)},
		{0, 2 * (100 + 125 + 1000)},
	} {
		n, err := r.Read(make([]byte, max(c.read, 1)))
		if n != c.read || (err == io.EOF) != (n == 0) {
			t.Errorf("%d: read %d bytes, %v, want %d", i, n, err, c.read)
		}
		if th.allocated != c.allocated {
			t.Errorf("%d: after %d bytes, %d were checked, want %d", i, r.n, th.allocated, c.allocated)
		}
	}
	if polls != 0 {
		t.Errorf("%d polls without an interrupt", polls)
	}
	stop <- struct{}{}
	if r.Read(nil); polls != 1 {
		t.Errorf("%d polls, want one", polls)
	}
}

// TestReadLargeFile tests the panic for a file that does not fit into memory.
func TestReadLargeFile(t *testing.T) {
	name := filepath.Join(t.TempDir(), "large")
	if err := os.WriteFile(name, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(name, 1<<42); err != nil {
		t.Fatal(err)
	}
	var call struct {
		frame
		name string
	}
	call.th, call.name = new(thread), name
	defer func() {
		const want = "runtime error: out of memory: ReadFile needs 4398046511104 elements of 1 bytes each; "
		if got := fmt.Sprint(recover()); !strings.HasPrefix(got, want) {
			t.Errorf("%s, want %s", got, want)
		}
	}()
	new(Session).readFile(nil)(&call.frame, []*register{{off: unsafe.Offsetof(call.name)}}, nil)
}
