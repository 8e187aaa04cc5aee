package main

import (
	"errors"
	"fmt"
	"os"
	"strconv"
)

type ParseError struct {
	Line int
	Err  error
}

func (e *ParseError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }
func (e *ParseError) Unwrap() error { return e.Err }

var ErrEmpty = errors.New("empty")

func parse(ls []string) (out []int, err error) {
	for i, l := range ls {
		if l == "" {
			return nil, &ParseError{i + 1, ErrEmpty}
		}
		n, err := strconv.Atoi(l)
		if err != nil {
			return out, &ParseError{i + 1, err}
		}
		out = append(out, n)
	}
	return out, nil
}
func main() {
	fmt.Println(parse([]string{"1", "2"}))
	_, err := parse([]string{"1", ""})
	fmt.Println(err, errors.Is(err, ErrEmpty))
	_, err = parse([]string{"x"})
	var pe *ParseError
	var ne *strconv.NumError
	fmt.Println(errors.As(err, &pe), pe.Line, errors.As(err, &ne), ne.Func, errors.Is(err, strconv.ErrSyntax))
	if _, err := os.ReadFile("/no/file"); err != nil {
		fmt.Println(errors.Is(err, os.ErrNotExist))
	}
	e := fmt.Errorf("a: %w, b: %w", ErrEmpty, pe)
	fmt.Println(errors.Is(e, ErrEmpty), errors.As(e, &ne), e)
	switch {
	case errors.Is(err, ErrEmpty):
		fmt.Println("empty")
	case errors.As(err, &pe):
		fmt.Println("parse", pe.Line)
	}
}

// Output:
// [1 2] <nil>
// line 2: empty true
// true 1 true Atoi true
// true
// true true a: empty, b: line 1: strconv.Atoi: parsing "x": invalid syntax
// parse 1
