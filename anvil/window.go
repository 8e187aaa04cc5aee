package anvil

import (
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// A ConvOption tells a convolution how its window moves (Stride, Dilation,
// Padding, PaddingLowHigh, Same, Valid, InputDilation, OutputPadding), how axes
// lie (ChannelsFirst), into which groups channels fall (Groups, BatchGroups),
// and in which dtype or how precisely to add up (Accumulate, Precision).
type ConvOption interface{ conv(*moving) }

// A PoolOption tells pooling how its window moves (Stride, Dilation, Padding,
// PaddingLowHigh, Same, Valid), how axes lie (ChannelsFirst), and whether an
// average counts the padding (CountPadding).
type PoolOption interface{ pool(*moving) }

// A WindowOption is an option of convolutions and of pooling.
type WindowOption interface {
	ConvOption
	PoolOption
}

// A moving is what options say of a window that moves over the spatial axes of
// a tensor. A list has a number per axis, or one for all.
type moving struct {
	stride, dilation, under, behind []int
	low, high                       []int
	padding                         padding
	groups, batchGroups             int
	first, counted, ceil            bool
	dot                             ir.DotAttrs
}

// Stride returns the option that moves a window by n elements: one number per
// spatial axis, or one for all. Without it a convolution's window moves by 1,
// that of pooling by its own size.
func Stride(n ...int) WindowOption {
	return windowOption(func(m *moving) { m.stride = n })
}

// Dilation returns the option that takes the elements of a window n apart: one
// number per spatial axis, or one for all.
func Dilation(n ...int) WindowOption {
	return windowOption(func(m *moving) { m.dilation = n })
}

// Padding returns the option that adds n zeros before and behind each spatial
// axis (of pooling, what leaves its result alone): one number per axis, or one for all.
func Padding(n ...int) WindowOption {
	return windowOption(func(m *moving) { m.low, m.high, m.padding = n, n, explicit })
}

// PaddingLowHigh returns the option that adds low[i] zeros before and high[i]
// behind spatial axis i. Negative numbers take elements away.
func PaddingLowHigh(low, high Shape) WindowOption {
	return windowOption(func(m *moving) { m.low, m.high, m.padding = low, high, explicit })
}

type windowOption func(*moving)

func (f windowOption) conv(m *moving) { f(m) }
func (f windowOption) pool(m *moving) { f(m) }

// The paddings that follow from the window. Valid, the default, pads nothing:
// the window stays inside. Same pads so that the result has length/stride
// elements, rounded up, the odd one behind; a transposed convolution has
// length*stride.
const (
	Valid padding = iota
	Same
	explicit
)

type padding uint8

func (p padding) conv(m *moving) { m.padding = p }
func (p padding) pool(m *moving) { m.padding = p }

// ChannelsFirst is the option for tensors with axes (batch, channels,
// spatial...), and weights with axes (output channels, input channels, window...). Without it
// channels are last: (batch, spatial..., channels) and (window..., input channels, output channels).
const ChannelsFirst channelsFirst = true

type channelsFirst bool

func (f channelsFirst) conv(m *moving) { m.first = bool(f) }
func (f channelsFirst) pool(m *moving) { m.first = bool(f) }

// CountPadding is the PoolOption that lets an average count the padding, as
// zeros. Without it AvgPool is the average of the elements that there are.
const CountPadding countPadding = true

type countPadding bool

// CeilMode is the PoolOption that goes on to a last place where the window stands
// out behind, as long as it begins inside; without it the window stays inside
// what there is and the padding. An average does not count what it stands out by.
const CeilMode ceilMode = true

type ceilMode bool

func (f ceilMode) pool(m *moving) { m.ceil = bool(f) }

func (p countPadding) pool(m *moving) { m.counted = bool(p) }

// Groups returns the option that lets channels fall into n groups, each
// convolved by itself; as many as channels is a depthwise convolution.
func Groups(n int) ConvOption { return convOption(func(m *moving) { m.groups = n }) }

// BatchGroups returns the option that lets the batch fall into n groups, each
// convolved with its own output channels.
func BatchGroups(n int) ConvOption { return convOption(func(m *moving) { m.batchGroups = n }) }

// InputDilation returns the option that puts n-1 zeros between the elements of
// each spatial axis: one number per axis, or one for all.
func InputDilation(n ...int) ConvOption { return convOption(func(m *moving) { m.under = n }) }

// OutputPadding returns the option that makes the result of a transposed
// convolution n elements longer, at the end: one number per spatial axis, or one for all.
func OutputPadding(n ...int) ConvOption { return convOption(func(m *moving) { m.behind = n }) }

type convOption func(*moving)

func (f convOption) conv(m *moving) { f(m) }

func (a accumulate) conv(m *moving) { m.dot.DType = dtype.DType(a) }
func (p precision) conv(m *moving)  { m.dot.Precision = ir.Precision(p) }

// each returns a number per spatial axis: those given, the one given for all,
// or where none is, those otherwise.
func (c *call) each(name string, given []int, otherwise Shape, least int) Shape {
	n := make(Shape, len(otherwise))
	for i := range n {
		switch len(given) {
		case 0:
			n[i] = otherwise[i]
		case 1:
			n[i] = given[0]
		case len(n):
			n[i] = given[i]
		default:
			c.fail(name+" has "+itoa(len(given))+" numbers, and there are "+itoa(len(n))+" spatial axes", "give one number per axis, or one for all")
		}
		if n[i] < least {
			c.fail(name+" is "+itoa(n[i]), "it is at least "+itoa(least))
		}
	}
	return n
}

// alike returns n numbers v.
func alike(n, v int) Shape {
	s := make(Shape, n)
	for i := range s {
		s[i] = v
	}
	return s
}

// standsOut returns by how much a window stands out at its last place, if that
// begins within the length or the padding before it.
func standsOut(length, low, high, window, step int) int {
	over := length + low + high - window
	if over < 0 {
		return 0
	}
	places := (over+step-1)/step + 1
	if (places-1)*step >= length+low {
		places--
	}
	return max(0, (places-1)*step-over)
}

// attrs returns how a window of the given size moves over axes of lengths field,
// by stride where the options do not say.
func (c *call) attrs(m moving, field, size, stride Shape) ir.WindowAttrs {
	n := len(field)
	one, none := alike(n, 1), make(Shape, n)
	c.each("the window", size, one, 1)
	steps, spread, under := c.each("the stride", m.stride, stride, 1), c.each("the dilation", m.dilation, one, 1), c.each("the input dilation", m.under, one, 1)
	const any = -1 << 31
	low, high := c.each("the padding", m.low, none, any), c.each("the padding", m.high, none, any)
	for i := range n {
		if m.padding == Same {
			length := max(0, (field[i]-1)*under[i]+1)
			whole := max(0, ((length+steps[i]-1)/steps[i]-1)*steps[i]+(size[i]-1)*spread[i]+1-length)
			low[i], high[i] = whole/2, whole-whole/2
		}
		if m.ceil {
			high[i] += standsOut(field[i], low[i], high[i], (size[i]-1)*spread[i]+1, steps[i])
		}
	}
	return ir.WindowAttrs{Size: size.Dims(), Strides: steps.Dims(), Low: low.Dims(), High: high.Dims(), BaseDilation: under.Dims(), Dilation: spread.Dims()}
}
