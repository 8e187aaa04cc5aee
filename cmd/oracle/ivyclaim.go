package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// ivyClaim answers what the documentation claims of two dtypes: "PreciseMode(True):
// promote_types('float32','int32') -> float64". actual is what they promote to,
// agree whether that is as claimed. Other claims are not read.
func ivyClaim(r row) row {
	mode, claim, ok := strings.Cut(r.text("claim"), ": ")
	s, known := map[string]*promote.System{"PreciseMode(True)": promote.IvyPrecise, "precise": promote.IvyPrecise,
		"PreciseMode(False)": promote.IvyFast, "non-precise": promote.IvyFast}[mode]
	words := strings.FieldsFunc(claim, func(c rune) bool { return strings.ContainsRune(" ',()", c) })
	var ds []dtype.DType
	for _, word := range words {
		if d, is := longNames[word]; is {
			ds = append(ds, d)
		}
	}
	if !ok || !known || len(ds) != 3 || strings.Contains(claim, "/") {
		return row{"unsupported": "a claim in words"}
	}
	t, err := s.Join(tensor(ds[0]), tensor(ds[1]))
	if err != nil {
		return failure(err)
	}
	return row{"actual": t.String(), "agree": t.DType == ds[2]}
}
