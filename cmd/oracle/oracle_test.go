package main

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// answerFields are the fields of the answer, by list. All rows of these lists are
// answered.
var answerFields = map[string][]string{
	"torch/pairs":       {"result", "error"},
	"torch/result_type": {"result", "error"},
	"torch/binary_ops":  {"result", "error"},
	"torch/scalar_ops":  {"result", "error"},
	"torch/unary_ops":   {"result", "error"},
	"torch/inplace":     {"result", "error"},
	"torch/seed001_algorithm_disagreements_three": {"torch", "seed_algorithm"},
	"torch/seed001_algorithm_disagreements":       {"torch", "seed_algorithm"},
	"torch/can_cast":                              {"result"},
	"torch/promote_order_dependent_triples":       {"results"},
	"jax/pairs":                                   {"result", "error", "strict", "result_type"},
	"jax/weak_pairs":                              {"result", "error", "strict", "op"},
	"jax/scalar_pairs":                            {"result", "error", "strict", "jnp.asarray", "jnp.array([v])", "np.asarray->jnp.asarray"},
	"jax/binary_ops":                              {"result", "error", "strict"},
	"jax/scalar_ops":                              {"result", "error", "strict"},
	"jax/unary_ops":                               {"result", "error"},
	"jax/canonical":                               {"canonical"},
	"jax/order_dependent_triples":                 {"results"},
	"numpy/values":                                {"value", "dtype", "error", "warning"},
	"jax/values":                                  {"value", "dtype", "error"},
	"tensorflow/values":                           {"value", "dtype", "error"},
	"numpy/pairs":                                 {"result", "error"},
	"numpy/result_type_scalar":                    {"result", "error", "add", "zero_dim_add"},
	"numpy/array_plus_numpy_scalar":               {"result", "error"},
	"numpy/can_cast":                              {"no", "equiv", "safe", "same_kind", "unsafe"},
	"numpy/binary_ops":                            {"result", "error"},
	"numpy/unary_ops":                             {"result", "error"},
	"numpy/inplace":                               {"result", "error"},
	"numpy/promote_order_dependent_triples":       {"pairwise_results", "result_type_nary"},
	"array_api/values":                            {"value", "dtype", "error"},
	"array_api/pairs":                             {"spec", "result", "error"},
	"array_api/scalar":                            {"spec", "result_type", "operator"},
	"array_api/can_cast":                          {"result"},
	"array_api/binary_ops":                        {"result", "error"},
	"array_api/unary_ops":                         {"result", "error"},
	"array_api/inplace":                           {"result", "error"},
	"tensorflow/pairs":                            {"result", "error"},
	"tensorflow/result_type":                      {"result", "error"},
	"tensorflow/binary_ops":                       {"result", "error"},
	"tensorflow/scalar_ops":                       {"result", "error"},
	"tensorflow/unary_ops":                        {"result", "error"},
	"ivy/pairs":                                   {"precise", "nonprecise", "in_array_api_table", "promote_types_called"},
	"ivy/binary_ops":                              {"result", "error"},
	"ivy/unary_ops":                               {"result", "error"},
	"ivy/can_cast":                                {"result", "error"},
	"ivy/result_type":                             {"result", "error"},
	"other/mlx":                                   {"result", "value", "error"},
	"other/polars":                                {"result", "value", "error"},
	"other/pyarrow":                               {"result", "value", "error"},
	"other/julia":                                 {"result", "error"},
	"ivy/scalar_ops":                              {"result", "error"},
	"anvil/pairs":                                 {"result", "error", "table", "prose"},
	"anvil/table_disagreements":                   {"table", "source", "prose"},
	"anvil/promotable_to":                         {"result"},
	"anvil/defaults":                              {"dtype"},
	"anvil/ops":                                   {"result"},
	"anvil/worked_examples":                       {"result", "ambiguous", "steps"},
	"torch/default_dtype":                         {"result", "error"},
	"torch/misc":                                  {"result", "value", "error"},
	"torch/seed001_worked":                        {"result", "seed"},
	"jax/lattice":                                 {"up"},
	"jax/triples":                                 {"checked"},
	"ivy/defaults":                                {"result", "error"},
	"ivy/function_support":                        {"supported", "unsupported"},
	"ivy/casting_modes":                           {"result", "error"},
	"ivy/valid_dtypes":                            {"valid", "invalid"},
	"ivy/order_dependent_triples":                 {"results"},
	"compare/pairs":                               columnNames,
	"compare/scalars":                             columnNames,
	"compare/associativity":                       {"order_dependent_triples", "of", "example"},
	"array_api/isdtype":                           {"result"},
	"flax/linen":                                  {"result", "params", "state", "error"},
	"flax/nnx":                                    {"result", "params", "state", "error"},
	"flax/batch_stats":                            {"result", "stats"},
	"flax/batch_stats_after_step":                 {"stats"},
	"flax/promote_dtype":                          {"result"},
	"torch/result_type_three":                     {"result", "error"},
	"flax/numeric":                                {"value"},
	"flax/attention":                              {"result", "error"},
	"flax/cache":                                  {"result", "cache", "error"},
	"arith/binary":                                {"numpy", "jax", "lax", "torch", "tf", "agree"},
	"arith/unary":                                 {"numpy", "jax", "torch", "tf", "agree"},
	"arith/reduce":                                {"numpy", "jax", "torch", "tf", "agree"},
	"cast_values/rows":                            {"numpy", "jax", "torch", "tf", "agree", "numpy_simd", "torch_simd", "tf_simd", "jax_constfold"},
}

// columnNames are the columns of the file that compares the systems.
var columnNames = strings.Fields("anvil jax_x32 jax_x64 jax_strict torch torch_dim torch_zero numpy array_api ivy_precise ivy_nonprecise " +
	"tf_off tf_legacy tf_all tf_safe mlx polars polars_add polars_supertype pyarrow_add pyarrow_unify julia distinct")

// partly are the lists in which some questions are in words. These may be unsupported as
// long as most rows are answered.
var partly = []string{"anvil/ops"}

// inWords are the lists whose rows are sentences instead of questions.
var inWords = []string{"anvil/documented_disagreements", "ivy/seed003_claims"}

// open returns the unpacked rows of a file.
func open(t *testing.T, path string) io.Reader {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

// TestRowsAreAsMeasured fails if a row of testdata has been edited.
func TestRowsAreAsMeasured(t *testing.T) {
	want, err := os.ReadFile("testdata/SHA256SUMS")
	if err != nil {
		t.Fatal(err)
	}
	files, _ := filepath.Glob("testdata/*.jsonl.gz")
	var got strings.Builder
	for _, path := range files {
		h := sha256.New()
		if _, err := io.Copy(h, open(t, path)); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%x  %s\n", h.Sum(nil), strings.TrimSuffix(filepath.Base(path), ".gz"))
	}
	if got.String() != string(want) {
		t.Errorf("testdata/SHA256SUMS does not match the rows, whose sums are\n%s", got.String())
	}
}

// TestRows asks every row without its answer, and compares the answers. They must differ for
// the rows in testdata/disagreements.txt and for no others.
func TestRows(t *testing.T) {
	listed := disagreements(t)
	seen, asked, unread := map[string]bool{}, map[string]int{}, map[string]int{}
	files, _ := filepath.Glob("testdata/*.jsonl.gz")
	for _, path := range files {
		lines := bufio.NewScanner(open(t, path))
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			q, err := readQuestion(lines.Bytes())
			if err != nil {
				t.Fatal(err)
			}
			list := q.File + "/" + q.List
			if q.File == "other" {
				list = fmt.Sprintf("other/%v", q.Row["system"])
			}
			fields, ok := answerFields[list]
			if !ok {
				if !slices.Contains(inWords, list) {
					t.Fatalf("%s: its answers are not compared", list)
				}
				continue
			}
			asked[list]++
			bare, difference := ask(t, q, fields)
			if difference == "" {
				continue
			}
			if strings.Contains(difference, "unsupported") && slices.Contains(partly, list) {
				unread[list]++
				continue
			}
			if seen[bare] = true; listed[bare] == "" {
				t.Errorf("%s: %s", bare, difference)
			}
		}
	}
	for list := range answerFields {
		if asked[list] == 0 {
			t.Errorf("%s: no rows", list)
		}
		if 3*unread[list] > asked[list] {
			t.Errorf("%s: %d of %d rows are not answered", list, unread[list], asked[list])
		}
	}
	for row := range listed {
		if !seen[row] {
			t.Errorf("%s is listed as a disagreement but agrees", row)
		}
	}
}

// disagreements returns the reasons in testdata/disagreements.txt, by the row without its answer.
func disagreements(t *testing.T) map[string]string {
	text, err := os.ReadFile("testdata/disagreements.txt")
	if err != nil {
		t.Fatal(err)
	}
	reasons, reason := map[string]string{}, ""
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "# "):
			reason = line[2:]
		case line != "":
			reasons[line] = reason
		}
	}
	return reasons
}

// unasked are fields of rows that are neither asked nor compared.
var unasked = []string{"strict_error", "source"}

// ask returns the row without its answer, and a text that describes how the oracle's answer
// differs, or "".
func ask(t *testing.T, q question, fields []string) (bare, difference string) {
	t.Helper()
	row := row{}
	for k, v := range q.Row {
		if !slices.Contains(fields, k) && !slices.Contains(unasked, k) {
			row[k] = v
		}
	}
	text, err := json.Marshal(question{File: q.File, List: q.List, Row: row})
	if err != nil {
		t.Fatal(err)
	}
	got := answerTo(t, text)
	if why, ok := got["unsupported"].(string); ok {
		return string(text), fmt.Sprintf("unsupported: %v", why)
	}
	for _, f := range fields {
		if w, g := kind(f, q.Row[f]), kind(f, got[f]); !reflect.DeepEqual(w, g) {
			difference += fmt.Sprintf(" %s: %v, want %v", f, got[f], q.Row[f])
		}
	}
	return string(text), difference
}

// answerTo returns the answer to a line. Numbers are kept as text, so that 2 differs from 2.0.
func answerTo(t *testing.T, line []byte) (answer row) {
	t.Helper()
	d := json.NewDecoder(bytes.NewReader(answerLine(line, false)))
	d.UseNumber()
	if err := d.Decode(&answer); err != nil {
		t.Fatal(err)
	}
	return answer
}

// kind returns the part of a field's value that is compared: of an error, the text before the colon.
func kind(field string, v any) any {
	switch v := v.(type) {
	case map[string]any:
		m := map[string]any{}
		for k, x := range v {
			m[k] = kind(k, x)
		}
		return m
	case string:
		if field == "error" || field == "torch" {
			name, _, _ := strings.Cut(v, ":")
			return name
		}
	}
	return v
}
