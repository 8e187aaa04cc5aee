package anvil

import (
	"reflect"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/options"
)

// accepted returns opts, the options of a call of op on xs, without nil options, as in Sum(x, nil). It panics
// with an *Error if op does not take one of the options, or if opts repeat an option that op takes only once.
func accepted[O any](op string, opts []O, xs ...any) []O {
	opts = nonNil(opts)
	var given []string
	for _, o := range opts {
		for _, name := range optionNames(o) {
			fail := func(reason, hint string) {
				panic(&Error{Op: op, Operands: operands(xs...), Reason: reason, Hint: hint})
			}
			if !slices.Contains(options.Of(options.Anvil, op), name) {
				fail(optionWord(name)+" is not an option of "+op, "it takes "+optionWords(op))
			}
			if slices.Contains(given, name) && !options.Repeats(op, name) {
				fail(optionWord(name)+" is given twice", "give it once")
			}
			given = append(given, name)
		}
	}
	return opts
}

// optionNames returns the names of the options that the value o sets, such as "Exclusive" and "Reverse" for
// Exclusive|Reverse. It returns nil for an option of another package.
func optionNames(o any) []string {
	switch o := o.(type) {
	case interface{ optionName() string }:
		return []string{o.optionName()}
	case CumsumFlag:
		return o.names()
	case padding:
		return []string{map[padding]string{Valid: "Valid", Same: "Same"}[o]}
	}
	if name, ok := optionTypes[reflect.TypeOf(o)]; ok {
		return []string{name}
	}
	return nil
}

// optionTypes maps the type of an option to the name of the option. It leaves out types that stand for several options.
var optionTypes = map[reflect.Type]string{
	reflect.TypeFor[DType]():           "DType",
	reflect.TypeFor[ambiguousOption](): "Ambiguous",
	reflect.TypeFor[deviceOption]():    "Device",
	reflect.TypeFor[alphaOption]():     "Alpha",
	reflect.TypeFor[roundingOption]():  "RoundingMode",
	reflect.TypeFor[outOption]():       "Out",
	reflect.TypeFor[Axis]():            "Axis",
	reflect.TypeFor[keepDims]():        "KeepDims",
	reflect.TypeFor[only]():            "Only",
	reflect.TypeFor[accumulate]():      "Accumulate",
	reflect.TypeFor[precision]():       "Precision",
	reflect.TypeFor[correction]():      "Correction",
	reflect.TypeFor[Interpolation]():   "Interpolation",
	reflect.TypeFor[ordOption]():       "Ord",
	reflect.TypeFor[steps]():           "Steps",
	reflect.TypeFor[Size]():            "Size",
	reflect.TypeFor[weighted]():        "Weights",
	reflect.TypeFor[bounds]():          "Within",
	reflect.TypeFor[channelsFirst]():   "ChannelsFirst",
	reflect.TypeFor[countPadding]():    "CountPadding",
	reflect.TypeFor[ceilMode]():        "CeilMode",
	reflect.TypeFor[epsilon]():         "Epsilon",
	reflect.TypeFor[causal]():          "Causal",
	reflect.TypeFor[fullMatrices]():    "FullMatrices",
	reflect.TypeFor[fullOption]():      "FullMatrices",
	reflect.TypeFor[antialias]():       "Antialias",
	reflect.TypeFor[leastFirst]():      "LeastFirst",
	reflect.TypeFor[inAxes]():          "InAxes",
	reflect.TypeFor[outAxes]():         "OutAxes",
}

// names returns the names of the flags that are set.
func (f CumsumFlag) names() (names []string) {
	if f&Exclusive != 0 {
		names = append(names, "Exclusive")
	}
	if f&Reverse != 0 {
		names = append(names, "Reverse")
	}
	return names
}

// optionWord returns the name of an option as errors show it: "nv.Axis", but "a dtype" for DType.
func optionWord(name string) string {
	if name == "DType" {
		return "a dtype"
	}
	return "nv." + name
}

// optionWords lists the options that op takes, for an error: "a dtype, nv.Axis and nv.KeepDims".
func optionWords(op string) string {
	var words []string
	for _, name := range options.Of(options.Anvil, op) {
		words = append(words, optionWord(name))
	}
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " and " + words[last]
}
