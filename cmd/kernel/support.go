package main

import (
	"strings"

	"github.com/goanvil/notebook/anvil/ops"
	"github.com/goanvil/notebook/interp/complete"
	"github.com/goanvil/notebook/interp/universe"
)

// doc returns the documentation of a symbol. For an operation it includes the dtypes that the operation
// accepts in this library and on Ivy's backends.
func (s *session) doc(path, symbol string) complete.Doc {
	d := universe.DocOf(path, symbol)
	doc := complete.Doc{Text: d.Text, Decl: d.Decl, Example: d.Example}
	if path == universe.Module+"/anvil" || path == "main" { // a cell can declare operations, with nv.Op
		doc.Tables = s.supportOf(symbol[strings.LastIndex(symbol, ".")+1:])
	}
	return doc
}

// supportOf returns the dtypes that the operation called op accepts, in the syntax of a doc comment. It
// returns "" if there is no such operation.
func (s *session) supportOf(op string) string {
	var text string
	for _, def := range ops.All() {
		if def.Name != op || len(def.Accepts) == 0 {
			continue
		}
		accepted := def.Only
		if len(accepted) == 0 {
			accepted = def.Accepts[0].DTypes() // of the first operand; the others usually accept the same
		}
		var names []string
		for _, d := range accepted {
			names = append(names, d.String())
		}
		text += "After promotion, operands must have one of these dtypes:\n\n" + indent(wrap(names, 76)) + "\n"
	}
	if support := s.ctx.Settings().SupportOf(op); len(support.Rules) > 0 {
		text += "Supported dtypes on Ivy's backends:\n\n" + indent(support.String())
	}
	return text
}

// indent indents each line of text by a tab, and ends the last with one newline.
func indent(text string) string {
	return "\t" + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n\t") + "\n"
}

// wrap breaks words into lines of at most width bytes.
func wrap(words []string, width int) string {
	var b strings.Builder
	at := 0 // the length of the current line
	for _, w := range words {
		switch {
		case at == 0:
		case at+1+len(w) > width:
			b.WriteByte('\n')
			at = 0
		default:
			b.WriteByte(' ')
			at++
		}
		b.WriteString(w)
		at += len(w)
	}
	return b.String()
}
