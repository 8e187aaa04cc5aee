package interp_test

import (
	"context"
	"regexp"
	"testing"

	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/interp/interptest"
)

// available matches the sizes in errors of lack of memory, which depend on the machine.
var available = regexp.MustCompile(`[0-9.]+ .iB (are available, of which the kernel keeps) [0-9.]+ .iB$`)

// TestMemory checks that a request for more memory than any machine has is an error of the cell, at the position of
// the request, and that the session keeps its names.
func TestMemory(t *testing.T) {
	nb := interptest.New(t, interp.Options{})
	nb.MustRun(t, 1, "import (\"bufio\"; \"bytes\"; \"image\"; \"math/big\"; \"reflect\"; \"strings\"; \"gonum.org/v1/gonum/mat\")\nkept := 7\n"+
		"var b bytes.Buffer\nvar s strings.Builder")
	for i, c := range [][2]string{
		{`len(strings.Repeat("ab", 1<<45))`, "cell[2]:1:5: out of memory: strings.Repeat allocates 65536.0 GiB, and "},
		{`len(bytes.Repeat([]byte("a"), 1<<45))`, "cell[3]:1:5: out of memory: bytes.Repeat allocates 32768.0 GiB, and "},
		{"b.Grow(1 << 45)", "cell[4]:1:1: out of memory: (*bytes.Buffer).Grow allocates 32768.0 GiB, and "},
		{"s.Grow(1 << 45)", "cell[5]:1:1: out of memory: (*strings.Builder).Grow allocates 32768.0 GiB, and "},
		{"bufio.NewReaderSize(nil, 1<<45)", "cell[6]:1:1: out of memory: bufio.NewReaderSize allocates 32768.0 GiB, and "},
		{"new(big.Int).Lsh(big.NewInt(1), 1<<48)", "cell[7]:1:1: out of memory: (*big.Int).Lsh allocates 32768.0 GiB, and "},
		{"mat.NewDense(1<<21, 1<<21, nil)", "cell[8]:1:1: out of memory: mat.NewDense allocates 32768.0 GiB, and "},
		{"image.NewRGBA(image.Rect(0, 0, 1<<22, 1<<21))", "cell[9]:1:1: out of memory: image.NewRGBA allocates 32768.0 GiB, and "},
		{"reflect.MakeSlice(reflect.TypeOf([]int{}), 0, 1<<42)", "cell[10]:1:1: out of memory: reflect.MakeSlice allocates 32768.0 GiB, and "},
		{"len(make(chan int, 1<<42))", "cell[11]:1:5: out of memory: make needs 4398046511104 elements of 8 bytes each; "},
	} {
		res := nb.Run(context.Background(), c[0], i+2)
		if res.Err == nil {
			t.Errorf("%s: no error", c[0])
			continue
		}
		want := c[1] + "SIZE are available, of which the kernel keeps SIZE"
		if got := available.ReplaceAllString(res.Err.Error(), "SIZE $1 SIZE"); got != want {
			t.Errorf("%s: %v, want %s", c[0], res.Err, want)
		}
	}
	if got := nb.MustRun(t, 20, "kept"); got != "7" {
		t.Errorf("kept is %s", got)
	}
}
