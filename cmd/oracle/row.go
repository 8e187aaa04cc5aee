package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A row is one row of a golden file, with or without its answer.
type row map[string]any

// text returns a field that is a string, "" where there is none.
func (r row) text(field string) string { return of[string](r, field, "a text") }

// flag returns a field that is a truth value, false where there is none.
func (r row) flag(field string) bool { return of[bool](r, field, "true or false") }

// of returns a field that is a T, its zero where there is none or null. A row
// with another value there is unsupported.
func of[T any](r row, field, what string) (v T) {
	given, ok := r[field], false
	if v, ok = given.(T); !ok && given != nil {
		panic(unsupported(fmt.Sprintf("%s is %s, not %v", field, what, given)))
	}
	return v
}

// A question is a row and where it stands.
type question struct {
	File string `json:"file"`
	List string `json:"list"`
	Row  row    `json:"row"`
}

// An unsupported is why a row is not answered.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// lists answers the rows of one file, by the name of their list.
type lists map[string]func(row) row

var files = map[string]lists{
	"torch":      torchLists,
	"jax":        jaxLists,
	"numpy":      numpyLists,
	"ivy":        ivyLists,
	"other":      {"rows": otherRow},
	"anvil":      anvilLists,
	"compare":    compareLists,
	"tensorflow": tensorflowLists,
	"flax":       flaxLists,
	"array_api":  arrayAPILists,
	"arith":      arithLists,

	"cast_values": castLists,
}

// answerRow returns the fields of the row that the golden file has as the answer:
// result or error; unsupported, and why, where the row is not answered.
func answerRow(q question) row { return cut(q, answerUncut(q)) }

// answerUncut returns the answer with all the words of its errors.
func answerUncut(q question) (answer row) {
	defer func() {
		if r := recover(); r != nil {
			switch err := r.(type) {
			case unsupported:
				answer = row{"unsupported": err.Error()}
			case *dtype.Error, *promote.Refusal:
				answer = failure(err.(error))
			default:
				panic(r)
			}
		}
	}()
	list, ok := files[q.File]
	if !ok {
		return row{"unsupported": "no rows of file " + q.File + " are answered"}
	}
	f, ok := list[q.List]
	if !ok {
		return row{"unsupported": "no rows of list " + q.List + " are answered"}
	}
	return f(q.Row)
}

// dtypeOf returns the dtype of that name; a row with another is unsupported.
func dtypeOf(name string) dtype.DType {
	d, ok := promote.Named(name)
	if !ok {
		panic(unsupported(fmt.Sprintf("no dtype %q", name)))
	}
	return d
}

// names are what a row calls a list of dtypes.
func names(ds []dtype.DType) []string {
	words := make([]string, len(ds))
	for i, d := range ds {
		words[i] = d.String()
	}
	return words
}

// scalars are the values that the golden files' Python numbers have.
var scalars = map[string]any{"pybool": true, "pyint": 1, "pyfloat": 1.0, "pycomplex": 1i}

// ranks are the ranks of tensors by the rows' names of their states.
var ranks = map[string]int{"": 1, "dim": 1, "zero": 0, "numpy scalar": 1}

// operand returns what a row calls name: a Python number, which may be said to be
// wrapped, or a dtype with "?" behind it where it is weak. A tensor has rank 1
// but for the state "zero".
func operand(s *promote.System, name, state string) promote.Operand {
	v, number := scalars[name]
	rank, known := ranks[state]
	if !known && !(number && state == "wrapped") {
		panic(unsupported(fmt.Sprintf("%s has no state %q", name, state)))
	}
	if number {
		t, err := s.Literal(v)
		if err != nil {
			panic(unsupported(err.Error()))
		}
		return promote.Operand{Typed: t, Literal: v}
	}
	bare, weak := strings.CutSuffix(name, "?")
	return promote.Operand{Typed: dtype.Typed{DType: dtypeOf(bare), Ambiguous: weak}, Rank: rank}
}

// pair returns the operands a and b of a row.
func pair(s *promote.System, r row) (a, b promote.Operand) {
	return operand(s, r.text("a"), r.text("sa")), operand(s, r.text("b"), r.text("sb"))
}

// xs returns the operands of a row that has one or two.
func xs(s *promote.System, r row) []any {
	if r.text("b") == "" {
		return []any{operand(s, r.text("a"), r.text("sa"))}
	}
	a, b := pair(s, r)
	return []any{a, b}
}

// result returns the fields of an answer that is a dtype or an error.
func result(t dtype.Typed, err error) row {
	if err != nil {
		return failure(err)
	}
	return row{"result": t.String()}
}

func failure(err error) row {
	var no *promote.Refusal
	if errors.As(err, &no) {
		return row{"error": no.Verbatim()}
	}
	return row{"unsupported": err.Error()}
}

// truth returns the fields of an answer that is true, false or an error.
func truth(ok bool, err error) row {
	if err != nil {
		return failure(err)
	}
	return row{"result": ok}
}

// operation answers rows of an operation by its name in s.
func operation(s *promote.System) func(row) row {
	return func(r row) row { return operated(s, r.text("op"), r) }
}

// operated answers a row of an operation.
func operated(s *promote.System, op string, r row) row {
	t, err := s.Operation(op, xs(s, r)...)
	if err != nil && !operates(s, op) {
		return row{"unsupported": "no operation " + op}
	}
	return result(t, err)
}

// operates reports whether s has the operation, which every one has at some of
// these dtypes, of one operand or of two.
func operates(s *promote.System, op string) bool {
	for _, d := range []dtype.DType{dtype.I32, dtype.F32, dtype.I1, dtype.C64} {
		for _, xs := range [][]any{{tensor(d)}, {tensor(d), tensor(d)}} {
			if _, err := s.Operation(op, xs...); err == nil {
				return true
			}
		}
	}
	return false
}

// join answers rows of a pair.
func join(s *promote.System) func(row) row {
	return func(r row) row { return result(s.Join(pair(s, r))) }
}
