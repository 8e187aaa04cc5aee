package display

import (
	"reflect"
	"slices"
)

// maxRecords is the greatest number of elements of a slice of structs or maps that are shown.
const maxRecords = 20

// recordsHTML returns a slice of structs as a table with a column for each field, or a slice of maps as a table with a
// column for each key. It returns "" for other values, for structs of compiled packages, and for structs
// that are Formatters, errors or Stringers.
func recordsHTML(v any) string {
	s := reflect.ValueOf(v)
	if s.Kind() != reflect.Slice || s.Len() == 0 {
		return ""
	}
	columns := recordColumns(s)
	if len(columns) == 0 {
		return ""
	}
	rows := make([]string, min(s.Len(), maxRecords))
	for i := range rows {
		for k, name := range columns {
			rows[i] += cell("td", "text-align:right", clip(recordText(s.Index(i), k, name)))
		}
	}
	rich := recordTable(cells("th", "text-align:right", columns), rows)
	if more := s.Len() - maxRecords; more > 0 {
		rich += `<div>&hellip; ` + plural(more, "more row") + `</div>`
	}
	return rich
}

// recordColumns returns the column names of the slice s: the fields of its structs, or the sorted keys of the maps
// that are shown. It returns nil unless the elements are maps with string keys, or structs that are defined in a cell
// and are neither Formatters nor errors nor Stringers.
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
