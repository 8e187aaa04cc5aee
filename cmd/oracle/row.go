package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A row is a JSON object: a question, an answer, or both, as in the golden files in testdata.
type row map[string]any

// text returns a text field, or "" if the row does not have it.
func (r row) text(field string) string { return fieldOf[string](r, field, "a string") }

// flag returns a boolean field, or false if the row does not have it.
func (r row) flag(field string) bool { return fieldOf[bool](r, field, "true or false") }

// fieldOf returns a field of type T, or the zero value if it is absent or null. It panics with
// unsupported if the field has another type; kind describes T in that error.
func fieldOf[T any](r row, field, kind string) T {
	v, ok := r[field].(T)
	if !ok && r[field] != nil {
		panic(unsupported(fmt.Sprintf("%s must be %s, not %v", field, kind, r[field])))
	}
	return v
}

// A question is a row, with the name of its golden file and of the list in that file to which it belongs.
type question struct {
	File string `json:"file"`
	List string `json:"list"`
	Row  row    `json:"row"`
}

// An unsupported is an error: the reason why a row is not answered.
type unsupported string

func (u unsupported) Error() string { return string(u) }

// row returns the answer for a row that the oracle does not support, with u as the reason.
func (u unsupported) row() row { return row{"unsupported": string(u)} }

// A list has the functions for the rows of one list of a golden file.
type list struct {
	answer func(row) row

	// explain explains the dtype of the answer. It returns the zero Explanation for a row that it cannot explain. It is
	// nil if the answers are not dtypes of one system.
	explain func(row) promote.Explanation
}

// lists are the lists of a golden file by name.
type lists map[string]list

// files maps golden files to their lists.
var files = map[string]lists{
	"torch":      torchLists,
	"jax":        jaxLists,
	"numpy":      numpyLists,
	"ivy":        ivyLists,
	"other":      {"rows": {otherRow, explainOther}},
	"anvil":      anvilLists,
	"compare":    compareLists,
	"tensorflow": tensorflowLists,
	"flax":       flaxLists,
	"array_api":  arrayAPILists,
	"arith":      arithLists,

	"cast_values": castLists,
}

// answerRow returns the answer to a question: the fields that the golden file has
// for it, or the field unsupported with a reason.
func answerRow(q question) row { return cutErrors(q, answerUncut(q)) }

// answerUncut is like answerRow, but returns error texts at full length.
func answerUncut(q question) (answer row) {
	defer func() {
		if r := recover(); r != nil {
			switch err := r.(type) {
			case unsupported:
				answer = err.row()
			case *dtype.Error, *promote.Refusal:
				answer = errorRow(err.(error))
			default:
				panic(r)
			}
		}
	}()
	file, ok := files[q.File]
	if !ok {
		return unsupported("no rows of file " + q.File + " are answered").row()
	}
	l, ok := file[q.List]
	if !ok {
		return unsupported("no rows of list " + q.List + " are answered").row()
	}
	return l.answer(q.Row)
}

// dtypeOf returns the dtype with the given name. It panics with unsupported if there is none.
func dtypeOf(name string) dtype.DType {
	d, ok := promote.Named(name)
	if !ok {
		panic(unsupported(fmt.Sprintf("no dtype %q", name)))
	}
	return d
}

// dtypeNames returns the names of ds.
func dtypeNames(ds []dtype.DType) []string {
	words := make([]string, len(ds))
	for i, d := range ds {
		words[i] = d.String()
	}
	return words
}

// pythonValues are the values of Python's numbers in the rows.
var pythonValues = map[string]any{"pybool": true, "pyint": 1, "pyfloat": 1.0, "pycomplex": 1i}

// stateRanks maps the state of a tensor, as rows name it, to a rank of such tensors. The state is the category in which
// the system's promotion puts the tensor, such as "dim" (with axes) and "zero" (without axes) for PyTorch. It is "" if
// the row gives none.
var stateRanks = map[string]int{"": 1, "dim": 1, "zero": 0, "numpy scalar": 1} // a NumPy scalar counts as an array

// operand returns the operand of a row with the given name and state. The name is a key of pythonValues,
// or the name of a tensor's dtype, followed by "?" if the tensor is weak. The state is a key of
// stateRanks; a number may also have the state "wrapped".
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

// rowOperands returns the one or two operands of a row.
func rowOperands(s *promote.System, r row) []any {
	if r.text("b") == "" {
		return []any{operand(s, r.text("a"), r.text("sa"))}
	}
	a, b := rowPair(s, r)
	return []any{a, b}
}

// dtypeRow returns an answer that holds a dtype or an error.
func dtypeRow(t dtype.Typed, err error) row {
	if err != nil {
		return errorRow(err)
	}
	return row{"result": t.String()}
}

// errorRow returns an answer that holds a system's error. For other errors the row is unsupported.
func errorRow(err error) row {
	var refusal *promote.Refusal
	if errors.As(err, &refusal) {
		return row{"error": refusal.Verbatim()}
	}
	return unsupported(err.Error()).row()
}

// boolResult returns an answer that holds true, false or an error.
func boolResult(ok bool, err error) row {
	if err != nil {
		return errorRow(err)
	}
	return row{"result": ok}
}

// operationList returns the functions for a list of rows of operations under s.
func operationList(s *promote.System) list {
	return operationListBy(func(row) *promote.System { return s })
}

// operationListBy is like operationList, for lists in which the system depends on the row.
func operationListBy(system func(row) *promote.System) list {
	return list{
		answer:  func(r row) row { return answerOperation(system(r), r.text("op"), r) },
		explain: func(r row) promote.Explanation { return explainOperation(system(r), r.text("op"), r) },
	}
}

// answerOperation answers a row of the operation op.
func answerOperation(s *promote.System, op string, r row) row {
	t, err := s.Operation(op, rowOperands(s, r)...)
	if err != nil && !hasOperation(s, op) {
		return unsupported("no operation " + op).row()
	}
	return dtypeRow(t, err)
}

// hasOperation reports whether s has the operation. It tries one and two operands of a few dtypes, which
// is enough: every operation accepts one of these combinations.
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

// assignmentList returns the functions for a list of rows of operations that store their result in the first operand,
// under s.
func assignmentList(s *promote.System) list {
	return list{
		answer: func(r row) row {
			a, b := rowPair(s, r)
			return dtypeRow(s.Assignment(r.text("op"), a, b))
		},
		explain: func(r row) promote.Explanation {
			a, b := rowPair(s, r)
			return s.ExplainAssignment(r.text("op"), a, b)
		},
	}
}

// canCastList returns the functions for a list of rows that ask whether a dtype can be cast to another under s.
func canCastList(s *promote.System) list {
	return list{answer: func(r row) row {
		return boolResult(s.CanCast(dtypeOf(r.text("from")), dtypeOf(r.text("to")), ""))
	}}
}

// pairList returns the functions for a list of rows that ask for the common dtype of a and b under s.
func pairList(s *promote.System) list {
	return list{func(r row) row { return joinRow(s, r) }, pairExplainer(s)}
}

// joinRow answers a row that asks for the common dtype of a and b under s.
func joinRow(s *promote.System, r row) row { return dtypeRow(s.Join(rowPair(s, r))) }

// errorLengths maps "file" or "file/list" to the length in characters to which the error texts of those
// rows are cut. Answers are cut to the same lengths.
var errorLengths = map[string]int{
	"torch": 160, "torch/result_type": 120, "torch/inplace": 120,
	"jax": 220, "jax/values": 300,
	"numpy": 170, "numpy/values": 210,
	"array_api": 200, "ivy": 200, "flax": 200, "other": 140,
	"tensorflow": 160, "tensorflow/values": 300,
	"arith": 110, "cast_values": 120,
}

// strictErrorLength is the length in characters to which texts in JAX's field strict_error are cut.
const strictErrorLength = 140

// cutErrors returns an answer with its error texts cut to the length in errorLengths, if there is one.
func cutErrors(q question, answer row) row {
	length, ok := errorLengths[q.File+"/"+q.List]
	if !ok {
		length, ok = errorLengths[q.File]
	}
	if ok {
		cutErrorsTo(answer, length)
	}
	return answer
}

// cutErrorsTo cuts the error texts of answer, and of the rows in it, in place.
func cutErrorsTo(answer row, length int) {
	for field, v := range answer {
		switch v := v.(type) {
		case row:
			cutErrorsTo(v, length)
		case string:
			if field == "strict_error" {
				answer[field] = firstCharacters(v, strictErrorLength)
			} else if field == "error" {
				answer[field] = firstCharacters(v, length)
			}
		}
	}
}

// firstCharacters returns the first n characters of a text.
func firstCharacters(text string, n int) string {
	if letters := []rune(text); len(letters) > n {
		return string(letters[:n])
	}
	return text
}
