package main

import (
	"errors"
	"strings"

	"github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/promote"
)

var tensorflowLists = lists{
	"values":      tensorflowValue,
	"pairs":       tensorflowPairs,
	"binary_ops":  func(r row) row { return operationRows(tensorflowSystem(r))(r) },
	"unary_ops":   func(r row) row { return operationRows(tensorflowSystem(r))(r) },
	"scalar_ops":  func(r row) row { return operationRows(tensorflowSystem(r))(r) },
	"result_type": tensorflowResultType,
}

// tensorflowModes are the systems by the rows' field mode.
var tensorflowModes = map[string]*promote.System{"off": promote.TensorFlow, "legacy": promote.TensorFlowLegacy,
	"all": promote.TensorFlowAll, "safe": promote.TensorFlowSafe}

func tensorflowSystem(r row) *promote.System {
	s, ok := tensorflowModes[r.text("mode")]
	if !ok {
		panic(unsupported("no mode " + r.text("mode")))
	}
	return s
}

// tensorflowPairs: the rows are sums; bools, which cannot be added, are joined.
func tensorflowPairs(r row) row {
	s := tensorflowSystem(r)
	answer := joinRows(s)(r)
	if _, refused := answer["error"]; refused {
		return dtypeRow(s.Operation("add", rowOperands(s, r)...))
	}
	return answer
}

// tensorflowTyped returns the system that answers result_type: where nothing
// promotes, NumPy's.
func tensorflowTyped(r row) *promote.System {
	if s := tensorflowSystem(r); s != promote.TensorFlow {
		return s
	}
	return promote.NumPy
}

func tensorflowResultType(r row) row {
	answer := joinRows(tensorflowTyped(r))(r)
	if text, ok := answer["error"].(string); ok && strings.HasPrefix(text, "DTypePromotionError") { // NumPy's result_type says it so
		return dtypeRow(promote.TensorFlow.Operation("tnp.add", rowOperands(promote.TensorFlow, r)...))
	}
	if t, ok := answer["result"].(string); ok && t[len(t)-1] == '?' {
		answer["result"] = t[:len(t)-1]
	}
	return answer
}

// tensorflowKernels are the nodes that may fail while they run, by the library's
// functions.
var tensorflowKernels = map[string]string{"FloorDiv": "FloorDiv", "Rem": "FloorMod", "TruncDiv": "TruncateDiv", "Fmod": "TruncateMod",
	"Pow": "Pow", "ArgMax": "ArgMax", "AsType": "Cast"}

// tensorflowNodeError is a refusal as TensorFlow says it of a node that it had begun to
// run: with the node and where it ran. Others are as they are.
func tensorflowNodeError(err error, no *promote.Refusal) *promote.Refusal {
	var e *anvil.Error
	ran := no.Op == "Cast"
	for _, fault := range promote.TensorFlow.Values().Faults {
		ran = ran || fault == no
	}
	if !ran || !errors.As(err, &e) {
		return no
	}
	node, said := tensorflowKernels[e.Op], *no
	if said.Whole == "" {
		said.Whole = no.Reason
	}
	said.Whole = "{{function_node __wrapped__" + node + "_device_/job:localhost/replica:0/task:0/device:CPU:0}} " + said.Whole + " [Op:" + node + "] name:"
	return &said
}
