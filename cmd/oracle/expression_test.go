package main

import (
	"fmt"
	"strings"
	"testing"
)

// bracketed returns an expression with brackets around each operation.
func bracketed(n node) string {
	args := make([]string, len(n.args))
	for i, a := range n.args {
		args[i] = bracketed(a)
	}
	switch {
	case n.kind == numberNode:
		return fmt.Sprint(n.num)
	case n.kind == nameNode:
		return n.text
	case n.kind == operationNode && len(args) == 1:
		return "(" + n.text + args[0] + ")"
	case n.kind == operationNode:
		return "(" + args[0] + n.text + args[1] + ")"
	}
	return "{" + strings.Join(args, " ") + "}"
}

// TestOrderOfOperations checks that expressions are read as Python reads them: by precedence, and from the left,
// but powers from the right.
func TestOrderOfOperations(t *testing.T) {
	for text, want := range map[string]string{
		"1-2-3":               "((1-2)-3)",
		"a-b+c-d":             "(((a-b)+c)-d)",
		"a/b*c//d%e":          "((((a/b)*c)//d)%e)",
		"a<<b>>c":             "((a<<b)>>c)",
		"a&b&c|d|e^f^g":       "((((a&b)&c)|d)|((e^f)^g))",
		"a**b**c":             "(a**(b**c))",
		"a**b**c**d*e":        "((a**(b**(c**d)))*e)",
		"a+b*c":               "(a+(b*c))",
		"a*b+c":               "((a*b)+c)",
		"(a-b)*(c-d)":         "((a-b)*(c-d))",
		"a-(b-c)":             "(a-(b-c))",
		"a<<b+c":              "(a<<(b+c))",
		"a&b<<c":              "(a&(b<<c))",
		"a==b+c":              "(a==(b+c))",
		"-a*b":                "((-a)*b)",
		"-a**b":               "(-(a**b))",
		"a**-b":               "(a**(-b))",
		"~a&b":                "((~a)&b)",
		"2**-1":               "(2**-1)",
		"-2-3":                "(-2-3)",
		"9223372036854775808": "9223372036854775808",
	} {
		n, ok := parse(text)
		if got := bracketed(n); !ok || got != want {
			t.Errorf("%s is read as %s, want %s", text, got, want)
		}
	}
}

// TestAnswersToExpressions checks the whole answers to rows with expressions that testdata does not have.
func TestAnswersToExpressions(t *testing.T) {
	for _, c := range []struct{ file, list, row, want string }{
		// NumPy 2.4 gives these warnings. An overflow may have either sign.
		{"numpy", "values", `"expr":"np.sum(np.array([-60000,-60000],np.float16))"`,
			`{"dtype":"f16","value":"-inf","warning":"RuntimeWarning: overflow encountered in reduce"}`},
		{"numpy", "values", `"expr":"np.prod(np.array([-60000,60000],np.float16))"`,
			`{"dtype":"f16","value":"-inf","warning":"RuntimeWarning: overflow encountered in reduce"}`},
		{"numpy", "values", `"expr":"np.cumsum(np.array([-60000,-60000],np.float16))"`,
			`{"dtype":"f16","value":[-60000.0,"-inf"],"warning":"RuntimeWarning: overflow encountered in accumulate"}`},
		{"numpy", "values", `"expr":"np.sum(np.array([-1e300,1e300]))"`, `{"dtype":"f64","value":0.0}`},
		{"numpy", "values", `"expr":"np.sum(np.array([1e300])*1e300)"`,
			`{"dtype":"f64","value":"inf","warning":"RuntimeWarning: overflow encountered in multiply"}`},
		{"numpy", "values", `"expr":"np.array([-3e38],np.float32)*np.float32(10)"`,
			`{"dtype":"f32","value":["-inf"],"warning":"RuntimeWarning: overflow encountered in multiply"}`},
		{"numpy", "values", `"expr":"np.float16(-60000)+np.float16(-60000)"`,
			`{"dtype":"f16","value":"-inf","warning":"RuntimeWarning: overflow encountered in scalar add"}`},
		{"numpy", "values", `"expr":"np.array([-1e200])**3"`,
			`{"dtype":"f64","value":["-inf"],"warning":"RuntimeWarning: overflow encountered in power"}`},
		{"numpy", "values", `"expr":"np.array([1.0])/np.array([-0.0])"`,
			`{"dtype":"f64","value":["-inf"],"warning":"RuntimeWarning: divide by zero encountered in divide"}`},
		{"numpy", "values", `"expr":"np.array([1],np.float16)-1e6"`,
			`{"dtype":"f16","value":["-inf"],"warning":"RuntimeWarning: overflow encountered in cast"}`},
		{"numpy", "values", `"expr":"np.array([10])-3-2"`, `{"dtype":"i64","value":[5]}`},
		{"numpy", "values", `"expr":"np.array([2])**3**2"`, `{"dtype":"i64","value":[512]}`},

		{"tensorflow", "values", `"mode":"off","expr":"tf.math.is_nan(tf.sqrt(tf.constant([-1.0,4.0])))"`,
			`{"dtype":"i1","value":[true,false]}`},
		{"tensorflow", "values", `"mode":"off","expr":"tf.math.negative(tf.constant([1,-2]))"`,
			`{"dtype":"i32","value":[-1,2]}`},
		{"tensorflow", "values", `"mode":"off","expr":"tf.bitwise.invert(tf.constant([5]))"`,
			`{"dtype":"i32","value":[-6]}`},
		{"numpy", "values", `"expr":"np.absolute(np.array([-5,5],np.int8))"`, `{"dtype":"i8","value":[5,5]}`},
		{"numpy", "values", `"expr":"np.isnan(np.array([1.0]))"`, `{"dtype":"i1","value":[false]}`},
		{"numpy", "values", `"expr":"np.bitwise_not(np.array([5]))"`, `{"dtype":"i64","value":[-6]}`},

		// Arrow compares numbers in their common dtype.
		{"other", "rows", `"system":"pyarrow","op":"expr","expr":"pc.equal(pa.array([1,2,0]),pa.array([1,3,0]))"`,
			`{"result":"i1","value":[true,false,true]}`},
		{"other", "rows",
			`"system":"pyarrow","op":"expr","expr":"pc.equal(pa.array([1,2],pa.int8()),pa.array([1.5,2]))"`,
			`{"result":"i1","value":[false,true]}`},

		// The variance is the mean of the squares minus the square of the mean. Here it is 1/4, and 1, which is rounded
		// to -16 and then replaced by 0.
		{"flax", "numeric", `"x64":false,"case":"LayerNorm on f32 [0,1]","force_float32_reductions":true,"dtype":"f32"`,
			`{"value":[-1.0,1.0]}`},
		{"flax", "numeric", `"x64":false,"case":"LayerNorm on f32 [15742,15740,15740,15742]",` +
			`"force_float32_reductions":true,"dtype":"f32"`, `{"value":[1000.0,-1000.0,-1000.0,1000.0]}`},
	} {
		line := fmt.Sprintf(`{"file":%q,"list":%q,"row":{%s}}`, c.file, c.list, c.row)
		if got := strings.TrimSpace(string(answerLine([]byte(line), false))); got != c.want {
			t.Errorf("%s: %s, want %s", line, got, c.want)
		}
	}
}
