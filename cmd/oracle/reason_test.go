package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// uncut is the greatest length of an error text that is complete in all rows.
const uncut = 100

// jaxDTypeList matches the dtypes in JAX's errors, whose order changes from run to run.
var jaxDTypeList = regexp.MustCompile(`Input dtypes \([^)]*\)`)

// sortDTypes sorts the dtypes in an error of JAX.
func sortDTypes(text string) string {
	return jaxDTypeList.ReplaceAllStringFunc(text, func(m string) string {
		names := strings.Split(strings.TrimSuffix(strings.TrimPrefix(m, "Input dtypes ("), ")"), ", ")
		slices.Sort(names)
		return strings.Join(names, ", ")
	})
}

// TestReasons tests that an error has the text of the real system, as far as the row
// has it.
func TestReasons(t *testing.T) {
	listed, asked := disagreements(t), 0
	eachLine(t, func(line []byte) {
		if !has(line, `error":"`) || has(line, `"file":"compare"`) {
			return
		}
		q := packedQuestion(t, line)
		fields, ok := answerFields[q.File+"/"+q.List]
		if !ok {
			fields = []string{"result", "error"}
		}
		bare := row{}
		for k, v := range q.Row {
			if !slices.Contains(fields, k) && !slices.Contains(unasked, k) {
				bare[k] = v
			}
		}
		got := answerRow(question{File: q.File, List: q.List, Row: bare})
		if why, no := got["unsupported"].(string); no {
			t.Fatalf("%s: %s", line, why)
		}
		asked++
		for field, want := range q.Row {
			if reason, differs := differs(field, want, got[field]); differs {
				if asked, _ := ask(t, q, fields); listed[asked] != "" {
					continue
				}
				t.Errorf("%s/%s %v: %s %q, want %q", q.File, q.List, bare, field, reason, want)
			}
		}
	})
	if asked < 10000 {
		t.Errorf("only %d errors asked", asked)
	}
}

// differs reports whether the text of an error in an answer differs from that in the row, and returns the
// former.
func differs(field string, want, got any) (text string, yes bool) {
	if cell, ok := want.(map[string]any); ok {
		inner, _ := got.(row)
		for k, v := range cell {
			if text, yes := differs(k, v, inner[k]); yes {
				return text, true
			}
		}
	}
	wantText, ok := want.(string)
	if !ok || !strings.HasSuffix(field, "error") {
		return "", false
	}
	text, _ = got.(string)
	wantText, text = sortDTypes(wantText), sortDTypes(text)
	n := min(len(wantText), len(text))
	return text, wantText[:n] != text[:n] || len(wantText) < uncut && len(text) != len(wantText)
}
