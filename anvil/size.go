package anvil

import (
	"fmt"
	"math"
	"sync"

	"github.com/goanvil/notebook/anvil/memory"
	"github.com/goanvil/notebook/anvil/shape"
)

// This file limits the sizes of tensors: it turns requests for too much memory or time into errors.

// maxTensorBytes is more than any device can hold. A larger tensor is a mistake in a shape.
const maxTensorBytes = 1 << 40

// memoryMultiple is the size of the largest tensor that may be pending, as a multiple of the
// machine's memory. It is more than 1 because XLA may fuse operations and never store the
// tensor.
const memoryMultiple = 16

// maxBytes returns the size of the largest tensor that may be pending.
var maxBytes = sync.OnceValue(func() int {
	if total, known := memory.Total(); known && total < maxTensorBytes/memoryMultiple {
		return int(total) * memoryMultiple
	}
	return maxTensorBytes
})

// maxRank is the greatest number of axes: compilers take minutes for thousands of axes.
const maxRank = 255

// failRank fails because s has too many axes.
func (c *call) failRank(s Shape) {
	c.fail(fmt.Sprintf("the shape has %d axes, and a tensor has at most %d", len(s), maxRank),
		"merge axes with Reshape")
}

// checkSize fails if t has too many axes or a dtype that no backend computes, or if a tensor of type t is larger than
// maxBytes.
func (c *call) checkSize(t shape.Type) {
	if len(t.Shape) > maxRank {
		c.failRank(t.Shape)
	}
	if !t.DType.Valid() {
		reason := fmt.Sprintf("DType(%d) is not a dtype", t.DType)
		if t.DType.IsForeign() {
			reason = "no backend computes " + t.DType.String()
		}
		c.fail(reason, "write nv.F32, nv.I64 and so on")
	}
	const small = 1 << 20 // always fits; maxBytes need not be called
	if len(t.Shape) == 0 || t.Within(small) || t.Within(maxBytes()) {
		return
	}
	need := "more than 2^63 bytes"
	if t.Within(math.MaxInt) {
		need = memory.SizeText(int64(t.Bytes()))
	}
	total := ""
	if n, known := memory.Total(); known {
		total = ", and this machine has " + memory.SizeText(n)
	}
	c.fail(t.String()+" would take "+need+total, "give a smaller shape, or compute parts one after the other")
}

// checkHostCopy returns an error if the host has too little memory for a copy of t, or if computing t fails.
func (t *tensor) checkHostCopy() error {
	ty := t.arr.Type()
	if ty.Within(memory.Unchecked) {
		return nil
	}
	if err := t.ctx.session.Wait(t.arr); err != nil {
		return err
	}
	if free, known := memory.Available(); known && !ty.Within(int(free)) {
		return &Error{Op: "Values", Operands: ty.String(), Reason: "the elements take " + hostShortage(ty, free),
			Hint: "read a part: x.At(nv.Range(0, 10))"}
	}
	return nil
}

// hostShortage returns a part of an error text: how much memory a tensor of type t takes, and how much is free.
func hostShortage(t shape.Type, free int64) string {
	return memory.SizeText(int64(t.Bytes())) + ", but only " + memory.SizeText(free) + " of the host's memory is free"
}

// hostMemory returns memory for a tensor of type t that the host computes.
func (c *call) hostMemory(t shape.Type) []byte {
	c.checkHostMemory(t)
	return make([]byte, t.Bytes())
}

// checkHostMemory fails if the host has too little memory for a tensor of type t.
func (c *call) checkHostMemory(t shape.Type) {
	c.checkSize(t)
	if !t.Within(memory.Unchecked) {
		if free, known := memory.Available(); known && !t.Within(int(free)) {
			c.fail(t.String()+" would take "+hostShortage(t, free), "give a smaller shape")
		}
	}
}

// maxParts is the greatest number of tensors that one call, such as Unstack, returns.
const maxParts = 1 << 20

// newTensors returns a slice of n zero Tensors for the results of a call.
func (c *call) newTensors(n int) []Tensor {
	if n > maxParts {
		c.fail(fmt.Sprintf("the result would be %d tensors", n), "keep one tensor, and take parts with At")
	}
	return make([]Tensor, n)
}

// maxListed is the greatest number of elements that the host computes one by one, which takes about a second.
const maxListed = 1 << 24

// listMemory is hostMemory for numbers that the host computes one by one.
func (c *call) listMemory(t shape.Type) []byte {
	c.checkSize(t)
	c.checkListLength(t.Shape.Size())
	return c.hostMemory(t)
}

// checkListLength fails if n numbers are too many to compute one by one.
func (c *call) checkListLength(n int) {
	if n > maxListed {
		c.fail(itoa(n)+" numbers are too many to compute one by one on the host", "compute them from nv.Iota")
	}
}
