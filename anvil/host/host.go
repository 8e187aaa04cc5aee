// Package host runs small programs in host memory, in plain Go. A plugin takes 10 ms or more to compile a
// program and some microseconds to launch it. This package compiles nothing, and computes a few thousand
// elements in the time of a launch.
//
// Operations run one after another, and each rounds its result once. Subnormal numbers are flushed to 0, as
// in XLA's programs for CPUs. Results equal those of reference.RunFlushing bit for bit, with one exception: a
// result just below the least normal number, which RunFlushing rounds up to that number, may be 0 here, since
// the processor flushes it. So correctly rounded operations have the same results as in XLA; the results of
// the others differ by at most the Bound of the operation in package ops.
//
// A program of a single sort or factorization of matrices (package dense) also runs here if it is large,
// since plugins are slow at these.
package host

import (
	"context"
	"slices"
	"sync"

	"github.com/goanvil/notebook/anvil/array"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
)

// A Value is a tensor in host memory. Data has the elements in host form (see array.Array), and must not be
// changed.
type Value struct {
	Data   []byte
	Normal bool // whether no element is a subnormal number
}

// Of returns the value of type t with the given elements.
func Of(t shape.Type, data []byte) Value { return Value{data, !hasSubnormals(t.DType, data)} }

// A Program is a graph prepared to run. Concurrent calls of Run are allowed.
type Program struct {
	steps   []step
	params  int   // the number of parameters
	outputs []int // the slots of the outputs
	slots   int   // the number of slots
	buffers []int // sizes of the buffers for intermediate values, in bytes
	frames  sync.Pool
}

// A step is one operation. Its operands and results are given by slots. A slot is the number of a value in
// the program: the parameters come first, then the results of the steps.
type step struct {
	run     kernel
	runMany manyKernel // instead of run, for an operation that may have several results
	node    *ir.Node
	in      []int // the slots of the operands
	out     int   // the slot of the first result; the others have the next slots
	size    int   // the size of the first result in bytes
	buffer  int   // the number of the result's buffer; -1: the result gets new memory
	flushes bool  // subnormal operands and results are flushed to 0
	moves   bool  // the result has subnormal numbers only if an operand has (see moves)
	normal  bool  // the kernel's result has no subnormal numbers
}

// A kernel computes the result of an operation from its operands.
type kernel func(ctx context.Context, out []byte, in [][]byte) error

// A manyKernel computes an operation with several results.
type manyKernel func(ctx context.Context, out, in [][]byte) error

// A frame is the scratch space of a run.
type frame struct {
	values  []Value  // by slot
	buffers [][]byte // for intermediate values
	in      [][]byte // the operands of the current step
	space   [][]byte // for flushed copies of operands
}

// Compile returns the program of g, or nil if a plugin should run g (see Takes). The choice depends on the
// graph alone.
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
		if n.Code == ir.Reshape { // the result has the bytes of the operand
			slots[n.Results[0]] = slots[n.Args[0]]
			continue
		}
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
	p.assignBuffers()
	p.frames.New = func() any { return p.newFrame() }
	return p
}

// newStep returns the step of n, without its slots and buffer.
func newStep(n *ir.Node) step {
	t := n.Results[0].Type
	s := step{node: n, size: t.Bytes(), buffer: -1, moves: moves(n)}
	if factorizes(n) {
		s.runMany, s.flushes = factorizationKernel(n), flushes(n)
		return s
	}
	if sorts(n) && sortKernel(n) == nil {
		s.runMany = sortManyKernel(n)
		return s
	}
	if s.run = vectorKernel(n); s.run != nil {
		s.normal = true
	} else {
		s.run, s.flushes = kernelOf(n), flushes(n)
	}
	if n.Code == ir.Convert && !n.Args[0].Type.DType.Is(dtype.Floating) {
		s.normal, s.flushes = true, false // an integer converts to 0 or a normal number
	}
	return s
}

// assignBuffers assigns a buffer to each intermediate value. Values share a buffer if they
// are not needed at the same time.
func (p *Program) assignBuffers() {
	last := make([]int, p.slots) // the last step that needs a slot; len(p.steps) for outputs
	for i, s := range p.steps {
		for _, a := range s.in {
			last[a] = i
		}
		last[s.out] = i
	}
	for _, o := range p.outputs {
		last[o] = len(p.steps)
	}
	bufferOf := make([]int, p.slots) // the buffer of each slot; -1: none
	free := map[int][]int{}          // unused buffers by size
	for i := range p.steps {
		s := &p.steps[i]
		for k := range s.node.Results[1:] {
			bufferOf[s.out+1+k] = -1
		}
		if s.runMany == nil && last[s.out] < len(p.steps) {
			s.buffer = p.buffer(free, s.size)
		}
		bufferOf[s.out] = s.buffer
		for k, a := range s.in {
			repeated := slices.Contains(s.in[:k], a) // as an earlier operand: the buffer is free already
			if a >= p.params && last[a] == i && bufferOf[a] >= 0 && !repeated {
				size := p.buffers[bufferOf[a]]
				free[size] = append(free[size], bufferOf[a])
			}
		}
		if last[s.out] == i && s.buffer >= 0 { // no step uses the result
			free[s.size] = append(free[s.size], s.buffer)
		}
	}
}

// buffer returns the number of a buffer of the given size: one from free if there is one, otherwise a new
// one.
func (p *Program) buffer(free map[int][]int, size int) int {
	if bs := free[size]; len(bs) > 0 {
		free[size] = bs[:len(bs)-1]
		return bs[len(bs)-1]
	}
	p.buffers = append(p.buffers, size)
	return len(p.buffers) - 1
}

// newFrame returns the scratch space for one run.
func (p *Program) newFrame() *frame {
	f := &frame{values: make([]Value, p.slots), buffers: make([][]byte, len(p.buffers))}
	for i, n := range p.buffers {
		f.buffers[i] = make([]byte, n)
	}
	return f
}

// Run runs the program on args and sets out to its results.
func (p *Program) Run(ctx context.Context, args, out []Value) error {
	f := p.frames.Get().(*frame)
	defer func() {
		clear(f.values) // let the garbage collector free the tensors
		clear(f.in)
		p.frames.Put(f)
	}()
	copy(f.values, args)
	for i := range p.steps {
		if err := f.runStep(ctx, &p.steps[i]); err != nil {
			return err
		}
	}
	for i, slot := range p.outputs {
		out[i] = f.values[slot]
	}
	return nil
}

func (f *frame) runStep(ctx context.Context, s *step) error {
	if s.runMany != nil {
		return f.runMany(ctx, s)
	}
	if s.size == 0 { // do not run the kernel: the product of the lengths other than 0 may overflow
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
	if err := s.run(ctx, data, f.in); err != nil {
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
	case hasSubnormals(t, data):
		f.values[s.out] = Value{data, false}
		return nil
	}
	f.values[s.out] = Value{data, true}
	return nil
}

// operands sets f.in to the operands of s, and reports whether none has subnormal
// numbers.
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

// runMany runs a step that may have several results.
func (f *frame) runMany(ctx context.Context, s *step) error {
	f.operands(s)
	out, size := make([][]byte, len(s.node.Results)), 0
	for i, v := range s.node.Results {
		out[i] = array.Make(v.Type.Bytes())
		size += len(out[i])
	}
	if size > 0 { // without elements the number of matrices may overflow
		if err := s.runMany(ctx, out, f.in); err != nil {
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

// flushed returns a copy of data, operand k of a step, with subnormal numbers flushed to 0.
// The copy is valid until the next step.
func (f *frame) flushed(k int, t shape.Type, data []byte) []byte {
	for len(f.space) <= k {
		f.space = append(f.space, nil)
	}
	f.space[k] = append(f.space[k][:0], data...)
	flush(t.DType, f.space[k])
	return f.space[k]
}
