package engine

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// A job is a program that cannot be run yet: it has to be compiled, which is
// done without the session's lock and beside other compilations, or it needs
// what such a program gives.
type job struct {
	device        int
	key           string
	graph         *ir.Graph // nil where compiled is there
	quick         bool      // nobody asked for it to be compiled
	aliases       []stablehlo.Alias
	compiled      *compiled
	err           error
	leaves, roots []*node
}

// A batch is jobs in the order in which they are to be run.
type batch struct {
	jobs  []*job
	gives map[*node]bool // what they give
}

// add makes p a job. C is its program, or nil.
func (b *batch) add(p *plan, device int, c *compiled) {
	j := &job{device: device, key: string(p.key), quick: true, compiled: c, leaves: slices.Clone(p.leaves), roots: slices.Clone(p.roots)}
	if c == nil {
		j.graph = p.graph("main")
	}
	b.jobs = append(b.jobs, j)
	if b.gives == nil {
		b.gives = map[*node]bool{}
	}
	for _, n := range j.roots {
		b.gives[n] = true
	}
}

// work compiles what jobs need, at the same time, and then runs them in order.
// It is called without the session's lock.
func (s *Session) work(jobs []*job) error {
	if len(jobs) == 0 {
		return nil
	}
	ctx := s.options.Interrupt()
	s.compileAll(ctx, jobs)
	if err := s.lock(); err != nil {
		return err
	}
	defer s.unlock()
	for _, j := range jobs {
		if j.err != nil {
			return j.err
		}
		if err := s.finish(ctx, j.compiled, j.leaves, j.roots, j.device); err != nil {
			return err
		}
	}
	return nil
}

// compileAll compiles the programs of jobs, as many at a time as there are
// processors.
func (s *Session) compileAll(ctx context.Context, jobs []*job) {
	todo := slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return j.compiled != nil })
	if len(todo) == 1 {
		s.compile(ctx, todo[0])
		return
	}
	next := make(chan *job)
	var wg sync.WaitGroup
	for range min(len(todo), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for j := range next {
				s.compile(ctx, j)
			}
		})
	}
	for _, j := range todo {
		next <- j
	}
	close(next)
	wg.Wait()
}

// compile gives j its program, or its error. A panic is one too: it would end the
// process in a goroutine that is nobody's cell.
func (s *Session) compile(ctx context.Context, j *job) {
	defer func() {
		if r := recover(); r != nil {
			j.err = fmt.Errorf("a program could not be compiled: %v", r)
		}
	}()
	var found bool
	j.compiled, found, j.err = s.programs.get(ctx, j.key, func() (*compiled, error) { return s.compileGraph(ctx, j) })
	if found && j.err == nil {
		s.hits.Add(1)
	}
}

// compileGraph compiles the graph of j. What nobody asked for to be compiled may be
// with less effort where that costs little: no bits of random numbers either, which
// a multiplication and an addition in one rounding change.
func (s *Session) compileGraph(ctx context.Context, j *job) (*compiled, error) {
	g := j.graph
	e, err := s.executor()
	if err != nil {
		return nil, err
	}
	begin := time.Now()
	exe, err := e.Compile(ctx, g, Mode{Device: j.device, Cheap: cheap(g), Quick: j.quick && few(g) && !host.Draws(g), Aliases: j.aliases})
	took := time.Since(begin)
	s.compileTime.Add(int64(took))
	if err != nil {
		return nil, err
	}
	origin := exe.Origin()
	if origin != InHost {
		s.compilations.add(g, took, origin == Loaded)
	}
	s.programCount.Add(1)
	raise(&s.largest, int64(count(g)))
	return &compiled{exe: exe, origin: origin, results: len(g.Outputs), ops: count(g)}, nil
}

// finish launches c and gives roots their values, unless they have them: another
// goroutine may have wanted the same meanwhile.
func (s *Session) finish(ctx context.Context, c *compiled, leaves, roots []*node, device int) error {
	if !slices.ContainsFunc(roots, (*node).pending) {
		return nil
	}
	out, err := s.execute(ctx, c, leaves, device)
	if err != nil {
		return err
	}
	for i, n := range roots {
		if n.pending() {
			n.settle(out[i], device)
		}
	}
	clear(out)
	return nil
}
