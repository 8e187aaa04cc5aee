package anvil

import (
	"fmt"
	"math"
	"sync"

	"github.com/goanvil/notebook/anvil/shape"
	"github.com/goanvil/notebook/anvil/xla"
)

// maxTensorBytes is from where on no tensor can be, whatever the device: its size is
// a slip in a shape.
const maxTensorBytes = 1 << 40

// memoryMultiple is how many times the machine's memory a tensor may take that is
// only written down: XLA may compute what is made of it without ever having it
// whole.
const memoryMultiple = 16

// maxBytes returns the bytes up to which a tensor may be written down.
var maxBytes = sync.OnceValue(func() int {
	if total, known := xla.Total(); known && total < maxTensorBytes/memoryMultiple {
		return int(total) * memoryMultiple
	}
	return maxTensorBytes
})

// maxRank is how many axes a tensor may have: compilers take minutes over some
// thousands.
const maxRank = 255

// failRank fails since s has too many axes.
func (c *call) failRank(s Shape) {
	c.fail(fmt.Sprintf("that is a shape of %d axes, and a tensor has at most %d", len(s), maxRank), "join axes with Reshape")
}

// checkSize fails where t is no type, or no memory holds a tensor of it.
func (c *call) checkSize(t shape.Type) {
	if len(t.Shape) > maxRank {
		c.failRank(t.Shape)
	}
	if !t.DType.Valid() {
		c.fail(fmt.Sprintf("there is no dtype of number %d", t.DType), "write nv.F32, nv.I64 and so on")
	}
	if small := 1 << 20; len(t.Shape) == 0 || t.Within(small) || t.Within(maxBytes()) {
		return
	}
	need := "more bytes than can be counted"
	if t.Within(math.MaxInt) {
		need = xla.SizeText(int64(t.Bytes()))
	}
	total := ""
	if n, known := xla.Total(); known {
		total = ", and this machine has " + xla.SizeText(n)
	}
	c.fail(t.String()+" would take "+need+total, "smaller shapes, or parts of it one after the other")
}

// checkHostCopy fails where t is too much to be computed, or to be copied to the host.
func (t *tensor) checkHostCopy() error {
	ty := t.arr.Type()
	if ty.Within(checkedBytes) {
		return nil
	}
	if err := t.ctx.session.Wait(t.arr); err != nil {
		return err
	}
	if free, known := xla.Available(); known && !ty.Within(int(free)) {
		return &Error{Op: "Values", Operands: ty.String(), Reason: fmt.Sprintf("its elements take %s in the host's memory, and %s are free",
			xla.SizeText(int64(ty.Bytes())), xla.SizeText(free)), Hint: "read a part of it: x.At(nv.Range(0, 10))"}
	}
	return nil
}

// checkedBytes is from where on the host's memory is looked at before it is taken.
const checkedBytes = 64 << 20

// hostMemory returns memory for the elements of a tensor of type t, which the
// host computes.
func (c *call) hostMemory(t shape.Type) []byte {
	c.checkSize(t)
	if !t.Within(checkedBytes) {
		if free, known := xla.Available(); known && !t.Within(int(free)) {
			c.fail(t.String()+" would take "+xla.SizeText(int64(t.Bytes()))+" of the host's memory, and "+xla.SizeText(free)+" are free", "a smaller shape")
		}
	}
	return make([]byte, t.Bytes())
}

// maxParts bounds how many tensors one call gives: each is an object of the host.
const maxParts = 1 << 20

// newTensors returns room for n tensors.
func (c *call) newTensors(n int) []Tensor {
	if n > maxParts {
		c.fail(fmt.Sprintf("that is %d tensors", n), "keep them as one tensor, and cut what is needed with At")
	}
	return make([]Tensor, n)
}

// maxListed bounds the numbers that the host computes one by one: a second's work.
const maxListed = 1 << 24

// listMemory is hostMemory of numbers that the host computes one by one.
func (c *call) listMemory(t shape.Type) []byte {
	c.checkSize(t)
	c.checkListLength(t.Shape.Size())
	return c.hostMemory(t)
}

// checkListLength fails where n numbers are more than the host computes one by one.
func (c *call) checkListLength(n int) {
	if n > maxListed {
		c.fail(itoa(n)+" numbers are more than the host computes one by one", "make them of nv.Iota")
	}
}
