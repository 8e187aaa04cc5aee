package anvil

// Partition returns x rearranged along an axis so that position k holds the element that sorting would put there, with
// no greater element before it and no lesser one after it. The axis is the last one if none is given; a negative k
// counts from its end. Here all elements are sorted, but other libraries do not promise that.
func (l *Lib) Partition(x any, k int, axis ...Axis) Tensor {
	l.checkPart("Partition", x, k, axis)
	return l.Sort(x, axis...)
}

// ArgPartition returns the positions in x of the elements of Partition(x, k), counted from 0.
func (l *Lib) ArgPartition(x any, k int, axis ...Axis) Tensor {
	l.checkPart("ArgPartition", x, k, axis)
	return l.ArgSort(x, axis...)
}

func (l *Lib) checkPart(op string, x any, k int, axis []Axis) {
	c, a, _ := l.layout(op, x)
	n := a.Shape()[c.oneAxis(axis, a)]
	if k < -n || k >= n {
		c.fail("k is "+itoa(k)+" on an axis of length "+itoa(n), "give "+itoa(-n)+" to "+itoa(n-1))
	}
}
