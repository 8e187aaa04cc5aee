package anvil_test

import (
	"os"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// searching are the functions of searching.txt.
var searching = map[string]composition{
	"Cumsum":       {cumulative((*nv.Lib).Cumsum), 4, 1},
	"Cumprod":      {cumulative((*nv.Lib).Cumprod), 4, 0},
	"LogCumsumExp": {cumulative((*nv.Lib).LogCumsumExp), 4, 1},
	"Cummax":       {pair((*nv.Lib).Cummax), 0, 0},
	"Cummin":       {pair((*nv.Lib).Cummin), 0, 0},
	"Diff":         {several((*nv.Lib).Diff), 0, 0},

	"SlidingWindow": {several((*nv.Lib).SlidingWindow), 0, 0},
	"Trapezoid": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Trapezoid(x[0], x[1], axesOf(args)...)
	}, 1, 0},
	"Cross": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.Cross(x[0], x[1], axesOf(args)...) }, 0, 0},

	"Take":          {indexedBy((*nv.Lib).Take), 0, 0},
	"TakeAlongAxis": {indexedBy((*nv.Lib).TakeAlongAxis), 0, 0},
	"PutAlongAxis": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.PutAlongAxis(x[0], x[1], x[2], axesOf(args)...)
	}, 0, 0},
	"Append": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.Append(x[0], x[1], axesOf(args)...) }, 0, 0},
	"Insert": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Insert(x[0], int(axisOf(args[0])), x[1], axesOf(args[1:])...)
	}, 0, 0},
	"Delete": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var positions []int
		for _, p := range lengths(strings.Split(args[0], ",")) {
			positions = append(positions, p)
		}
		return l.Delete(x[0], positions, axesOf(args[1:])...)
	}, 0, 0},
	"UnravelIndex": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Stack(0, anys(l.UnravelIndex(x[0], lengths(args)))...)
	}, 0, 0},
	"RavelMultiIndex": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return l.RavelMultiIndex(x, lengths(args)) }, 0, 0},

	"SegmentSum":  {segmented((*nv.Lib).SegmentSum), 0, 0},
	"SegmentProd": {segmented((*nv.Lib).SegmentProd), 0, 0},
	"SegmentMax":  {segmented((*nv.Lib).SegmentMax), 0, 0},
	"SegmentMin":  {segmented((*nv.Lib).SegmentMin), 0, 0},

	"SearchSorted": {sided((*nv.Lib).SearchSorted), 0, 0},
	"Digitize":     {sided((*nv.Lib).Digitize), 0, 0},
	"IsIn":         {binary((*nv.Lib).IsIn), 0, 0},
	"LexSort":      {listed((*nv.Lib).LexSort), 0, 0},
	"BinCount": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.BinCount(x[0], countOptions(x[1:], args)...)
	}, 1, 0},
	"Histogram": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var bins any = int(axisOf(args[1]))
		if bins == 0 {
			bins, x = x[1], append(x[:1:1], x[2:]...)
		}
		opts := countOptions(x[1:], nil)
		if len(args) > 2 {
			opts = append(opts, nv.Within(floats(args)[2], floats(args)[3]))
		}
		counts, edges := l.Histogram(x[0], bins, opts...)
		return []nv.Tensor{counts, edges}[axisOf(args[0])]
	}, 2, 1},
	"Nonzero": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Stack(0, anys(l.Nonzero(x[0], countOptions(nil, args)...))...)
	}, 0, 0},
	"ArgWhere": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.ArgWhere(x[0], countOptions(nil, args)...)
	}, 0, 0},
	"CountNonzero": {reducing((*nv.Lib).CountNonzero), 0, 0},
	"Unique": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		u := l.UniqueAll(x[0], countOptions(nil, args[1:])...)
		return map[string]nv.Tensor{"values": u.Values, "indices": u.Indices, "inverse": u.Inverse, "counts": u.Counts}[args[0]]
	}, 0, 0},

	"NanSum": {reducing((*nv.Lib).NanSum), 2, 1}, "NanProd": {reducing((*nv.Lib).NanProd), 2, 0},
	"NanMax": {reducing((*nv.Lib).NanMax), 0, 0}, "NanMin": {reducing((*nv.Lib).NanMin), 0, 0},
	"NanMean": {reducing((*nv.Lib).NanMean), 2, 1}, "NanVar": {reducing((*nv.Lib).NanVar), 4, 1}, "NanStd": {reducing((*nv.Lib).NanStd), 4, 1},
	"Sum": {reducing((*nv.Lib).Sum), 2, 1}, "Prod": {reducing((*nv.Lib).Prod), 2, 0}, "Mean": {reducing((*nv.Lib).Mean), 2, 1},
	"Var": {reducing((*nv.Lib).Var), 4, 1}, "Std": {reducing((*nv.Lib).Std), 4, 1},
	"Max": {reducing((*nv.Lib).Max), 0, 0}, "Min": {reducing((*nv.Lib).Min), 0, 0}, "Ptp": {reducing((*nv.Lib).Ptp), 1, 0},
	"All": {reducing((*nv.Lib).All), 0, 0}, "Any": {reducing((*nv.Lib).Any), 0, 0},
	"ReduceAnd": {reducing((*nv.Lib).ReduceAnd), 0, 0}, "ReduceOr": {reducing((*nv.Lib).ReduceOr), 0, 0}, "ReduceXor": {reducing((*nv.Lib).ReduceXor), 0, 0},

	"Quantile": {parted((*nv.Lib).Quantile), 3, 1}, "Percentile": {parted((*nv.Lib).Percentile), 3, 1},
	"NanQuantile": {parted((*nv.Lib).NanQuantile), 3, 1},
	"NanMedian": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.NanMedian(x[0], quantileOptions(args)...)
	}, 2, 1},
	"Average": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return l.Average(x[0], x[1], reduceOptions(nil, args)...)
	}, 4, 1},
	"Cov": {func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		var opts []nv.ReduceOption
		if len(args) > 0 {
			opts = append(opts, nv.Correction(int(axisOf(args[0]))))
		}
		return l.Cov(x[0], opts...)
	}, 8, 1},
	"CorrCoef": {unary((*nv.Lib).CorrCoef), 8, 1},
}

// TestSearching compares with the results of NumPy, PyTorch and JAX, as TestCompositions
// does.
func TestSearching(t *testing.T) { checkCompositions(t, "testdata/searching.txt", searching, 4) }

func anys(xs []nv.Tensor) (all []any) {
	for _, x := range xs {
		all = append(all, x)
	}
	return all
}

func lengths(words []string) (s nv.Shape) {
	for _, a := range axesOf(words) {
		s = append(s, int(a))
	}
	return s
}

func cumulative(f func(*nv.Lib, any, ...nv.CumsumOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], cumsumOptions(args)...) }
}

func cumsumOptions(words []string) (opts []nv.CumsumOption) {
	for _, w := range words {
		switch w {
		case "exclusive":
			opts = append(opts, nv.Exclusive)
		case "reverse":
			opts = append(opts, nv.Reverse)
		default:
			opts = append(opts, axisOf(w))
		}
	}
	return opts
}

// pair returns the first or the second result of f; the first word says which.
func pair(f func(*nv.Lib, any, ...nv.CumsumOption) (nv.Tensor, nv.Tensor)) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		values, positions := f(l, x[0], cumsumOptions(args[1:])...)
		return []nv.Tensor{values, positions}[axisOf(args[0])]
	}
}

func indexedBy(f func(l *nv.Lib, x, by any, axis ...nv.Axis) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], x[1], axesOf(args)...) }
}

func segmented(f func(l *nv.Lib, x, by any, n int) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor { return f(l, x[0], x[1], int(axisOf(args[0]))) }
}

func sided(f func(l *nv.Lib, x, y any, side ...nv.Side) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], x[1], nv.Side(args[0] == "right"))
	}
}

// countOptions returns weights and a Size as options.
func countOptions(weights []nv.Tensor, size []string) (opts []nv.CountOption) {
	for _, w := range weights {
		opts = append(opts, nv.Weights(w))
	}
	for _, n := range lengths(size) {
		opts = append(opts, nv.Size(n))
	}
	return opts
}

func reducing(f func(*nv.Lib, any, ...nv.ReduceOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], reduceOptions(x[1:], args)...)
	}
}

// reduceOptions returns masks, axes, "keep" and "less=1" as options.
func reduceOptions(masks []nv.Tensor, words []string) (opts []nv.ReduceOption) {
	for _, m := range masks {
		opts = append(opts, nv.Only(m))
	}
	for _, w := range words {
		less, ok := strings.CutPrefix(w, "less=")
		switch {
		case ok:
			opts = append(opts, nv.Correction(int(axisOf(less))))
		case w == "keep":
			opts = append(opts, nv.KeepDims)
		default:
			opts = append(opts, axisOf(w))
		}
	}
	return opts
}

func quantileOptions(words []string) (opts []nv.QuantileOption) {
	for _, w := range words {
		switch {
		case w == "keep":
			opts = append(opts, nv.KeepDims)
		case strings.Trim(w, "-0123456789") == "":
			opts = append(opts, axisOf(w))
		default:
			opts = append(opts, nv.Interpolation(w))
		}
	}
	return opts
}

func parted(f func(l *nv.Lib, x, q any, opts ...nv.QuantileOption) nv.Tensor) func(*nv.Lib, []nv.Tensor, []string) nv.Tensor {
	return func(l *nv.Lib, x []nv.Tensor, args []string) nv.Tensor {
		return f(l, x[0], x[1], quantileOptions(args)...)
	}
}

// systemsOf are the functions of systems.txt.
var systemsOf = map[string]func(l *nv.Lib, x nv.Tensor) nv.Tensor{
	"Cumprod": func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Cumprod(x) },
	"Cumsum":  func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Cumsum(x) },
	"Cummax":  func(l *nv.Lib, x nv.Tensor) nv.Tensor { y, _ := l.Cummax(x); return y },
	"Cummax position": func(l *nv.Lib, x nv.Tensor) nv.Tensor {
		_, at := l.Cummax(x)
		return at
	},
	"LogCumsumExp": func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.LogCumsumExp(x) },
	"Diff":         func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Diff(x, 1) },
	"NanSum":       func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.NanSum(x) },
	"NanMean":      func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.NanMean(x) },
	"NanVar":       func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.NanVar(x) },
	"NanMax":       func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.NanMax(x) },
	"NanMedian":    func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.NanMedian(x) },
	"Ptp":          func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Ptp(x) },
	"Quantile":     func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Quantile(x, 0.5) },
	"Average":      func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Average(x, x) },
	"Cov":          func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Cov(x) },
	"Nonzero":      func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Nonzero(x)[0] },
	"SearchSorted": func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.SearchSorted(x, x) },
	"BinCount":     func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.BinCount(x) },
	"CountNonzero": func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.CountNonzero(x) },
	"Histogram":    func(l *nv.Lib, x nv.Tensor) nv.Tensor { counts, _ := l.Histogram(x, 2); return counts },
	"Unique":       func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Unique(x) },
	"ReduceXor":    func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.ReduceXor(x) },
	"ArgSort":      func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.ArgSort(x) },
	"TopK position": func(l *nv.Lib, x nv.Tensor) nv.Tensor {
		_, at := l.TopK(x, 1)
		return at
	},
	"Take": func(l *nv.Lib, x nv.Tensor) nv.Tensor { return l.Take(x, []int{0}) },
}

// TestUniqueCounts checks the counts of fewer elements than there are, as numpy and JAX count them.
func TestUniqueCounts(t *testing.T) {
	x := nv.New([]int32{1, 1, 2, 2, 2, 3})
	for n, counts := range []string{"i32{0} []", "i32{1} [2]", "i32{2} [2 3]", "i32{3} [2 3 1]", "i32{4} [2 3 1 0]"} {
		want(t, nv.UniqueAll(x, nv.Size(n)).Counts, counts)
		want(t, nv.UniqueAll(x.Reshape(nv.Shape{6, 1}), nv.Size(n), nv.Axis(0)).Counts, counts)
	}
	want(t, nv.UniqueAll(nv.Zeros(nv.Shape{0}), nv.Size(2)).Counts, "i32{2} [0 0]")
}

// TestSystemsOf: under each system, the result of a function has the dtype that it has in the
// real library. Functions of dtypes that the real library refuses are not compared.
func TestSystemsOf(t *testing.T) {
	c := nv.NewContext(nv.ContextOptions{Backend: "reference"})
	data, err := os.ReadFile("testdata/systems.txt")
	if err != nil {
		t.Fatal(err)
	}
	rows := 0
	for line := range strings.Lines(string(data)) {
		key, result, _ := strings.Cut(strings.TrimSpace(line), ": ")
		words := strings.Fields(key)
		function := strings.Join(words[1:len(words)-1], " ")
		sys, err := promote.ByName(words[0])
		if err != nil {
			t.Fatal(err)
		}
		l := c.With(sys)
		x := c.Ones(nv.Shape{2}, dtype.MustParse(words[len(words)-1]))
		if result == "error" {
			continue
		}
		rows++
		if err := nv.Try(func() {
			if got := systemsOf[function](l, x).DType().String(); got != result {
				t.Errorf("%s: %s, want %s", key, got, result)
			}
		}); err != nil {
			t.Errorf("%s: %v", key, err)
		}
	}
	if rows < 300 {
		t.Error(rows, "rows")
	}
}
