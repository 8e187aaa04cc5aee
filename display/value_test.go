package display

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unsafe"

	nv "github.com/goanvil/notebook/anvil"
)

// A named value has a text of its own.
type named int

func (n named) String() string { return fmt.Sprintf("n%d", int(n)) }

// A held value has a type argument.
type held[T any] []T

func TestValueText(t *testing.T) {
	n := 3
	self := []any{1, nil}
	self[1] = self
	var deep any = 1
	for range maxDepth + 2 {
		deep = []any{deep}
	}
	hundred := make([]string, maxElements+2)
	many := map[int]bool{}
	for i := range maxElements + 1 {
		many[i] = true
	}
	head := strings.Repeat("a", maxText)
	for _, c := range []struct {
		v    any
		want string
	}{
		{"a\nb", "a\nb"},
		{`a"b`, `"a\"b"`},
		{named(3), "n3"},
		{[]named{1, 2}, "[]display.named{n1, n2}"},
		{(*named)(nil), "(*display.named)(nil)"},
		{&n, fmt.Sprintf("(*int)(%#x)", &n)},
		{&struct{ A int }{1}, "&{A: 1}"},
		{struct{}{}, "{}"},
		{strings.Builder{}, "strings.Builder{...}"},
		{[2]bool{true}, "[2]bool{true, false}"},
		{[]any(nil), "[]any(nil)"},
		{map[string]any(nil), "map[string]any(nil)"},
		{map[string]int{"b": 1, "a": 2, "": 3}, `map[string]int{"": 3, "a": 2, "b": 1}`},
		{map[int8]int{2: 1, -1: 2, 10: 3}, "map[int8]int{-1: 2, 2: 1, 10: 3}"},
		{map[uint]int{2: 1, 10: 3, 1: 1}, "map[uint]int{1: 1, 2: 1, 10: 3}"},
		{map[float32]int{2.5: 1, 10: 3, -1: 1}, "map[float32]int{-1: 1, 2.5: 1, 10: 3}"},
		{map[bool]int{true: 1, false: 2}, "map[bool]int{false: 2, true: 1}"},
		{map[any]int{10: 1, 2: 2, "1": 3, 1: 4}, `map[any]int{1: 4, 2: 2, 10: 1, "1": 3}`},
		{map[[1]int]int{{1}: 1, {2}: 2}, "map[[1]int]int{[1]int{1}: 1, [1]int{2}: 2}"},
		{(chan int)(nil), "chan int(nil)"},
		{make(chan int), "chan int"},
		{unsafe.Pointer(nil), "unsafe.Pointer(nil)"},
		{func(int) error { return nil }, "func(int) error"},
		{[]held[json.Number]{}, "[]display.held[json.Number]{}"},
		{held[map[rand.PCG]*nv.Tensor](nil), "display.held[map[rand.PCG]*nv.Tensor](nil)"},
		{held[func(...held[nv.Shape]) time.Time](nil), "display.held[func(...display.held[shape.Shape]) time.Time](nil)"},
		{self, "[]any{1, [...]}"},
		{[][]int{{}, {}}, "[][]int{[]int{}, []int{}}"},
		{deep, strings.Repeat("[]any{", maxDepth+1) + "..." + strings.Repeat("}", maxDepth+1)},
		{hundred, "[]string{" + strings.Repeat(`"", `, maxElements) + "... 2 more}"},
		{hundred[2:], "[]string{" + strings.Repeat(`"", `, maxElements-1) + `""}`},
		{many, "map[int]bool{" + counted(maxElements) + "... 1 more}"},
		{head, `"` + head + `"`},
		{head + "b", `"` + head + `"... 1 more bytes`},
		{head[1:] + "éb", `"` + head[1:] + `"... 3 more bytes`},
		{head + "\n", head + "... 1 more bytes"},
		{[]string{head, "b", "c"}, `[]string{"` + head + `", ..., ...}`},
	} {
		if got := valueText(c.v); got != c.want {
			t.Errorf("got %s, want %s", clip(got), clip(c.want))
		}
	}
}

// counted returns the first n keys of a map with the value true.
func counted(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "%d: true, ", i)
	}
	return b.String()
}

// TestLists checks how values stand one below the other.
func TestLists(t *testing.T) {
	self := []any{1, nil}
	self[1] = self
	drawing := SVG(`<svg style="color:gray"/>`)
	for i, c := range []struct {
		vs         []any
		text, page string
	}{
		{[]any{1, 2}, "1\n2", pre("1") + pre("2")},
		{[]any{1, "a\nb", 2, 3}, "1\n\na\nb\n\n2\n3", pre("1") + pre("a\nb") + pre("2") + pre("3")},
		{[]any{HTML("<i>a</i>"), "b"}, "<i>a</i>\n\"b\"", "<i>a</i>" + pre(`"b"`)},
		{[]any{drawing, drawing}, "image/svg+xml\nimage/svg+xml",
			`<div style="display:flex;flex-wrap:wrap;gap:2em"><div><svg style="color:gray"/></div>` +
				`<div><svg style="color:gray"/></div></div>`},
		{[]any{drawing, 1}, "image/svg+xml\n1", `<svg style="color:gray"/>` + pre("1")},
		{[]any{[]any{1, "a\nb"}}, "[0]\n1\n\n[1]\na\nb",
			"<div>[0]</div>" + pre("1") + "<div>[1]</div>" + pre("a\nb")},
		{[]any{[]any{[]any{"a\nb"}, 2}}, "[0][0]\na\nb\n\n[1]\n2",
			"<div>[0][0]</div>" + pre("a\nb") + "<div>[1]</div>" + pre("2")},
		{[]any{self}, "[]any{1, [...]}", ""},
	} {
		b := DefaultOptions.Render(c.vs...)
		if page, _ := b.Data[MIMEHTML].(string); b.Text() != c.text || page != c.page {
			t.Errorf("list %d: got %q, %s\nwant %q, %s", i, b.Text(), page, c.text, c.page)
		}
	}
	b := DefaultOptions.Render(make([]any, maxElements+1)...)
	if want := strings.Repeat("nil\n", maxElements) + "\n... 1 more"; b.Text() != want ||
		!strings.HasSuffix(b.Data[MIMEHTML].(string), "<div>&hellip; 1 more</div>") {
		t.Errorf("got %s", b.Text())
	}
	if text := DefaultOptions.Render(make([]any, maxElements)...).Text(); strings.Contains(text, "more") {
		t.Errorf("got %s", text)
	}
	part := HTML(strings.Repeat("a", maxListText/4))
	text := DefaultOptions.Render(part, part, part, part, part, part).Text()
	if !strings.HasSuffix(text, "a\n\n... 2 more") || strings.Count(text, "\na") != 3 {
		t.Errorf("%d bytes, %s", len(text), text[len(text)-20:])
	}
}

func TestProgressNumbers(t *testing.T) {
	for seconds, want := range map[float64]string{
		0: "under 1 ms", 0.00099: "under 1 ms", 0.001: "1 ms", 0.34: "340 ms", 0.9: "900 ms",
		1: "1.0 s", 9.94: "9.9 s", 10: "10 s",
		59.4: "59 s", 59.6: "1 min 0 s", 61: "1 min 1 s", 3599.4: "59 min 59 s", 3600: "1 h 0 min", 7500: "2 h 5 min",
		1e300: "277777 h 46 min",
	} {
		if got := durationText(seconds); got != want {
			t.Errorf("%g seconds: %s, want %s", seconds, got, want)
		}
	}
	for rate, want := range map[float64]string{
		0.5: "2.0 s each", 1: "1/s", 12.5: "12.5/s", 99.94: "99.9/s", 100: "100/s", 1234.5: "1234/s",
	} {
		if got := rateText(rate); got != want {
			t.Errorf("a rate of %g: %s, want %s", rate, got, want)
		}
	}
	for want, p := range map[string]progressState{
		"0":                                      {total: -1},
		"3  2/s":                                 {done: 3, total: -1, rate: 2},
		"3  2/s  in 1.5 s":                       {done: 3, total: -1, elapsed: 1.5e9, rate: 4, ended: true},
		"0 of 0 (100%)":                          {},
		"0 of 0 (100%)  in 2.0 s":                {elapsed: 2e9, ended: true},
		"2 of 3 (66%)  4/s  250 ms left":         {done: 2, total: 3, rate: 4},
		"2 of 3 (66%)  1/s  stopped after 2.0 s": {done: 2, total: 3, elapsed: 2e9, rate: 4, ended: true},
	} {
		if got := p.line(); got != want {
			t.Errorf("%+v: %s, want %s", p, got, want)
		}
	}
	for _, c := range []struct {
		n, most int
		want    string
	}{{3, 3, "[0 1 2]"}, {4, 3, "[0 1 3]"}, {9, 3, "[0 4 8]"}, {10, 4, "[0 3 6 9]"}} {
		points, steps := make([]point, c.n), []int{}
		for i := range points {
			points[i].step = i
		}
		for _, p := range thinned(points, c.most) {
			steps = append(steps, p.step)
		}
		if got := fmt.Sprint(steps); got != c.want {
			t.Errorf("%d of %d points: %s, want %s", c.most, c.n, got, c.want)
		}
	}
	drawn := curve{"<a>", []point{{10, 4, true}, {20, 2, true}, {25, math.Inf(1), true}, {30, 0, true}}}
	want := "<div>&lt;a&gt; 0</div>" +
		`<svg role="img" width="324" height="84" viewBox="-2 -2 324 84" fill="none" stroke="currentColor">` +
		"<title>&lt;a&gt; from step 10 to 30, between 0 and 4</title>" +
		`<polyline points="0.0,0.0 160.0,40.0 320.0,80.0"/></svg>` +
		"<div>&lt;a&gt; from step 10 to 30, between 0 and 4</div>"
	if got := drawn.html(); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	flat := curve{"a", []point{{1, 2, true}, {2, 2, true}}}
	if got, want := flat.html()+flat.text(), "<div>a 2</div>a 2"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
