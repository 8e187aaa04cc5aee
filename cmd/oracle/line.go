package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// answerLine returns the answer to a line of JSON as one line of JSON, with no
// newline behind it; with explain, the steps to a dtype as well. Every line has
// an answer: of one that is not a question it says so.
func answerLine(line []byte, explain bool) []byte {
	answer := parseAndAnswer(line, explain)
	text, err := encode(answer)
	if err != nil {
		text, _ = encode(row{"unsupported": "the answer cannot be written: " + err.Error()})
	}
	return text
}

func parseAndAnswer(line []byte, explain bool) (answer row) {
	defer func() {
		if r := recover(); r != nil { // the other lines are answered whatever this one met
			answer = row{"unsupported": fmt.Sprintf("the oracle fails at this row: %v", r)}
		}
	}()
	q, err := readQuestion(line)
	if err != nil {
		return row{"unsupported": err.Error()}
	}
	answer = answerRow(q)
	if e, ok := explainRow(q); ok && explain {
		answer["steps"] = strings.Split(e.String(), "\n")[1:]
	}
	return answer
}

// encode writes an answer in JSON, its texts as they are.
func encode(answer row) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(answer)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// readQuestion returns the question that a line of JSON is. Its numbers stay as they are
// written, so that integers are exact.
func readQuestion(line []byte) (question, error) {
	switch {
	case !utf8.Valid(line):
		return question{}, unsupported("the line is not UTF-8")
	case len(bytes.TrimSpace(line)) == 0:
		return question{}, unsupported("the line is empty")
	}
	lines := json.NewDecoder(bytes.NewReader(line))
	lines.UseNumber()
	var v any
	if err := lines.Decode(&v); err != nil {
		return question{}, unsupported("the line is not JSON: " + err.Error())
	}
	if _, err := lines.Token(); err != io.EOF {
		return question{}, unsupported("the line has more than one value")
	}
	return asked(v)
}

// asked returns the question that a value of JSON is.
func asked(v any) (q question, err error) {
	fields, ok := v.(map[string]any)
	if !ok {
		return q, unsupported("the line is not an object with file, list and row")
	}
	if q.File, ok = fields["file"].(string); !ok {
		return q, unsupported("the line has no text file")
	}
	if q.List, ok = fields["list"].(string); !ok {
		return q, unsupported("the line has no text list")
	}
	if q.Row, ok = fields["row"].(map[string]any); !ok {
		return q, unsupported("the line has no object row")
	}
	return q, nil
}
