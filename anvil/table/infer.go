package table

import (
	"strconv"
	"strings"
)

// A rawColumn is a column as it was read: its texts one behind the other.
type rawColumn struct {
	all    []byte
	ends   []int
	places []place
}

// A place is where a text began.
type place struct{ line, column int32 }

func (r *rawColumn) add(text string, line, column int) {
	r.all = append(r.all, text...)
	r.ends = append(r.ends, len(r.all))
	r.places = append(r.places, place{int32(line), int32(column)})
}

// texts returns the texts, parts of one.
func (r *rawColumn) texts() []string {
	all, from := string(r.all), 0
	texts := make([]string, len(r.ends))
	for i, end := range r.ends {
		texts[i], from = all[from:end], end
	}
	return texts
}

// A reading is a column of texts of which some stand for values.
type reading struct {
	texts  []string // without space around them
	here   []bool
	places []place
	number func(text string) string // the text as Go writes such a number
}

// settle makes c of the texts: of the first kind that holds all of them.
func (r *rawColumn) settle(c *Column, words map[string]bool, number func(string) string) {
	texts := r.texts()
	in := reading{make([]string, len(texts)), make([]bool, len(texts)), r.places, number}
	for i, text := range texts {
		in.texts[i] = strings.TrimSpace(text)
		in.here[i] = !words[in.texts[i]]
		if !in.here[i] {
			c.Missing++
		}
	}
	none := c.Missing > 0
	switch {
	case c.Missing == len(texts): // of nothing: floats
		in.floats(c)
	case !none && in.bools(c), !none && in.ints(c), in.floats(c), none && in.truths(c):
	default:
		in.keep(c, texts)
	}
}

// truth are the texts that are bools.
var truth = map[string]bool{"true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false}

func (r *reading) bools(c *Column) bool {
	values := make([]bool, len(r.texts))
	for i, text := range r.texts {
		v, ok := truth[text]
		if !ok {
			return false
		}
		values[i] = v
	}
	c.Kind, c.Bools = Bools, values
	return true
}

func (r *reading) ints(c *Column) bool {
	values := make([]int64, len(r.texts))
	for i, text := range r.texts {
		v, err := strconv.ParseInt(r.number(text), 10, 64)
		if err != nil {
			return false
		}
		values[i] = v
	}
	c.Kind, c.Ints = Ints, values
	return true
}

func (r *reading) floats(c *Column) bool {
	values := make([]float64, len(r.texts))
	for i, text := range r.texts {
		if !r.here[i] {
			values[i] = missing
			continue
		}
		v, ok := parseFloat(r.number(text))
		if !ok {
			c.Odd = Place{int(r.places[i].line), int(r.places[i].column), text}
			return false
		}
		values[i] = v
	}
	c.Kind, c.Floats = Floats, values
	return true
}

// parseFloat reads a decimal number, inf or nan. One that is too great for
// float64 is inf.
func parseFloat(text string) (float64, bool) {
	if strings.ContainsAny(text, "xXpP_") {
		return 0, false
	}
	v, err := strconv.ParseFloat(text, 64)
	if e, ok := err.(*strconv.NumError); ok && e.Err == strconv.ErrRange {
		return v, true
	}
	return v, err == nil
}

// truths are bools of which some are missing: floats 1, 0 and nan.
func (r *reading) truths(c *Column) bool {
	values := make([]float64, len(r.texts))
	for i, text := range r.texts {
		v, ok := truth[text]
		switch {
		case !r.here[i]:
			values[i] = missing
		case !ok:
			return false
		case v:
			values[i] = 1
		}
	}
	c.Kind, c.Floats, c.Odd = Floats, values, Place{}
	return true
}

// keep leaves texts as they are.
func (r *reading) keep(c *Column, texts []string) {
	c.Kind, c.Texts = Texts, texts
	for i := range texts {
		if !r.here[i] {
			texts[i] = ""
		}
	}
}
