// Package host runs small programs in host memory, in plain Go. A plugin takes
// 10 ms and more to compile a program and some microseconds to launch it; a few
// thousand elements are computed here meanwhile.
//
// Each operation is done by itself and rounds its result once, with the numbers
// that the rows of the op table define, and with subnormal numbers taken for 0
// as in XLA's programs for CPUs: what reference.RunFlushing gives, bit for bit,
// but for what rounds to the least normal number there and is 0 here, as the
// processor has it. Operations that are exactly rounded so have XLA's results too;
// the others are as far from them as the bound of their row says. Sorts and the
// factorizations of matrices (package dense) are done here whatever their size, as
// programs of their own, since plugins are slow at them; the latter within the bound
// of their row, too.
package host

import (
	"context"
	"sync"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Value is a tensor in host memory: elements in host form, which nobody
// changes.
type Value struct {
	Data   []byte
	Normal bool // there is no subnormal number in it
}

// Of returns the value with these elements.
func Of(t shape.Type, data []byte) Value { return Value{data, !subnormals(t.DType, data)} }

// A Program is a graph made ready to run. It may run several times at once.
type Program struct {
	steps   []step
	params  int
	outputs []int // slots
	slots   int
	buffers []int // sizes of those for what is no result
	frames  sync.Pool
}

// A step is one operation. Slots hold the parameters, then what steps make.
type step struct {
	do      kernel
	many    manyKernel // of an operation of several results, instead of do
	node    *ir.Node
	in      []int
	out     int  // the first of them
	size    int  // bytes
	buffer  int  // where they go, -1: to memory of their own
	flushes bool // subnormal numbers are taken for 0, and made 0
	moves   bool // the result may have subnormal numbers if an operand has
	normal  bool // the kernel itself does what flushes says
}

// A kernel computes one operation.
type kernel func(ctx context.Context, out []byte, in [][]byte) error

// A frame is what a run needs besides its results.
type frame struct {
	values  []Value
	buffers [][]byte
	in      [][]byte
	space   [][]byte // operands without subnormal numbers
}

// Compile returns the program of g; nil where g is better left to a plugin:
// there is more to do than Budget, or an operation that is not done here. That
// is a matter of the graph alone.
func Compile(g *ir.Graph) *Program {
	if !Takes(g) {
		return nil
	}
	p := &Program{params: len(g.Params)}
	slots := make(map[*ir.Value]int, len(g.Params)+len(g.Nodes))
	for i, v := range g.Params {
		slots[v] = i
	}
	p.slots = len(g.Params)
	for _, n := range g.Nodes {
		s := newStep(n)
		for _, a := range n.Args {
			s.in = append(s.in, slots[a])
		}
		s.out = p.slots
		for i, v := range n.Results {
			slots[v] = s.out + i
		}
		p.slots += len(n.Results)
		p.steps = append(p.steps, s)
	}
	for _, v := range g.Outputs {
		p.outputs = append(p.outputs, slots[v])
	}
	p.place()
	p.frames.New = func() any { return p.newFrame() }
	return p
}

func newStep(n *ir.Node) step {
	t := n.Results[0].Type
	s := step{do: flushing(n), node: n, size: t.Bytes(), buffer: -1, moves: moves(n)}
	if factorizes(n) {
		s.many, s.flushes = factorizing(n), flushes(n)
		return s
	}
	if sorts(n) && sorting(n) == nil {
		s.many = sortingAll(n)
		return s
	}
	if s.normal = s.do != nil; !s.normal {
		s.do, s.flushes = kernelOf(n), flushes(n)
	}
	return s
}

// place gives each value that is no result a buffer, which others have before
// and after it.
func (p *Program) place() {
	last := make([]int, p.slots) // the step that a slot is needed in last
	for i, s := range p.steps {
		for _, a := range s.in {
			last[a] = i
		}
		last[s.out] = i
	}
	for _, o := range p.outputs {
		last[o] = len(p.steps)
	}
	at := make([]int, p.slots)
	free := map[int][]int{}
	for i := range p.steps {
		s := &p.steps[i]
		for k := range s.node.Results[1:] {
			at[s.out+1+k] = -1
		}
		if s.many == nil && last[s.out] < len(p.steps) {
			s.buffer = p.buffer(free, s.size)
		}
		at[s.out] = s.buffer
		for k, a := range s.in {
			if a >= p.params && last[a] == i && at[a] >= 0 && !has(s.in[:k], a) {
				size := p.buffers[at[a]]
				free[size] = append(free[size], at[a])
			}
		}
		if last[s.out] == i && s.buffer >= 0 { // nobody needs it
			free[s.size] = append(free[s.size], s.buffer)
		}
	}
}

// buffer returns one of that size: a free one, or a new one.
func (p *Program) buffer(free map[int][]int, size int) int {
	if bs := free[size]; len(bs) > 0 {
		free[size] = bs[:len(bs)-1]
		return bs[len(bs)-1]
	}
	p.buffers = append(p.buffers, size)
	return len(p.buffers) - 1
}

func has(xs []int, x int) bool {
	for _, y := range xs {
		if x == y {
			return true
		}
	}
	return false
}

func (p *Program) newFrame() *frame {
	f := &frame{values: make([]Value, p.slots), buffers: make([][]byte, len(p.buffers))}
	for i, n := range p.buffers {
		f.buffers[i] = make([]byte, n)
	}
	return f
}

// Run computes the program on args and puts its results into out.
func (p *Program) Run(ctx context.Context, args, out []Value) error {
	f := p.frames.Get().(*frame)
	defer p.frames.Put(f)
	copy(f.values, args)
	for i := range p.steps {
		if err := f.do(ctx, &p.steps[i]); err != nil {
			return err
		}
	}
	for i, slot := range p.outputs {
		out[i] = f.values[slot]
	}
	clear(f.values) // nothing is kept alive until the next run
	clear(f.in)
	return nil
}

func (f *frame) do(ctx context.Context, s *step) error {
	if s.many != nil {
		return f.doMany(ctx, s)
	}
	if s.size == 0 { // beside an axis of length 0 others may be longer than anybody counts to
		f.values[s.out] = Value{[]byte{}, true}
		return nil
	}
	normal := f.operands(s)
	var data []byte
	if s.buffer >= 0 {
		data = f.buffers[s.buffer]
	} else {
		data = array.Make(s.size)
	}
	if err := s.do(ctx, data, f.in); err != nil {
		return err
	}
	t := s.node.Results[0].Type.DType
	switch {
	case s.normal:
	case s.flushes:
		flush(t, data)
	case s.moves:
		f.values[s.out] = Value{data, normal}
		return nil
	case subnormals(t, data):
		f.values[s.out] = Value{data, false}
		return nil
	}
	f.values[s.out] = Value{data, true}
	return nil
}

// operands makes f.in those of s; it reports whether none has subnormal numbers.
func (f *frame) operands(s *step) (normal bool) {
	normal = true
	f.in = f.in[:0]
	for k, a := range s.in {
		v := f.values[a]
		normal = normal && v.Normal
		if s.flushes && !v.Normal {
			v.Data = f.flushed(k, s.node.Args[k].Type, v.Data)
		}
		f.in = append(f.in, v.Data)
	}
	return normal
}

// doMany is do of an operation of several results.
func (f *frame) doMany(ctx context.Context, s *step) error {
	f.operands(s)
	out, size := make([][]byte, len(s.node.Results)), 0
	for i, v := range s.node.Results {
		out[i] = array.Make(v.Type.Bytes())
		size += len(out[i])
	}
	if size > 0 { // else there may be more matrices of no elements than anybody counts to
		if err := s.many(ctx, out, f.in); err != nil {
			return err
		}
	}
	for i, v := range s.node.Results {
		if s.flushes {
			flush(v.Type.DType, out[i])
		}
		f.values[s.out+i] = Of(v.Type, out[i])
	}
	return nil
}

// flushed returns a copy of data without subnormal numbers, until the next step.
func (f *frame) flushed(k int, t shape.Type, data []byte) []byte {
	for len(f.space) <= k {
		f.space = append(f.space, nil)
	}
	f.space[k] = append(f.space[k][:0], data...)
	flush(t.DType, f.space[k])

	return f.space[k]
}
