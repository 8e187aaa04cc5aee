package oracle

import "github.com/goanvil/notebook/anvil/promote"

var tensorflowLists = lists{
	"values":      tensorflowValue,
	"pairs":       tensorflowPairs,
	"binary_ops":  func(r Row) Row { return operation(tensorflowSystem(r))(r) },
	"unary_ops":   func(r Row) Row { return operation(tensorflowSystem(r))(r) },
	"scalar_ops":  func(r Row) Row { return operation(tensorflowSystem(r))(r) },
	"result_type": tensorflowResultType,
}

// tensorflowModes are the systems by the rows' field mode.
var tensorflowModes = map[string]*promote.System{"off": promote.TensorFlow, "legacy": promote.TensorFlowLegacy,
	"all": promote.TensorFlowAll, "safe": promote.TensorFlowSafe}

func tensorflowSystem(r Row) *promote.System {
	s, ok := tensorflowModes[r.text("mode")]
	if !ok {
		panic(unsupported("no mode " + r.text("mode")))
	}
	return s
}

// tensorflowPairs: the rows are sums; bools, which cannot be added, are joined.
func tensorflowPairs(r Row) Row {
	s := tensorflowSystem(r)
	answer := join(s)(r)
	if _, refused := answer["error"]; refused {
		return result(s.Operation("add", xs(s, r)...))
	}
	return answer
}

// tensorflowTyped returns the system that answers result_type: where nothing
// promotes, NumPy's.
func tensorflowTyped(r Row) *promote.System {
	if s := tensorflowSystem(r); s != promote.TensorFlow {
		return s
	}
	return promote.NumPy
}

func tensorflowResultType(r Row) Row {
	answer := join(tensorflowTyped(r))(r)
	if t, ok := answer["result"].(string); ok && t[len(t)-1] == '?' {
		answer["result"] = t[:len(t)-1]
	}
	return answer
}
