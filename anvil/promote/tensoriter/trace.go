package tensoriter

import (
	"errors"
	"fmt"
	"html"
	"strings"
	"text/tabwriter"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// A Trace holds the dtypes that the iterator gives to operands, and its steps.
type Trace struct {
	Op       string // "TensorIterator" if Build made the Trace
	Config   Config
	Operands []Operand // with their target dtypes

	DifferentInputs  bool               // the inputs have more than one dtype
	UndefinedOutputs bool               // an output is not given, and gets the common dtype
	AllScalars       bool               // no operand has axes
	State            promote.TorchState // the dtypes of the three classes, if the common dtype was computed
	Common           dtype.DType        // the dtype that the operation is computed in, or Invalid if there is none
	OutputDType      dtype.DType        // the dtype of the first output that is given
	Device           string             // the device that the operation is computed on
	Steps            []Step
	Err              error

	rules      promote.TorchRules
	cpuScalars int // the number of operands to which AllowCPUScalars applied so far
}

// A Step is one action of the iterator: its stage, the operands, the result, and the
// reason.
type Step struct{ Stage, On, Result, Why string }

// step adds a step to the trace.
func (t *Trace) step(stage, on, result, why string) {
	t.Steps = append(t.Steps, Step{stage, on, result, why})
}

// Result returns the dtype of the first output, or the common dtype if there is no output.
func (t Trace) Result() dtype.DType {
	for _, o := range t.Operands {
		if o.Output {
			return o.Target
		}
	}
	return t.Common
}

// Title returns operands and result: "add(i32[n], 5.5) -> f32".
func (t Trace) Title() string {
	var in, out []string
	for _, o := range t.Operands {
		switch {
		case !o.Output:
			in = append(in, o.String())
		case !o.undefined():
			out = append(out, o.String())
		}
	}
	s := t.Op + "(" + strings.Join(append(in, out...), ", ") + ")"
	if t.Err != nil {
		return s + ": " + message(t.Err)
	}
	return s + " -> " + name(t.Result())
}

// message returns the text of an error. An error of PyTorch has the form that it has in PyTorch:
// "RuntimeError: reason".
func message(err error) string {
	if r := (*promote.Refusal)(nil); errors.As(err, &r) {
		return r.Foreign()
	}
	return err.Error()
}

// String returns the title, the flags, and the steps as a table.
func (t Trace) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nflags: %s\n", t.Title(), t.Config)
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for i, s := range t.Steps {
		fmt.Fprintf(w, "%2d\t%s\t%s\t%s\t%s\n", i+1, s.Stage, s.On, s.Result, s.Why)
	}
	w.Flush()
	return strings.TrimRight(b.String(), "\n")
}

// HTML returns the title, the flags, and the steps as a table.
func (t Trace) HTML() string {
	var b strings.Builder
	fmt.Fprintf(&b, `<div><code>%s</code><div>flags: %s</div>`, html.EscapeString(t.Title()),
		html.EscapeString(t.Config.String()))
	b.WriteString(`<div style="overflow-x:auto"><table style="color:inherit;text-align:left"><thead><tr>`)
	for _, h := range []string{"step", "stage", "on", "gives", "why"} {
		fmt.Fprintf(&b, `<th style="text-align:left">%s</th>`, h)
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i, s := range t.Steps {
		fmt.Fprintf(&b, `<tr><td>%d</td>`, i+1)
		for _, w := range []string{s.Stage, code(s.On), code(s.Result), html.EscapeString(s.Why)} {
			fmt.Fprintf(&b, `<td style="text-align:left">%s</td>`, w)
		}
		b.WriteString(`</tr>`)
	}
	b.WriteString(`</tbody></table></div></div>`)
	return b.String()
}

// code returns s as HTML in a fixed-width font.
func code(s string) string {
	return `<code style="white-space:nowrap">` + html.EscapeString(s) + `</code>`
}
