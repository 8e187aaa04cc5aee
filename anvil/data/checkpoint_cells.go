package data

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	nv "github.com/goanvil/notebook/anvil"
)

// A cellLoader makes the parameters of nn.LSTM and nn.GRU cells from those of a file of PyTorch or Flax.
type cellLoader struct {
	file   string
	paths  []string             // of the tree
	stored map[string]nv.Tensor // the tensors of the file by name
	used   map[string]bool      // the names of the tensors of the file that have been used
	made   map[string]nv.Tensor // the tensors made for the tree by path
}

// cells returns the tensors of the cells that the options TorchCells and FlaxCells list, by their paths
// in the tree. It sets used[name] for the name of each tensor of the file that it uses.
func (l loadOptions) cells(
	file string, tree any, stored map[string]nv.Tensor, used map[string]bool,
) map[string]nv.Tensor {
	c := cellLoader{file, nv.TreePaths(tree), stored, used, map[string]nv.Tensor{}}
	c.load(l.torch, c.torch, "weight_ih, ...")
	c.load(l.flax, c.flax, "ii.kernel, ...")
	return c.made
}

// A cellFunc makes the tensors of one cell, and reports whether the file has all tensors that this
// needs. in returns the path of a field of the cell. find puts kind in place of * in the name that the
// option has for the cell, and returns the tensor of the file with that name, or the zero Tensor.
type cellFunc func(in func(field string) string, find func(kind string) nv.Tensor) bool

// load makes the tensors of the cells whose paths are the keys of names. The values of names are the
// names of the cells' tensors in the file, with * in place of the kind. kinds are examples of kinds, for
// the error message.
func (c cellLoader) load(names map[string]string, makeCell cellFunc, kinds string) {
	for _, path := range slices.Sorted(maps.Keys(names)) {
		in := func(field string) string { return strings.TrimPrefix(path+"."+field, ".") }
		if !slices.Contains(c.paths, in("Recurrent")) {
			panic(&nv.Error{Op: "data.Load", Operands: fmt.Sprintf("%q", c.file),
				Reason: fmt.Sprintf("the tree has no nn.LSTM and no nn.GRU at %q", path),
				Hint:   "the paths are " + strings.Join(c.paths, ", ")})
		}
		find := func(kind string) nv.Tensor {
			name := strings.Replace(names[path], "*", kind, 1)
			c.used[name] = true
			return c.stored[name]
		}
		if !strings.Contains(names[path], "*") || !makeCell(in, find) {
			stored := strings.Join(slices.Sorted(maps.Keys(c.stored)), ", ")
			panic(&nv.Error{Op: "data.Load", Operands: fmt.Sprintf("%q", c.file),
				Reason: fmt.Sprintf("the file has no recurrent layer with parameters called %q", names[path]),
				Hint:   "write * in place of " + kinds + "; the names in the file are " + stored})
		}
	}
}

// isGRU reports whether a cell is an nn.GRU.
func (c cellLoader) isGRU(in func(field string) string) bool {
	return slices.Contains(c.paths, in("RecurrentBias"))
}

// torch is the cellFunc of PyTorch (see TorchCells).
func (c cellLoader) torch(in func(field string) string, find func(kind string) nv.Tensor) bool {
	kernel, recurrent, bias, hiddenBias := find("weight_ih"), find("weight_hh"), find("bias_ih"), find("bias_hh")
	if !kernel.Valid() || !recurrent.Valid() || bias.Valid() != hiddenBias.Valid() {
		return false
	}
	if !bias.Valid() {
		bias = kernel.Context().Zeros(kernel.Shape()[:1], kernel.DType())
		hiddenBias = bias
	}
	if c.isGRU(in) {
		// The gates are reset, update and new. The new gate's hidden bias is multiplied by the reset gate, so it
		// cannot be added to the other bias.
		n := recurrent.Shape()[1]
		newGate := nv.Range(2*n, 3*n)
		c.made[in("RecurrentBias")] = hiddenBias.At(newGate)
		hiddenBias = hiddenBias.Set(0, newGate)
	}
	c.made[in("Kernel")], c.made[in("Recurrent")] = kernel.Transpose(), recurrent.Transpose()
	c.made[in("Bias")] = bias.Add(hiddenBias)
	return true
}

// flax is the cellFunc of Flax (see FlaxCells).
func (c cellLoader) flax(in func(field string) string, find func(kind string) nv.Tensor) bool {
	complete := true
	gates := func(names, field string) nv.Tensor { // the tensors of the named gates, concatenated
		var xs []nv.Tensor
		for _, gate := range strings.Fields(names) {
			x := find(gate + "." + field)
			if complete = complete && x.Valid(); !complete {
				return nv.Tensor{}
			}
			xs = append(xs, x)
		}
		return nv.Concatenate(-1, xs)
	}
	// Flax names a dense layer by its operand, i for the input or h for the hidden state, and its gate. Of the two
	// layers of a gate, only one has a bias, except for the gate n of a GRU.
	input, hidden, biased := "ii if ig io", "hi hf hg ho", "hi hf hg ho"
	if c.isGRU(in) {
		input, hidden, biased = "ir iz in", "hr hz hn", "ir iz in"
		c.made[in("RecurrentBias")] = gates("hn", "bias")
	}
	c.made[in("Kernel")], c.made[in("Recurrent")] = gates(input, "kernel"), gates(hidden, "kernel")
	c.made[in("Bias")] = gates(biased, "bias")
	return complete
}
