package explain_test

import (
	"testing"

	"github.com/goanvil/notebook/interp/explain"
)

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{
		{"", "", 0},
		{"Sum", "Sum", 0},
		{"sum", "Sum", 1}, // only case differs
		{"SUMS", "sum", 1},
		{"", "abc", 3},
		{"abc", "", 3},
		{"abc", "abd", 1},
		{"abc", "acb", 1},
		{"abcd", "badc", 2},
		{"abc", "bca", 2},
		{"ca", "abc", 3}, // a letter is not edited again after a swap
		{"kitten", "sitting", 3},
		{"né", "ne", 1}, // letters, not bytes
	} {
		if got := explain.Distance(c.a, c.b); got != c.want {
			t.Errorf("distance(%q, %q) = %d, want %d", c.a, c.b, got, c.want)
		}
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		name  string
		names []string
		want  string
	}{
		{"Shpae", []string{"Share", "Shape", "Shale"}, "Shape"},
		{"cat", []string{"cut", "cot", "cyt"}, "cot"},
		{"Sum", []string{"Sum", "Sub"}, "Sub"},
		// One error in three letters, and two at most.
		{"ab", []string{"ac"}, ""},
		{"sum", []string{"sim"}, "sim"},
		{"sum", []string{"six"}, ""},
		{"abcde", []string{"abcxy"}, ""},
		{"abcdef", []string{"abcdxy"}, "abcdxy"},
		{"abcdefghi", []string{"abcdefxyz"}, ""},
		// Beginnings of four letters.
		{"concat", []string{"Stack", "Concatenate"}, "Concatenate"},
		{"concat", []string{"Concatenate", "ConcatenateN"}, ""},
		{"con", []string{"Concatenate"}, ""},
		{"Histogram", []string{"Hist"}, "Hist"},
		{"Abstract", []string{"Abs"}, ""},
	} {
		if got := explain.Nearest(c.name, c.names); got != c.want {
			t.Errorf("nearest(%q, %q) = %q, want %q", c.name, c.names, got, c.want)
		}
	}
}
