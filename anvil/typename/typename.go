// Package typename names Go types as cells write them.
package typename

import (
	"fmt"
	"regexp"
	"strings"
)

// Of returns the name of v's type as cells write it: "MLP", "nn.Dense", "[]nv.Tensor".
func Of(v any) string { return Text(fmt.Sprintf("%T", v)) }

// Text returns a type as cells write it. text is the type as package reflect writes it.
func Text(text string) string { return names.Replace(importPath.ReplaceAllString(text, "$1$2.")) }

// importPath matches the path of a package in a type argument, as in Box[encoding/json.Number]. It captures what stands
// before the path and the name of the package.
var importPath = regexp.MustCompile(`(^|[][,*( ]|\.\.\.)(?:\w[\w.~-]*/)+?(\w+)(?:/v\d+)?\.`)

var names = strings.NewReplacer("main.", "", "anvil.", "nv.", "interface {}", "any")
