// Command oracle answers questions about the promotion systems: which dtype or value an operation
// has in another framework, or which error it gives. It reads one question per line, as a JSON object,
// from its standard input, and writes one answer per line. docs/oracle.md describes both.
//
// It computes dtypes with package promote, and values with the library under a promotion system, as
// a cell does. No answers are stored in it.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"
)

func main() {
	explain := flag.Bool("explain", false, "add the steps that lead to each dtype, with the rule of each step")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: oracle [--explain] < rows, one JSON object a line")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := answerLines(os.Stdin, os.Stdout, *explain); err != nil {
		fmt.Fprintln(os.Stderr, "oracle:", err)
		os.Exit(1)
	}
}

// answerLines reads questions from in, one per line, and writes the answer to each line as soon as it
// has read the line. If explain is set, an answer also lists the steps that lead to its dtype.
func answerLines(in io.Reader, out io.Writer, explain bool) error {
	lines := bufio.NewReader(in)
	for {
		line, err := lines.ReadBytes('\n')
		if err == nil || len(line) > 0 { // the last line may have no newline
			if _, err := out.Write(append(answerLine(line, explain), '\n')); err != nil {
				return err
			}
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// answerLine returns the answer to a line of JSON as one line of JSON, without a newline. A line
// that is not a question is answered too, with the reason in the field unsupported.
func answerLine(line []byte, explain bool) []byte {
	answer := answerQuestion(line, explain)
	text, err := encode(answer)
	if err != nil {
		text, _ = encode(unsupported("the answer cannot be written: " + err.Error()).row())
	}
	return text
}

// answerQuestion returns the answer to a line of JSON.
func answerQuestion(line []byte, explain bool) (answer row) {
	defer func() {
		if r := recover(); r != nil { // a panic on one line must not end the program
			answer = unsupported(fmt.Sprintf("the oracle fails at this row: %v", r)).row()
		}
	}()
	q, err := readQuestion(line)
	if err != nil {
		return unsupported(err.Error()).row()
	}
	answer = answerRow(q)
	if explain {
		if e, ok := explainRow(q); ok {
			answer["steps"] = strings.Split(e.String(), "\n")[1:] // without the heading
		}
	}
	return answer
}

// encode returns an answer as JSON, without escapes for HTML.
func encode(answer row) ([]byte, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(answer)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}

// readQuestion reads a question from a line of JSON. Numbers are kept as text, so
// that integers are exact.
func readQuestion(line []byte) (question, error) {
	switch {
	case !utf8.Valid(line):
		return question{}, unsupported("the line is not UTF-8")
	case len(bytes.TrimSpace(line)) == 0:
		return question{}, unsupported("the line is empty")
	}
	d := json.NewDecoder(bytes.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return question{}, unsupported("the line is not JSON: " + err.Error())
	}
	if _, err := d.Token(); err != io.EOF {
		return question{}, unsupported("the line has more text after its first value")
	}
	return questionOf(v)
}

// questionOf returns the question that a JSON object holds. Names of fields must match exactly.
func questionOf(v any) (q question, err error) {
	fields, ok := v.(map[string]any)
	if !ok {
		return q, unsupported("the line is not an object with file, list and row")
	}
	if q.File, ok = fields["file"].(string); !ok {
		return q, unsupported(`the line has no string "file"`)
	}
	if q.List, ok = fields["list"].(string); !ok {
		return q, unsupported(`the line has no string "list"`)
	}
	if q.Row, ok = fields["row"].(map[string]any); !ok {
		return q, unsupported(`the line has no object "row"`)
	}
	return q, nil
}
