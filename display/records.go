package display

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// maxRecords is the greatest number of elements of a slice of structs or maps that are shown.
const maxRecords = 20

// recordsHTML returns a slice of structs as a table with a column for each field, or a slice of maps as a table with a
// column for each key. It returns "" for other values, for structs of compiled packages, and for structs
// that are errors or Stringers.
func recordsHTML(v any) string {
	s := reflect.ValueOf(v)
	if s.Kind() != reflect.Slice || s.Len() == 0 {
		return ""
	}
	columns := recordColumns(s)
	if len(columns) == 0 {
		return ""
	}
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto"><table cellpadding="4" ` +
		`style="color:inherit;border-collapse:collapse;text-align:right"><thead><tr>`)
	for _, name := range columns {
		fmt.Fprintf(&b, `<th style="text-align:right">%s</th>`, escape(name))
	}
	b.WriteString(`</tr></thead><tbody>`)
	for i := range min(s.Len(), maxRecords) {
		b.WriteString("<tr>")
		for k, name := range columns {
			b.WriteString(`<td style="text-align:right">` + escape(clip(recordText(s.Index(i), k, name))) + `</td>`)
		}
		b.WriteString("</tr>")
	}
	b.WriteString(`</tbody></table></div>`)
	if more := s.Len() - maxRecords; more > 0 {
		fmt.Fprintf(&b, `<div>&hellip; %s</div>`, plural(more, "more row"))
	}
	return b.String()
}

// recordColumns returns the column names of the slice s: the fields of its structs, or the sorted keys of the maps
// that are shown. It returns nil unless the elements are maps with string keys, or structs that are defined in a cell
// and are neither errors nor Stringers.
func recordColumns(s reflect.Value) (names []string) {
	t := s.Type().Elem()
	switch {
	// Only the result of ownText is used here; the text that it writes is discarded.
	case t.Kind() == reflect.Struct && definedInCell(t) && !(&writer{}).ownText(s.Index(0)):
		for i := range t.NumField() {
			names = append(names, t.Field(i).Name)
		}
	case t.Kind() == reflect.Map && t.Key().Kind() == reflect.String:
		for i := range min(s.Len(), maxRecords) {
			for _, key := range s.Index(i).MapKeys() {
				if !slices.Contains(names, key.String()) {
					names = append(names, key.String())
				}
			}
		}
		slices.Sort(names)
	}
	return names
}

// recordText returns the text of field k of a struct, or of the element of a map with the key name. It returns "" if
// the map has no such key.
func recordText(record reflect.Value, k int, name string) string {
	var v reflect.Value
	if record.Kind() == reflect.Map {
		v = record.MapIndex(reflect.ValueOf(name).Convert(record.Type().Key()))
		if !v.IsValid() {
			return ""
		}
	} else {
		v = readable(addressable(record).Field(k))
	}
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() == reflect.String {
		return v.String()
	}
	w := &writer{}
	w.value(v, 1)
	return w.String()
}
