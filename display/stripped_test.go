package display

import (
	"html"
	"regexp"
	"strings"
	"testing"

	nv "github.com/goanvil/notebook/anvil"
	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// stripped returns the text that a reader sees of a page on a site that removes styles, classes, titles and
// scripts.
func stripped(page string) string {
	page = regexp.MustCompile(`(?s)<(style|script)[^>]*>.*?</(style|script)>`).ReplaceAllString(page, "")
	page = regexp.MustCompile(` (style|class|title)="[^"]*"`).ReplaceAllString(page, "")
	return html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
}

// onlyInText matches parts of the text that a page shows in another way: the numbers and stars of lists, and the
// headings of answers, which are folded on a page.
var onlyInText = regexp.MustCompile(`(?m)^ *(\d+\.|\*) |^\(answer it before you read on\)$|^answers$`)

// unfit matches parts that no page may have: scripts, references to other sites, and colours of
// text or background that are unreadable in a light or a dark theme.
var unfit = regexp.MustCompile(`(?i)<script|\son[a-z]+="|javascript:|(href|src)="(https?:)?//|url\(|<link|@import` +
	`|(color|background|fill|stroke)[:=]"?\s*(black|white|#000|#fff|rgb\(0, *0, *0\)|rgb\(255, *255, *255\))`)

// TestPagesSayWhatTheTextSays checks that every word of the text is in the page without its styles: dtypes,
// question marks, counts, marks of disagreement, reasons.
func TestPagesSayWhatTheTextSays(t *testing.T) {
	x := nv.Scalar(true).Add(1).Mul(nv.Scalar(2, nv.I16)).Add(1.5)
	predicted := Prediction{Value: x} // an f32?
	for name, b := range map[string]Bundle{
		"explanation": Render(promote.Torch.Explain(dtype.I32, 2.5)),
		"refusal":     Render(promote.ArrayAPI.Explain(dtype.I32, dtype.F32)),
		"why":         Render(nv.Why(x)),
		"table":       Render(Table(promote.JAX)),
		"comparison":  Render(Compare(promote.Anvil, promote.NumPy, promote.Torch)),
		"answers":     Render(Answers(promote.Systems(), promote.AskCommon(dtype.U64, dtype.I8), promote.AskCommon(dtype.I32, 2.5))),
		"heat":        Render(Heat(promote.Anvil, promote.NumPy, promote.Torch)),
		"audit":       Render(promote.Audit(promote.NumPy)),
		"differences": Render(promote.Diff(promote.Anvil, promote.AnvilRData)),
		"puzzler":     Render(promote.Puzzlers(promote.NumPy, promote.Torch)[0]),
		"mark":        Render(promote.NewQuiz(promote.Torch).Answer(0, "f64")),
		"outcomes":    Render(Outcomes{OutcomeOf("anvil", x), {System: "torch", Err: "Add(i32, f32)", Reason: "because"}}),
		"prediction":  FoldedPrediction(predicted, []Bundle{predicted.Mark("f32").Display()}),
		"quiz":        foldedQuiz(promote.NewQuiz(promote.JAX), 0),
	} {
		page, _ := b.Data[MIMEHTML].(string)
		said := strings.Join(strings.Fields(stripped(page)), " ")
		for _, w := range strings.Fields(onlyInText.ReplaceAllString(b.Text(), "")) {
			w = strings.Trim(w, ".:,;()-")
			if w != "" && !strings.Contains(said, w) {
				t.Errorf("%s: without styles the page does not say %q:\n%s", name, w, said)
				break
			}
		}
		if m := unfit.FindString(page); m != "" {
			t.Errorf("%s: the page has %q", name, m)
		}
	}
}

// TestTensorsWithoutStyle checks that the page of a tensor without its styles has the dtype, its ambiguity, the
// values and the reason.
func TestTensorsWithoutStyle(t *testing.T) {
	x := nv.New([]float64{0.5, 2}).AsType(nv.F64).Add(1)
	for _, c := range []struct {
		x    nv.Tensor
		want []string
	}{
		{nv.Scalar(true).Add(41), []string{"i32? ambiguous", "42", "shape {}", "why i32?:", "ambiguous over bool"}},
		{x, []string{"f64", "shape {2}", "1.5", "why f64:", "ambiguous yields"}},
	} {
		said := strings.Join(strings.Fields(stripped(Render(c.x).Data[MIMEHTML].(string))), " ")
		for _, want := range c.want {
			if !strings.Contains(said, want) {
				t.Errorf("%q is not in %s", want, said)
			}
		}
	}
}
