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
	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/anvil/stablehlo"
)

// A job is a program that cannot run yet, because the program itself or an earlier job of its batch
// must be compiled first. Jobs are compiled in parallel, without the session's lock.
type job struct {
	device        int
	key           string
	graph         *ir.Graph // nil if compiled is set
	quick         bool      // compile with less effort if possible: the program was not made by Jit
	aliases       []stablehlo.Alias
	compiled      *compiled
	err           error
	leaves, roots []*node // parameters and results, copied from the plan; nil for a traced program
}

// A batch is a list of jobs in the order in which they must run.
type batch struct {
	jobs  []*job
	roots map[*node]bool // the roots of all jobs
}

// add appends a job for the plan p. c is its compiled program, or nil if p must be compiled.
func (b *batch) add(p *plan, device int, c *compiled) {
	j := &job{device: device, key: string(p.key), quick: true, compiled: c}
	j.leaves, j.roots = slices.Clone(p.leaves), slices.Clone(p.roots)
	if c == nil {
		j.graph = p.graph("main")
	}
	b.jobs = append(b.jobs, j)
	if b.roots == nil {
		b.roots = map[*node]bool{}
	}
	for _, n := range j.roots {
		b.roots[n] = true
	}
}

// runJobs compiles the programs of jobs in parallel and then runs them in order. The
// caller does not hold the session's lock.
func (s *Session) runJobs(jobs []*job) error {
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

// compileAll compiles the programs of jobs that are not compiled yet, at most GOMAXPROCS at a time.
func (s *Session) compileAll(ctx context.Context, jobs []*job) {
	uncompiled := slices.DeleteFunc(slices.Clone(jobs), func(j *job) bool { return j.compiled != nil })
	if len(uncompiled) == 1 {
		s.compile(ctx, uncompiled[0])
		return
	}
	next := make(chan *job)
	var wg sync.WaitGroup
	for range min(len(uncompiled), runtime.GOMAXPROCS(0)) {
		wg.Go(func() {
			for j := range next {
				s.compile(ctx, j)
			}
		})
	}
	for _, j := range uncompiled {
		next <- j
	}
	close(next)
	wg.Wait()
}

// compile sets the program or the error of j. It turns a panic into an error, because compile may run in a
// goroutine of compileAll, where a panic would end the process.
func (s *Session) compile(ctx context.Context, j *job) {
	defer func() {
		if r := recover(); r != nil {
			j.err = fmt.Errorf("a program could not be compiled because of an error in goanvil: %v", r)
		}
	}()
	var found bool
	j.compiled, found, j.err = s.programs.get(ctx, j.key, func() (*compiled, error) { return s.compileGraph(ctx, j) })
	if found && j.err == nil {
		s.hits.Add(1)
	}
}

// compileGraph compiles the graph of j. A quick job is compiled with less effort if
// it has few elements and draws no random numbers. The effort decides which multiplications and
// additions are fused, and so affects rounding: with less effort, random numbers would have
// different bits.
func (s *Session) compileGraph(ctx context.Context, j *job) (*compiled, error) {
	e, err := s.executor()
	if err != nil {
		return nil, err
	}
	g := ops.ExpandRunning(ir.Inline(j.graph), e.Platform() == "CPU")
	if s.options.Compiling != nil {
		defer s.options.Compiling(count(g))()
	}
	begin := time.Now()
	quick := j.quick && hasFewElements(g) && !host.Draws(g)
	exe, err := e.Compile(ctx, g, Mode{Device: j.device, Cheap: cheap(g), Quick: quick, Aliases: j.aliases})
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

// maxCheapWork is the greatest number of elements that a cheap program reads, writes or multiplies.
const maxCheapWork = 1000

// cheap reports whether g has no regions and little work: it may run on the calling
// goroutine.
func cheap(g *ir.Graph) bool {
	work := 0
	for _, n := range g.Nodes {
		if len(n.Regions) > 0 {
			return false
		}
		w := 0
		for _, v := range n.Results {
			w += v.Type.Shape.Size()
		}
		for _, v := range n.Args {
			if n.Code != ir.Slice && n.Code != ir.DynamicSlice { // these read only as many elements as they return
				w = max(w, v.Type.Shape.Size())
			}
		}
		if n.Code == ir.DotGeneral {
			a, b := n.Args[0].Type.Shape.Size(), n.Args[1].Type.Shape.Size()
			w = a * b
		}
		if work += w; work > maxCheapWork {
			return false
		}
	}
	return true
}

// fewElements is the number of elements of a value up to which code compiled with less effort is as fast as other
// code: see quickOptions.
const fewElements = 64

// hasFewElements reports whether g has no regions and no value of more than fewElements elements.
func hasFewElements(g *ir.Graph) bool {
	for _, n := range g.Nodes {
		if len(n.Regions) > 0 {
			return false
		}
		for _, v := range append(n.Args[:len(n.Args):len(n.Args)], n.Results...) {
			if v.Type.Shape.Size() > fewElements {
				return false
			}
		}
	}
	return true
}

// finish launches c on the values of leaves and settles roots with the results. It does nothing if another goroutine
// has already computed all roots.
func (s *Session) finish(ctx context.Context, c *compiled, leaves, roots []*node, device int) error {
	if !slices.ContainsFunc(roots, (*node).pending) {
		return nil
	}
	out, err := s.execute(ctx, c, leaves, device)
	if err != nil {
		return err
	}
	recipes := s.recipes.add(leaves, len(roots))
	for i, n := range roots {
		if n.pending() {
			if recipes != nil {
				recipes[i].set(n)
			}
			n.settle(out[i], device)
		}
	}
	clear(out)
	return nil
}
