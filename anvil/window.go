package anvil

import (
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// A ConvOption is an option of a convolution: how its window moves (Stride, Dilation, Padding, PaddingLowHigh, Same,
// Valid, InputDilation, OutputPadding), the order of axes (ChannelsFirst), the groups of channels (Groups, BatchGroups),
// and how to accumulate (Accumulate, Precision).
type ConvOption interface{ conv(*windowOptions) }

// A PoolOption is an option of pooling: how its window moves (Stride, Dilation, Padding, PaddingLowHigh, Same, Valid,
// CeilMode), the order of axes (ChannelsFirst), and whether an average counts the padding (CountPadding).
type PoolOption interface{ pool(*windowOptions) }

// A WindowOption is an option of convolutions and of pooling.
type WindowOption interface {
	ConvOption
	PoolOption
}

// windowOptions are the options of a window that moves over the spatial axes of a tensor. A list has one number per
// axis, or one for all.
type windowOptions struct {
	stride, dilation, inputDilation, outputPadding []int
	low, high                                      []int
	padding                                        padding
	groups, batchGroups                            int
	channelsFirst, countPadding, ceil              bool
	dot                                            ir.DotAttrs
}

// Stride returns the option that moves a window by n elements: one number per
// spatial axis, or one for all. Without it a convolution's window moves by 1,
// that of pooling by its own size.
func Stride(n ...int) WindowOption {
	return windowOption{"Stride", func(m *windowOptions) { m.stride = n }}
}

// Dilation returns the option that puts the elements of a window n apart: one number per spatial axis, or one for all.
func Dilation(n ...int) WindowOption {
	return windowOption{"Dilation", func(m *windowOptions) { m.dilation = n }}
}

// Padding returns the option that adds n zeros (for pooling, the identity of its reduction) before and after each
// spatial axis: one number per axis, or one for all.
func Padding(n ...int) WindowOption {
	return windowOption{"Padding", func(m *windowOptions) { m.low, m.high, m.padding = n, n, explicit }}
}

// PaddingLowHigh returns the option that adds low[i] zeros before and high[i] after spatial axis i. Negative numbers
// remove elements.
func PaddingLowHigh(low, high Shape) WindowOption {
	return windowOption{"PaddingLowHigh", func(m *windowOptions) { m.low, m.high, m.padding = low, high, explicit }}
}

type windowOption struct {
	name string
	set  func(*windowOptions)
}

func (f windowOption) conv(m *windowOptions) { f.set(m) }
func (f windowOption) pool(m *windowOptions) { f.set(m) }
func (f windowOption) optionName() string    { return f.name }

// The paddings that follow from the window.
const (
	// Valid adds no padding, which is the default: the window stays inside.
	Valid padding = iota
	// Same pads so that the result has length/stride elements, rounded up; if the padding is odd, the extra element
	// is at the end. The result of a transposed convolution then has length*stride elements.
	Same
	explicit
)

type padding uint8

func (p padding) conv(m *windowOptions) { m.padding = p }
func (p padding) pool(m *windowOptions) { m.padding = p }

// ChannelsFirst is the option for tensors with axes (batch, channels, spatial...) and weights with axes (output
// channels, input channels, window...). Without it channels are last: (batch, spatial..., channels) and (window...,
// input channels, output channels).
const ChannelsFirst channelsFirst = true

type channelsFirst bool

func (f channelsFirst) conv(m *windowOptions) { m.channelsFirst = bool(f) }
func (f channelsFirst) pool(m *windowOptions) { m.channelsFirst = bool(f) }

// CountPadding is the PoolOption that makes AvgPool count the padding as zeros. Without it only elements of x count.
const CountPadding countPadding = true

type countPadding bool

// CeilMode is the PoolOption that adds a last position where the window extends past the end, as long as it begins inside
// x or the padding before it. Without it the window stays inside x and its padding. An average does not count positions
// past the end.
const CeilMode ceilMode = true

type ceilMode bool

func (f ceilMode) pool(m *windowOptions) { m.ceil = bool(f) }

func (p countPadding) pool(m *windowOptions) { m.countPadding = bool(p) }

// Groups returns the option that divides channels into n groups, each convolved separately. With as many groups as
// channels it is a depthwise convolution.
func Groups(n int) ConvOption { return convOption{"Groups", func(m *windowOptions) { m.groups = n }} }

// BatchGroups returns the option that divides the batch into n groups, each convolved with its own output channels.
func BatchGroups(n int) ConvOption {
	return convOption{"BatchGroups", func(m *windowOptions) { m.batchGroups = n }}
}

// InputDilation returns the option that puts n-1 zeros between the elements of
// each spatial axis: one number per axis, or one for all.
func InputDilation(n ...int) ConvOption {
	return convOption{"InputDilation", func(m *windowOptions) { m.inputDilation = n }}
}

// OutputPadding returns the option that makes the result of a transposed convolution n elements longer at the end: one
// number per spatial axis, or one for all.
func OutputPadding(n ...int) ConvOption {
	return convOption{"OutputPadding", func(m *windowOptions) { m.outputPadding = n }}
}

type convOption struct {
	name string
	set  func(*windowOptions)
}

func (f convOption) conv(m *windowOptions) { f.set(m) }
func (f convOption) optionName() string    { return f.name }

func (a accumulate) conv(m *windowOptions) { m.dot.DType = dtype.DType(a) }
func (p precision) conv(m *windowOptions)  { m.dot.Precision = ir.Precision(p) }

// each returns one number per spatial axis: the numbers given, the single number given, or the defaults in otherwise. It
// fails where one is less than least.
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
			c.fail(name+" is "+itoa(n[i]), "give at least "+itoa(least))
		}
	}
	return n
}

// constantShape returns n lengths v.
func constantShape(n, v int) Shape {
	return slices.Repeat(Shape{v}, n)
}

// ceilPadding returns the padding that CeilMode adds at the end: by how much the window at its last position extends past
// the padded axis, if that position begins within the length or the padding before it.
func ceilPadding(length, low, high, window, step int) int {
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

// attrs returns the attributes of a window of the given size over axes of lengths field. Stride is the default stride.
func (c *call) attrs(m windowOptions, field, size, stride Shape) ir.WindowAttrs {
	n := len(field)
	one, none := constantShape(n, 1), make(Shape, n)
	c.each("the window", size, one, 1)
	steps, spread, under := c.each("the stride", m.stride, stride, 1), c.each("the dilation", m.dilation, one, 1), c.each("the input dilation", m.inputDilation, one, 1)
	const any = -1 << 31
	low, high := c.each("the padding", m.low, none, any), c.each("the padding", m.high, none, any)
	for i := range n {
		if m.padding == Same {
			length := max(0, (field[i]-1)*under[i]+1)
			whole := max(0, ((length+steps[i]-1)/steps[i]-1)*steps[i]+(size[i]-1)*spread[i]+1-length)
			low[i], high[i] = whole/2, whole-whole/2
		}
		if m.ceil {
			high[i] += ceilPadding(field[i], low[i], high[i], (size[i]-1)*spread[i]+1, steps[i])
		}
	}
	return ir.WindowAttrs{Size: size.Dims(), Strides: steps.Dims(), Low: low.Dims(), High: high.Dims(), BaseDilation: under.Dims(), Dilation: spread.Dims()}
}
