package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
)

type rot13 struct{ r io.Reader }

func (x rot13) Read(p []byte) (n int, err error) {
	n, err = x.r.Read(p)
	for i := range p[:n] {
		c := p[i]
		switch {
		case c >= 'a' && c <= 'z':
			p[i] = 'a' + (c-'a'+13)%26
		case c >= 'A' && c <= 'Z':
			p[i] = 'A' + (c-'A'+13)%26
		}
	}
	return
}

type counter struct{ n int }

func (c *counter) Write(p []byte) (int, error) { c.n += len(p); return len(p), nil }

type rc struct {
	io.Reader
	closed *bool
}

func (r rc) Close() error { *r.closed = true; return errors.New("closed") }
func use(r io.ReadCloser) (s string, err error) {
	defer func() { err = r.Close() }()
	b, err := io.ReadAll(r)
	return string(b), err
}

type seeker struct{ pos int64 }

func (s *seeker) Seek(off int64, wh int) (int64, error) { s.pos = off * int64(wh+1); return s.pos, nil }
func main() {
	b, _ := io.ReadAll(rot13{strings.NewReader("Uryyb, Jbeyq!")})
	fmt.Println(string(b))
	c := &counter{}
	n, err := io.Copy(c, strings.NewReader("12345"))
	fmt.Println(n, err, c.n)
	w := bufio.NewWriter(c)
	fmt.Fprintf(w, "%d", 100)
	w.Flush()
	fmt.Println(c.n)
	closed := false
	s, err := use(rc{strings.NewReader("x"), &closed})
	fmt.Println(s, err, closed)
	sc := bufio.NewScanner(strings.NewReader("a b\nc"))
	sc.Split(bufio.ScanWords)
	for sc.Scan() {
		fmt.Print(sc.Text(), ";")
	}
	var sk io.Seeker = &seeker{}
	fmt.Println(sk.Seek(7, io.SeekCurrent))
	var r io.Reader = &bytes.Buffer{}
	if _, ok := r.(io.Writer); ok {
		fmt.Println("also writer")
	}
	tee := io.TeeReader(strings.NewReader("tee"), c)
	io.ReadAll(tee)
	fmt.Println(c.n)
	pr, pw := io.Pipe()
	go func() { fmt.Fprint(pw, "piped"); pw.Close() }()
	x, _ := io.ReadAll(pr)
	fmt.Println(string(x))
}

// Output:
// Hello, World!
// 5 <nil> 5
// 8
// x closed true
// a;b;c;14 <nil>
// also writer
// 11
// piped
