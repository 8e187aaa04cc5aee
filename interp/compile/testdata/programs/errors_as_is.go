package main

import (
	"errors"
	"fmt"
	"io"
	"os"
)

type NotFound struct{ Key string }

func (e NotFound) Error() string { return "not found: " + e.Key }

type Code struct {
	n     int
	inner error
}

func (c *Code) Error() string   { return fmt.Sprintf("code %d: %v", c.n, c.inner) }
func (c *Code) Unwrap() error   { return c.inner }
func (c *Code) Is(t error) bool { return t == ErrBase }

var ErrBase = errors.New("base")

func find(k string) error { return fmt.Errorf("find: %w", NotFound{k}) }
func main() {
	err := find("k1")
	var nf NotFound
	fmt.Println(errors.As(err, &nf), nf.Key, err)
	var c *Code
	e2 := fmt.Errorf("ctx: %w", &Code{5, io.EOF})
	fmt.Println(errors.As(e2, &c), c.n, errors.Is(e2, io.EOF), errors.Is(e2, ErrBase), errors.Is(err, io.EOF))
	fmt.Println(errors.Is(err, NotFound{"k1"}), errors.Is(err, NotFound{"k2"}))
	j := errors.Join(err, e2)
	fmt.Println(errors.As(j, &c), errors.Is(j, io.EOF), errors.Unwrap(e2) == error(c))
	_, oe := os.Open("/nonexistent/x")
	var pe *os.PathError
	fmt.Println(errors.As(oe, &pe), pe.Op, errors.Is(oe, os.ErrNotExist))
	fmt.Println(errors.As(ErrBase, &nf))
}

// Output:
// true k1 find: not found: k1
// true 5 true true false
// true false
// true true true
// true open true
// false
