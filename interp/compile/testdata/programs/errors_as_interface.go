package main

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
)

type Temporary interface{ Temporary() bool }

type coder interface {
	error
	Code() int
}

type Failure struct{ n int }

func (f Failure) Error() string { return fmt.Sprint("failure ", f.n) }
func (f Failure) Code() int     { return f.n }

type Wrapped struct {
	what  string
	inner error
}

func (w *Wrapped) Error() string { return w.what + ": " + w.inner.Error() }
func (w *Wrapped) Unwrap() error { return w.inner }

type Lazy struct{}

func (Lazy) Error() string { return "lazy" }
func (Lazy) As(target any) bool {
	if c, ok := target.(*coder); ok {
		*c = Failure{99}
		return true
	}
	return false
}

func is(err error, target any) bool { return errors.As(err, target) }

func main() {
	err := error(&Wrapped{"a", fmt.Errorf("b: %w", Failure{7})})
	var c coder
	fmt.Println(errors.As(err, &c), c != nil && c.Code() == 7, c)
	var t Temporary
	fmt.Println(errors.As(err, &t), t == nil)
	fmt.Println(errors.As(&Wrapped{"net", &net.DNSError{IsTemporary: true}}, &t), t != nil && t.Temporary())
	j := errors.Join(io.EOF, err)
	c = nil
	fmt.Println(errors.As(j, &c), c.Code(), errors.As(io.EOF, &c))
	fmt.Println(errors.As(Lazy{}, &c), c.Code())
	fmt.Println(errors.As(nil, &c), errors.As(nil, (*coder)(nil)))
	if f, ok := errors.AsType[Failure](err); ok {
		fmt.Println("failure", f.n)
	}
	if k, ok := errors.AsType[coder](j); ok {
		fmt.Println("coder", k.Code())
	}
	_, ok := errors.AsType[*os.PathError](j)
	fmt.Println(ok)
	var w *Wrapped
	fmt.Println(is(err, &w), w.what)
	var anonymous interface{ Code() int }
	fmt.Println(errors.As(err, &anonymous), anonymous.Code())
}

// Output:
// true true failure 7
// false true
// true true
// true 7 false
// true 99
// false false
// failure 7
// coder 7
// false
// true a
// true 7
