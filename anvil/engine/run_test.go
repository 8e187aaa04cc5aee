package engine

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

// An otherExecutor is the reference executor with two devices and other properties.
type otherExecutor struct {
	twoDevices
	deviceMemory bool // buffers do not lie in host memory
	hostPrograms bool
	abandoned    int
	uploads      []shape.Type
}

func newOther() *otherExecutor {
	return &otherExecutor{twoDevices: twoDevices{Executor: NewReference()}}
}

func (e *otherExecutor) HostMemory(int) bool { return !e.deviceMemory }
func (e *otherExecutor) HostPrograms() bool  { return e.hostPrograms }
func (e *otherExecutor) Abandoned(int) int   { return e.abandoned }
func (e *otherExecutor) Upload(t shape.Type, data []byte, device int) (Buffer, error) {
	e.uploads = append(e.uploads, t)
	return e.Executor.Upload(t, data, device)
}

// TestCopied checks that elements are copied, and that many of them are copied into a buffer if that lies in
// host memory.
func TestCopied(t *testing.T) {
	for _, c := range []struct {
		n            int
		deviceMemory bool
		device       string
		known        bool // the elements are kept in Go's memory
		on           int
	}{
		{3, false, "", true, 1},
		{3, false, "cpu:0", false, 0},
		{Large - 1, false, "", true, 1},
		{Large, false, "", false, 1},
		{Large, false, "cpu:0", false, 0},
		{Large, true, "", true, 1},
	} {
		e := newOther()
		e.deviceMemory = c.deviceMemory
		s := New(Options{Executor: e, Device: "cpu:1"})
		data := make([]byte, c.n)
		data[0], data[c.n-1] = 5, 6
		a, err := s.Copied(shape.Of(dtype.U8, c.n), data, c.device)
		if err != nil {
			t.Fatal(err)
		}
		clear(data)
		if _, known := a.Known(); known != c.known || a.Placed() != (c.device != "") || s.DeviceOf(a) != c.on || a.Pending() {
			t.Errorf("%+v: known %t, placed %t on %d, pending %t", c, known, a.Placed(), s.DeviceOf(a), a.Pending())
		}
		got := make([]byte, c.n)
		if err := s.Read(a, got); err != nil || got[0] != 5 || got[c.n-1] != 6 {
			t.Errorf("%+v: %d to %d, %v", c, got[0], got[c.n-1], err)
		}
	}
	if _, err := New(Options{Executor: newOther()}).Copied(pair, make([]byte, 16), "gpu"); err == nil {
		t.Error("elements are copied to a device that does not exist")
	}
}

// TestOwnPrograms checks that a large sort or a factorization is computed at once, after its operands, if the
// executor has host programs.
func TestOwnPrograms(t *testing.T) {
	matrix, many := shape.Of(dtype.F32, 2, 2), shape.Of(dtype.F32, 1<<15)
	for _, c := range []struct {
		code     ir.Code
		operands []shape.Type
		want     bool
	}{
		{ir.Sort, []shape.Type{many}, true},
		{ir.Sort, []shape.Type{many, shape.Of(dtype.I32, 1<<15)}, true},
		{ir.Sort, []shape.Type{many, shape.Of(dtype.C64, 1<<15)}, false},
		{ir.Sort, []shape.Type{shape.Of(dtype.F32, 1<<14)}, false}, // part of a larger host program
		{ir.Sort, []shape.Type{shape.Of(dtype.C64, 1<<15)}, false},
		{ir.Cholesky, []shape.Type{matrix}, true},
		{ir.LU, []shape.Type{matrix}, true},
		{ir.QR, []shape.Type{matrix}, true},
		{ir.Eigh, []shape.Type{matrix}, true},
		{ir.SVD, []shape.Type{matrix}, true},
		{ir.SVD, []shape.Type{shape.Of(dtype.C64, 33, 1)}, false},
		{ir.TriangularSolve, []shape.Type{matrix, matrix}, true},
		{ir.TriangularSolve, []shape.Type{matrix, shape.Of(dtype.C64, 33, 1)}, false},
		{ir.Neg, []shape.Type{matrix}, false},
	} {
		n := &node{code: c.code}
		for _, ty := range c.operands {
			n.args = append(n.args, &node{typ: ty})
		}
		if got := ownProgram(n); got != c.want {
			t.Errorf("%v of %v: %t", c.code, c.operands, got)
		}
	}
	square := shape.Of(dtype.F64, 1, 1)
	for _, hostPrograms := range []bool{true, false} {
		var nodes []int
		e := newOther()
		e.hostPrograms = hostPrograms
		e.Executor = newGate(func(_ context.Context, g *ir.Graph) error { nodes = append(nodes, len(g.Nodes)); return nil })
		s := New(Options{Executor: e})
		a, err := s.Host(square, floatBytes(2), "")
		if err != nil {
			t.Fatal(err)
		}
		sum := apply(t, s, ir.Add, a, a)
		root, err := s.Apply(square, ir.Cholesky, nil, sum)
		if err != nil {
			t.Fatal(err)
		}
		if sum.Pending() == hostPrograms || root.Pending() == hostPrograms {
			t.Errorf("host programs %t: the operand is pending: %t, the result: %t", hostPrograms, sum.Pending(), root.Pending())
		}
		wantFloats(t, s, root, 2)
		want := []int{2}
		if hostPrograms {
			want = []int{1, 1}
		}
		if !slices.Equal(nodes, want) {
			t.Errorf("host programs %t: programs of %v operations, want %v", hostPrograms, nodes, want)
		}
	}
}

// TestEager checks that an eager session computes each operation at once, but not those that are traced.
func TestEager(t *testing.T) {
	one := shape.Of(dtype.F64, 1)
	double := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		return []*ir.Value{add(t, g, ir.Add, nil, x[0], x[0])}
	}, one)
	for _, eager := range []bool{true, false} {
		t.Setenv("GOANVIL_EAGER", "")
		s := New(Options{Executor: NewReference(), Eager: eager})
		x := apply(t, s, ir.Neg, floatsOf(t, s, 3))
		out, err := s.ApplyMany([]shape.Type{one}, ir.Call, ir.CallAttrs{}, []*ir.Graph{double}, x)
		if err != nil {
			t.Fatal(err)
		}
		if x.Pending() == eager || out[0].Pending() == eager {
			t.Errorf("eager %t: pending %t and %t", eager, x.Pending(), out[0].Pending())
		}
		wantFloats(t, s, out[0], -6)
		if p := s.NewTrace().Param(one); !apply(t, s, ir.Neg, p).Pending() {
			t.Errorf("eager %t: a traced operation is computed", eager)
		}
	}
	t.Setenv("GOANVIL_EAGER", "1")
	if s := New(Options{Executor: NewReference()}); apply(t, s, ir.Neg, floatsOf(t, s, 3)).Pending() {
		t.Error("GOANVIL_EAGER=1 has no effect")
	}
}

// TestKeep checks that an intermediate value is computed by the program that needs it, but kept only if it is
// marked or was made before the last look.
func TestKeep(t *testing.T) {
	for _, c := range []struct{ keep, look, kept bool }{{false, false, false}, {true, false, true}, {false, true, true}} {
		s := New(Options{Executor: NewReference()})
		x := floatsOf(t, s, 3)
		a := apply(t, s, ir.Neg, x)
		if c.keep {
			a.Keep()
		}
		if c.look {
			wantFloats(t, s, apply(t, s, ir.Abs, floatsOf(t, s, -1)), 1)
		}
		wantFloats(t, s, apply(t, s, ir.Add, a, a), -6)
		if a.Pending() == c.kept {
			t.Errorf("%+v: pending %t", c, a.Pending())
		}
		wantFloats(t, s, a, -3)
	}
}

// TestLookComputesUnusedOperations checks which pending operations are computed by the program of a value that is
// read: those that need one of its arrays other than a scalar, or a value that it computes.
func TestLookComputesUnusedOperations(t *testing.T) {
	for _, c := range []struct {
		name  string
		other func(s *Session, x, scalar, product Array) Array
		want  bool
	}{
		{"of a parameter", func(s *Session, x, _, _ Array) Array { return apply(t, s, ir.Exp, x) }, true},
		{"of a value that is computed", func(s *Session, _, _, product Array) Array { return apply(t, s, ir.Exp, product) }, true},
		{"of a scalar", func(s *Session, _, scalar, _ Array) Array { return apply(t, s, ir.Exp, scalar) }, false},
		{"of another array", func(s *Session, _, _, _ Array) Array { return apply(t, s, ir.Exp, floatsOf(t, s, 5, 6)) }, false},
		{"of one that is used", func(s *Session, x, _, _ Array) Array {
			y := apply(t, s, ir.Exp, x)
			apply(t, s, ir.Neg, y)
			return y
		}, false},
	} {
		s := New(Options{Executor: NewReference()})
		x := floatsOf(t, s, 1, 2)
		scalar, err := s.Host(shape.Of(dtype.F64), floatBytes(3), "")
		if err != nil {
			t.Fatal(err)
		}
		threes, err := s.Apply(x.Type(), ir.BroadcastInDim, ir.BroadcastAttrs{}, scalar)
		if err != nil {
			t.Fatal(err)
		}
		product := apply(t, s, ir.Mul, x, threes)
		read := apply(t, s, ir.Neg, product)
		other := c.other(s, x, scalar, product)
		wantFloats(t, s, read, -3, -6)
		if other.Pending() == c.want {
			t.Errorf("an operation %s is pending: %t", c.name, other.Pending())
		}
	}
}

// TestReading checks Read, View, Wait and Look of each kind of array.
func TestReading(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	sum := func() Array { return apply(t, s, ir.Add, floatsOf(t, s, 1, 2), floatsOf(t, s, 3, 4)) }
	computed, given, taken := sum(), sum(), floatsOf(t, s, 4, 6)
	for _, a := range []Array{computed, given} {
		if err := s.Force(a); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := s.Donate([]Array{given, taken}); err != nil {
		t.Fatal(err)
	}
	tr := s.NewTrace()
	for _, c := range []struct {
		name             string
		a                Array
		read, wait, look error
	}{
		{"in Go's memory", floatsOf(t, s, 4, 6), nil, nil, nil},
		{"pending", sum(), nil, nil, nil},
		{"computed", computed, nil, nil, nil},
		{"given away", given, errDonated, errDonated, nil},
		{"given away from Go's memory", taken, errDonated, errDonated, nil},
		{"traced", tr.Param(pair), errTraced, errTraced, errTraced},
	} {
		data := make([]byte, 16)
		var viewed []byte
		seen, viewErr := s.View(c.a, func(data []byte) { viewed = slices.Clone(data) })
		err := s.Read(c.a, data)
		if err != c.read || viewErr != c.read || seen != (c.read == nil) {
			t.Errorf("%s: read %v, viewed %v, %t", c.name, err, viewErr, seen)
		}
		if c.read == nil && (!slices.Equal(data, floatBytes(4, 6)) || !slices.Equal(viewed, data)) {
			t.Errorf("%s: read %v, viewed %v", c.name, data, viewed)
		}
		if err := s.Wait(c.a); err != c.wait {
			t.Errorf("%s: waited %v", c.name, err)
		}
		if err := s.Look(c.a); err != c.look {
			t.Errorf("%s: looked %v", c.name, err)
		}
	}
	if err := s.Force(computed, tr.Param(pair)); err != errTraced {
		t.Errorf("a traced array is forced: %v", err)
	}
	a := sum()
	if err := s.Look(a); err != nil || a.Pending() {
		t.Errorf("looked at, but pending: %v", err)
	}
}

// TestProgramsOfTwoDevices checks that arrays on two devices are computed by two programs.
func TestProgramsOfTwoDevices(t *testing.T) {
	s := New(Options{Executor: newOther()})
	first, second := floatsOn(t, s, "cpu:0", 1), floatsOn(t, s, "cpu:1", 2)
	as := []Array{apply(t, s, ir.Neg, first), apply(t, s, ir.Abs, first), apply(t, s, ir.Neg, second)}
	if err := s.Force(as...); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float64{-1, 1, -2} {
		wantFloats(t, s, as[i], want)
	}
	if n := s.Stats().Launches; n != 2 {
		t.Errorf("%d launches", n)
	}
}

// TestScalarsAreKept checks that a scalar is uploaded once, until a cell ends or maxScalars others follow.
func TestScalarsAreKept(t *testing.T) {
	e := newOther()
	s := New(Options{Executor: e})
	uploads := func(v float64) int {
		before := len(e.uploads)
		if err := s.Force(apply(t, s, ir.Neg, s.Scalar(dtype.F64, floatBytes(v)))); err != nil {
			t.Fatal(err)
		}
		return len(e.uploads) - before
	}
	if first, second := uploads(1), uploads(1); first != 1 || second != 0 {
		t.Errorf("%d and then %d uploads", first, second)
	}
	if _, err := s.EndCell(nil); err != nil || uploads(1) != 1 {
		t.Errorf("no upload after the end of a cell: %v", err)
	}
	for i := 2; i <= maxScalars; i++ {
		uploads(float64(i))
	}
	if n := uploads(1); n != 0 {
		t.Errorf("after %d scalars the first is uploaded again", maxScalars)
	}
	uploads(maxScalars + 1)
	if n := uploads(1); n != 1 {
		t.Errorf("more than %d scalars are kept", maxScalars)
	}
}

// TestLogAbandoned checks that interrupted programs that still run are reported once a cell.
func TestLogAbandoned(t *testing.T) {
	e := newOther()
	var log []string
	s := New(Options{Executor: e, Log: func(line string) { log = append(log, line) }})
	launch := func() {
		t.Helper()
		if err := s.Force(apply(t, s, ir.Neg, floatsOf(t, s, 1))); err != nil {
			t.Fatal(err)
		}
	}
	line := "waiting for 2 interrupted program(s) that cpu:0 still runs; interrupt again to give up"
	for _, c := range []struct {
		abandoned int
		begins    bool // a cell begins before the launch
		lines     int
	}{{0, false, 0}, {2, false, 1}, {2, false, 1}, {2, true, 2}, {0, false, 2}, {2, false, 3}} {
		if c.begins {
			s.WarnAgain()
		}
		e.abandoned = c.abandoned
		launch()
		if len(log) != c.lines || len(log) > 0 && log[len(log)-1] != line {
			t.Errorf("%+v: %q", c, log)
		}
	}
}

// TestCompilingIsReported checks the calls of Options.Compiling.
func TestCompilingIsReported(t *testing.T) {
	var calls []string
	s := New(Options{Executor: NewReference(), Compiling: func(operations int) func() {
		calls = append(calls, fmt.Sprint("begin ", operations))
		return func() { calls = append(calls, "end") }
	}})
	for range 2 {
		x := floatsOf(t, s, 3)
		wantFloats(t, s, apply(t, s, ir.Neg, apply(t, s, ir.Neg, x)), 3)
	}
	if !slices.Equal(calls, []string{"begin 2", "end"}) {
		t.Error(calls)
	}
}

// TestLockEndsWithInterrupt checks that an operation that waits for the session's lock ends with the interrupt.
func TestLockEndsWithInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	s := New(Options{Executor: NewReference(), Interrupt: func() context.Context { return ctx }})
	a := apply(t, s, ir.Neg, floatsOf(t, s, 1))
	if err := s.lock(); err != nil {
		t.Fatal(err)
	}
	cancel()
	if err := s.Force(a); !errors.Is(err, context.Canceled) {
		t.Errorf("forced: %v", err)
	}
	if s.Revive(); !a.Pending() {
		t.Error("computed without the lock")
	}
	s.unlock()
	if err := s.lock(); err != nil {
		t.Errorf("a free lock is not taken after an interrupt: %v", err)
	}
}

// TestChosenBackend checks which executor is chosen if the plugin cannot be loaded.
func TestChosenBackend(t *testing.T) {
	t.Setenv("GOANVIL_BACKEND", "")
	t.Setenv(xla.PluginVariable, t.TempDir()+"/none.so")
	var log []string
	options := Options{Log: func(line string) { log = append(log, line) }}
	s := New(options)
	if s.Name() != "reference" || len(log) != 1 || !strings.HasSuffix(log[0], "; computing with the reference evaluator") {
		t.Errorf("%s, %q", s.Name(), log)
	}
	options.Backend = "xla"
	if s := New(options); s.Start() == nil || s.Name() != "none" || len(log) != 1 {
		t.Errorf("%s, %q", s.Name(), log)
	}
	t.Setenv("GOANVIL_DEVICES", "0")
	if err := New(options).Start(); err == nil || err.Error() !=
		`GOANVIL_DEVICES is "0"; it must be a number of devices, 1 or more` {
		t.Error(err)
	}
	options.Backend = "reference"
	if s := New(options); s.Name() != "reference" || !s.exec.HostMemory(0) || s.Close() != nil {
		t.Error(s.Name())
	}
	if _, err := New(Options{Executor: newGate(nil)}).deviceIndex("gpu"); err == nil ||
		err.Error() != `there is no device "gpu"; devices are reference:0` {
		t.Error(err)
	}
}

// TestForceLeavesItsArgument checks that the caller's slice still has the traced arrays after Force has computed their
// values.
func TestForceLeavesItsArgument(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	c := floatsOf(t, s, 10, 20)
	x := s.NewTrace().ParamOf(floatsOf(t, s, 1, 2))
	as := []Array{apply(t, s, ir.Neg, c), apply(t, s, ir.Add, x, c), apply(t, s, ir.Mul, x, c)}
	before := slices.Clone(as)
	if err := s.Force(as...); err != nil {
		t.Fatal(err)
	}
	for i, want := range [][]float64{{-10, -20}, {11, 22}, {10, 40}} {
		if !as[i].Same(before[i]) || as[i].Traced() != (i > 0) {
			t.Errorf("array %d was replaced; traced: %t", i, as[i].Traced())
		}
		wantFloats(t, s, as[i], want...)
	}
}

// TestFlushing checks that only the flushing executor takes subnormal numbers for 0.
func TestFlushing(t *testing.T) {
	for e, want := range map[Executor]float64{NewReference(): 2 * math.SmallestNonzeroFloat64, NewFlushingReference(): 0} {
		s := New(Options{Executor: e})
		x := floatsOf(t, s, math.SmallestNonzeroFloat64)
		wantFloats(t, s, apply(t, s, ir.Add, x, x), want)
	}
}

// TestReviveForgets checks that Revive undoes the latest maxDonations calls of Donate only.
func TestReviveForgets(t *testing.T) {
	s := New(Options{Executor: NewReference()})
	var as []Array
	for range maxDonations + 1 {
		a := floatsOf(t, s, 1)
		if _, err := s.Donate([]Array{a}); err != nil {
			t.Fatal(err)
		}
		as = append(as, a)
	}
	s.Revive()
	for i, a := range as {
		if a.Donated() != (i == 0) {
			t.Errorf("array %d is given away: %t", i, a.Donated())
		}
	}
}

// TestStableHLO checks the text of a program with a host call.
func TestStableHLO(t *testing.T) {
	g := region(func(g *ir.Graph, x []*ir.Value) []*ir.Value {
		h := &HostCall{Name: "note"}
		return g.Add(ir.HostCall, h, nil, []*ir.Value{add(t, g, ir.Neg, nil, x[0])}, pair).Results
	}, pair)
	text := string(StableHLO(g))
	for _, want := range []string{
		"%0 = stablehlo.negate %arg0 : tensor<2xf64>\n",
		"%1 = stablehlo.custom_call @host_note(%0) : (tensor<2xf64>) -> (tensor<2xf64>)\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s does not contain %s", text, want)
		}
	}
}

// An originExecutor says of its programs that they have another origin.
type originExecutor struct {
	Executor
	origin Origin
}

// An originExecutable is a program of an originExecutor.
type originExecutable struct {
	Executable
	origin Origin
}

func (x originExecutable) Origin() Origin { return x.origin }

func (e originExecutor) Compile(ctx context.Context, g *ir.Graph, m Mode) (Executable, error) {
	x, err := e.Executor.Compile(ctx, g, m)
	return originExecutable{x, e.origin}, err
}

// TestOrigins checks which programs are logged as compiled, and which as loaded from disk.
func TestOrigins(t *testing.T) {
	for origin, want := range map[Origin][]bool{Compiled: {false}, Loaded: {true}, InHost: nil} {
		s := New(Options{Executor: originExecutor{NewReference(), origin}})
		wantFloats(t, s, apply(t, s, ir.Neg, floatsOf(t, s, 3)), -3)
		var disk []bool
		for _, c := range s.Compilations(0) {
			disk = append(disk, c.Disk)
		}
		if !slices.Equal(disk, want) || s.Stats().Programs != 1 {
			t.Errorf("origin %d: from disk %v, want %v", origin, disk, want)
		}
	}
}
