package ir

import (
	"fmt"
	"reflect"
	"strconv"
	"strings"
)

// Print returns g as text in the form of R anvil: the inputs, the constants if there are any, the body with
// one operation a line, and the outputs. Each value has its type, with "?" if the dtype is ambiguous.
//
//	<AnvilGraph>
//	  Inputs:
//	    %x1: f32?[]
//	  Body:
//	    %1: f32?[] = mul(%x1, %x1)
//	  Outputs:
//	    %1: f32?[]
func Print(g *Graph) string {
	p := printer{names: map[*Value]string{}}
	p.str("<AnvilGraph>\n")
	p.line("Inputs:")
	p.depth++
	for i, v := range g.Params {
		p.names[v] = "%x" + strconv.Itoa(i+1)
		p.line(p.typed(v))
	}
	p.depth--
	constants, body := splitConstants(g)
	if len(constants) > 0 {
		p.line("Constants:")
		p.depth++
		for i, n := range constants {
			p.names[n.Results[0]] = "%c" + strconv.Itoa(i+1)
			p.line(strings.TrimRight(p.typed(n.Results[0])+p.attrs(n), " "))
		}
		p.depth--
	}
	p.line("Body:")
	p.body(body)
	p.line("Outputs:")
	p.depth++
	for _, v := range g.Outputs {
		p.line(p.typed(v))
	}
	return p.String()
}

// TypeText returns the type of v in printed programs: "f32?[2,3]".
func (v *Value) TypeText() string {
	s := v.Type.DType.String()
	if v.Ambiguous {
		s += "?"
	}
	braced := v.Type.Shape.String() // "{2,3}"
	return s + "[" + braced[1:len(braced)-1] + "]"
}

// splitConstants returns the constants of g, and the other nodes.
func splitConstants(g *Graph) (constants, body []*Node) {
	for _, n := range g.Nodes {
		if n.Code == Constant {
			constants = append(constants, n)
		} else {
			body = append(body, n)
		}
	}
	return constants, body
}

// A printer writes the text of a graph.
type printer struct {
	strings.Builder
	names map[*Value]string
	count int // the number of results named so far
	depth int // the number of indentations
}

func (p *printer) str(s string) { p.WriteString(s) }

// line writes s as a line with the current indentation.
func (p *printer) line(s string) {
	p.str(strings.Repeat("  ", p.depth+1) + s + "\n")
}

// typed returns the name and the type of v.
func (p *printer) typed(v *Value) string { return p.name(v) + ": " + v.TypeText() }

// name returns the name of v, or "%?" if v is not a value of the graph.
func (p *printer) name(v *Value) string {
	if n, ok := p.names[v]; ok {
		return n
	}
	return "%?"
}

// body writes nodes with one more indentation.
func (p *printer) body(nodes []*Node) {
	p.depth++
	for _, n := range nodes {
		p.node(n)
	}
	p.depth--
}

// node names the results of n and writes it with its regions.
func (p *printer) node(n *Node) {
	args := make([]string, len(n.Args))
	for i, a := range n.Args {
		args[i] = p.name(a)
	}
	results := make([]string, len(n.Results))
	for i, r := range n.Results {
		p.count++
		p.names[r] = "%" + strconv.Itoa(p.count)
		results[i] = p.typed(r)
	}
	assigned := ""
	if len(results) > 0 {
		assigned = strings.Join(results, ", ") + " = "
	}
	p.line(assigned + n.Code.Mnemonic() + p.attrs(n) + "(" + strings.Join(args, ", ") + ")")
	for i, r := range n.Regions {
		p.region(i, r)
	}
}

// region writes region i below its node. The numbers of its values start with 1 again.
func (p *printer) region(i int, g *Graph) {
	inner := printer{names: map[*Value]string{}, depth: p.depth + 1}
	params := make([]string, len(g.Params))
	for k, v := range g.Params {
		inner.names[v] = "%x" + strconv.Itoa(k+1)
		params[k] = inner.typed(v)
	}
	inner.line("region " + strconv.Itoa(i+1) + " (" + strings.Join(params, ", ") + ")")
	inner.body(g.Nodes)
	outputs := make([]string, len(g.Outputs))
	for k, v := range g.Outputs {
		outputs[k] = inner.name(v)
	}
	inner.depth++
	inner.line("return " + strings.Join(outputs, ", "))
	p.str(inner.String())
}

// attrs returns the attributes of n as text, such as " [axes = [0]] ". It calls the String method of the
// attributes if there is one, and otherwise lists the fields for which fieldText is not empty.
func (p *printer) attrs(n *Node) string {
	if n.Attrs == nil {
		return ""
	}
	if a, ok := n.Attrs.(fmt.Stringer); ok {
		return " [" + a.String() + "] "
	}
	v := reflect.ValueOf(n.Attrs)
	if v.Kind() != reflect.Struct {
		return fmt.Sprintf(" [%v] ", n.Attrs)
	}
	var fields []string
	for i := range v.NumField() {
		if text := fieldText(v.Field(i)); text != "" {
			fields = append(fields, snake(v.Type().Field(i).Name)+" = "+text)
		}
	}
	if len(fields) == 0 {
		return ""
	}
	return " [" + strings.Join(fields, ", ") + "] "
}

// fieldText returns a field as text, or "" for false, an invalid dtype and an empty list.
func fieldText(f reflect.Value) string {
	switch x := f.Interface().(type) {
	case fmt.Stringer:
		if text := x.String(); text != "invalid" && text != "[]" {
			return text
		}
		return ""
	case bool:
		if x {
			return "true"
		}
		return ""
	default:
		return fmt.Sprint(x)
	}
}
