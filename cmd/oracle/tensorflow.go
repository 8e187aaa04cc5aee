package main

import (
	"cmp"
	"errors"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/emulate"
	"github.com/goanvil/notebook/anvil/promote"
)

// tensorflowLists answer the rows about TensorFlow.
var tensorflowLists = lists{
	"values":      {answer: tensorflowValue},
	"pairs":       {tensorflowPairs, pairExplainerBy(tensorflowSystem)},
	"binary_ops":  operationListBy(tensorflowSystem),
	"unary_ops":   operationListBy(tensorflowSystem),
	"scalar_ops":  operationListBy(tensorflowSystem),
	"result_type": {tensorflowResultType, explainTensorFlowType},
}

// tensorflowModes maps the field mode of rows to the systems.
var tensorflowModes = map[string]*promote.System{"off": promote.TensorFlow, "legacy": promote.TensorFlowLegacy,
	"all": promote.TensorFlowAll, "safe": promote.TensorFlowSafe}

// tensorflowSystem returns the system of a row's mode.
func tensorflowSystem(r row) *promote.System {
	s, ok := tensorflowModes[r.text("mode")]
	if !ok {
		panic(unsupported("no mode " + r.text("mode")))
	}
	return s
}

// tensorflowPairs answers rows about pairs of dtypes with the common dtype, or if there is none, with the
// error of an addition.
func tensorflowPairs(r row) row {
	s := tensorflowSystem(r)
	answer := joinRow(s, r)
	if _, refused := answer["error"]; refused {
		return dtypeRow(s.Operation("add", rowOperands(s, r)...))
	}
	return answer
}

// resultTypeSystem returns the system of TensorFlow's result_type, which is NumPy if the mode is off.
func resultTypeSystem(r row) *promote.System {
	if s := tensorflowSystem(r); s != promote.TensorFlow {
		return s
	}
	return promote.NumPy
}

// tensorflowResultType answers with the result of TensorFlow's result_type, without the "?" of weak dtypes.
func tensorflowResultType(r row) row {
	answer := joinRow(resultTypeSystem(r), r)
	if text, ok := answer["error"].(string); ok && strings.HasPrefix(text, "DTypePromotionError") {
		// NumPy's error. TensorFlow gives the error of an addition instead.
		return dtypeRow(promote.TensorFlow.Operation("tnp.add", rowOperands(promote.TensorFlow, r)...))
	}
	if t, ok := answer["result"].(string); ok {
		answer["result"] = strings.TrimSuffix(t, "?")
	}
	return answer
}

// tensorflowNodes maps functions of the library to the TensorFlow nodes that compute them and may fail at run
// time.
var tensorflowNodes = map[string]string{
	"FloorDiv": "FloorDiv", "Rem": "FloorMod", "TruncDiv": "TruncateDiv", "Fmod": "TruncateMod",
	"Pow": "Pow", "ArgMax": "ArgMax", "AsType": "Cast",
}

// withTensorFlowNode adds the node and its device to the text of a refusal by a TensorFlow node
// at run time. It returns other refusals unchanged.
func withTensorFlowNode(err error, refusal *promote.Refusal) *promote.Refusal {
	var e *anvil.Error
	atRunTime := refusal.Op == "Cast"
	framework, _ := emulate.Of(promote.TensorFlow)
	for _, fault := range framework.Faults {
		atRunTime = atRunTime || fault.Op == refusal.Op && fault.Verbatim() == refusal.Verbatim()
	}
	if !atRunTime || !errors.As(err, &e) {
		return refusal
	}
	node, whole := tensorflowNodes[e.Op], *refusal
	whole.Whole = "{{function_node __wrapped__" + node + "_device_/job:localhost/replica:0/task:0/device:CPU:0}} " +
		cmp.Or(refusal.Whole, refusal.Reason) + " [Op:" + node + "] name:"
	return &whole
}
