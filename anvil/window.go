package anvil

import (
	"math"
	"slices"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/ir"
)

// A ConvOption is an option of a convolution: how its window moves (Stride, Dilation, Padding, PaddingLowHigh, Same,
// Valid, InputDilation, OutputPadding), the order of axes (ChannelsFirst), the groups of channels (Groups,
// BatchGroups), and how to accumulate (Accumulate, Precision).
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
// axis, or one for all; nil means the default.
type windowOptions struct {
	stride, dilation, inputDilation, outputPadding []int
	low, high                                      []int // explicit padding
	padding                                        padding
	groups, batchGroups                            int
	channelsFirst, countPadding, ceil              bool
	dot                                            ir.DotAttrs
}

// Stride returns the option that moves a window by n elements: one number per
// spatial axis, or one for all. By default the window of a convolution moves by 1,
// and the window of pooling by its own size.
func Stride(n ...int) WindowOption {
	return windowOption{"Stride", func(m *windowOptions) { m.stride = n }}
}

// Dilation returns the option that puts the elements of a window n apart: one number per spatial axis, or one for all.
func Dilation(n ...int) WindowOption {
	return windowOption{"Dilation", func(m *windowOptions) { m.dilation = n }}
}

// Padding returns the option that adds n zeros (for pooling, n identity elements of the reduction) before and after
// each spatial axis: one number per axis, or one for all.
func Padding(n ...int) WindowOption {
	return windowOption{"Padding", func(m *windowOptions) { m.low, m.high, m.padding = n, n, explicit }}
}

// PaddingLowHigh returns the option that adds low[i] zeros before and high[i] after spatial axis i. Negative numbers
// remove elements.
func PaddingLowHigh(low, high Shape) WindowOption {
	return windowOption{"PaddingLowHigh", func(m *windowOptions) { m.low, m.high, m.padding = low, high, explicit }}
}

// A windowOption is a WindowOption that shows its name in errors.
type windowOption struct {
	name string
	set  func(*windowOptions)
}

func (f windowOption) conv(m *windowOptions) { f.set(m) }
func (f windowOption) pool(m *windowOptions) { f.set(m) }
func (f windowOption) optionName() string    { return f.name }

// The paddings that are computed from the window. They are options of convolutions and of pooling.
const (
	// Valid adds no padding, which is the default: the window stays inside.
	Valid padding = iota
	// Same pads so that the result has length/stride elements, rounded up; if the padding is odd, the extra element
	// is at the end. The result of a transposed convolution then has length*stride elements.
	Same
	explicit // not computed: given by Padding or PaddingLowHigh
)

type padding uint8

func (p padding) conv(m *windowOptions) { m.low, m.high, m.padding = nil, nil, p }
func (p padding) pool(m *windowOptions) { m.low, m.high, m.padding = nil, nil, p }

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

// CeilMode is the PoolOption that adds a last position of the window, where it extends past the end, provided that the
// window begins inside x or inside the padding before x. Without CeilMode the window stays inside x and its padding. An
// average does not count the elements of the window that are past the end.
const CeilMode ceilMode = true

type ceilMode bool

func (f ceilMode) pool(m *windowOptions) { m.ceil = bool(f) }

func (p countPadding) pool(m *windowOptions) { m.countPadding = bool(p) }

// Groups returns the option that divides channels into n groups, each convolved separately. With as many groups as
// channels the convolution is depthwise.
func Groups(n int) ConvOption { return convOption{"Groups", func(m *windowOptions) { m.groups = n }} }

// BatchGroups returns the option that divides the batch into n groups. Each is convolved with the kernels of
// its own part of the output channels.
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

// A convOption is a ConvOption that shows its name in errors.
type convOption struct {
	name string
	set  func(*windowOptions)
}

func (f convOption) conv(m *windowOptions) { f.set(m) }
func (f convOption) optionName() string    { return f.name }

func (a accumulate) conv(m *windowOptions) { m.dot.DType = dtype.DType(a) }
func (p precision) conv(m *windowOptions)  { m.dot.Precision = ir.Precision(p) }

// perAxis returns one number per spatial axis: the numbers given, the single number given for all, or defaults if
// none is given. It fails if a number is less than least. name names the numbers in the error.
func (c *call) perAxis(name string, given []int, defaults Shape, least int) Shape {
	n := make(Shape, len(defaults))
	for i := range n {
		switch len(given) {
		case 0:
			n[i] = defaults[i]
		case 1:
			n[i] = given[0]
		case len(n):
			n[i] = given[i]
		default:
			c.fail(name+" has "+itoa(len(given))+" numbers for "+plural(len(n), "spatial axis", "spatial axes"),
				"give one number per axis, or one for all")
		}
		if n[i] < least {
			c.fail(name+" is "+itoa(n[i]), "give at least "+itoa(least))
		}
	}
	return n
}

// constantShape returns the shape of n axes of length v.
func constantShape(n, v int) Shape {
	return slices.Repeat(Shape{v}, n)
}

// ceilPadding returns the padding that CeilMode adds at the end: by how much the window at its last position extends
// past the padded axis, if that position begins within the length or the padding before it.
func ceilPadding(length, low, high, window, step int) int {
	room := length + low + high - window // how far the window can move
	if room < 0 {
		return 0
	}
	positions := (room+step-1)/step + 1
	if (positions-1)*step >= length+low {
		positions--
	}
	return max(0, (positions-1)*step-room)
}

// windowAttrs returns the attributes of a window of the given size over axes of the given lengths. defaultStride is the
// stride without the option Stride.
func (c *call) windowAttrs(m windowOptions, lengths, size, defaultStride Shape) ir.WindowAttrs {
	n := len(lengths)
	ones, zeros := constantShape(n, 1), make(Shape, n)
	c.perAxis("the window", size, ones, 1) // checks size
	stride := c.perAxis("the stride", m.stride, defaultStride, 1)
	dilation := c.perAxis("the dilation", m.dilation, ones, 1)
	inputDilation := c.perAxis("the input dilation", m.inputDilation, ones, 1)
	const leastPadding = math.MinInt32 // negative padding removes elements
	low := c.perAxis("the padding", m.low, zeros, leastPadding)
	high := c.perAxis("the padding", m.high, zeros, leastPadding)
	for i := range n {
		extent := (size[i]-1)*dilation[i] + 1 // of the window
		if m.padding == Same {
			length := max(0, (lengths[i]-1)*inputDilation[i]+1)
			positions := (length + stride[i] - 1) / stride[i]
			padding := max(0, (positions-1)*stride[i]+extent-length)
			low[i], high[i] = padding/2, padding-padding/2
		}
		if m.ceil {
			high[i] += ceilPadding(lengths[i], low[i], high[i], extent, stride[i])
		}
	}
	return ir.WindowAttrs{Size: size.Dims(), Strides: stride.Dims(), Low: low.Dims(), High: high.Dims(),
		BaseDilation: inputDilation.Dims(), Dilation: dilation.Dims()}
}
