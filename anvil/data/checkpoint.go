package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/typename"
)

// Save writes the tensors of tree, such as a model, to a safetensors file, each under its
// path in tree as nv.TreePaths returns it: "In.Kernel". Settings that are not tensors are
// not saved. Save replaces an existing file only after it has written all tensors.
//
// To continue a training later, save all that it needs as one tree:
//
//	type Run struct {
//		Model MLP
//		State optim.State
//		Key   random.PRNGKey
//	}
//	err := data.Save("run.safetensors", Run{model, state, key})
func Save(path string, tree any) error {
	named := map[string]nv.Tensor{}
	var ctx *nv.Context
	err := nv.Try(func() {
		xs := nv.TreeLeaves(tree)
		for i, name := range nv.TreePaths(tree) {
			if _, taken := named[name]; taken { // as in {"a.b": x, "a": {"b": y}}
				panic(&nv.Error{Op: "data.Save", Operands: typename.Of(tree),
					Reason: fmt.Sprintf("two tensors have the path %q", name), Hint: "give other keys, without dots"})
			}
			if xs[i].Valid() {
				named[name], ctx = xs[i], xs[i].Context()
			}
		}
		if ctx == nil {
			panic(&nv.Error{Op: "data.Save", Operands: typename.Of(tree),
				Reason: "the tree has no tensors", Hint: "make them with model = nn.Init(model, key, x)"})
		}
	})
	if err != nil {
		return err
	}
	return ctx.WriteSafetensors(path, named)
}

// A Report says how the tensors of a file and those of a tree differ.
type Report struct {
	Missing []string // paths of tensors that the file lacks; Load leaves them unchanged
	Extra   []string // names in the file for which the tree has no tensor
	Cast    []Cast   // tensors whose dtypes in the file and in the tree differ
	loaded  int      // the number of tensors that were loaded
}

// A Cast is a change of dtype.
type Cast struct {
	Path     string
	From, To nv.DType
}

// Complete reports whether every tensor of the tree was in the file.
func (r Report) Complete() bool { return len(r.Missing) == 0 }

// String returns a line for each kind of difference.
func (r Report) String() string {
	var lines []string
	add := func(head string, names []string) {
		if len(names) > 0 {
			lines = append(lines, head+strings.Join(names, ", "))
		}
	}
	var casts []string
	for _, c := range r.Cast {
		casts = append(casts, fmt.Sprintf("%s (%s to %s)", c.Path, c.From, c.To))
	}
	add("missing in the file: ", r.Missing)
	add("only in the file: ", r.Extra)
	add("cast: ", casts)
	switch {
	case r.loaded == 0:
		lines = append(lines, "no tensors loaded")
	case len(lines) == 0:
		return "all tensors loaded"
	}
	return strings.Join(lines, "\n")
}

// A LoadOption is an option of Load.
type LoadOption interface{ change(*loadOptions) }

// loadOptions holds the options of Load.
type loadOptions struct {
	names Names
	axes  Axes
	torch TorchCells
	flax  FlaxCells
}

// Names is an option of Load for files of other programs. It maps paths in the tree to the
// names of their tensors in the file.
//
//	data.Names{"In.Kernel": "fc1.weight", "In.Bias": "fc1.bias"}
type Names map[string]string

func (n Names) change(l *loadOptions) { l.names = n }

// Axes is an option of Load. It maps paths in the tree to orders of axes, by which Load
// transposes the tensors of the file as nv.Transpose does. For example, PyTorch's Linear has
// {out,in} where nn.Dense has {in,out}: data.Axes{"In.Kernel": {1, 0}}.
type Axes map[string][]nv.Axis

func (a Axes) change(l *loadOptions) { l.axes = a }

// TorchCells is an option of Load for files of PyTorch. It maps the paths of nn.LSTM and nn.GRU
// cells in the tree to the names of their parameters in the file, with * in place of
// "weight_ih", "weight_hh", "bias_ih" and "bias_hh".
//
//	data.TorchCells{"Forward.Cell": "gru.*_l0", "Backward.Cell": "gru.*_l0_reverse"}
//
// PyTorch stores its matrices transposed, and two biases. Load sets Bias to their sum, except
// that the part of bias_hh that a GRU adds inside the product with its reset gate becomes
// RecurrentBias. If the file has no biases, Bias and RecurrentBias are 0.
type TorchCells map[string]string

func (c TorchCells) change(l *loadOptions) { l.torch = c }

// FlaxCells is an option of Load for files of Flax. It maps the paths of nn.LSTM and nn.GRU cells
// in the tree to the names of their parameters in the file, with * in place of "ii.kernel",
// "hi.bias" and so on. Flax has a matrix for each gate.
//
//	data.FlaxCells{"Cell": "params.OptimizedLSTMCell_0.*"}
type FlaxCells map[string]string

func (c FlaxCells) change(l *loadOptions) { l.flax = c }

// Load returns a copy of tree with the tensors of a safetensors file, and a report of the
// differences. It finds tensors by their path in tree (see Save) or by the option Names, and
// casts them to the dtype of the tensor that they replace. An absent tensor of tree takes its
// dtype and shape from the file, so a model needs its settings but not nn.Init. Load joins
// neighbouring axes of a tensor in the file if that gives the shape of the tensor in tree: Flax's
// attention, for example, has an axis for heads. If a shape differs otherwise, Load returns tree
// and an error. To read a file without a tree, by the names in the file, use nv.ReadSafetensors.
//
//	model, report, err := data.Load("mlp.safetensors", MLP{In: nn.Dense{Features: 128}})
func Load[P any](path string, tree P, opts ...LoadOption) (P, Report, error) {
	loaded, report, err := LoadAny(path, tree, opts...)
	return loaded.(P), report, err
}

// LoadAny is Load for callers that cannot instantiate a generic function.
func LoadAny(path string, tree any, opts ...LoadOption) (any, Report, error) {
	return In(nv.Default()).LoadAny(path, tree, opts...)
}

// LoadAny returns a copy of tree with the tensors of a file, as the function Load does.
func (s Source) LoadAny(path string, tree any, opts ...LoadOption) (any, Report, error) {
	var l loadOptions
	for _, o := range opts {
		o.change(&l)
	}
	stored, err := s.ctx.ReadSafetensors(path)
	if err != nil {
		return tree, Report{}, err
	}
	loaded, report := tree, Report{}
	err = nv.Try(func() {
		var xs []nv.Tensor
		xs, report = l.leaves(path, tree, stored)
		loaded = nv.TreeReplaceAny(tree, xs)
	})
	return loaded, report, err
}

// leaves returns the tensors of tree, replaced by those that the file has for their paths, and the
// report. It panics if shapes differ.
func (l loadOptions) leaves(file string, tree any, stored map[string]nv.Tensor) (xs []nv.Tensor, r Report) {
	l.check(file, tree, stored)
	used := map[string]bool{} // the names of the stored tensors that tree takes
	cells := l.cells(file, tree, stored, used)
	var mismatches []string
	xs = nv.TreeLeaves(tree)
	for i, path := range nv.TreePaths(tree) {
		name := path
		if other, ok := l.names[path]; ok {
			name = other
		}
		x, ok := cells[path]
		if !ok {
			if x, ok = stored[name]; ok {
				used[name] = true
			}
		}
		if !ok {
			if xs[i].Valid() {
				r.Missing = append(r.Missing, path)
			}
			continue
		}
		if axes := l.axes[path]; axes != nil {
			x = x.Transpose(axes...)
		}
		if old := xs[i]; old.Valid() {
			if x.Rank() > old.Rank() && isJoined(x.Shape(), old.Shape()) {
				x = x.Reshape(old.Shape())
			}
			if !old.Shape().Equal(x.Shape()) {
				mismatches = append(mismatches,
					fmt.Sprintf("%s is %s in the file and %s in the tree", path, x.Type(), old.Type()))
				continue
			}
			if d := old.DType(); d != x.DType() {
				r.Cast = append(r.Cast, Cast{path, x.DType(), d})
				x = x.AsType(d)
			}
		}
		xs[i] = x
		r.loaded++
	}
	if len(mismatches) > 0 {
		panic(&nv.Error{Op: "data.Load", Operands: fmt.Sprintf("%q", file), Reason: strings.Join(mismatches, "; "),
			Hint: "give data.Axes to reorder axes of the file"})
	}
	for _, name := range slices.Sorted(maps.Keys(stored)) {
		if !used[name] {
			r.Extra = append(r.Extra, name)
		}
	}
	return xs, r
}

// check panics if an option names a path or a tensor that does not exist.
func (l loadOptions) check(file string, tree any, stored map[string]nv.Tensor) {
	paths := nv.TreePaths(tree)
	for _, path := range slices.Sorted(maps.Keys(l.names)) {
		if !slices.Contains(paths, path) {
			panic(unknownPath(file, path, paths))
		}
		if _, ok := stored[l.names[path]]; !ok {
			panic(&nv.Error{Op: "data.Load", Operands: fmt.Sprintf("%q", file),
				Reason: fmt.Sprintf("the file has no tensor %q", l.names[path]),
				Hint:   "the names are " + strings.Join(slices.Sorted(maps.Keys(stored)), ", ")})
		}
	}
	for _, path := range slices.Sorted(maps.Keys(l.axes)) {
		if !slices.Contains(paths, path) {
			panic(unknownPath(file, path, paths))
		}
	}
}

// unknownPath returns the error for an option with a path that is not in the tree. paths are the paths of the tree.
func unknownPath(file, path string, paths []string) error {
	return &nv.Error{Op: "data.Load", Operands: fmt.Sprintf("%q", file),
		Reason: fmt.Sprintf("the tree has no tensor at %q", path), Hint: "the paths are " + strings.Join(paths, ", ")}
}

// isJoined reports whether joining neighbouring axes of s gives t.
func isJoined(s, t nv.Shape) bool {
	for _, n := range t {
		joined := 1
		for len(s) > 0 && (joined < n || joined == n && s[0] == 1) {
			joined, s = joined*s[0], s[1:]
		}
		if joined != n {
			return false
		}
	}
	return len(s) == 0
}
