package table

import (
	"slices"
	"strconv"
	"strings"
)

// A rawColumn is a column as it was read.
type rawColumn struct {
	texts  []string
	places []place
}

// A place is where a text began.
type place struct{ line, column int32 }

func (r *rawColumn) add(text string, line, column int) {
	r.texts = append(r.texts, strings.Clone(text)) // not with the whole line it was cut from
	r.places = append(r.places, place{int32(line), int32(column)})
}

// settle makes c of the texts: of the first kind that holds all of them.
func (r *rawColumn) settle(c *Column, words []string) {
	here := make([]bool, len(r.texts))
	for i, text := range r.texts {
		here[i] = !slices.Contains(words, strings.TrimSpace(text))
		if !here[i] {
			c.Missing++
		}
	}
	none := c.Missing > 0
	switch {
	case c.Missing == len(r.texts): // of nothing: floats
		r.floats(c, here)
	case !none && r.bools(c), !none && r.ints(c), r.floats(c, here), none && r.truths(c, here):
	default:
		r.keep(c, here)
	}
}

// truth are the texts that are bools.
var truth = map[string]bool{"true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false}

func (r *rawColumn) bools(c *Column) bool {
	values := make([]bool, len(r.texts))
	for i, text := range r.texts {
		v, ok := truth[strings.TrimSpace(text)]
		if !ok {
			return false
		}
		values[i] = v
	}
	c.Kind, c.Bools = Bools, values
	return true
}

func (r *rawColumn) ints(c *Column) bool {
	values := make([]int64, len(r.texts))
	for i, text := range r.texts {
		v, err := strconv.ParseInt(strings.TrimSpace(text), 10, 64)
		if err != nil {
			return false
		}
		values[i] = v
	}
	c.Kind, c.Ints = Ints, values
	return true
}

func (r *rawColumn) floats(c *Column, here []bool) bool {
	values := make([]float64, len(r.texts))
	for i, text := range r.texts {
		if !here[i] {
			values[i] = missing
			continue
		}
		v, ok := parseFloat(strings.TrimSpace(text))
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
func (r *rawColumn) truths(c *Column, here []bool) bool {
	values := make([]float64, len(r.texts))
	for i, text := range r.texts {
		v, ok := truth[strings.TrimSpace(text)]
		switch {
		case !here[i]:
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
func (r *rawColumn) keep(c *Column, here []bool) {
	c.Kind, c.Texts = Texts, r.texts
	for i := range r.texts {
		if !here[i] {
			r.texts[i] = ""
		}
	}
}
