package table

import (
	"slices"
	"strconv"
	"strings"
)

// A rawColumn holds the texts of a column of a CSV file as they were read.
type rawColumn struct {
	all    []byte // the texts, concatenated
	ends   []int  // the end of each text in all
	places []place
}

// A place is the position in the file at which a field begins, counted from 1.
type place struct{ line, column int32 }

// add appends a text that begins at the given line and column of the file.
func (r *rawColumn) add(text string, line, column int) {
	r.all = append(r.all, text...)
	r.ends = append(r.ends, len(r.all))
	r.places = append(r.places, place{int32(line), int32(column)})
}

// texts returns the texts, as parts of one string.
func (r *rawColumn) texts() []string {
	all, from := string(r.all), 0
	texts := make([]string, len(r.ends))
	for i, end := range r.ends {
		texts[i], from = all[from:end], end
	}
	return texts
}

// A parser parses the texts of a column as values of one kind. Its methods that return a bool report whether
// all present texts are of that kind; if they are, the method sets the values of the column.
type parser struct {
	texts   []string // trimmed
	present []bool   // not missing
	places  []place
	number  func(text string) string // CSV.number
}

// infer sets the values of c to those of the texts, with the first Kind that holds all of them.
// A column of integers or bools becomes a column of floats if values are missing.
func (r *rawColumn) infer(c *Column, o CSV) {
	texts := r.texts()
	p := parser{make([]string, len(texts)), make([]bool, len(texts)), r.places, o.number}
	for i, text := range texts {
		p.texts[i] = strings.TrimSpace(text)
		p.present[i] = !slices.Contains(o.Missing, p.texts[i])
		if !p.present[i] {
			c.Missing++
		}
	}
	anyMissing := c.Missing > 0
	switch {
	case c.Missing == len(texts):
		p.floats(c)
	case !anyMissing && (p.bools(c) || p.ints(c)):
	case p.floats(c):
	case anyMissing && p.boolsWithMissing(c):
	default:
		p.keepTexts(c, texts)
	}
}

// boolTexts maps the texts that are read as bools to their values.
var boolTexts = map[string]bool{
	"true": true, "True": true, "TRUE": true, "false": false, "False": false, "FALSE": false,
}

// bools parses the texts as bools. None of them may be missing.
func (p *parser) bools(c *Column) bool {
	values := make([]bool, len(p.texts))
	for i, text := range p.texts {
		v, ok := boolTexts[text]
		if !ok {
			return false
		}
		values[i] = v
	}
	c.Kind, c.Bools = Bools, values
	return true
}

// ints parses the texts as integers. None of them may be missing.
func (p *parser) ints(c *Column) bool {
	values := make([]int64, len(p.texts))
	for i, text := range p.texts {
		v, err := strconv.ParseInt(p.number(text), 10, 64)
		if err != nil {
			return false
		}
		values[i] = v
	}
	c.Kind, c.Ints = Ints, values
	return true
}

// floats parses the texts as floats, with NaN for missing ones. It sets c.NotNumber to the
// first text that is not a number.
func (p *parser) floats(c *Column) bool {
	values := make([]float64, len(p.texts))
	for i, text := range p.texts {
		if !p.present[i] {
			values[i] = missing
			continue
		}
		v, ok := parseFloat(p.number(text))
		if !ok {
			c.NotNumber = Place{int(p.places[i].line), int(p.places[i].column), text}
			return false
		}
		values[i] = v
	}
	c.Kind, c.Floats = Floats, values
	return true
}

// parseFloat parses a decimal number, inf or nan. Numbers too large for float64 are inf.
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

// boolsWithMissing parses the texts as bools and stores them as floats: 1 for true, 0 for false, and
// NaN for missing values.
func (p *parser) boolsWithMissing(c *Column) bool {
	values := make([]float64, len(p.texts))
	for i, text := range p.texts {
		v, ok := boolTexts[text]
		switch {
		case !p.present[i]:
			values[i] = missing
		case !ok:
			return false
		case v:
			values[i] = 1
		}
	}
	c.Kind, c.Floats, c.NotNumber = Floats, values, Place{}
	return true
}

// keepTexts sets c to texts, with "" for missing values.
func (p *parser) keepTexts(c *Column, texts []string) {
	c.Kind, c.Texts = Texts, texts
	for i := range texts {
		if !p.present[i] {
			texts[i] = ""
		}
	}
}
