package engine

import (
	"errors"
	"fmt"
	"math/cmplx"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A NaNError reports the first operation whose result has a NaN.
type NaNError struct {
	Code    ir.Code
	Of      ir.Code  // the operation whose derivative Code is part of, or Invalid
	Scope   ir.Scope // the layer that Code belongs to
	Element string   // the index of the first NaN in the result: "[2, 0]"
	// Operands has, for each operand of a float or complex dtype, the element at that index, or the only element, or
	// the type of an operand with another shape.
	Operands []string
	Before   bool   // an operand already had a NaN, which did not arise in a watched operation
	Infinity string // see Session.Infinity
}

func (e *NaNError) Error() string {
	what := "element " + e.Element + " of " + e.Code.String()
	if e.Of != ir.Invalid {
		what += " in the derivative of " + e.Of.String()
	}
	if e.Scope != 0 {
		what += " in the layer " + e.Scope.String()
	}
	what += " is NaN"
	if len(e.Operands) > 0 {
		what += ", computed from " + strings.Join(e.Operands, " and ")
	}
	if e.Before {
		what += "; an operand already had a NaN before the examined operations"
	}
	if e.Infinity != "" {
		what += "; the first infinity came from " + e.Infinity
	}
	return what
}

// Watch sets whether each following operation computes its result at once, and returns a *NaNError if a NaN
// arises in it.
func (s *Session) Watch(on bool) {
	s.forgetInfinity()
	s.watching.Store(on)
}

// Infinity describes the first operation in which an infinity arose, among the operations examined since the last
// call of Watch or FindNaN. It returns "" if there is none.
func (s *Session) Infinity() string {
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	return s.infinity
}

// forgetInfinity clears the text of Infinity.
func (s *Session) forgetInfinity() {
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	s.infinity = ""
}

// setInfinity sets the text of Infinity, unless it is already set for an earlier operation.
func (s *Session) setInfinity(text string) {
	s.watchMu.Lock()
	defer s.watchMu.Unlock()
	if s.infinity == "" {
		s.infinity = text
	}
}

// Watching reports whether each operation is computed at once and examined.
func (s *Session) Watching() bool { return s.watching.Load() || s.examining.Load() > 0 }

// FindNaN examines the operations that a needs: the pending ones, and those of the latest launches, which it
// computes again. It returns a *NaNError for the first operation in which a NaN arises, or nil if there is none.
func (s *Session) FindNaN(a Array) error {
	n := s.withValue(a.n)
	if n == nil {
		return errTraced
	}
	s.forgetInfinity()
	pending := n.pending()
	err := s.findNaN(n, map[*node]bool{})
	var nan *NaNError
	if err != nil && !pending && !errors.As(err, &nan) {
		return nil // a computed operation could not be repeated: an operand has been given away since
	}
	return err
}

// findNaN is FindNaN for the operations that n needs, except those in seen. It examines operands first.
func (s *Session) findNaN(n *node, seen map[*node]bool) error {
	if seen[n] {
		return nil
	}
	seen[n] = true
	if !n.pending() {
		if n = s.recreate(n); n == nil {
			return nil
		}
	}
	args := slices.Clone(n.args) // n drops its operands when it is computed
	for _, m := range args {
		if err := s.findNaN(m, seen); err != nil {
			return err
		}
	}
	if n.code == projection && canRunInPieces(args[0].code) { // it was examined as a part of args[0]
		return nil
	}
	if n.parts == nil || !canRunInPieces(n.code) {
		return s.inspectOperation(n, args)
	}
	values := make([]Array, len(args))
	for i, m := range args {
		values[i].n = m
	}
	s.examining.Add(1)
	defer s.examining.Add(-1)
	_, err := s.regionsInPieces(nodeOf(n.code, n.attrs, n.parts.regions, n.parts.results, values), values)
	return err
}

// HasNaN reports whether a has a NaN. It also returns true if a has no value yet or cannot be read, and false if a
// takes more than maxWatched bytes.
func (s *Session) HasNaN(a Array) bool {
	n := s.withValue(a.n)
	if n == nil {
		return true
	}
	if !n.typ.DType.Is(dtype.Inexact) {
		return false
	}
	values, err := s.elements(n)
	return err != nil || slices.ContainsFunc(values, cmplx.IsNaN)
}

// inspect returns a *NaNError if a NaN arises in n.
func (s *Session) inspect(n *node) error {
	if n = s.withValue(n); n == nil {
		return nil
	}
	return s.inspectOperation(n, n.args)
}

// inspectOperation is inspect for an operation with the given operands. While operations are observed (see Observe),
// it records the information that the operation has lost, and does not look for a NaN.
func (s *Session) inspectOperation(n *node, operands []*node) error {
	isComputed := n.code == projection && len(operands) == 0 // a computed node has dropped its operands
	if !n.typ.DType.Is(dtype.Inexact) || isComputed {
		return nil
	}
	code, scope := n.code, n.scope
	if code == projection {
		code, scope, operands = operands[0].code, operands[0].scope, operands[0].args
	}
	args := append([]*node(nil), operands...) // n drops its operands when it is computed
	values, err := s.elements(n)
	if err != nil {
		return err
	}
	if o := s.observing(); o != nil {
		return s.observe(o, code, scope, args, values)
	}
	nan, inf := -1, -1 // the indices of the first NaN and of the first infinity
	for i, v := range values {
		if nan < 0 && cmplx.IsNaN(v) {
			nan = i
		}
		if inf < 0 && cmplx.IsInf(v) {
			inf = i
		}
	}
	infinity := s.Infinity()
	if nan < 0 && (inf < 0 || infinity != "") {
		return nil
	}
	if nan >= 0 && copiesElements(code) { // only operations that compute with a NaN are reported
		return nil
	}
	at := nan
	if nan < 0 {
		at = inf
	}
	texts, hadNaN, hadInf, err := s.operandsAt(at, n.typ.Shape, args)
	if err != nil {
		return err
	}
	element := indexText(at, n.typ.Shape)
	switch {
	case nan >= 0:
		return &NaNError{Code: code, Scope: scope, Element: element, Operands: texts, Before: hadNaN,
			Infinity: infinity}
	case !hadInf && code != ir.Constant:
		text := code.String()
		if scope != 0 {
			text += " in the layer " + scope.String()
		}
		text += " at element " + element
		if len(texts) > 0 { // texts is empty if an integer was converted
			text += ", computed from " + strings.Join(texts, " and ")
		}
		s.setInfinity(text)
	}
	return nil
}

// operandsAt returns the texts of NaNError.Operands for element i of a result of shape t. hadNaN and hadInf report
// whether an operand has a NaN or an infinity at that element, or anywhere if the operand has another shape.
func (s *Session) operandsAt(i int, t shape.Shape, operands []*node) (texts []string, hadNaN, hadInf bool, err error) {
	for _, m := range operands {
		if !m.typ.DType.Is(dtype.Inexact) {
			continue
		}
		xs, err := s.elements(m)
		if err != nil {
			return nil, false, false, err
		}
		d, examined := m.typ.DType, xs
		switch {
		case len(xs) == t.Size() && m.typ.Shape.Equal(t):
			texts, examined = append(texts, numberText(xs[i], d)), xs[i:i+1]
		case len(xs) == 1:
			texts = append(texts, numberText(xs[0], d))
		default:
			texts = append(texts, m.typ.String())
		}
		hadNaN = hadNaN || slices.ContainsFunc(examined, cmplx.IsNaN)
		hadInf = hadInf || slices.ContainsFunc(examined, cmplx.IsInf)
	}
	return texts, hadNaN, hadInf, nil
}

// copiesElements reports whether the elements of an operation's result are unchanged elements of its operands.
func copiesElements(code ir.Code) bool {
	switch code {
	case ir.BroadcastInDim, ir.Reshape, ir.Transpose, ir.Slice, ir.DynamicSlice, ir.Concatenate, ir.Pad,
		ir.Reverse, ir.Gather, ir.Sort:
		return true
	}
	return false
}

// canRunInPieces reports whether regionsInPieces can run an operation.
func canRunInPieces(code ir.Code) bool {
	switch code {
	case ir.If, ir.Case, ir.While, ir.Scan, ir.Call:
		return true
	}
	return false
}

// watchRegions runs an operation with regions so that each operation in the regions is watched.
// If an argument is traced, it returns no results: the caller must add the operation to the trace.
func (s *Session) watchRegions(
	code ir.Code, attrs any, regions []*ir.Graph, ts []shape.Type, args []Array,
) ([]Array, error) {
	values := make([]Array, len(args))
	for i, a := range args {
		if values[i].n = s.withValue(a.n); values[i].n == nil {
			return nil, nil
		}
	}
	out, err := s.regionsInPieces(nodeOf(code, attrs, regions, ts, args), values)
	if err == nil && anyTraced(args) {
		return nil, nil
	}
	return out, err
}

// maxWatched is the size in bytes up to which tensors are examined.
const maxWatched = 1 << 27

// elements computes n and returns its elements, or nil if they take more than maxWatched bytes.
func (s *Session) elements(n *node) ([]complex128, error) {
	if !n.typ.Within(maxWatched) {
		return nil, nil
	}
	data := make([]byte, n.typ.Bytes())
	if err := s.Read(Array{n}, data); err != nil {
		return nil, err
	}
	d := n.typ.DType
	out := make([]complex128, n.typ.Shape.Size())
	for i := range out {
		out[i] = dtype.GetComplex(data[i*d.Size():], d)
	}
	return out, nil
}

// numberText returns v, an element of dtype d, as text with the fewest digits that identify it as an f64.
func numberText(v complex128, d dtype.DType) string {
	if d.Is(dtype.Complex) {
		return fmt.Sprint(v)
	}
	return fmt.Sprint(real(v))
}

// indexText returns the index of element i, in row-major order, of a tensor of shape s: "[2, 0]".
func indexText(i int, s shape.Shape) string {
	at := make([]string, len(s))
	for axis := len(s) - 1; axis >= 0; axis-- {
		at[axis] = fmt.Sprint(i % s[axis])
		i /= s[axis]
	}
	return "[" + strings.Join(at, ", ") + "]"
}
