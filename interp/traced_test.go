package interp

import "testing"

// A stub is a tensor that may be traced.
type stub struct{ traced bool }

func (s stub) Traced() bool { return s.traced }

// nested returns v in n interfaces and slices, one in the other.
func nested(v any, n int) any {
	for range n {
		v = []any{v}
	}
	return v
}

// list returns a list of n elements, of which only element i is traced.
func list(n, i int) []stub {
	all := make([]stub, n)
	all[i].traced = true
	return all
}

// TestIsTraced checks in which values a tensor without a value is found.
func TestIsTraced(t *testing.T) {
	yes := stub{true}
	var none *stub
	type holder struct{ A, B any }
	type hidden struct{ b stub }
	for name, c := range map[string]struct {
		v    any
		want bool
	}{
		"itself": {yes, true}, "untraced": {stub{}, false}, "nil": {nil, false}, "number": {3, false},
		"nil pointer": {none, false},
		"pointer":     {&yes, true}, "first of a list of lists": {[][]stub{{yes}, {}}, true},
		"first field": {holder{yes, nil}, true}, "second field": {holder{nil, yes}, true},
		"fields":           {holder{1, stub{}}, false},
		"unexported field": {hidden{yes}, false},
		"array":            {[2]stub{{}, yes}, true}, "map value": {map[string]stub{"a": {}, "b": yes}, true},
		"map key": {map[stub]int{yes: 1}, false}, "map": {map[string]stub{"a": {}}, false},
		"first of 64": {list(64, 0), true}, "first of 65": {list(65, 0), false}, "second of 65": {list(65, 1), true},
		"last of 1000": {list(1000, 999), true}, "empty list": {[]stub{}, false}, "first of 1": {list(1, 0), true},
		"four deep": {nested(yes, 4), true}, "five deep": {nested(yes, 5), false},
		"at the limit": {[][]any{nested(yes, 4).([]any)}, true},
		"function":     {func() stub { return yes }, false},
	} {
		if got := isTraced(c.v); got != c.want {
			t.Errorf("%s: %t, want %t", name, got, c.want)
		}
	}
	loop := []any{nil}
	loop[0] = loop
	if isTraced(loop) {
		t.Error("a list that contains itself is traced")
	}
}

// TestUntraced checks the error for a variable that would outlive the trace of its tensor.
func TestUntraced(t *testing.T) {
	mustBeUntraced(stub{}, "w")
	defer func() {
		err, _ := recover().(error)
		const want = "w = ...: this tensor has a value only inside the traced function, and w is declared outside; " +
			"return the tensor from the function, and assign it where the function is called"
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}()
	mustBeUntraced(&stub{true}, "w")
}
