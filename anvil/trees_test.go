package anvil_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/engine"
	"github.com/goanvil/notebook/anvil/host"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/anvil/xla"
)

// A tree is a random expression, of any depth up to six, over leaves of one
// promotion system: tensors of its dtypes, known and ambiguous, of rank 0 and
// 1, and numbers of the host language.
type tree struct {
	op   string // "" for a leaf
	args []*tree
	leaf int // which of the leaves
	grid grid
}

// eval returns the value of e for the leaves xs.
func (e *tree) eval(l *nv.Lib, xs []any) any {
	if e.op == "" {
		return xs[e.leaf]
	}
	args := make([]any, len(e.args))
	for i, a := range e.args {
		args[i] = a.eval(l, xs)
	}
	return treeOps[e.op].apply(l, args)
}

func (e *tree) String() string {
	if e.op == "" {
		return fmt.Sprintf("x%d", e.leaf)
	}
	words := make([]string, len(e.args))
	for i, a := range e.args {
		words[i] = a.String()
	}
	return e.op + "(" + strings.Join(words, ", ") + ")"
}

// uses returns the indices of the leaves of e.
func (e *tree) uses() (leaves []int) {
	if e.op == "" {
		return []int{e.leaf}
	}
	for _, a := range e.args {
		leaves = append(leaves, a.uses()...)
	}
	slices.Sort(leaves)
	return slices.Compact(leaves)
}

// A treeOp is an operation of trees, with the grid of its results, given those of its
// operands.
type treeOp struct {
	args  int
	apply func(l *nv.Lib, xs []any) any
	grid  func(gs []grid) grid
}

// A grid is a set of numbers: the multiples of 2^low that are less than 2^high
// in magnitude.
type grid struct{ low, high int }

func join(gs []grid) grid {
	g := gs[0]
	for _, h := range gs[1:] {
		g = grid{min(g.low, h.low), max(g.high, h.high)}
	}
	return g
}

func sum(gs []grid) grid {
	g := join(gs)
	return grid{g.low, g.high + 1}
}

func product(gs []grid) grid {
	return grid{gs[0].low + gs[1].low, gs[0].high + gs[1].high}
}

// precision is how many bits a number of a dtype has, of those whose products
// and sums XLA may round once instead of twice.
var precision = map[dtype.DType]int{dtype.F32: 24, dtype.F64: 53, dtype.C64: 24, dtype.C128: 53}

// exact reports whether a dtype has all numbers of g, or rounds each operation
// by itself.
func (g grid) exact(d dtype.DType) bool {
	p, ok := precision[d]
	return !ok || g.high-g.low <= p && g.high < 100 && g.low > -100
}

// wrapped returns the grid of the numbers of g converted to an integer dtype.
func (g grid) wrapped(d dtype.DType, signs bool) grid {
	switch {
	case d.Is(dtype.Unsigned) && signs:
		return grid{0, d.Bits()}
	case d.Is(dtype.Bits):
		return grid{max(g.low, 0), min(g.high, d.Bits())}
	}
	return g
}

func bit([]grid) grid { return grid{0, 1} }

func two(f func(l *nv.Lib, x, y any, opts ...nv.BinaryOption) nv.Tensor) func(*nv.Lib, []any) any {
	return func(l *nv.Lib, xs []any) any { return f(l, xs[0], xs[1]) }
}

func one(f func(l *nv.Lib, x any) nv.Tensor) func(*nv.Lib, []any) any {
	return func(l *nv.Lib, xs []any) any { return f(l, xs[0]) }
}

// treeOps are the operations of trees. Each is exact on a grid.
var treeOps = map[string]treeOp{
	"Add":     {2, two((*nv.Lib).Add), sum},
	"Sub":     {2, two((*nv.Lib).Sub), sum},
	"Mul":     {2, two((*nv.Lib).Mul), product},
	"Maximum": {2, two((*nv.Lib).Maximum), join},
	"Minimum": {2, two((*nv.Lib).Minimum), join},
	"And":     {2, two((*nv.Lib).And), join},
	"Xor":     {2, two((*nv.Lib).Xor), sum},
	"Eq":      {2, two((*nv.Lib).Eq), bit},
	"Lt":      {2, two((*nv.Lib).Lt), bit},
	"Neg":     {1, one((*nv.Lib).Neg), join},
	"Abs":     {1, one((*nv.Lib).Abs), join},
	"Sum":     {1, one(func(l *nv.Lib, x any) nv.Tensor { return l.Sum(x) }), func(gs []grid) grid { return grid{gs[0].low, gs[0].high + 2} }},
	"Scale":   {2, func(l *nv.Lib, xs []any) any { return l.Mul(xs[0], l.Clamp(xs[1], -1, 1)) }, product},
	"Where": {3, func(l *nv.Lib, xs []any) any { return l.Where(l.Lt(xs[0], xs[1]), xs[1], xs[2]) },
		func(gs []grid) grid { return join(gs[1:]) }},
}

// A leaf is a tensor of a state, or a number of the host language.
type leaf struct {
	typed  dtype.Typed
	values []float64 // one: rank 0
	lit    any
	grid   grid
}

// leavesOf returns a leaf in every state of a system: each dtype that can be
// computed with, known and ambiguous, of rank 0 and 1; and literals.
func leavesOf(sys *promote.System, r *rand.Rand) (ls []leaf) {
	for _, d := range sys.DTypes() {
		if d.IsForeign() {
			continue
		}
		for _, ambiguous := range []bool{false, true} {
			for _, n := range []int{1, 3} {
				l := leaf{typed: dtype.Typed{DType: d, Ambiguous: ambiguous}, grid: grid{0, 2}}
				from := []float64{0, 1, 2}
				switch {
				case d == dtype.I1:
					from, l.grid = []float64{0, 1}, grid{0, 1}
				case d.Is(dtype.Signed):
					from = []float64{0, 1, 2, -1, -2}
				case d.Is(dtype.Inexact):
					from, l.grid = []float64{0.5, 1, 2, -1, 1.5}, grid{-1, 2}
				}
				for range n {
					l.values = append(l.values, from[r.IntN(len(from))])
				}
				ls = append(ls, l)
			}
		}
	}
	for _, v := range []any{1, 2, -2, 0.5, 2.0, true, 1i} {
		ls = append(ls, leaf{lit: v, grid: grid{-1, 2}})
	}
	return append(ls, leaf{lit: 300, grid: grid{2, 9}})
}

// at returns l as a tensor or number of c.
func (l leaf) at(c *nv.Context) any {
	if l.lit != nil {
		return l.lit
	}
	x := c.New(l.values).AsType(l.typed.DType)
	if len(l.values) == 1 {
		x = x.Reshape(nil)
	}
	return c.New(x, l.typed.DType, nv.Ambiguous(l.typed.Ambiguous))
}

// A grower makes random trees of a system. It builds each in a context to know
// the dtypes of its nodes, and which operations the system refuses.
type grower struct {
	*rand.Rand
	lib    *nv.Lib
	leaves []leaf
	xs     []any
	ops    []string
	rough  bool // values need not be exact
}

// tree returns a tree no deeper than depth and its value, a tensor, a number,
// or nil where the system refuses it.
func (g *grower) tree(depth int) (*tree, any) {
	if depth == 0 || depth < 6 && g.IntN(5) < 2 {
		i := g.IntN(len(g.xs))
		return &tree{leaf: i, grid: g.leaves[i].grid}, g.xs[i]
	}
	for range 30 {
		e, x, err := g.node(depth)
		if x != nil || err && g.IntN(8) == 0 {
			return e, x
		}
	}
	return g.tree(0)
}

// node returns an operation on random trees, and its value. x is nil if it cannot be computed
// exactly, and err is true if the system refuses it.
func (g *grower) node(depth int) (e *tree, x any, err bool) {
	e = &tree{op: g.ops[g.IntN(len(g.ops))]}
	op := treeOps[e.op]
	var args []any
	var grids []grid
	signs := e.op == "Sub" || e.op == "Neg"
	for range op.args {
		a, v := g.tree(depth - 1)
		e.args, args, grids = append(e.args, a), append(args, v), append(grids, a.grid)
		err = err || v == nil
		signs = signs || signed(v)
	}
	if err || nv.Try(func() { x = op.apply(g.lib, args) }) != nil {
		return e, nil, true
	}
	d := x.(nv.Tensor).DType()
	e.grid = op.grid(grids).wrapped(d, signs)
	if !g.rough && (!e.grid.exact(d) || rooted(e.op, args)) {
		return e, nil, false
	}
	return e, x, false
}

// rooted reports whether op takes a root of its operand: the absolute value of a
// complex number.
func rooted(op string, xs []any) bool {
	x, ok := xs[0].(nv.Tensor)
	return op == "Abs" && ok && x.DType().Is(dtype.Complex)
}

// signed reports whether x may be less than 0.
func signed(x any) bool {
	switch x := x.(type) {
	case nv.Tensor:
		return !x.DType().Is(dtype.Unsigned | dtype.Boolean)
	case int:
		return x < 0
	case nil:
		return false
	}
	return true
}

// drawn is the seed of what is random: that of the properties, or 1.
func drawn() uint64 {
	if f := flag.Lookup("rapid.seed"); f != nil {
		if n, err := strconv.ParseUint(f.Value.String(), 10, 64); err == nil && n > 0 {
			return n
		}
	}
	return 1
}

// computing returns the systems that compute: the others are tables.
func computing() []*promote.System { return slices.DeleteFunc(promote.Systems(), promote.OnlyTable) }

// A way is a way to compute the trees of a batch.
type way struct {
	name  string
	ctx   *nv.Context
	jit   bool
	each  bool // each tree is a program: small ones are run in host memory
	every int  // it is taken for one batch in so many; 0: for all
}

// quick compiles functions with the effort that the engine makes for pending graphs. For
// trees of a few elements that takes a third of the time.
type quick struct{ engine.Executor }

func (e quick) Compile(ctx context.Context, g *ir.Graph, m engine.Mode) (engine.Executable, error) {
	m.Quick = true
	return e.Executor.Compile(ctx, g, m)
}

// inHost runs programs in host memory, and refuses those that would be left to XLA.
type inHost struct{ engine.Executor }

var errLeft = errors.New("left to XLA")

func (e inHost) Compile(ctx context.Context, g *ir.Graph, m engine.Mode) (engine.Executable, error) {
	if !host.Takes(g) {
		return nil, errLeft
	}
	return e.Executor.Compile(ctx, g, m)
}

// onXLA returns a client of the plugin's, or nil where there is none for a CPU.
func onXLA() *xla.Client {
	if client, _, err := xla.Open("", xla.ClientOptions{}); err == nil && client.Platform() == "cpu" {
		return client
	}
	return nil
}

// operationWays returns the ways that compute after every operation. They need few programs,
// which are used many times.
func operationWays(client *xla.Client) []way {
	ways := []way{{"flushed on the reference evaluator", nv.NewContext(nv.ContextOptions{Backend: "reference", Eager: true}), false, false, 0}}
	if client == nil {
		return ways
	}
	return append(ways,
		way{"flushed in host memory", nv.NewContext(nv.ContextOptions{Executor: engine.NewXLA(client, true), Eager: true}), false, false, 0},
		way{"flushed on XLA", nv.NewContext(nv.ContextOptions{Executor: engine.NewCompiledXLA(client, true), Eager: true}), false, false, 0})
}

// programWays returns the ways that compute trees as programs, each of which is used once.
func programWays(client *xla.Client) []way {
	ways := []way{{"compiled for the reference evaluator", nv.NewContext(nv.ContextOptions{Backend: "reference"}), true, false, 0}}
	if client == nil {
		return ways
	}
	compiled := engine.NewCompiledXLA(client, false)
	host, xla := nv.NewContext(nv.ContextOptions{Executor: inHost{engine.NewXLA(client, false)}}), nv.NewContext(nv.ContextOptions{Executor: quick{compiled}})
	return append(ways,
		way{"in host memory", host, false, true, 0}, way{"compiled for host memory", host, true, true, 0},
		way{"on XLA", xla, false, false, 12}, way{"compiled for XLA", xla, true, false, 12},
		way{"compiled for XLA with all effort", nv.NewContext(nv.ContextOptions{Executor: compiled}), true, false, 32})
}

// TestTreesOverAllSystems: ten thousand random expressions over all systems
// have one dtype, flag and value, or one error, computed as the pending graph
// that they are, flushed after every operation, and as a compiled function, on
// XLA, in host memory, for those that are small enough, and by the reference
// evaluator. XLA takes long to compile what is made of many operations: there, one batch
// in six is pending or a compiled function, and one in 32 is compiled with all effort.
func TestTreesOverAllSystems(t *testing.T) {
	t.Parallel()
	trees := 10_000
	if testing.Short() {
		trees = 1_000
	}
	reference := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	first, client := way{"on the reference evaluator", reference, false, false, 0}, onXLA()
	operations := operationWays(client)
	batches, refused, left := 0, 0, map[string]int{}
	for i, sys := range computing() {
		r, ways := rand.New(rand.NewPCG(drawn(), uint64(i))), append(programWays(client), operations...)
		for n := trees/len(computing()) + 1; n > 0; n -= batch {
			g := newGrower(r, reference, sys, leavesOf(sys, r), allOps)
			es := g.trees(min(batch, n))
			want := g.outcomes(first, es)
			refused += errorsIn(want)
			for k, w := range ways {
				if (batches+k)%max(w.every, 1) == 0 {
					left[w.name] += g.compare(t, w, es, want)
				}
			}
			batches++
		}
	}
	t.Logf("%d batches, %d trees are refused; left to XLA: %v", batches, refused, left)
	for name, n := range left {
		if n > trees/2 || n > 0 && !strings.HasSuffix(name, "host memory") {
			t.Errorf("%d of %d trees are not computed %s", n, trees, name)
		}
	}
	if refused < trees/100 || refused > trees/5 {
		t.Errorf("%d of %d trees are refused", refused, trees)
	}
}

// batch is how many trees become one program.
const batch = 64

func errorsIn(outcomes []string) (n int) {
	for _, o := range outcomes {
		if strings.HasPrefix(o, "error: ") {
			n++
		}
	}
	return n
}

// compare computes the trees es in the way w and compares the results with want. It returns
// the number of trees that w does not compute.
func (g *grower) compare(t *testing.T, w way, es []*tree, want []string) (left int) {
	t.Helper()
	for k, got := range g.outcomes(w, es) {
		if got == errLeft.Error() {
			left++
		} else if got != want[k] {
			t.Errorf("%s: %s of %v\nis  %s\nand %s\n%s", g.lib.System(), es[k], g.types(es[k]), want[k], got, w.name)
		}
	}
	return left
}

var allOps = slices.Sorted(maps.Keys(treeOps))

func newGrower(r *rand.Rand, c *nv.Context, sys *promote.System, leaves []leaf, ops []string) *grower {
	g := &grower{Rand: r, lib: c.With(sys), leaves: leaves, ops: ops}
	g.xs = g.inputs(c)
	return g
}

func (g *grower) inputs(c *nv.Context) []any {
	xs := make([]any, len(g.leaves))
	for i, l := range g.leaves {
		xs[i] = l.at(c)
	}
	return xs
}

// trees returns n trees, none of them a leaf.
func (g *grower) trees(n int) (es []*tree) {
	for len(es) < n {
		if e, _ := g.tree(6); e.op != "" {
			es = append(es, e)
		}
	}
	return es
}

// types returns the states of e's leaves.
func (g *grower) types(e *tree) (words []string) {
	for _, i := range e.uses() {
		words = append(words, fmt.Sprintf("x%d: %v", i, g.xs[i]))
	}
	return words
}

// minus0 and unsigned remove the signs of zeros, which XLA may lose: it computes a bool times
// a float as a choice between the float and 0.
var (
	minus0   = regexp.MustCompile(`-0([ \]+-]|$)`)
	unsigned = strings.NewReplacer("-0i)", "+0i)")
)

// outcomes returns type, flag and value of each tree, or its error, as one way
// gives them.
func (g *grower) outcomes(w way, es []*tree) []string {
	ys, out := g.results(w, es)
	for i := range es {
		if out[i] == "" {
			out[i] = minus0.ReplaceAllString(unsigned.Replace(ys[i].String()), "0$1")
		}
	}
	return out
}

// results returns the result of each tree as the way w computes it, or its error.
func (g *grower) results(w way, es []*tree) (ys []nv.Tensor, errs []string) {
	xs := g.inputs(w.ctx)
	if !w.each {
		return g.computed(w, xs, es)
	}
	for i := range es {
		y, err := g.computed(w, xs, es[i:i+1])
		ys, errs = append(ys, y...), append(errs, err...)
	}
	return ys, errs
}

// computed is results of trees that are one program, whose parameters are the
// leaves that they have.
func (g *grower) computed(w way, xs []any, es []*tree) (ys []nv.Tensor, errs []string) {
	errs = make([]string, len(es))
	lib, used := w.ctx.With(g.lib.System()), uses(es)
	eval := func(given []any) (made []nv.Tensor) {
		all := make([]any, len(xs))
		for k, i := range used {
			all[i] = given[k]
		}
		for i, e := range es {
			if err := nv.Try(func() { made = append(made, e.eval(lib, all).(nv.Tensor)) }); err != nil {
				errs[i] = "error: " + err.Error()
			}
		}
		return made
	}
	if w.jit {
		eval = w.ctx.JitAny(eval).(func([]any) []nv.Tensor)
	}
	given := make([]any, len(used))
	for k, i := range used {
		given[k] = xs[i]
	}
	var made []nv.Tensor
	err := nv.Try(func() {
		made = eval(given)
		nv.Must(0, w.ctx.EndCell(made))
		for _, y := range made {
			nv.Must(0, y.Wait()) // a leaf may have failed in the cell of an earlier tree
		}
	})
	if errors.Is(err, errLeft) {
		return make([]nv.Tensor, len(es)), slices.Repeat([]string{errLeft.Error()}, len(es))
	} else if err != nil {
		panic(err)
	}
	ys = make([]nv.Tensor, len(es))
	for i := range es {
		if errs[i] == "" {
			ys[i], made = made[0], made[1:]
		}
	}
	return ys, errs
}

// uses returns the indices of the leaves of trees.
func uses(es []*tree) (leaves []int) {
	for _, e := range es {
		leaves = append(leaves, e.uses()...)
	}
	slices.Sort(leaves)
	return slices.Compact(leaves)
}

// TestEverySystemComputes: what trees are made of is something that no system
// refuses for two operands of one dtype; a tree that is not grown is not tested.
func TestEverySystemComputes(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	for _, sys := range computing() {
		for name, op := range treeOps {
			for _, d := range []nv.DType{nv.I32, nv.F32} {
				x := c.New([]float64{1, 2, 3}, d)
				err := nv.Try(func() { op.apply(c.With(sys), []any{x, x, x}[:op.args]) })
				if bitwise := name == "And" || name == "Xor"; err != nil != (bitwise && d == nv.F32) {
					t.Errorf("%s: %s of %s: %v", sys, name, d, err)
				}
			}
		}
	}
}

// floatLeaves are leaves of the systems' floats with values that get rounded.
func floatLeaves(sys *promote.System, r *rand.Rand) (ls []leaf) {
	for _, d := range sys.DTypes() {
		if d.IsForeign() || !d.Is(dtype.Floating) || d.Bits() < 16 {
			continue
		}
		for _, ambiguous := range []bool{false, true} {
			for _, n := range []int{1, 3} {
				l := leaf{typed: dtype.Typed{DType: d, Ambiguous: ambiguous}}
				for range n {
					l.values = append(l.values, 4*r.Float64()-2)
				}
				ls = append(ls, l)
			}
		}
	}
	return append(ls, leaf{lit: 0.3}, leaf{lit: -1.7})
}

// spacings are the distances from 1 to the next number.
var spacings = map[dtype.DType]float64{dtype.BF16: 0x1p-7, dtype.F16: 0x1p-10, dtype.F32: 0x1p-23, dtype.F64: 0x1p-52}

// extent returns the greatest magnitude among the intermediate results of e, and the greatest
// spacing of their dtypes.
func (e *tree) extent(l *nv.Lib, xs []any) (largest, eps float64) {
	for _, a := range e.args {
		m, d := a.extent(l, xs)
		largest, eps = max(largest, m), max(eps, d)
	}
	if x, ok := e.eval(l, xs).(nv.Tensor); ok {
		for _, v := range nv.Values[float64](x.AsType(nv.F64)) {
			largest = max(largest, math.Abs(v))
		}
		eps = max(eps, spacings[x.DType()])
	}
	return largest, eps
}

// TestRoundedTreesOverAllSystems: where results get rounded, the ways to compute
// a tree differ by no more than four times the spacing at the largest
// intermediate result, and not at all in dtype and flag. XLA may round a product
// and a sum at once.
func TestRoundedTreesOverAllSystems(t *testing.T) {
	each := 40
	if testing.Short() {
		each = 8
	}
	reference, small := nv.NewContext(nv.ContextOptions{Backend: "reference"}), nv.NewContext(nv.ContextOptions{})
	xla := nv.NewContext(nv.ContextOptions{Compiled: true})
	ways := []way{{"in host memory", small, false, true, 0}, {"on XLA", xla, false, false, 0}, {"compiled for XLA", xla, true, false, 4},
		{"flushed on XLA", nv.NewContext(nv.ContextOptions{Eager: true, Compiled: true}), false, false, 0}}
	for i, sys := range computing() {
		r := rand.New(rand.NewPCG(drawn(), uint64(100+i)))
		g := newGrower(r, reference, sys, floatLeaves(sys, r), []string{"Add", "Sub", "Scale", "Maximum", "Minimum", "Neg", "Abs"})
		g.rough = true
		es := g.trees(each)
		want, errs := g.results(way{"", reference, false, false, 0}, es)
		for _, w := range ways {
			if i%max(w.every, 1) != 0 {
				continue
			}
			got, others := g.results(w, es)
			for k, e := range es {
				if errs[k] != others[k] {
					t.Errorf("%s: %s: %q, and %s %q", sys, e, errs[k], w.name, others[k])
				} else if errs[k] == "" {
					g.near(t, w, e, want[k], got[k])
				}
			}
		}
	}
}

// near compares two results of e.
func (g *grower) near(t *testing.T, w way, e *tree, want, got nv.Tensor) {
	t.Helper()
	if want.Typed() != got.Typed() || !want.Shape().Equal(got.Shape()) {
		t.Errorf("%s: %s of %v is %s, and %s %s", g.lib.System(), e, g.types(e), want, w.name, got)
		return
	}
	largest, eps := e.extent(g.lib, g.xs)
	others := nv.Values[float64](got.AsType(nv.F64))
	for i, v := range nv.Values[float64](want.AsType(nv.F64)) {
		if d := math.Abs(v - others[i]); !(d <= 4*eps*largest) {
			t.Errorf("%s: %s of %v is %s, and %s %s; the largest intermediate result is %v", g.lib.System(), e, g.types(e), want, w.name, got, largest)
		}
	}
}
