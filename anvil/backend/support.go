package backend

import (
	"fmt"
	"html"
	"slices"
	"strings"

	"github.com/goanvil/notebook/anvil/dtype"
)

// A Support says which dtypes each framework supports in one operation.
type Support struct {
	Op         string
	Frameworks []FrameworkSupport
	Rules      []Rule // all rules of the operation
}

// A FrameworkSupport says which dtypes a framework supports.
type FrameworkSupport struct {
	Profile   Profile
	Supported []dtype.DType
}

// SupportOf returns the dtypes that each framework supports in an operation, at the version of its profile. For the
// active backend, the version is the one given to Set.
func SupportOf(op string) Support { return Current().SupportOf(op) }

// SupportOf is the method form of the function SupportOf.
func (s *Settings) SupportOf(op string) Support {
	name := opName(op)
	support := Support{Op: name, Rules: s.rules(name)}
	for _, p := range profiles {
		if a := s.Active(); a.Name == p.Name {
			p = a
		}
		if p.Version == "" {
			continue // xla: Ivy has no tables for it
		}
		lacks := union(s.excluded(name, p, s.DefaultDevice(), ""), p.Invalid(dtype.Any))
		support.Frameworks = append(support.Frameworks, FrameworkSupport{p, without(lacks)})
	}
	return support
}

// String returns a table of the frameworks with a dash for each unsupported dtype, and then the rules.
func (s Support) String() string {
	var b strings.Builder
	for _, f := range s.Frameworks {
		line := fmt.Sprintf("%-18s", f.Profile)
		for _, d := range ivyAll {
			line += fmt.Sprintf("%-*s", len(d.String())+1, f.cell(d, "-"))
		}
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	for i, r := range s.Rules {
		if i == 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintln(&b, r)
	}
	return strings.TrimRight(b.String(), "\n")
}

// cell returns the text of a cell of the table: the name of d if d is supported, and dash otherwise.
func (f FrameworkSupport) cell(d dtype.DType, dash string) string {
	if slices.Contains(f.Supported, d) {
		return d.String()
	}
	return dash
}

// HTML returns the table and a list of the rules as HTML.
func (s Support) HTML() string {
	var b strings.Builder
	b.WriteString(`<div style="overflow-x:auto"><table style="color:inherit;border-collapse:separate;border-spacing:1px;font-family:monospace;text-align:left">`)
	fmt.Fprintf(&b, `<caption style="text-align:left">%s: supported dtypes</caption><tbody>`, html.EscapeString(s.Op))
	for _, f := range s.Frameworks {
		fmt.Fprintf(&b, `<tr><th style="text-align:left;padding:1px 6px">%s</th>`,
			html.EscapeString(f.Profile.String()))
		for _, d := range ivyAll {
			fmt.Fprintf(&b, `<td style="padding:1px 4px">%s</td>`, f.cell(d, "–"))
		}
		b.WriteString("</tr>")
	}
	b.WriteString("</tbody></table>")
	for i, r := range s.Rules {
		if i == 0 {
			b.WriteString("<ul>")
		}
		fmt.Fprintf(&b, "<li>%s</li>", html.EscapeString(r.String()))
	}
	if len(s.Rules) > 0 {
		b.WriteString("</ul>")
	}
	return b.String() + "</div>"
}
