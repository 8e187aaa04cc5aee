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
func (r row) text(field string) string { return fieldOf[string](r, field, "a text") }

// flag returns a field that is a truth value, false where there is none.
func (r row) flag(field string) bool { return fieldOf[bool](r, field, "true or false") }

// fieldOf returns a field that is a T, its zero where there is none or null. A row
// with another value there is unsupported.
func fieldOf[T any](r row, field, what string) (v T) {
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
func answerRow(q question) row { return cutErrors(q, answerUncut(q)) }

// answerUncut returns the answer with all the words of its errors.
func answerUncut(q question) (answer row) {
	defer func() {
		if r := recover(); r != nil {
			switch err := r.(type) {
			case unsupported:
				answer = row{"unsupported": err.Error()}
			case *dtype.Error, *promote.Refusal:
				answer = errorRow(err.(error))
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

// dtypeNames are what a row calls a list of dtypes.
func dtypeNames(ds []dtype.DType) []string {
	words := make([]string, len(ds))
	for i, d := range ds {
		words[i] = d.String()
	}
	return words
}

// pythonValues are the values that the golden files' Python numbers have.
var pythonValues = map[string]any{"pybool": true, "pyint": 1, "pyfloat": 1.0, "pycomplex": 1i}

// stateRanks are the ranks of tensors by the rows' names of their states.
var stateRanks = map[string]int{"": 1, "dim": 1, "zero": 0, "numpy scalar": 1}

// operand returns what a row calls name: a Python number, which may be said to be
// wrapped, or a dtype with "?" behind it where it is weak. A tensor has rank 1
// but for the state "zero".
func operand(s *promote.System, name, state string) promote.Operand {
	v, number := pythonValues[name]
	rank, known := stateRanks[state]
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

// rowPair returns the operands a and b of a row.
func rowPair(s *promote.System, r row) (a, b promote.Operand) {
	return operand(s, r.text("a"), r.text("sa")), operand(s, r.text("b"), r.text("sb"))
}

// rowOperands returns the operands of a row that has one or two.
func rowOperands(s *promote.System, r row) []any {
	if r.text("b") == "" {
		return []any{operand(s, r.text("a"), r.text("sa"))}
	}
	a, b := rowPair(s, r)
	return []any{a, b}
}

// dtypeRow returns the fields of an answer that is a dtype or an error.
func dtypeRow(t dtype.Typed, err error) row {
	if err != nil {
		return errorRow(err)
	}
	return row{"result": t.String()}
}

func errorRow(err error) row {
	var no *promote.Refusal
	if errors.As(err, &no) {
		return row{"error": no.Verbatim()}
	}
	return row{"unsupported": err.Error()}
}

// boolResult returns the fields of an answer that is true, false or an error.
func boolResult(ok bool, err error) row {
	if err != nil {
		return errorRow(err)
	}
	return row{"result": ok}
}

// operationRows answers rows of an operation by its name in s.
func operationRows(s *promote.System) func(row) row {
	return func(r row) row { return answerOperation(s, r.text("op"), r) }
}

// answerOperation answers a row of an operation.
func answerOperation(s *promote.System, op string, r row) row {
	t, err := s.Operation(op, rowOperands(s, r)...)
	if err != nil && !hasOperation(s, op) {
		return row{"unsupported": "no operation " + op}
	}
	return dtypeRow(t, err)
}

// hasOperation reports whether s has the operation, which every one has at some of
// these dtypes, of one operand or of two.
func hasOperation(s *promote.System, op string) bool {
	for _, d := range []dtype.DType{dtype.I32, dtype.F32, dtype.I1, dtype.C64} {
		for _, xs := range [][]any{{tensor(d)}, {tensor(d), tensor(d)}} {
			if _, err := s.Operation(op, xs...); err == nil {
				return true
			}
		}
	}
	return false
}

// joinRows answers rows of a pair.
func joinRows(s *promote.System) func(row) row {
	return func(r row) row { return dtypeRow(s.Join(rowPair(s, r))) }
}

// widths are how many characters of an error's text the rows of a file, or of a
// list, have: the answers have as many.
var widths = map[string]int{
	"torch": 160, "torch/result_type": 120, "torch/inplace": 120,
	"jax": 220, "jax/values": 300,
	"numpy": 170, "numpy/values": 210,
	"array_api": 200, "ivy": 200, "flax": 200, "other": 140,
	"tensorflow": 160, "tensorflow/values": 300,
	"arith": 110, "cast_values": 120,
}

// strictWidth is that of JAX's strict_error.
const strictWidth = 140

// cutErrors returns an answer with its errors as long as the rows of the list have them.
func cutErrors(q question, answer row) row {
	width, ok := widths[q.File+"/"+q.List]
	if !ok {
		width, ok = widths[q.File]
	}
	if ok {
		cutErrorsTo(answer, width)
	}
	return answer
}

func cutErrorsTo(answer row, width int) {
	for field, v := range answer {
		switch v := v.(type) {
		case row:
			cutErrorsTo(v, width)
		case string:
			if field == "strict_error" {
				answer[field] = firstCharacters(v, strictWidth)
			} else if field == "error" {
				answer[field] = firstCharacters(v, width)
			}
		}
	}
}

// firstCharacters returns the first n of a text.
func firstCharacters(text string, n int) string {
	if letters := []rune(text); len(letters) > n {
		return string(letters[:n])
	}
	return text
}
