package memory

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"
)

// An endless reader reads zeros without end.
type endless struct{}

func (endless) Read(b []byte) (int, error) { clear(b); return len(b), nil }

// TestRead checks that Read reads all there is, and fails before it allocates more than is available.
func TestRead(t *testing.T) {
	text := strings.Repeat("text", 1<<19)
	for _, n := range []int64{0, 1, 3, 1 << 20, 1<<21 - 1, 1 << 21, All} {
		data, err := Read(iotest.HalfReader(strings.NewReader(text)), n)
		if want := text[:min(n, int64(len(text)))]; err != nil || string(data) != want {
			t.Errorf("%d bytes of %d: %d, %v", n, len(text), len(data), err)
		}
	}
	if _, err := Read(iotest.ErrReader(io.ErrNoProgress), 5); err != io.ErrNoProgress {
		t.Error(err)
	}
	if free, known := Available(); !known || free <= 0 {
		t.Skip("the system does not say how much memory is free")
	}
	was := available
	defer func() { available = was }()
	available = func() (int64, bool) { return 100 << 20, true }
	if data, err := Read(endless{}, All); err == nil || err.Error() != "128.00 MiB of memory are needed and 100.00 MiB are free" {
		t.Errorf("%d bytes, %v", len(data), err)
	}
}

// TestCheckPicture checks that the returned reader reads the picture from its start.
func TestCheckPicture(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	data := file.Bytes()
	for _, r := range []io.Reader{
		bytes.NewBuffer(data), bytes.NewReader(data), bufio.NewReader(bytes.NewReader(data)), iotest.OneByteReader(bytes.NewReader(data)),
	} {
		again, err := CheckPicture(r)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(again); err != nil || !bytes.Equal(got, data) {
			t.Errorf("%T: %d bytes of %d, %v", r, len(got), len(data), err)
		}
	}
	if r, err := CheckPicture(nil); r != nil || err != nil {
		t.Error(r, err)
	}
	was := available
	defer func() { available = was }()
	available = func() (int64, bool) { return 100 << 20, true }
	copy(data[16:], "\x00\x00\x80\x00\x00\x00\x80\x00") // width and height in IHDR; its checksum is wrong now
	if _, err := CheckPicture(bytes.NewReader(data)); err != nil {
		t.Error("a damaged header is not left to the decoder:", err)
	}
}

// TestLargePictures checks the sizes from which pictures are refused.
func TestLargePictures(t *testing.T) {
	was := available
	defer func() { available = was }()
	free, known := int64(100<<20), true
	available = func() (int64, bool) { return free, known }
	picture := func(width, height int, depth, kind byte) []byte {
		b := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0dIHDR"), binary.BigEndian.AppendUint32(nil, uint32(width))...)
		b = append(binary.BigEndian.AppendUint32(b, uint32(height)), depth, kind, 0, 0, 0)
		return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[12:]))
	}
	const gray, rgb, rgba = 0, 2, 6
	for _, c := range []struct {
		width, height int
		depth, kind   byte
		want          string
	}{
		{10240, 10240, 8, gray, ""},
		{10241, 10240, 8, gray, "an image of 10241 x 10240 pixels needs 100.01 MiB, and 100.00 MiB are free"},
		{5120, 10240, 16, gray, ""},
		{5121, 10240, 16, gray, "an image of 5121 x 10240 pixels needs 100.02 MiB, and 100.00 MiB are free"},
		{2560, 10240, 8, rgb, ""},
		{2561, 10240, 8, rgb, "an image of 2561 x 10240 pixels needs 100.04 MiB, and 100.00 MiB are free"},
		{1280, 10240, 16, rgba, ""},
		{1281, 10240, 16, rgba, "an image of 1281 x 10240 pixels needs 100.08 MiB, and 100.00 MiB are free"},
		{1281, 10240, 16, rgb, "an image of 1281 x 10240 pixels needs 100.08 MiB, and 100.00 MiB are free"},
	} {
		_, err := CheckPicture(bytes.NewReader(picture(c.width, c.height, c.depth, c.kind)))
		if got := fmt.Sprint(err); err == nil && c.want != "" || err != nil && got != c.want {
			t.Errorf("%d x %d: %s, want %s", c.width, c.height, got, c.want)
		}
	}
	large := picture(1<<14, 1<<14, 8, rgba)
	known = false
	if _, err := CheckPicture(bytes.NewReader(large)); err != nil {
		t.Error("memory is not known:", err)
	}
	free, known = 1, true
	if _, err := CheckPicture(bytes.NewReader(picture(1<<13, 1<<13, 8, gray))); err != nil {
		t.Error("64 MiB are checked:", err)
	}
	if _, err := CheckPicture(bytes.NewReader(picture(1<<13+1, 1<<13, 8, gray))); err == nil || err.Error() != "an image of 8193 x 8192 pixels needs 64.01 MiB, and 1 bytes are free" {
		t.Error("more than 64 MiB are not checked:", err)
	}
}

// TestProcess checks that the numbers of the process and of the machine are known and in order.
func TestProcess(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("they are read from /proc")
	}
	resident, knowsResident := Resident()
	total, knowsTotal := Total()
	free, knowsFree := Available()
	if !knowsResident || !knowsTotal || !knowsFree {
		t.Fatalf("resident %t, total %t, free %t", knowsResident, knowsTotal, knowsFree)
	}
	if resident < 1<<20 || resident > total || free > total || total < 64<<20 {
		t.Errorf("%d bytes are resident, %d free of %d", resident, free, total)
	}
}

// TestSizeText checks the units.
func TestSizeText(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1<<20 - 1: "1048575 bytes", 1 << 20: "1.00 MiB", 3 << 29: "1.50 GiB"} {
		if got := SizeText(n); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
	total, known := Total()
	resident, _ := Resident()
	if free, _ := Available(); known && (total < free && free < math.MaxInt64 || resident > total || total < 1<<26) {
		t.Error("total", total, "free", free, "resident", resident)
	}
	if n, known := fieldValue("/no/such/file", "x", 1); n != 0 || known {
		t.Error("a line of no file:", n)
	}
}

// TestGroups reads the limits of control groups of both versions.
func TestGroups(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if got := min(cgroupV2Left(dir), cgroupV1Left(dir)); got != math.MaxInt64 {
		t.Errorf("without files: %d", got)
	}
	write("memory.max", "max\n")
	write("memory.current", "700\n")
	if got := cgroupV2Left(dir); got != math.MaxInt64 {
		t.Errorf("without a limit: %d", got)
	}
	write("memory.max", "1000\n")
	write("memory.stat", "anon 5\ninactive_file 20\nactive_file 3\n")
	if got := cgroupV2Left(dir); got != 323 {
		t.Errorf("version 2: %d", got)
	}
	write("memory.limit_in_bytes", "1000\n")
	write("memory.usage_in_bytes", "990\n")
	if got := cgroupV1Left(dir); got != 100 {
		t.Errorf("version 1: %d", got)
	}
}

// A stuck is an io.ReadSeeker. Its first Seek reports an error if broken is set, and its second one always.
type stuck struct {
	io.Reader
	broken bool
	seeks  *int
}

func (s stuck) Seek(int64, int) (int64, error) {
	if *s.seeks++; s.broken || *s.seeks > 1 {
		return 0, io.ErrNoProgress
	}
	return 0, nil
}

// TestCheckPictureOfSeekers checks that a reader that can seek is returned at the place where it was, that one that
// cannot seek, such as a pipe, loses nothing, and that an error of going back is returned.
func TestCheckPictureOfSeekers(t *testing.T) {
	var file bytes.Buffer
	if err := png.Encode(&file, image.NewGray(image.Rect(0, 0, 3, 2))); err != nil {
		t.Fatal(err)
	}
	text := "before" + file.String()
	for _, before := range []int64{0, int64(len("before"))} {
		r := strings.NewReader(text)
		if _, err := r.Seek(before, io.SeekStart); err != nil {
			t.Fatal(err)
		}
		again, err := CheckPicture(r)
		if at, _ := r.Seek(0, io.SeekCurrent); err != nil || again != io.Reader(r) || at != before {
			t.Errorf("from %d: at %d of %T, %v", before, at, again, err)
		}
	}
	for _, broken := range []bool{true, false} {
		again, err := CheckPicture(stuck{strings.NewReader(file.String()), broken, new(int)})
		if !broken {
			if again != nil || err == nil || !strings.Contains(err.Error(), io.ErrNoProgress.Error()) {
				t.Errorf("a reader that does not go back: %v, %v", again, err)
			}
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		if got, err := io.ReadAll(again); err != nil || string(got) != file.String() {
			t.Errorf("of a reader that cannot seek: %d bytes of %d, %v", len(got), file.Len(), err)
		}
	}
}

// TestFieldValue checks which line of a file is read, and its unit.
func TestFieldValue(t *testing.T) {
	path := filepath.Join(t.TempDir(), "fields")
	if err := os.WriteFile(path, []byte("Empty:\nMem: 7 kB\nMemTotal: 5 kB\nMem: 9 kB\nBad: x kB\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int64{"Mem:": 7168, "MemTotal:": 5120, "Empty:": -1, "Bad:": -1, "Other:": -1} {
		if n, known := fieldValue(path, name, 1024); known != (want >= 0) || known && n != want {
			t.Errorf("%s %d, %t; want %d", name, n, known, want)
		}
	}
}
