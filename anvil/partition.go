package anvil

// Partition returns x with the element that sorting along an axis would put at
// position k there, all lesser ones before it and all greater ones behind it; the
// axis is the last one where none is given, and k < 0 counts from its end. What
// is on either side is in ascending order here; others promise none.
func (l *Lib) Partition(x any, k int, axis ...Axis) Tensor {
	l.checkPart("Partition", x, k, axis)
	return l.Sort(x, axis...)
}

// ArgPartition returns the positions, counted from 0, that the elements of
// Partition(x, k) have in x.
func (l *Lib) ArgPartition(x any, k int, axis ...Axis) Tensor {
	l.checkPart("ArgPartition", x, k, axis)
	return l.ArgSort(x, axis...)
}

func (l *Lib) checkPart(op string, x any, k int, axis []Axis) {
	c, a, _ := l.layout(op, x)
	n := a.Shape()[c.oneAxis(axis, a)]
	if k < -n || k >= n {
		c.fail("there is no element "+itoa(k)+" along an axis of length "+itoa(n), "k is from "+itoa(-n)+" to "+itoa(n-1))
	}
}
