package promote

import (
	"errors"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A tensorflowNode is the definition (OpDef) of an operation of TensorFlow's graphs, as
// errors quote it: its name, its signature, the dtypes of its attribute T, and the
// attributes before and after T. Source: TensorFlow 2.21, tensorflow/core/ops/*.cc.
type tensorflowNode struct{ name, signature, types, before, after string }

// The signatures of nodes.
const (
	nodeUnary     = "x:T -> y:T"
	nodePredicate = "x:T -> y:bool"
	nodeBinary    = "x:T, y:T -> z:T"
	nodeCompare   = "x:T, y:T -> z:bool"
	nodeReduction = "input:T, reduction_indices:Tidx -> output:T"
	nodeArg       = "input:T, dimension:Tidx -> output:output_type"
)

// The dtypes that nodes take, in the order in which TensorFlow's definitions list them.
const (
	nodeFloats    = "bfloat16 half float double"
	nodeInexact   = nodeFloats + " complex64 complex128"
	nodeSigned    = nodeFloats + " int8 int16 int32 int64"
	nodeNegatives = nodeSigned + " complex64 complex128"
	nodeBits      = "int8 int16 int32 int64 uint8 uint16 uint32 uint64"
	nodeOrdered   = "float double int32 uint8 int16 int8 int64 bfloat16 uint16 half uint32 uint64"
	nodeExtremes  = nodeOrdered + " qint8 quint8 qint32 qint16 quint16"
	nodeProducts  = nodeFloats + " uint8 int8 uint16 int16 int32 uint32 uint64 int64 complex64 complex128"
	nodeSums      = "float double int32 uint8 int16 int8 complex64 int64 qint8 quint8 qint32 bfloat16 qint16 quint16 uint16 complex128 half uint32 uint64"
)

// The other attributes of definitions.
const (
	nodeKeepDims  = "attr=keep_dims:bool,default=false; "
	nodeIndex     = "; attr=Tidx:type,default=DT_INT32,allowed=[DT_INT32, DT_INT64]"
	nodeArgOutput = "; attr=Tidx:type,default=DT_INT32,allowed=[DT_INT16, DT_INT32, DT_INT64]; attr=output_type:type,default=DT_INT64,allowed=[DT_INT16, DT_UINT16, DT_INT32, DT_INT64]"
	nodeCommutes  = "; is_commutative=true"
	nodeAggregate = nodeCommutes + "; is_aggregate=true"
)

// nodeRows has a row for each definition. functions lists the functions whose nodes have the definition, without their
// modules. The name of the node stands before a function, with a colon, unless it is the function's name in camel case
// without "reduce_", such as IsNan for is_nan. The last row has the functions for which errors quote only the node's name.
var nodeRows = []struct{ functions, signature, types, before, after string }{
	{"AddV2:add", nodeBinary, nodeFloats + " uint8 uint16 uint32 uint64 int8 int16 int32 int64 complex64 complex128", "", nodeAggregate},
	{"sub", nodeBinary, nodeFloats + " uint8 int8 uint16 int16 int32 int64 complex64 complex128 uint32 uint64", "", ""},
	{"mul Mul:multiply", nodeBinary, nodeProducts, "", nodeCommutes},
	{"FloorDiv:floor_divide TruncateDiv:truncatediv", nodeBinary, nodeProducts, "", ""},
	{"FloorMod:remainder", nodeBinary, nodeBits + " " + nodeFloats, "", ""},
	{"TruncateMod:truncatemod", nodeBinary, "int32 int64 " + nodeFloats, "", ""},
	{"pow Pow:power", nodeBinary, "bfloat16 float half double int8 int16 int32 int64 complex64 complex128", "", ""},
	{"bitwise_and bitwise_or bitwise_xor", nodeBinary, nodeBits, "", nodeCommutes},
	{"left_shift right_shift", nodeBinary, nodeBits, "", ""},
	{"less less_equal greater greater_equal", nodeCompare, nodeOrdered, "", ""},
	{"maximum minimum", nodeBinary, nodeFloats + " int8 uint8 int16 uint16 int32 uint32 int64 uint64", "", ""},
	{"atan2", "y:T, x:T -> z:T", nodeFloats, "", ""},
	{"reduce_sum reduce_prod reduce_mean Mean:reduce_variance Mean:reduce_std", nodeReduction, nodeSums, nodeKeepDims, nodeIndex},
	{"reduce_max reduce_min", nodeReduction, nodeExtremes, nodeKeepDims, nodeIndex},
	{"cumsum", "x:T, axis:Tidx -> out:T", nodeSums, "attr=exclusive:bool,default=false; attr=reverse:bool,default=false; ", nodeIndex},
	{"ArgMax:argmax ArgMin:argmin", nodeArg, nodeExtremes + " bool", "", nodeArgOutput},
	{"neg sign round reciprocal", nodeUnary, nodeNegatives, "", ""},
	{"abs", nodeUnary, nodeSigned, "", ""},
	{"square", nodeUnary, nodeSigned + " uint8 uint16 uint32 uint64 complex64 complex128", "", ""},
	{"floor ceil erf", nodeUnary, nodeFloats, "", ""},
	{"is_nan is_finite", nodePredicate, nodeFloats, "", ""},
	{"invert", nodeUnary, nodeBits, "", ""},
	{"sqrt exp log sin cos tan tanh sigmoid expm1 log1p rsqrt", nodeUnary, nodeInexact, "", ""},
	{functions: "equal not_equal SelectV2:where ConcatV2:concat Pack:stack reduce_all reduce_any logical_not"},
}

// tensorflowNodes maps the functions in nodeRows to their nodes.
var tensorflowNodes = nodesByFunction()

func nodesByFunction() map[string]tensorflowNode {
	nodes := map[string]tensorflowNode{}
	for _, r := range nodeRows {
		for _, word := range strings.Fields(r.functions) {
			name, function, named := strings.Cut(word, ":")
			if !named {
				name, function = "", word
				for part := range strings.SplitSeq(strings.TrimPrefix(word, "reduce_"), "_") {
					name += strings.ToUpper(part[:1]) + part[1:]
				}
			}
			nodes[function] = tensorflowNode{name, r.signature, r.types, r.before, r.after}
		}
	}
	return nodes
}

// nodeOf returns the node of a function, whose name may start with its module.
func nodeOf(op string) tensorflowNode { return tensorflowNodes[op[strings.LastIndex(op, ".")+1:]] }

// wholeError returns err, an error of the node at the dtype d, with TensorFlow's complete
// text, such as the node's definition.
func (n tensorflowNode) wholeError(d dtype.DType, err error) error {
	var refusal *Refusal
	if !errors.As(err, &refusal) {
		return err
	}
	switch {
	case strings.HasSuffix(refusal.Reason, "list of allowed values") && n.types != "":
		return withRest(err, ": "+strings.ReplaceAll(n.types, " ", ", ")+n.definition())
	case strings.HasSuffix(refusal.Reason, "device for node"):
		return withRest(err, ": {{node "+n.name+"}} = "+n.name+"[T="+dataType(tensorflowSpell(d))+
			"]\nAll kernels registered for op "+n.name+":\n  device='XLA_CPU_JIT'; T in [DT_FLOAT, DT_DOUBLE, DT_INT32")
	case strings.HasSuffix(refusal.Reason, "in __truediv__"):
		return withRest(err, ". Expected one of {"+tensorflowDivides+"}.")
	case strings.HasPrefix(refusal.Reason, "cannot compute") && strings.HasSuffix(refusal.Reason, "a bool tensor"):
		return withRest(err, " but is a "+tensorflowSpell(d)+" tensor"+n.errorEnd())
	}
	return err
}

// tensorflowDivides are the dtypes that the operator / takes, in the form in which its error
// lists them.
const tensorflowDivides = "tf.uint8, tf.int8, tf.uint16, tf.int16, tf.uint32, tf.int32, tf.uint64, tf.int64, tf.bfloat16, tf.float16, tf.float32, tf.float64, tf.complex64, tf.complex128"

// definition returns the node's definition as errors quote it.
func (n tensorflowNode) definition() string {
	types := strings.Fields(n.types)
	for i, t := range types {
		types[i] = dataType(t)
	}
	return "\n\t; NodeDef: {{node " + n.name + "}}; Op<name=" + n.name + "; signature=" + n.signature + "; " + n.before +
		"attr=T:type,allowed=[" + strings.Join(types, ", ") + "]" + n.after + ">" + n.errorEnd()
}

// errorEnd returns the end of every error of the node, which has the node's name.
func (n tensorflowNode) errorEnd() string {
	if name, ok := map[string]string{"ConcatV2": "concat", "Pack": "stack"}[n.name]; ok {
		return " [Op:" + n.name + "] name: " + name
	}
	return " [Op:" + n.name + "] name:"
}

// dataType returns the name that a dtype has in definitions: DT_FLOAT for float.
func dataType(name string) string { return "DT_" + strings.ToUpper(name) }
