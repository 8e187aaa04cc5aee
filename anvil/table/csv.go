package table

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// CSV describes the format of a file of separated values. The zero CSV has fields
// separated by commas, a header line, and '"' around fields with commas, quotes or line
// ends.
type CSV struct {
	Comma    rune     // field separator; 0 means ',', or ';' if Decimal is ','
	Decimal  rune     // decimal point; 0 means '.'
	Comment  rune     // first character of lines to skip; 0 means none
	NoHeader bool     // the file has no header line; columns are named col1, col2, ...
	Missing  []string // texts of missing values; nil means "", NA, N/A, NaN, nan, null, NULL
}

// defaultMissing is the default of CSV.Missing.
var defaultMissing = []string{"", "NA", "N/A", "NaN", "nan", "null", "NULL"}

// ReadCSV reads a table. The kind of a column is inferred from all of its values. An error
// of syntax gives the line and the byte in the line, both counted from 1.
func ReadCSV(r io.Reader, o CSV) (*Table, error) {
	in := csv.NewReader(skipByteOrderMark(r))
	in.ReuseRecord, in.Comment, in.Comma = true, o.Comment, o.comma()
	in.TrimLeadingSpace = in.Comma != '\t' // else the tab after an empty field would be trimmed too
	if in.Comma == o.Decimal {
		return nil, fmt.Errorf("%q is both the field separator and the decimal point", o.Decimal)
	}
	t, raw := &Table{}, []rawColumn(nil)
	for {
		record, err := in.Read()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, withPosition(in, record, err, len(raw))
		}
		if raw == nil {
			if strings.Contains(strings.Join(record, ""), "\r") {
				return nil, errors.New(`the lines end with "\r" alone; replace "\r" by "\n" in the file`)
			}
			raw = make([]rawColumn, len(record))
			t.Columns = make([]Column, len(record))
			nameColumns(t.Columns, record, o.NoHeader)
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
		return nil, errors.New("the file is empty")
	}
	if o.Missing == nil {
		o.Missing = defaultMissing
	}
	var wg sync.WaitGroup
	for i := range raw {
		wg.Go(func() { raw[i].infer(&t.Columns[i], o) })
	}
	wg.Wait()
	return t, nil
}

// comma returns the field separator.
func (o CSV) comma() rune {
	switch {
	case o.Comma != 0:
		return o.Comma
	case o.Decimal == ',':
		return ';'
	}
	return ','
}

// isComment reports whether readers skip the line that csv.Writer writes for record. They do not if there are quotes
// around the first field.
func (o CSV) isComment(record []string) bool {
	return o.Comment != 0 && len(record) > 0 && strings.HasPrefix(record[0], string(o.Comment)) &&
		!strings.ContainsAny(record[0], "\"\r\n"+string(o.comma()))
}

// number returns text, which may be a number, with '.' as decimal point. If the text has a '.'
// that is not the decimal point, number returns "".
func (o CSV) number(text string) string {
	switch {
	case o.Decimal == 0 || o.Decimal == '.':
		return text
	case strings.Contains(text, "."):
		return ""
	}
	return strings.Replace(text, string(o.Decimal), ".", 1)
}

// skipByteOrderMark returns a reader of r that skips a byte order mark.
func skipByteOrderMark(r io.Reader) io.Reader {
	b := bufio.NewReaderSize(r, 1<<16)
	if head, _ := b.Peek(3); string(head) == "\ufeff" {
		_, _ = b.Discard(3)
	}
	return b
}

// withPosition returns err, an error of in.Read, with its line and byte. record is the record that
// in.Read returned with err, and columns the number of fields of the first record.
func withPosition(in *csv.Reader, record []string, err error, columns int) error {
	var parse *csv.ParseError
	if !errors.As(err, &parse) {
		return err
	}
	if errors.Is(err, csv.ErrFieldCount) {
		line, _ := in.FieldPos(0)
		return fmt.Errorf("line %d has %d fields, the lines before have %d", line, len(record), columns)
	}
	return fmt.Errorf("line %d, byte %d: %w", parse.Line, parse.Column, parse.Err)
}

// nameColumns names the columns as in header. A column without a name, or every column if
// noHeader is true, is named col1, col2, ... after its position. It appends numbers to repeated
// names.
func nameColumns(cs []Column, header []string, noHeader bool) {
	taken := map[string]bool{}
	last := map[string]int{} // the last number appended to each name
	for i := range cs {
		name := strings.TrimSpace(header[i])
		if noHeader || name == "" {
			name = "col" + strconv.Itoa(i+1)
		}
		cs[i].Name = name
		for taken[cs[i].Name] {
			last[name]++
			cs[i].Name = name + "." + strconv.Itoa(last[name])
		}
		taken[cs[i].Name] = true
	}
}

// WriteCSV writes a table. The field of a missing value is empty, or o.Missing[0] if o.Missing is set and has no "". If
// the table has only one column, NA takes the place of an empty field, since readers skip empty lines.
func WriteCSV(w io.Writer, t *Table, o CSV) error {
	for _, c := range t.Columns {
		if c.Shape != nil {
			return fmt.Errorf("column %q has %d values in each row, but a CSV field has one", c.Name, c.RowSize())
		}
	}
	out := csv.NewWriter(w)
	if out.Comma = o.comma(); out.Comma == o.Decimal {
		return fmt.Errorf("%q is both the field separator and the decimal point", o.Decimal)
	}
	write := func(record []string) error {
		if o.isComment(record) {
			return fmt.Errorf("the line of %q begins with %q, so readers would skip it as a comment; leave out Comment",
				record[0], o.Comment)
		}
		return out.Write(record)
	}
	if !o.NoHeader {
		if err := write(t.Names()); err != nil {
			return err
		}
	}
	missing := ""
	if len(o.Missing) > 0 && !slices.Contains(o.Missing, "") {
		missing = o.Missing[0]
	}
	record := make([]string, len(t.Columns))
	for i := range t.Rows {
		for k := range t.Columns {
			record[k] = t.Columns[k].Text(i)
			if o.Decimal != 0 && t.Columns[k].Kind == Floats {
				record[k] = strings.Replace(record[k], ".", string(o.Decimal), 1)
			}
			if record[k] == "" {
				record[k] = missing
			}
		}
		if len(record) == 1 && record[0] == "" { // readers skip empty lines
			record[0] = "NA"
		}
		if err := write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
