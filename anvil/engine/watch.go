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
	Code     ir.Code
	Of       ir.Code  // the operation whose derivative Code is part of, or Invalid
	Scope    ir.Scope // the layer that Code belongs to
	Element  string   // the index of the first such element: "[2, 0]"
	Operands []string // the element of each operand there, or its type if it has another shape
	Before   bool     // an operand already has the NaN; no watched operation made it
	Infinity string   // the first operation of the session whose result had an infinity, or ""
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
		what += ", of " + strings.Join(e.Operands, " and ")
	}
	if e.Before {
		what += "; an operand had it before: a value that was given or computed by then"
	}
	if e.Infinity != "" {
		what += "; the first infinity came from " + e.Infinity
	}
	return what
}

// Watch sets whether each following operation computes its result at once, and fails with a *NaNError if a
// NaN arises.
func (s *Session) Watch(on bool) {
	s.infinity = ""
	s.watching.Store(on)
}

// Infinity describes the first operation in which an infinity arose, among those that Watch or FindNaN last
// examined. It is "" if there is none.
func (s *Session) Infinity() string { return s.infinity }

// Watching reports whether operations are watched.
func (s *Session) Watching() bool { return s.watching.Load() }

// FindNaN returns the *NaNError of the first operation, among those that a needs, in which a NaN arises, or nil.
// Besides those that are pending, it knows the operations of the latest launches.
func (s *Session) FindNaN(a Array) error {
	n := s.known(a.n)
	if n == nil {
		return errTraced
	}
	s.infinity = ""
	pending := n.pending()
	err := s.findNaN(n, map[*node]bool{})
	if nan := (*NaNError)(nil); err != nil && !pending && !errors.As(err, &nan) {
		return nil // an operand was given away meanwhile
	}
	return err
}

func (s *Session) findNaN(n *node, seen map[*node]bool) error {
	if seen[n] {
		return nil
	}
	seen[n] = true
	if !n.pending() {
		if n = s.recalled(n); n == nil {
			return nil
		}
	}
	args := slices.Clone(n.args) // a computed node drops its own
	for _, m := range args {
		if err := s.findNaN(m, seen); err != nil {
			return err
		}
	}
	if n.code == projection && inRegions(args[0].code) {
		return nil
	}
	if n.parts == nil || !inRegions(n.code) {
		return s.inspectOf(n, args)
	}
	values := make([]Array, len(args))
	for i, m := range args {
		values[i].n = m
	}
	defer s.watching.Store(s.watching.Swap(true))
	_, err := s.regionsInPieces(nodeOf(n.code, n.attrs, n.parts.regions, n.parts.results, values), values)
	return err
}

// HasNaN reports whether a has a NaN, or has no value yet.
func (s *Session) HasNaN(a Array) bool {
	n := s.known(a.n)
	if n == nil || !n.typ.DType.Is(dtype.Inexact) {
		return n == nil
	}
	values, err := s.elements(n)
	return err != nil || slices.ContainsFunc(values, cmplx.IsNaN)
}

// inspect returns a *NaNError if a NaN arises in n.
func (s *Session) inspect(n *node) error {
	if n = s.known(n); n == nil {
		return nil
	}
	return s.inspectOf(n, n.args)
}

// inspectOf is inspect for an operation with the given operands.
func (s *Session) inspectOf(n *node, operands []*node) error {
	if !n.typ.DType.Is(dtype.Inexact) || n.code == projection && len(operands) == 0 {
		return nil
	}
	code, scope := n.code, n.scope
	if code == projection {
		code, scope, operands = operands[0].code, operands[0].scope, operands[0].args
	}
	args := append([]*node(nil), operands...) // a computed node drops its own
	values, err := s.elements(n)
	if err != nil {
		return err
	}
	if s.observed != nil {
		return s.observe(code, scope, args, values)
	}
	nan, inf := -1, -1
	for i, v := range values {
		if nan < 0 && cmplx.IsNaN(v) {
			nan = i
		}
		if inf < 0 && cmplx.IsInf(v) {
			inf = i
		}
	}
	if nan < 0 && (inf < 0 || s.infinity != "") {
		return nil
	}
	e := &NaNError{Code: code, Scope: scope, Infinity: s.infinity}
	if nan >= 0 && moves(code) { // operations that compute with the NaN are reported, not those that move it
		return nil
	}
	hadNaN, hadInf := false, false
	at := max(nan, 0)
	if nan < 0 {
		at = inf
	}
	for _, m := range args {
		if !m.typ.DType.Is(dtype.Inexact) {
			continue
		}
		xs, err := s.elements(m)
		if err != nil {
			return err
		}
		same := len(xs) == len(values) && m.typ.Shape.Equal(n.typ.Shape)
		for i, v := range xs {
			if !same || i == at {
				hadNaN = hadNaN || cmplx.IsNaN(v)
				hadInf = hadInf || cmplx.IsInf(v)
			}
		}
		if same {
			e.Operands = append(e.Operands, number(xs[at], m.typ.DType))
		} else if len(xs) == 1 {
			e.Operands = append(e.Operands, number(xs[0], m.typ.DType))
		} else {
			e.Operands = append(e.Operands, m.typ.String())
		}
	}
	e.Element = index(at, n.typ.Shape)
	switch {
	case nan >= 0:
		e.Before = hadNaN
		return e
	case nan < 0 && !hadInf && code != ir.Constant:
		s.infinity = code.String()
		if scope != 0 {
			s.infinity += " in the layer " + scope.String()
		}
		s.infinity += " at element " + e.Element + " of " + strings.Join(e.Operands, " and ")
	}
	return nil
}

// moves reports whether an operation copies its result's elements from its operand unchanged.
func moves(code ir.Code) bool {
	switch code {
	case ir.BroadcastInDim, ir.Reshape, ir.Transpose, ir.Slice, ir.DynamicSlice, ir.Concatenate, ir.Pad,
		ir.Reverse, ir.Gather, ir.Sort:
		return true
	}
	return false
}

// inRegions reports whether the regions of an operation can be run one operation at a
// time.
func inRegions(code ir.Code) bool {
	switch code {
	case ir.If, ir.Case, ir.While, ir.Scan, ir.Call:
		return true
	}
	return false
}

// watchRegions runs an operation with regions so that each operation in them is watched.
// It returns nil if args are traced: the operation is still to be added to the trace.
func (s *Session) watchRegions(code ir.Code, attrs any, regions []*ir.Graph, ts []shape.Type, args []Array) ([]Array, error) {
	values := make([]Array, len(args))
	for i, a := range args {
		if values[i].n = s.known(a.n); values[i].n == nil {
			return nil, nil
		}
	}
	out, err := s.regionsInPieces(nodeOf(code, attrs, regions, ts, args), values)
	if err == nil && anyTraced(args) {
		return nil, nil
	}
	return out, err
}

// maxWatched is the number of bytes up to which results are examined.
const maxWatched = 1 << 27

// elements returns the elements of n, which it computes, or none if they take more than maxWatched bytes.
func (s *Session) elements(n *node) ([]complex128, error) {
	if !n.typ.Within(maxWatched) {
		return nil, nil
	}
	data := make([]byte, n.typ.Bytes())
	watching := s.watching.Swap(false) // the operations that it computes have been examined
	defer s.watching.Store(watching)
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

func number(v complex128, d dtype.DType) string {
	if d.Is(dtype.Complex) {
		return fmt.Sprint(v)
	}
	return fmt.Sprint(real(v))
}

// index returns the index of element i of shape s: "[2, 0]".
func index(i int, s shape.Shape) string {
	at := make([]string, len(s))
	for axis := len(s) - 1; axis >= 0; axis-- {
		at[axis] = fmt.Sprint(i % s[axis])
		i /= s[axis]
	}
	return "[" + strings.Join(at, ", ") + "]"
}
