package complete_test

import (
	"testing"
	"unicode/utf8"
)

// cells are cells in which the test puts the cursor at every position.
var cells = []string{
	"import (\n\t\"fmt\"\n\tm \"math/rand\"\n)\ntype node[T any] struct {\n\tleft, right *node[T]\n\tvalue T\n}\n\nfunc (n *node[T]) insert(v T) { n.right = &node[T]{value: v} }\n\nvar root = &node[int]{}\nfor i := 0; i < 3; i++ {\n\troot.insert(m.Intn(i + 1))\n}\nfmt.Println(root.right.value)",
	"func (q point) sum() int { return q.x }\nq := point{x: 1, When: t}\nq.sum() + p.x",
	"%time y := t[:, 1:3]*2 + -t[0]\nswitch z := y.Unix(); {\ncase z > 1:\n\tgo func() { defer recover() }()\ndefault:\n\tselect {}\n}\n?strings.Cut\n%%who",
	"x := `raw\nstring` + \"unterminated\nif x == 'a' { /* comment",
	"a, b := 1, []int{1, 2, 3}[0:2]; c := map[string]func(int) error{\"k\": nil}; c[\"k\"](a).Error()",
	"func f[K comparable, V ~int | ~string](m map[K]V) (r []V) { for _, v := range m { r = append(r, v) }; return }\nf(map[string]int{\"é✓\": 1})[0]",
	"))]]}} x. .y ...z := := func func type struct interface { import",
	"type T struct{ T }; var v T; v.T.T.", "type I interface{ I }; var i I; i.", "var f = func() { f() }; f().", "x := x; x.",
	"\x00\xff\xfe t.Unix(", "ꓸcursor := ꓸtensor.", "label: for { break label; goto label }", "var ( a = b; b = a ); a.",
}

func TestCursorAnywhere(t *testing.T) {
	s := newSession(t)
	for _, code := range cells {
		for at := range utf8.RuneCountInString(code) + 2 {
			for _, c := range []string{code, string([]rune(code)[:min(at, utf8.RuneCountInString(code))])} {
				if _, start, end := s.Complete(c, at); start < 0 || start > end || end > utf8.RuneCountInString(c) {
					t.Fatalf("Complete(%q, %d) replaces [%d:%d]", c, at, start, end)
				}
				if page, ok := s.Inspect(c, at, at%2); ok && page.Text == "" {
					t.Fatalf("Inspect(%q, %d) found an empty page", c, at)
				}
			}
		}
	}
}
