package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/goanvil/notebook/anvil/dtype"
)

// CSV says how a file of separated values is read and written. The zero CSV has
// commas, a header line, and '"' around what holds commas, quotes or line ends.
type CSV struct {
	Comma    rune     // between fields; 0 is ',', or ';' where that is the decimal sign
	Decimal  rune     // of numbers, before their fraction; 0 is '.'
	Comment  rune     // at the head of lines to pass over; 0 is none
	NoHeader bool     // the first line is values; columns are called col1, col2, ...
	Missing  []string // texts that stand for no value; nil is "", NA, N/A, NaN, nan, null, NULL
}

// absent are the texts that stand for no value where nothing else is said.
var absent = []string{"", "NA", "N/A", "NaN", "nan", "null", "NULL"}

// ReadCSV reads a table. The kind of a column follows from all of its values.
// Errors tell line and column.
func ReadCSV(r io.Reader, o CSV) (*Table, error) {
	in := csv.NewReader(withoutMark(r))
	in.ReuseRecord, in.TrimLeadingSpace, in.Comment, in.Comma = true, true, o.Comment, o.comma()
	if in.Comma == o.Decimal {
		return nil, fmt.Errorf("%q is both between fields and in numbers", o.Decimal)
	}
	t, raw := &Table{}, []rawColumn(nil)
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, explained(in, record, err, len(raw))
		}
		if raw == nil {
			raw = make([]rawColumn, len(record))
			t.Columns = make([]Column, len(record))
			name(t.Columns, record, o.NoHeader)
			if !o.NoHeader {
				continue
			}
		}
		for i, text := range record {
			line, column := in.FieldPos(i)
			raw[i].add(text, line, column)
		}
		t.Rows++
	}
	if raw == nil {
		return nil, errors.New("there is nothing in it, not even a header")
	}
	words := map[string]bool{}
	for _, word := range o.missing() {
		words[word] = true
	}
	var columns sync.WaitGroup
	for i := range raw {
		columns.Go(func() { raw[i].settle(&t.Columns[i], words, o.number) })
	}
	columns.Wait()
	return t, nil
}

// comma returns what stands between fields.
func (o CSV) comma() rune {
	switch {
	case o.Comma != 0:
		return o.Comma
	case o.Decimal == ',':
		return ';'
	}
	return ','
}

// missing returns the texts that stand for no value.
func (o CSV) missing() []string {
	if o.Missing == nil {
		return absent
	}
	return o.Missing
}

// number returns the text of a number as Go writes it; "" of one with a point
// where that is not the decimal sign.
func (o CSV) number(text string) string {
	switch {
	case o.Decimal == 0 || o.Decimal == '.':
		return text
	case strings.Contains(text, "."):
		return ""
	}
	return strings.Replace(text, string(o.Decimal), ".", 1)
}

// withoutMark passes over a byte order mark.
func withoutMark(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 1<<16)
	if head, _ := b.Peek(3); string(head) == "\ufeff" {
		_, _ = b.Discard(3)
	}
	return b
}

// explained returns an error of the reader's with its place in words.
func explained(in *csv.Reader, record []string, err error, columns int) error {
	var wrong *csv.ParseError
	if !errors.As(err, &wrong) {
		return err
	}
	if errors.Is(err, csv.ErrFieldCount) {
		line, _ := in.FieldPos(0)
		return fmt.Errorf("line %d has %d fields, those before have %d", line, len(record), columns)
	}
	return fmt.Errorf("line %d, column %d: %w", wrong.Line, wrong.Column, wrong.Err)
}

// name names columns after a header, so that no two have one name.
func name(cs []Column, header []string, none bool) {
	taken := map[string]bool{}
	for i := range cs {
		own := strings.TrimSpace(header[i])
		if none || own == "" {
			own = "col" + strconv.Itoa(i+1)
		}
		cs[i].Name = own
		for n := 1; taken[cs[i].Name]; n++ {
			cs[i].Name = own + "." + strconv.Itoa(n)
		}
		taken[cs[i].Name] = true
	}
}

// WriteCSV writes a table, the values so that ReadCSV finds the same again.
func WriteCSV(w io.Writer, t *Table, o CSV) error {
	for _, c := range t.Columns {
		if c.Shape != nil {
			return fmt.Errorf("column %q has %d values in each row, a field of CSV has one", c.Name, c.Each())
		}
	}
	out := csv.NewWriter(w)
	if out.Comma = o.comma(); out.Comma == o.Decimal {
		return fmt.Errorf("%q is both between fields and in numbers", o.Decimal)
	}
	if !o.NoHeader {
		if err := out.Write(t.Names()); err != nil {
			return err
		}
	}
	record := make([]string, len(t.Columns))
	for i := range t.Rows {
		for k := range t.Columns {
			record[k] = t.Columns[k].Text(i)
			if o.Decimal != 0 && t.Columns[k].Kind == Floats {
				record[k] = strings.Replace(record[k], ".", string(o.Decimal), 1)
			}
		}
		if len(record) == 1 && record[0] == "" { // a line of nothing is no record
			record[0] = absent[1]
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

// value returns value i as a text; a missing one is "".
func (c *Column) value(i int) string {
	switch c.Kind {
	case Bools:
		return strconv.FormatBool(c.Bools[i])
	case Ints:
		if c.DType == dtype.U64 {
			return strconv.FormatUint(uint64(c.Ints[i]), 10)
		}
		return strconv.FormatInt(c.Ints[i], 10)
	case Floats:
		if c.Floats[i] != c.Floats[i] {
			return ""
		}
		text := strconv.FormatFloat(c.Floats[i], 'g', -1, 64)
		if !strings.ContainsAny(text, ".eIn") {
			text += ".0" // a float again
		}
		return text
	}
	return c.Texts[i]
}
