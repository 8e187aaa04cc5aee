package main

import (
	"bufio"
	"encoding/json"
	"io"
	"strings"
	"testing"
)

// TestOracle tests that each line has one answer, which may be the reason why it is unsupported.
func TestOracle(t *testing.T) {
	in := `{"file":"torch","list":"binary_ops","row":{"op":"true_divide","a":"i32","b":"i64"}}
{"file":"torch","list":"binary_ops","row":{"op":"add","a":"i32","b":"ui16"}}
{"file":"numpy","list":"pairs","row":{"a":"i32","b":"f32"}}
{"file":"numpy","list":"values","row":{"expr":"np.no_such_function(1)"}}
`
	var out strings.Builder
	if err := answerLines(strings.NewReader(in), &out, false); err != nil {
		t.Fatal(err)
	}
	want := []string{`{"result":"f32"}`, `{"error":"RuntimeError: Promotion for uint16`, `{"result":"f64"}`, `{"unsupported":`}
	got := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(got) != len(want) {
		t.Fatalf("%d answers: %q", len(got), got)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("line %d: %s, want %s", i+1, got[i], want[i])
		}
	}
}

// TestOracleExplains tests that with --explain an answer has numbered steps, each
// with the name of its rule.
func TestOracleExplains(t *testing.T) {
	in := `{"file":"jax","list":"binary_ops","row":{"x64":false,"op":"add","a":"i8","b":"ui32"}}`
	var out strings.Builder
	if err := answerLines(strings.NewReader(in), &out, true); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`"result":"i32"`, `" 1. i8 -> i16 -> i32: i32 (climb: `, `" 3. i8, ui32: i32 (least upper bound: `} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%s is not in %s", want, out.String())
		}
	}
}

// TestOracleAnswersEveryLine tests that each line has one answer as soon as it is
// read, even if it is malformed, and that the lines after it are answered too.
func TestOracleAnswersEveryLine(t *testing.T) {
	in, questions := io.Pipe()
	out, answers := io.Pipe()
	done := make(chan error, 1)
	go func() {
		err := answerLines(in, answers, false)
		answers.Close()
		done <- err
	}()
	const row = `{"file":"numpy","list":"pairs","row":{"a":"i32","b":"f32"}`
	lines := bufio.NewReader(out)
	ask := func(line, end string) (answer map[string]any) {
		if _, err := io.WriteString(questions, line+end); err != nil {
			t.Fatal(err)
		}
		if end == "" {
			questions.Close()
		}
		text, err := lines.ReadBytes('\n')
		if err == nil {
			err = json.Unmarshal(text, &answer)
		}
		if err != nil {
			t.Fatalf("%.100s: %q, %v", line, text, err)
		}
		return answer
	}
	for _, bad := range []string{"", "not json", "[]", "3", `"x"`, `{"file":5}`, row, row + "}" + row + "}", row + "} text", "\xff",
		`{"file":"numpy","list":"pairs","row":[]}`, `{"file":"arith","list":"unary","row":{"op":"neg","dtype":"f32","a":1e400}}`,
		strings.Repeat("[", 3<<20)} {
		if answer := ask(bad, "\n"); len(answer) != 1 || answer["unsupported"] == nil {
			t.Errorf("%.100s: %v", bad, answer)
		}
		if answer := ask(row+"}", "\r\n"); answer["result"] != "f64" {
			t.Errorf("after %.100s: %v", bad, answer)
		}
	}
	if answer := ask(row+`,"note":"`+strings.Repeat("x", 3<<20)+`"}`, "\n"); answer["result"] != "f64" {
		t.Errorf("a long line: %v", answer)
	}
	if answer := ask(row+"}", ""); answer["result"] != "f64" {
		t.Errorf("the last line: %v", answer)
	}
	if rest, err := io.ReadAll(lines); len(rest) > 0 || err != nil {
		t.Errorf("after the last answer: %q, %v", rest, err)
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}
