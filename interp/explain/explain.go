// Package explain puts what go/types says of a cell into words of its author,
// with what to write instead.
package explain

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// A Cell is a cell as go/types has checked it, whose errors are explained.
type Cell struct {
	Env        *check.Env
	File       *ast.File
	Pkg        *types.Package
	Info       *types.Info
	Tensor     types.Type // nil where the universe has no tensors
	TensorPath string     // of the package of tensors

	// What the author wrote where a call stands for an operator or an index.
	Authored map[ast.Expr]ast.Expr

	// The operands of indexes that Go's syntax lacks, such as x[:, 0], by the
	// name At in the call that each became.
	Indexed map[*ast.Ident]ast.Expr
}

// An Error is what is wrong with a cell, at a position of the author's.
type Error struct {
	Pos token.Pos
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// Errors returns the errors of the check in the author's words. Several about
// one mistake are one.
func (c *Cell) Errors(all []types.Error) []Error {
	var errs []Error
	for i, e := range all {
		if i > 0 && strings.HasPrefix(e.Msg, "\t") {
			continue // goes on about the one before, at another place
		}
		if strings.HasPrefix(e.Msg, "use of package ") && i+1 < len(all) && all[i+1].Pos == e.Pos {
			continue // math.Pi = 3 is said twice
		}
		wrong := c.explain(e)
		if i > 0 && c.sameCall(all[i-1], e) {
			continue // a shape in pieces is one mistake
		}
		if !slices.Contains(errs, wrong) { // what an operator becomes may have an operand twice
			errs = append(errs, wrong)
		}
	}
	return errs
}

// explain returns an error of the check in the author's words.
func (c *Cell) explain(e types.Error) Error {
	msg := c.asAuthored(e.Msg)
	if x := c.indexedAt(e); x != nil {
		msg = fmt.Sprintf("cannot index a value of type %s with a comma or a step: only tensors are indexed so", TypeName(c.Info.TypeOf(x)))
		return Error{x.Pos(), msg}
	}
	if call := c.callAt(e.Pos); call != nil && strings.HasPrefix(msg, "multiple-value ") {
		return Error{e.Pos, c.named(Plain(SeveralValues(call, c.Info.TypeOf(call).(*types.Tuple))))}
	}
	for _, w := range rewordings {
		msg = w.when.ReplaceAllString(msg, w.write)
	}
	msg = c.named(Plain(msg))
	msg = strings.ReplaceAll(msg, " in argument to aid.Show", "")
	if hint := c.hint(msg, e.Pos); hint != "" {
		msg += "; " + hint
	}
	return Error{e.Pos, msg}
}

// rewordings say what go/types says about packages of cells.
var rewordings = []struct {
	when  *regexp.Regexp
	write string
}{
	{regexp.MustCompile(`^initialization cycle: (\S+) refers to itself$`), "undefined: $1"},
	{regexp.MustCompile(`^cannot assign to (.*) \(neither addressable nor a map index expression\)$`), "cannot assign to $1"},
	{regexp.MustCompile(`^(cannot use .* as \S+ value in argument to .*): need type assertion$`), "$1"},
	{regexp.MustCompile(`(?s)^(cannot use .* as (?:anvil|dtype|random)\.\w*Option value in argument to \S+): .*$`), "$1"}, // whose methods nobody calls
	{regexp.MustCompile(`^use of package (\S+) not in selector$`), "$1 is a package and no value; what it has is written $1.Name"},
	{regexp.MustCompile(`^could not import \S+ \((.*)\)$`), "$1"},
}

// asAuthored returns msg with operators in place of the calls that they have
// become, the outer ones first.
func (c *Cell) asAuthored(msg string) string {
	lowered := make(map[string]string, len(c.Authored))
	for e, own := range c.Authored {
		lowered[types.ExprString(e)] = types.ExprString(own)
	}
	texts := slices.SortedFunc(maps.Keys(lowered), func(a, b string) int { return cmp.Or(len(b)-len(a), strings.Compare(a, b)) })
	for _, text := range texts {
		msg = strings.ReplaceAll(msg, text, lowered[text])
	}
	return msg
}

// callAt returns the outermost call that begins at pos and has several results, or nil.
func (c *Cell) callAt(pos token.Pos) (found *ast.CallExpr) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Pos() == pos && found == nil {
			if results, several := c.Info.TypeOf(call).(*types.Tuple); several && results.Len() > 1 {
				found = call
			}
		}
		return found == nil
	})
	return found
}

// indexedAt returns the operand of the index such as x[:, 0] that e is about,
// nil where it is about none.
func (c *Cell) indexedAt(e types.Error) ast.Expr {
	for sel, x := range c.Indexed {
		if sel.Pos() == e.Pos && strings.Contains(e.Msg, "."+sel.Name+" undefined") {
			return x
		}
	}
	return nil
}

var marked = regexp.MustCompile(check.Mark + `[0-9]+|` + check.Mark)

// Plain returns msg with names as the author wrote them.
func Plain(msg string) string {
	msg = mainDot.ReplaceAllLiteralString(msg, "")
	if !strings.Contains(msg, check.Mark) {
		return msg
	}
	return marked.ReplaceAllString(msg, "")
}

// mainDot is the package of all cells, which nobody writes.
var mainDot = regexp.MustCompile(`\bmain\.`)

// named returns msg with packages called as the cell calls them: nv, not anvil.
func (c *Cell) named(msg string) string {
	for name, p := range c.Env.Imports() {
		own := p[strings.LastIndex(p, "/")+1:]
		if name != own && strings.Contains(msg, own+".") {
			msg = regexp.MustCompile(`\b`+regexp.QuoteMeta(own)+`\.`).ReplaceAllLiteralString(msg, name+".")
		}
	}
	return msg
}

var undefined = regexp.MustCompile(`^undefined: (\S+)( \(but have \w+\))?$`)

// hint says what to do about an error, where that is known.
func (c *Cell) hint(msg string, pos token.Pos) string {
	if name := c.untyped(pos); name != "" {
		return "a parameter has a type: " + name + " " + c.tensorName() + ".Tensor"
	}
	if m := undefined.FindStringSubmatch(msg); m != nil && m[2] == "" {
		return c.hintUndefined(m[1], pos)
	} else if m != nil { // the check knows the name in capitals
		_, member, _ := strings.Cut(m[1], ".")
		return c.hintForeignPart(member, pos)
	}
	if m := unassignable.FindStringSubmatch(msg); m != nil {
		return c.hintConstant(m[1], pos)
	}
	if text := c.hintCall(msg, pos, callHints); text != "" {
		return text
	}
	for _, h := range hints {
		if m := h.when.FindStringSubmatch(msg); m != nil {
			if text := h.write(m); text != "" {
				return text
			}
		}
	}
	return c.hintCall(msg, pos, lastHints)
}

// untyped returns the parameter at pos that is a name alone, of a function with a
// body; "" if there is none.
func (c *Cell) untyped(pos token.Pos) (name string) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if f, ok := n.(*ast.FuncDecl); ok {
			for _, p := range f.Type.Params.List {
				if id, ok := p.Type.(*ast.Ident); ok && id.Pos() == pos && len(p.Names) == 0 {
					name = id.Name
				}
			}
		}
		return true
	})
	return name
}

// hints say what to write where tensors and Go's own rules meet.
var hints = []struct {
	when  *regexp.Regexp
	write func(m []string) string
}{
	{regexp.MustCompile(`^cannot switch on .*nv\.Tensor`), func([]string) string {
		return "a tensor is no case of a switch; use if, or nv.Where"
	}},
	{regexp.MustCompile(`^cannot use (\S+) \((?:untyped (?:int|float|rune|complex|bool) constant|(?:variable|value) of type (?:u?int\d*|float\d+|complex\d+|bool))\b.*\) as nv\.Tensor value`), func(m []string) string {
		return "write nv.Scalar(" + m[1] + ")"
	}},
	{regexp.MustCompile(`^cannot use (\S+) \(.* of (?:\w+ )?type (\w+)\) as (\w+) value`), func(m []string) string {
		if m[2] != m[3] {
			return ""
		}
		return m[2] + " has been declared again since, and these are two types"
	}},
	{regexp.MustCompile(`^cannot use (.+) \(untyped int constant .*\) as int value \(overflows\)$`), func(m []string) string {
		return "write float64(" + m[1] + "), or use math/big"
	}},
	{regexp.MustCompile(`^cannot convert (\S+) \(.* type \*promote\.System\) to type promote\.Quiz`), func(m []string) string {
		return "write promote.NewQuiz(" + m[1] + ")"
	}},
	{regexp.MustCompile(`^cannot use (\S+) \(.* type dtype\.DType\) as dtype\.Typed value in argument to (\S+)\.Common`), func(m []string) string {
		return "write promote.Known(" + m[1] + "), or " + m[2] + ".Result, which takes dtypes, tensors and numbers"
	}},
	{regexp.MustCompile(`as func\(xs \.\.\.nv\.Tensor\) nv\.Tensor value in argument to nv\.TreeMap$`), func([]string) string {
		return "it is given a tensor of each tree: write func(xs ...nv.Tensor) nv.Tensor, and xs[0]"
	}},
	{regexp.MustCompile(`^cannot convert (\[\]\S+) \(.*\) to type nv\.Tensor$`), func([]string) string {
		return "write nv.New of it"
	}},
	{regexp.MustCompile(`^label (?:try|except|catch|finally) declared and not used$`), func([]string) string {
		return "Go has error values, and panics that recover() ends in a deferred function"
	}},
	{regexp.MustCompile(`^label (?:else|do) declared and not used$`), func([]string) string {
		return "a block stands in braces: if x > 2 { ... } else { ... }"
	}},
	{regexp.MustCompile(`^invalid operation: (.+) \+ (.+) \(mismatched types (?:(?:untyped )?string and .*|.* and (?:untyped )?string)\)$`), func(m []string) string {
		return "write fmt.Sprint(" + m[1] + ", " + m[2] + ")"
	}},
	{regexp.MustCompile(`^non-boolean condition in (?:if|for) statement$`), func([]string) string {
		return "a condition is a comparison: x != 0, s != \"\", p != nil"
	}},
	{regexp.MustCompile(`(?s)^too many return values\n\thave \((.+)\)\n\twant \(\)$`), func(m []string) string {
		return "a function says what it returns: func f(x nv.Tensor) " + resultList(m[1]) + " { ... }"
	}},
	{regexp.MustCompile(`cannot send to non-channel (?:\S+ )?(\w+) \(`), func(m []string) string {
		return "an assignment is written " + m[1] + " = ..."
	}},
	{regexp.MustCompile(`^invalid map key type nv\.Tensor`), func([]string) string {
		return "a tensor is no key; use its value, x.Float() or x.Int()"
	}},
}

// resultList returns the types of results as a function's head has them.
func resultList(list string) string {
	if strings.Contains(list, ",") {
		return "(" + list + ")"
	}
	return list
}

var unassignable = regexp.MustCompile(`^cannot assign to ((?:\w+\.)?\w+)$`)

// hintConstant says what to do about an assignment to name, at pos, if that is a
// constant.
func (c *Cell) hintConstant(name string, pos token.Pos) string {
	if pkg, member, ok := strings.Cut(name, "."); ok {
		for id, o := range c.Info.Uses {
			if _, ok := o.(*types.Const); ok && id.Name == member && o.Pkg() != c.Pkg {
				return member + " is a constant of package " + pkg + "; declare a variable: " + strings.ToLower(member) + " := ..."
			}
		}
		return ""
	}
	for id, o := range c.Info.Uses {
		if _, ok := o.(*types.Const); ok && o.Pkg() != nil && id.Pos() == pos {
			return name + " is a constant; declare it as a variable: " + name + " := ..."
		}
	}
	return ""
}

// hintUndefined suggests what may have been meant by name, at pos.
func (c *Cell) hintUndefined(name string, pos token.Pos) string {
	if pkg, member, ok := strings.Cut(name, "."); ok {
		if text := c.hintMissing(pkg, member, pos); text != "" {
			return text
		}
		if near := nearest(member, c.membersOf(pkg)); near != "" {
			return "did you mean " + pkg + "." + near + "?"
		}
		return ""
	}
	if path := c.packageWith(name, c.selected(pos)); path != "" {
		return fmt.Sprintf("write import %q", path)
	}
	if text, ok := foreignNames()["words"][name]; ok {
		return "write " + text
	}
	if c.onlyAssigned(pos) {
		return "a new name is declared so: " + name + " := ..."
	}
	if isForeignPackage(name) {
		return c.hintForeignPackage(c.selections(pos))
	}
	if near := nearest(name, c.namesInSight()); near != "" {
		return "did you mean " + near + "?"
	}
	if member := c.hintMember(c.tensorName(), name); member != "" { // abs, exp, zeros
		return member
	}
	return ""
}

// onlyAssigned reports whether the name at pos is assigned to, by = alone.
func (c *Cell) onlyAssigned(pos token.Pos) (is bool) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if a, ok := n.(*ast.AssignStmt); ok && a.Tok == token.ASSIGN {
			is = is || slices.ContainsFunc(a.Lhs, func(x ast.Expr) bool { _, name := x.(*ast.Ident); return name && x.Pos() == pos })
		}
		return true
	})
	return is
}

// hintMissing suggests what may have been meant by a member that a package
// lacks; pos is that of the member.
func (c *Cell) hintMissing(pkg, member string, pos token.Pos) string {
	if text, ok := foreignNames()["random"][folded(member)]; ok && c.Env.Imports()[pkg] == c.TensorPath+"/random" {
		return "write " + text
	}
	if pkg != c.tensorName() {
		return ""
	}
	if text := c.hintForeignPart(member, pos); text != "" {
		return text
	}
	if text := c.hintForeign(member, ""); text != "" {
		return text
	}
	if text := c.hintDType(strings.ToLower(member)); text != "" && !c.called(pos) {
		return text
	}
	if c.hasMethod(member) {
		return "it is a method of tensors: x." + member
	}
	for _, own := range c.membersOf("random") {
		if folded(own) == folded(member) {
			return "write random." + own
		}
	}
	return ""
}

// called reports whether what is selected at pos is called.
func (c *Cell) called(pos token.Pos) (is bool) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok {
			sel, ok := call.Fun.(*ast.SelectorExpr)
			is = is || ok && sel.Sel.Pos() == pos
		}
		return true
	})
	return is
}

// selected returns what is selected of the name at pos, "" where nothing is.
func (c *Cell) selected(pos token.Pos) (member string) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if sel, ok := n.(*ast.SelectorExpr); ok && sel.X.Pos() == pos {
			if _, ok := sel.X.(*ast.Ident); ok {
				member = sel.Sel.Name
			}
		}
		return member == ""
	})
	return member
}

// packageWith returns the import path of a package called name that exports member.
func (c *Cell) packageWith(name, member string) string {
	if member == "" {
		return ""
	}
	for _, path := range wellKnown(name) {
		if pkg, err := c.Env.Import(path); err == nil && token.IsExported(member) && pkg.Scope().Lookup(member) != nil {
			return path
		}
	}
	return ""
}

// membersOf returns the exported names of the package that cells call pkg.
func (c *Cell) membersOf(pkg string) []string {
	path := c.Env.Imports()[pkg]
	for _, decl := range c.File.Decls {
		if g, ok := decl.(*ast.GenDecl); ok {
			for _, spec := range g.Specs {
				if i, ok := spec.(*ast.ImportSpec); ok && strings.HasSuffix(strings.Trim(i.Path.Value, `"`), pkg) {
					path = strings.Trim(i.Path.Value, `"`)
				}
			}
		}
	}
	imported, err := c.Env.Import(path)
	if path == "" || err != nil {
		return nil
	}
	var names []string
	for _, name := range imported.Scope().Names() {
		if imported.Scope().Lookup(name).Exported() {
			names = append(names, name)
		}
	}
	return names
}

// namesInSight returns what a cell can name without import.
func (c *Cell) namesInSight() []string {
	names := c.Env.Names()
	for name := range c.Env.Imports() {
		names = append(names, name)
	}
	names = append(names, types.Universe.Names()...)
	for _, name := range c.Pkg.Scope().Names() {
		if !strings.Contains(name, check.Mark) {
			names = append(names, name)
		}
	}
	ast.Inspect(c.File, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && c.Info.Defs[id] != nil && !strings.Contains(id.Name, check.Mark) {
			names = append(names, id.Name)
		}
		return true
	})
	return names
}

// wellKnown returns import paths whose package is called name.
func wellKnown(name string) []string {
	parents := []string{"", "math/", "encoding/", "net/", "text/", "os/", "path/", "container/", "go/", "unicode/", "sync/", "io/", "image/", "compress/", "crypto/", "hash/", "database/", "html/", "anvil/", "gonum.org/v1/", "gonum.org/v1/plot/", "gonum.org/v1/gonum/"}
	paths := make([]string, len(parents))
	for i, parent := range parents {
		paths[i] = parent + name
	}
	return paths
}

// nearest returns the name that differs least from name, if by little, the first
// in the alphabet of several; else the only one that name begins with, or that
// begins with name.
func nearest(name string, names []string) string {
	if near := similar(name, names); near != "" || len(name) < 4 {
		return near
	}
	var found []string
	low := strings.ToLower(name)
	for _, other := range names {
		if o := strings.ToLower(other); strings.HasPrefix(o, low) || len(o) > 3 && strings.HasPrefix(low, o) {
			found = append(found, other)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

func similar(name string, names []string) string {
	best, least := "", 1+min(2, len(name)/3)
	for _, other := range names {
		d := distance(name, other)
		if d == 0 {
			continue
		}
		if d < least || d == least && best != "" && other < best {
			best, least = other, d
		}
	}
	return best
}

// distance returns how many letters must be inserted, left out, replaced or
// swapped with a neighbour to make b of a; a difference in case counts nothing
// but for a pair that differs in nothing else.
func distance(a, b string) int {
	if a == b {
		return 0
	}
	x, y := []rune(strings.ToLower(a)), []rune(strings.ToLower(b))
	before, row := make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range row {
		row[j] = j
	}
	for i := range x {
		next := make([]int, len(y)+1)
		next[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			next[j+1] = min(next[j]+1, row[j+1]+1, row[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				next[j+1] = min(next[j+1], before[j-1]+1)
			}
		}
		before, row = row, next
	}
	return max(1, row[len(y)])
}
