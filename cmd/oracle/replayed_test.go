package main

import (
	"bufio"
	"encoding/json"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"github.com/goanvil/notebook/anvil/dtype"
	"github.com/goanvil/notebook/anvil/promote"
)

// refusals are the names of the rules that give no result.
var refusals = map[string]bool{
	"no common dtype": true, "not defined": true, "number out of range": true, "not in place": true, "no such value": true,
}

// TestEveryExplanationCanBeReplayed tests, for every row of pairs, states and
// operations, that the operands and the names of the rules are enough to compute the
// result of each step and the row's answer.
func TestEveryExplanationCanBeReplayed(t *testing.T) {
	listed := disagreements(t)
	files, _ := filepath.Glob("testdata/*.jsonl.gz")
	replayedRows, failures := 0, 0
	for _, path := range files {
		lines := bufio.NewScanner(open(t, path))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			var q question
			if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
				t.Fatal(err)
			}
			for _, a := range wantedAnswers(q) {
				e, ok := explainRow(a.question)
				if !ok {
					continue
				}
				replayedRows++
				if got, wrong := replayAnswer(e); wrong != "" || got != a.want {
					if bare, _ := ask(t, q, answerFields[q.File+"/"+q.List]); listed[bare] != "" {
						continue
					}
					if failures++; failures < 40 {
						t.Errorf("%v: replayed %s, want %s %s\n%s", q, got, a.want, wrong, e)
					}
				}
			}
		}
	}
	if replayedRows < 20000 {
		t.Errorf("only %d explanations", replayedRows)
	}
	if failures > 0 {
		t.Errorf("%d of %d explanations are not replayed", failures, replayedRows)
	}
}

// A wanted is a question with the answer of its row: a dtype, or "error".
type wanted struct {
	question
	want string
}

// wantedAnswers returns the questions of a row. Rows of Ivy's pairs have two, one for each
// mode, and so have most rows of JAX, the second one in the strict mode.
func wantedAnswers(q question) []wanted {
	if strict, ok := q.Row["strict"]; ok && q.Row["mode"] == nil {
		row := maps.Clone(q.Row)
		delete(row, "strict")
		standard := question{File: q.File, List: q.List, Row: maps.Clone(row)}
		row["mode"] = "strict"
		return append(wantedAnswers(standard), wanted{question{File: q.File, List: q.List, Row: row}, strictAnswer(strict)})
	}
	if q.File != "ivy" || q.List != "pairs" {
		row := q.Row
		if typed, ok := row["result_type"].(map[string]any); ok { // of array_api's numbers
			row = typed
		}
		want, ok := row["result"].(string)
		if !ok {
			want = "error"
		}
		return []wanted{{q, want}}
	}
	precise, _ := q.Row["precise"].(string)
	fast, _ := q.Row["nonprecise"].(string)
	mode := func(precise bool) question {
		return question{File: q.File, List: q.List, Row: row{"a": q.Row["a"], "b": q.Row["b"], "precise": precise}}
	}
	return []wanted{{mode(true), precise}, {mode(false), fast}}
}

// strictAnswer returns the dtype in the field strict of a row, or "error". The field is a dtype,
// null for an error, or an object with result or error.
func strictAnswer(strict any) string {
	if row, ok := strict.(map[string]any); ok {
		strict = row["result"]
	}
	if d, ok := strict.(string); ok {
		return d
	}
	return "error"
}

// TestTheRulesNameDecides tests that the replayer has a different result, or none, for most
// other names of the last rule.
func TestTheRulesNameDecides(t *testing.T) {
	explanations := []promote.Explanation{
		promote.Anvil.Explain(dtype.I64, dtype.F32), promote.NumPy.Explain(dtype.I64, dtype.F32), promote.Torch.Explain(dtype.I32, 2.5),
		promote.JAX64.Explain(dtype.I64, dtype.U64), promote.TensorFlowAll.Explain(dtype.I8, 1.5), promote.NumPy.ExplainOperation("exp", dtype.I8),
	}
	for _, e := range explanations {
		if got, wrong := replayAnswer(e); got != e.Result.String() || wrong != "" {
			t.Errorf("replayed %s %s\n%s", got, wrong, e)
		}
		others := 0
		for name := range replayed {
			renamed := e
			renamed.Steps = slices.Clone(e.Steps)
			renamed.Steps[len(e.Steps)-1].Rule.Name = name
			if got, wrong := replayAnswer(renamed); got != e.Result.String() || wrong != "" {
				others++
			}
		}
		if others < len(replayed)/2 {
			t.Errorf("only %d of %d rules have another result than\n%s", others, len(replayed), e)
		}
	}
}

// replayAnswer returns the replayer's result, or "error" for a refusal. wrong says what is wrong with the
// explanation.
func replayAnswer(e promote.Explanation) (answer, wrong string) {
	if rule, no := e.Refusal(); no {
		if !refusals[rule.Name] {
			return "", "no rule " + rule.Name
		}
		return "error", newReplayer(e).refused(rule.Name, e)
	}
	last, wrong := replay(e)
	return last.String(), wrong
}

func typedOf(xs []promote.Operand) []dtype.Typed {
	ts := make([]dtype.Typed, len(xs))
	for i, x := range xs {
		ts[i] = x.Typed
	}
	return ts
}

// TestARefusalIsChecked tests that the replayer rejects false refusals: each of these
// has a result, but the error of other operands.
func TestARefusalIsChecked(t *testing.T) {
	noCommonDType := promote.ArrayAPI.Explain(dtype.I64, dtype.F32).Err
	notStored := promote.Torch.ExplainAssignment("add", dtype.I32, dtype.F32).Err
	outOfRange := promote.NumPy.ExplainOperation("add", dtype.U8, 256).Err
	for _, e := range []promote.Explanation{
		{System: promote.Torch, Operands: operandsOf(dtype.U8, dtype.F16), Err: noCommonDType},
		{System: promote.NumPy, Operands: operandsOf(dtype.I64, dtype.F16), Err: noCommonDType},
		{System: promote.ArrayAPI, Operands: operandsOf(dtype.U8, dtype.I64), Err: noCommonDType},
		{System: promote.TensorFlow, Operands: operandsOf(dtype.F32, dtype.F32), Err: noCommonDType},
		{System: promote.TensorFlowSafe, Operands: operandsOf(dtype.I16, dtype.F32), Err: noCommonDType},
		{System: promote.TensorFlowAll, Operands: operandsOf(dtype.I64, dtype.BF16), Err: noCommonDType},
		{System: promote.JAX, Operands: operandsOf(dtype.I8, dtype.U32), Err: noCommonDType},
		{System: promote.Torch, Operands: operandsOf(dtype.F32, dtype.I64), Err: notStored},
		{System: promote.NumPy, Operands: []promote.Operand{{Typed: promote.Known(dtype.U8)}, {Typed: promote.Amb(dtype.I64), Literal: 255}},
			Err: outOfRange},
	} {
		if _, wrong := replayAnswer(e); wrong == "" {
			t.Errorf("%s %v: %v is accepted", e.System.Name(), e.Operands, e.Err)
		}
	}
}

func operandsOf(ds ...dtype.DType) (xs []promote.Operand) {
	for _, d := range ds {
		xs = append(xs, promote.Operand{Typed: promote.Known(d), Rank: 1})
	}
	return xs
}
