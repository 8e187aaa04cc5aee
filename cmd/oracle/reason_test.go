package main

import (
	"regexp"
	"slices"
	"strings"
	"testing"
)

// uncut is the greatest length of a text that no generator has cut.
const uncut = 100

// named matches the dtypes in JAX's errors, whose order changes from run to run.
var named = regexp.MustCompile(`Input dtypes \([^)]*\)`)

// inOrder sorts the names.
func inOrder(text string) string {
	return named.ReplaceAllStringFunc(text, func(m string) string {
		names := strings.Split(strings.TrimSuffix(strings.TrimPrefix(m, "Input dtypes ("), ")"), ", ")
		slices.Sort(names)
		return strings.Join(names, ", ")
	})
}

// TestReasons checks that an error has the text of the real system, as far as the row
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

// differs returns the text of an error in an answer where it differs from the row's.
func differs(field string, want, got any) (text string, no bool) {
	if cell, is := want.(map[string]any); is {
		inner, _ := got.(row)
		for k, v := range cell {
			if text, no := differs(k, v, inner[k]); no {
				return text, true
			}
		}
	}
	said, is := want.(string)
	if !is || !strings.HasSuffix(field, "error") {
		return "", false
	}
	text, _ = got.(string)
	said, text = inOrder(said), inOrder(text)
	n := min(len(said), len(text))
	return text, said[:n] != text[:n] || len(said) < uncut && len(text) != len(said)
}
