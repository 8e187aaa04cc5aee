package main

// widths are how many characters of an error's text the rows of a file, or of a
// list, have: the answers have as many.
var widths = map[string]int{
	"torch": 160, "torch/result_type": 120, "torch/inplace": 120,
	"jax": 220, "jax/values": 300,
	"numpy": 170, "numpy/values": 210,
	"array_api": 200, "ivy": 200, "flax": 200, "other": 140,
	"tensorflow": 160, "tensorflow/values": 300,
	"arith": 110, "cast_values": 120,
}

// strictWidth is that of JAX's strict_error.
const strictWidth = 140

// cut returns an answer with its errors as long as the rows of the list have them.
func cut(q question, answer row) row {
	width, ok := widths[q.File+"/"+q.List]
	if !ok {
		width, ok = widths[q.File]
	}
	if ok {
		shorten(answer, width)
	}
	return answer
}

func shorten(answer row, width int) {
	for field, v := range answer {
		switch v := v.(type) {
		case row:
			shorten(v, width)
		case string:
			if field == "strict_error" {
				answer[field] = characters(v, strictWidth)
			} else if field == "error" {
				answer[field] = characters(v, width)
			}
		}
	}
}

// characters returns the first n of a text.
func characters(text string, n int) string {
	if letters := []rune(text); len(letters) > n {
		return string(letters[:n])
	}
	return text
}
