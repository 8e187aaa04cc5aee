package messaging

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"
)

// However text is split into writes, and whenever it is taken, the bytes of each
// stream stay in order and complete, and a character is cut only if it was never
// completed.
func TestStreamKeepsText(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{"stdout", "stderr"}
		var st stream
		want, got := map[string]string{}, map[string]string{}
		collect := func(all bool) {
			for _, s := range st.take(all) {
				got[s.name] += s.text
				if !all && partialRune(s.text) != 0 {
					t.Fatalf("%q ends inside a character", s.text)
				}
			}
		}
		for range rapid.IntRange(0, 40).Draw(t, "writes") {
			name := rapid.SampledFrom(names).Draw(t, "name")
			text := rapid.String().Draw(t, "text")
			for text != "" {
				n := rapid.IntRange(1, len(text)).Draw(t, "n")
				st.add(name, []byte(text[:n]))
				want[name] += text[:n]
				text = text[n:]
				if rapid.Bool().Draw(t, "take") {
					collect(false)
				}
			}
		}
		collect(true)
		for _, name := range names {
			if got[name] != want[name] {
				t.Fatalf("%s: got %q, want %q", name, got[name], want[name])
			}
		}
	})
}

// A character is not cut by text of the other stream between its bytes.
func TestStreamAroundOther(t *testing.T) {
	for _, all := range []bool{false, true} {
		var st stream
		st.add("stdout", []byte("a\xe2"))
		st.add("stderr", []byte("x"))
		st.add("stdout", []byte("\x82\xac b"))
		want := []streamText{{"stdout", "a"}, {"stderr", "x"}, {"stdout", "€ b"}}
		if got := st.take(all); !slices.Equal(got, want) {
			t.Errorf("take(%v): %q, want %q", all, got, want)
		}
	}
}

func TestPartialRune(t *testing.T) {
	tests := map[string]int{
		"": 0, "a": 0, "é": 0, "é"[:1]: 1, "a€"[:2]: 1, "a€"[:3]: 2, "😀"[:3]: 3, "😀": 0,
		"\xff": 0, "\x80\x80\x80\x80": 0,
	}
	for text, want := range tests {
		if got := partialRune(text); got != want {
			t.Errorf("%q: %d, want %d", text, got, want)
		}
	}
	if partialRune(strings.Repeat("x", 10)+"\xf0") != 1 || utf8.UTFMax != 4 {
		t.Error("a first byte alone is not a character")
	}
}

// Alternating streams keep their order for some alternations and give few messages.
func TestStreamTurns(t *testing.T) {
	var st stream
	for range 1000 {
		st.add("stdout", []byte("o"))
		st.add("stderr", []byte("e"))
	}
	segments := st.take(true)
	if len(segments) != maxSegments {
		t.Fatalf("%d segments, want %d", len(segments), maxSegments)
	}
	for i, s := range segments[:maxSegments-2] {
		if want := []string{"o", "e"}[i%2]; s.text != want {
			t.Errorf("segment %d is %q, want %q", i, s.text, want)
		}
	}
}
