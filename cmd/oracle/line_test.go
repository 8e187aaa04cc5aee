package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
)

// badLines are lines that are unsupported, with part of the reason: they are not a question, or
// a question that has no answer.
var badLines = map[string]string{
	"":           "the line is empty",
	" \t\r":      "the line is empty",
	"not json":   "the line is not JSON",
	"[]":         "not an object",
	"3":          "not an object",
	`"x"`:        "not an object",
	"null":       "not an object",
	"{}":         `no string "file"`,
	`{"file":5}`: `no string "file"`,
	`{"FILE":"numpy","LIST":"pairs","ROW":{}}`:                                                                      `no string "file"`,
	`{"file":"numpy","list":[],"row":{}}`:                                                                           `no string "list"`,
	`{"file":"numpy","list":"pairs"}`:                                                                               `no object "row"`,
	`{"file":"numpy","list":"pairs","row":[]}`:                                                                      `no object "row"`,
	`{"file":"nosuch","list":"pairs","row":{}}`:                                                                     "file nosuch",
	`{"file":"numpy","list":"nosuch","row":{}}`:                                                                     "list nosuch",
	`{"file":"numpy","list":"pairs","row":{}}`:                                                                      `no dtype ""`,
	`{"file":"numpy","list":"pairs","row":{"a":"i8","b":"i8"}`:                                                      "not JSON",
	`{"file":"numpy","list":"pairs","row":{"a":"i8","b":"i8"}} {}`:                                                  "more text after its first value",
	`{"file":"numpy","list":"pairs","row":{"a":"i8","b":"i8"}} and text`:                                            "more text after its first value",
	`{"file":"numpy","list":"pairs","row":{"a":"i8","b":"` + "\xff" + `"}}`:                                         "not UTF-8",
	`{"file":"numpy","list":"pairs","row":{"a":"i8","b":3}}`:                                                        "b must be a string, not 3",
	`{"file":"numpy","list":"pairs","row":{"a":"i8","b":"nosuch"}}`:                                                 `no dtype "nosuch"`,
	`{"file":"torch","list":"result_type","row":{"a":"i8","sa":"bad","b":"i8","sb":"dim"}}`:                         `i8 has no state "bad"`,
	`{"file":"torch","list":"result_type","row":{"a":"i8","sa":"wrapped","b":"i8","sb":"dim"}}`:                     `i8 has no state "wrapped"`,
	`{"file":"torch","list":"result_type","row":{"a":"i8","sa":"dim","b":"pyint","sb":"bad"}}`:                      `pyint has no state "bad"`,
	`{"file":"torch","list":"result_type_three","row":{"args":["i1:bad","i1:zero","i1:zero"]}}`:                     `i1 has no state "bad"`,
	`{"file":"torch","list":"result_type_three","row":{}}`:                                                          "args are three operands, not 0",
	`{"file":"torch","list":"result_type_three","row":{"args":"i1"}}`:                                               "args must be a list, not i1",
	`{"file":"torch","list":"result_type_three","row":{"args":[1,"i1","i1"]}}`:                                      `no dtype ""`,
	`{"file":"torch","list":"binary_ops","row":{"op":"nosuch","a":"c32","b":"ui32"}}`:                               "no operation nosuch",
	`{"file":"ivy","list":"casting_modes","row":{"backend":"torch","fn":"nosuchfn","dtype":"f16","mode":"upcast"}}`: "no function nosuchfn",
	`{"file":"ivy","list":"casting_modes","row":{"backend":"nosuch","fn":"trunc","dtype":"c64","mode":"cast"}}`:     "no backend",
	`{"file":"ivy","list":"result_type","row":{"precise":"no","a":"i8","b":"i8"}}`:                                  "precise must be true or false",
	`{"file":"ivy","list":"defaults","row":{"expr":"ivy.default_int_dtype()","after":"nosuch"}}`:                    "nosuch",
	`{"file":"compare","list":"associativity","row":{"system":"numpy","over":"nosuch"}}`:                            "no dtypes nosuch",
	`{"file":"jax","list":"triples","row":{"x64":"no"}}`:                                                            "x64 must be true or false",
	`{"file":"torch","list":"binary_ops","row":{"op":"nosuch","a":"i8","b":"i8"}}`:                                  "no operation nosuch",
	`{"file":"jax","list":"binary_ops","row":{"x64":"yes","op":"add","a":"i8","b":"i8"}}`:                           "x64 must be true or false, not yes",
	`{"file":"jax","list":"lattice","row":{"x64":true,"mode":"bad","node":"i8"}}`:                                   "no mode bad",
	`{"file":"jax","list":"values","row":{"mode":"bad","expr":"jnp.int8(1)"}}`:                                      "no mode bad",
	`{"file":"flax","list":"promote_dtype","row":{"input":"i8","param":"f32","inexact":"no"}}`:                      "inexact must be true or false",
	`{"file":"ivy","list":"pairs","row":{"a":"f32"}}`:                                                               `no dtype ""`,
	`{"file":"ivy","list":"binary_ops","row":{"precise":1,"op":"add","a":"i8","b":"i8"}}`:                           "precise must be true or false, not 1",
	`{"file":"ivy","list":"function_support","row":{"backend":"numpy","fn":"nosuchfn"}}`:                            "no function nosuchfn",
	`{"file":"ivy","list":"function_support","row":{"backend":"nosuch","fn":"add"}}`:                                "no backend",
	`{"file":"ivy","list":"casting_modes","row":{"backend":"numpy","fn":"nosuchfn","dtype":"f16","mode":"none"}}`:   "nosuchfn",
	`{"file":"ivy","list":"defaults","row":{"expr":"ivy.array([])"}}`:                                               "",
	`{"file":"array_api","list":"isdtype","row":{"dtype":"i8","kind":"nosuch"}}`:                                    "no kind nosuch",
	`{"file":"anvil","list":"ops","row":{"op":"nosuch","a":"i8","b":"i8"}}`:                                         "no operation nosuch",
	`{"file":"numpy","list":"values","row":{"expr":"np.int8(1)→"}}`:                                                 "the expression is not supported",
	`{"file":"numpy","list":"values","row":{"expr":"np.arange(2**60)"}}`:                                            "the expression is not supported",
	`{"file":"numpy","list":"values","row":{"expr":"np.arange(1e300)"}}`:                                            "the expression is not supported",
	`{"file":"numpy","list":"values","row":{"expr":5}}`:                                                             "expr must be a string, not 5",
	`{"file":"numpy","list":"values","row":{"expr":"` + strings.Repeat("(", 1<<20) + `"}}`:                          "the expression is not supported",
	`{"file":"numpy","list":"values","row":{"expr":"a` + strings.Repeat(".a", 1<<20) + `"}}`:                        "the expression is not supported",
	`{"file":"arith","list":"binary","row":{"op":"nosuch","dtype":"i8","a":1,"b":1}}`:                               "no operation nosuch",
	`{"file":"arith","list":"reduce","row":{"op":"sum","dtype":"i8","xs":1}}`:                                       "no list xs",
	`{"file":"arith","list":"reduce","row":{"op":"sum","dtype":"i8","xs":[1,[2,0]]}}`:                               "is not a value of i8",
	`{"file":"anvil","list":"defaults","row":{"literal":"nosuch"}}`:                                                 "no literal nosuch",
	`{"file":"anvil","list":"ops","row":{"op":"add","b":"i8"}}`:                                                     "a rule in words, without operands",
	`{"file":"anvil","list":"ops","row":{"op":"add","a":"i8"}}`:                                                     "a rule in words, without operands",
	`{"file":"anvil","list":"ops","row":{"op":"reduce_sum","a":"any"}}`:                                             `no dtype "any"`,
	`{"file":"anvil","list":"worked_examples","row":{"expr":"jit(\\() x)()"}}`:                                      "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"jit(\\() c(1L))()"}}`:                                  "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"jit(\\() list(x))()"}}`:                                "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"x+1L; y, x=i16"}}`:                                     "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"x+1L; z*x, x=i16"}}`:                                   "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"x+1L; x/x, x=i16"}}`:                                   "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"nosuch(1L)"}}`:                                         "the expression is not supported",
	`{"file":"anvil","list":"worked_examples","row":{"expr":"c()"}}`:                                                "the expression is not supported",
	`{"file":"compare","list":"scalars","row":{"a":"i8","b":"nosuch"}}`:                                             "no number nosuch",
	`{"file":"flax","list":"linen","row":{"layer":"nosuch"}}`:                                                       "no layer nosuch",
	`{"file":"flax","list":"numeric","row":{}}`:                                                                     "the row has no numbers",
	`{"file":"ivy","list":"casting_modes","row":{"backend":"numpy","fn":"trunc","dtype":"f16","mode":"nosuch"}}`:    "no mode nosuch",
	`{"file":"ivy","list":"defaults","row":{"expr":"ivy.array([]).dtype"}}`:                                         "not a number",
	`{"file":"ivy","list":"defaults","row":{"expr":"ivy.add(ivy.array(1))"}}`:                                       "the expression is not supported",
	`{"file":"ivy","list":"defaults","row":{"expr":"ivy.exp(ivy.array(1),ivy.array(1))"}}`:                          "the expression is not supported",
	`{"file":"ivy","list":"defaults","row":{"expr":"ivy.nosuch(ivy.array(1),ivy.array(1))"}}`:                       "the expression is not supported",
	`{"file":"ivy","list":"seed003_claims","row":{}}`:                                                               "a claim in words",
	`{"file":"jax","list":"lattice","row":{"x64":true,"mode":"standard","node":"nosuch"}}`:                          "no node nosuch",
	`{"file":"other","list":"rows","row":{"system":"julia","op":"nosuch"}}`:                                         "no rows of nosuch of julia are answered",
	`{"file":"other","list":"rows","row":{"system":"nosuch","op":"add"}}`:                                           "no rows of add of nosuch are answered",
	`{"file":"torch","list":"misc","row":{"expr":"nosuch("}}`:                                                       "the expression is not supported",
	`{"file":"arith","list":"unary","row":{"op":"nosuch","dtype":"i8","a":1}}`:                                      "no operation nosuch",
	`{"file":"arith","list":"reduce","row":{"op":"nosuch","dtype":"i8","xs":[1]}}`:                                  "no operation nosuch",
	strings.Repeat("[", 1<<20): "not JSON",
}

// badValues are values that i8 cannot represent, and JSON that is not a value.
var badValues = []string{"300", "-129", "1.5", "1e30", "1e400", "true", "null", "{}", "[1,2]", "[]", `"nan"`, `"inf"`, `"-0.5"`, `"x"`, `""`,
	`"1e2"`, "99999999999999999999", `"9223372036854775808"`}

// TestLinesThatAreNoQuestion tests that an unsupported line has one answer, with the reason.
func TestLinesThatAreNoQuestion(t *testing.T) {
	for _, v := range badValues {
		checkUnsupported(t, `{"file":"arith","list":"binary","row":{"op":"add","dtype":"i8","a":`+v+`,"b":1}}`, "")
		checkUnsupported(t, `{"file":"arith","list":"reduce","row":{"op":"sum","dtype":"i8","xs":[`+v+`]}}`, "")
		checkUnsupported(t, `{"file":"cast_values","list":"rows","row":{"src":"i8","dst":"f32","v":`+v+`}}`, "")
	}
	for _, v := range []string{"1e400", "1e39", `["nan"]`, `[1,true]`, `[1,[2,3]]`, `[1e39,0]`} {
		checkUnsupported(t, `{"file":"cast_values","list":"rows","row":{"src":"c64","dst":"f32","v":`+v+`}}`, "")
	}
	for line, why := range badLines {
		checkUnsupported(t, line, why)
	}
}

// checkUnsupported fails the test unless the answer to a line is that it is unsupported, and why is part
// of the reason.
func checkUnsupported(t *testing.T, line, why string) {
	t.Helper()
	for _, explain := range []bool{false, true} {
		text := answerLine([]byte(line), explain)
		var answer map[string]any
		if err := json.Unmarshal(text, &answer); err != nil || bytes.ContainsAny(text, "\n\r") {
			t.Fatalf("%.200s: %s is not a line of JSON: %v", line, text, err)
		}
		if got, _ := answer["unsupported"].(string); got == "" || !strings.Contains(got, why) {
			t.Errorf("%.200s: %s, want it unsupported: %s", line, text, why)
		}
	}
}

// TestNumbersAreAsPythonWritesThem tests that floats have a point or an exponent,
// and integers have neither.
func TestNumbersAreAsPythonWritesThem(t *testing.T) {
	for _, c := range []struct{ src, dst, v, want string }{
		{"i64", "f64", `"9223372036854775807"`, "9.223372036854776e+18"},
		{"i64", "f64", `9223372036854775807`, "9.223372036854776e+18"},
		{"i64", "i64", `9223372036854775807`, `"9223372036854775807"`},
		{"i64", "i64", `9007199254740992`, `9007199254740992`},
		{"i64", "i64", `-9007199254740993`, `"-9007199254740993"`},
		{"ui64", "ui64", `18446744073709551615`, `"18446744073709551615"`},
		{"f64", "f64", "1e16", "1e+16"},
		{"f64", "f64", "9999999999999998", "9999999999999998.0"},
		{"f64", "f64", "0.0001", "0.0001"},
		{"f64", "f64", "0.00001", "1e-05"},
		{"f64", "f64", "1.5e300", "1.5e+300"},
		{"f64", "f64", "5e-324", "5e-324"},
		{"f64", "f64", "-2", "-2.0"},
		{"f64", "f64", "0", "0.0"},
		{"f64", "f64", "-0.0", `"-0.0"`},
		{"f64", "f32", "0.1", "0.10000000149011612"},
		{"f64", "i8", "3.0", "3"},
		{"f64", "c64", "3", "[3.0,0.0]"},
		{"i1", "f16", "1", "1.0"},
	} {
		line := `{"file":"cast_values","list":"rows","row":{"src":"` + c.src + `","dst":"` + c.dst + `","v":` + c.v + `}}`
		var answer map[string]json.RawMessage
		if err := json.Unmarshal(answerLine([]byte(line), false), &answer); err != nil {
			t.Fatal(err)
		}
		if got := string(answer["numpy"]); got != c.want {
			t.Errorf("%s: %s, want %s", line, got, c.want)
		}
	}
}

// TestLeastInteger checks that Arrow's safe cast to f64 refuses the least i64, whose absolute value is not an i64.
func TestLeastInteger(t *testing.T) {
	const line = `{"file":"other","list":"rows","row":{"system":"pyarrow","op":"expr",` +
		`"expr":"pc.cast(pa.array([-9223372036854775808]),pa.float64())"}}`
	want := "ArrowInvalid: Integer value -9223372036854775808 not in range: -9007199254740992 to 9007199254740992"
	if got := answerQuestion([]byte(line), false); got["error"] != want {
		t.Errorf("%v; want the error %s", got, want)
	}
}
