package options

import (
	"slices"
	"testing"
)

// TestOf checks the options of functions of both packages, of one that takes Out and of one that is not listed.
func TestOf(t *testing.T) {
	for _, c := range []struct {
		pkg, function string
		want          []string
	}{
		{Anvil, "Add", []string{"Alpha", "Out"}},
		{Anvil, "AddInto", []string{"Alpha"}},
		{Anvil, "Mul", []string{"Out"}},
		{Anvil, "Sum", []string{"Axis", "KeepDims", "Only", "Accumulate"}},
		{Anvil, "SumInto", nil},
		{Anvil, "Nothing", nil},
		{Chart, "Hist", []string{"Title", "Labels", "Legend", "LogY", "Bins"}},
		{Chart, "Sum", nil},
		{Anvil, "Hist", nil},
		{"example.com/anvil", "Sum", nil},
	} {
		if got := Of(c.pkg, c.function); !slices.Equal(got, c.want) {
			t.Errorf("%s.%s takes %q, want %q", c.pkg, c.function, got, c.want)
		}
	}
	// AddInto is made from a copy of the options of Add.
	if got := Of(Anvil, "SubInto"); !slices.Equal(got, []string{"Alpha"}) || len(Of(Anvil, "Sub")) != 2 {
		t.Errorf("SubInto takes %q", got)
	}
}

// TestRepeats checks which options may be given more than once.
func TestRepeats(t *testing.T) {
	for _, c := range []struct {
		function, option string
		want             bool
	}{
		{"Sum", "Axis", true}, {"Sum", "Only", true}, {"Sum", "KeepDims", false}, {"Sum", "Accumulate", false},
		{"ArgMax", "Axis", false}, {"FFT", "Axis", true}, {"Sum", "Alpha", false}, {"Nothing", "Axis", false},
	} {
		if got := Repeats(c.function, c.option); got != c.want {
			t.Errorf("%s takes %s more than once: %v", c.function, c.option, got)
		}
	}
}
