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

// runPredicted runs the code with its output kept in h, asks for a prediction, and shows
// everything. An error of the code is an outcome like a value; code that does not compile
// or is interrupted is the cell's error.
func (r *cellRun) runPredicted(ctx context.Context, n int, h *heldOutput) wire.Outcome {
	result := r.interp.RunParsed(ctx, r.next(ctx, n, false))
	p, failed := r.outcomeOf(ctx, n, result, h)
	if failed != nil {
		h.reveal()
		return failure(failed)
	}
	r.console.drain()
	p.Question, p.Printed = r.commands.Question, h.printed()
	if p.Ask() == "" {
		h.reveal()
		return wire.OK
	}
	return r.ask(ctx, n, p, h)
}

// outcomeOf shows the outcome in h, and returns what is to be predicted, or the error that
// ends the cell.
func (r *cellRun) outcomeOf(ctx context.Context, n int, result interp.Result, h *heldOutput) (p display.Prediction, failed *interp.Error) {
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
	case e != nil && (e.Name == "SyntaxError" || e.Name == "TypeError"):
		return p, e
	case e != nil:
		p.Err = e.Message
		h.Display(displayData("", display.ErrorBundle(e.Name, e.Text())))
	case err != nil:
		p.Err = err.Error()
		h.Display(displayData("", display.ErrorBundle(kind(err), err.Error())))
	case shown.Empty():
		p.None = true
	default:
		p.Value = valueOf(result.Values)
		h.Result(displayData("", shown))
	}
	return p, nil
}

// valueOf returns the one value of a cell, or all.
func valueOf(values []any) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

// asks is how often a question is repeated if the answers are not understood.
const asks = 3

// fold shows the question with the kept output folded in.
func fold(p display.Prediction, h *heldOutput) wire.Outcome {
	folded := display.FoldedPrediction(p, h.bundles())
	h.drop()
	h.Output.Display(displayData("", folded))
	return wire.OK
}

// ask asks the question and shows the mark with the kept output and the reason folded in. If
// the cell was run together with others, as in a whole notebook, the question is not asked
// and the answer is folded in.
func (r *cellRun) ask(ctx context.Context, n int, p display.Prediction, h *heldOutput) wire.Outcome {
	prompt := p.Ask() + " "
	var mark display.PredictionMark
	for range asks {
		given, err := h.Ask(ctx, prompt)
		if ctx.Err() != nil {
			h.drop() // giving up does not reveal the answer
			return failure(interrupted(n))
		}
		if err != nil {
			outcome := fold(p, h)
			if errors.Is(err, messaging.ErrNotAlone) {
				fmt.Fprintln(h.Stdout(), "run this cell by itself to be asked")
			}
			return outcome
		}
		if mark = p.Mark(given); mark.Verdict != promote.Unreadable || !mark.Judged {
			break
		}
		prompt = mark.Line + ". " + p.Ask() + " "
	}
	answered := display.AnsweredPrediction(p, mark, h.bundles())
	h.drop()
	h.Output.Display(displayData("", answered))
	return wire.OK
}
