package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/goanvil/notebook/anvil/promote"
	"github.com/goanvil/notebook/display"
	"github.com/goanvil/notebook/interp"
	"github.com/goanvil/notebook/messaging"
	"github.com/goanvil/notebook/messaging/wire"
)

// runPredicted runs cell n with its output kept in h, asks the user to predict the outcome, and shows
// the output. If the code does not compile or is interrupted, the cell fails. Any other error is an
// outcome that can be predicted.
func (r *cellRun) runPredicted(ctx context.Context, n int, h *heldOutput) wire.Outcome {
	result := r.interp.RunParsed(ctx, r.parse(ctx, n, false))
	p, failed := r.outcomeToPredict(ctx, n, result, h)
	if failed != nil {
		h.reveal()
		return failure(failed)
	}
	r.console.drain()
	p.Question, p.Printed = r.commands.Question, h.printed()
	if p.Ask() == "" { // there is nothing to predict
		h.reveal()
		return wire.OK
	}
	return r.askPrediction(ctx, n, p, h)
}

// outcomeToPredict shows the result of cell n in h, and returns it as a Prediction without Question and
// Printed. failed is not nil if the cell fails.
func (r *cellRun) outcomeToPredict(
	ctx context.Context, n int, result interp.Result, h *heldOutput,
) (p display.Prediction, failed *interp.Error) {
	if result.Err == nil {
		defer func() {
			if err := r.commands.After(r, r.out); err != nil && failed == nil {
				failed = &interp.Error{Name: "CommandError", Message: err.Error(), Traceback: []string{err.Error()}}
			}
		}()
	}
	for _, note := range result.Notes {
		fmt.Fprintln(h.Stderr(), note)
	}
	shown, err := r.render(ctx, result)
	r.end(result)
	switch e := result.Err; {
	case ctx.Err() != nil:
		return p, interrupted(n)
	case isCompileError(e):
		return p, e
	case e != nil:
		p.Err = e.Message
		h.Display(displayData("", display.ErrorBundle(e.Name, e.Text())))
	case err != nil:
		p.Err = err.Error()
		h.Display(displayData("", display.ErrorBundle(errorType(err), err.Error())))
	case shown.Empty():
		p.None = true
	default:
		p.Value = valueOf(result.Values)
		h.Result(displayData("", shown))
	}
	return p, nil
}

// valueOf returns the only element of values, or values itself if it has more.
func valueOf(values []any) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

// maxQuestions is the greatest number of times that a question is asked if the answers are not understood.
const maxQuestions = 3

// askPrediction asks the user for a prediction and shows its mark. If the user cannot be asked, for example
// because the cell was run together with others, it shows the question. In both cases the output kept in h
// and the reason for the dtype are collapsed below.
func (r *cellRun) askPrediction(ctx context.Context, n int, p display.Prediction, h *heldOutput) wire.Outcome {
	prompt := p.Ask() + " "
	var mark display.PredictionMark
	for range maxQuestions {
		answer, err := h.Ask(ctx, prompt)
		if ctx.Err() != nil {
			h.drop() // interrupting the question must not reveal the answer
			return failure(interrupted(n))
		}
		if err != nil {
			h.replace(display.FoldedPrediction(p, h.bundles()))
			if errors.Is(err, messaging.ErrNotAlone) {
				fmt.Fprintln(h.Stdout(), "to be asked the question, run this cell by itself")
			}
			return wire.OK
		}
		if mark = p.Mark(answer); mark.Verdict != promote.Unreadable || !mark.Judged {
			break
		}
		prompt = mark.Line + ". " + p.Ask() + " "
	}
	h.replace(display.AnsweredPrediction(p, mark, h.bundles()))
	return wire.OK
}
