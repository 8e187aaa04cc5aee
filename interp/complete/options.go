package complete

import (
	"go/ast"
	"go/types"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/goanvil/notebook/interp/check"
)

// options returns a list of the options that f accepts as its last arguments, each with its effect, or "" if f has
// none.
func (s *Session) options(f *types.Func) string {
	var lines []string
	for _, pkg := range s.optionPackages(f) {
		for name, text := range check.Options(f, pkg) {
			line := strings.Replace(text, name, s.qualifier(pkg)+"."+name, 1)
			lines = append(lines, wrap(strings.TrimRight(line+"  "+s.effect(pkg, name), " ")))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	slices.Sort(lines)
	return "options:\n" + strings.Join(lines, "\n")
}

// optionPackages returns the packages that may declare options of f: the package of f and the package of tensors.
func (s *Session) optionPackages(f *types.Func) []*types.Package {
	packages := []*types.Package{f.Pkg()}
	if tensors, err := s.Env.Import(s.TensorPath); err == nil && tensors != f.Pkg() {
		packages = append(packages, tensors)
	}
	return packages
}

// callOptions returns the options of the function whose arguments the cursor is in. If the cursor follows the name of
// a package and a dot, callOptions returns only the options that this package declares.
func (s *Session) callOptions(f *fragment) (all []Match) {
	if len(f.path) < 2 {
		return nil
	}
	argument, ok := f.path[0].(ast.Expr)
	if !ok {
		return nil
	}
	var from *types.Package // the package before the dot, or nil
	path := f.path[1:]
	if sel, ok := path[0].(*ast.SelectorExpr); ok && len(path) > 1 {
		if from = importedBy(f, sel.X); from == nil {
			return nil
		}
		argument, path = sel, path[1:]
	}
	call, ok := path[0].(*ast.CallExpr)
	if !ok || !slices.Contains(call.Args, argument) {
		return nil
	}
	callee := typeutil.StaticCallee(f.Info, call)
	if callee == nil {
		return nil
	}
	for _, pkg := range s.optionPackages(callee) {
		for name := range check.Options(callee, pkg) {
			m := s.matchOf(pkg.Scope().Lookup(name))
			switch {
			case from == nil:
				m.Text = s.qualifier(pkg) + "." + name
			case pkg != from:
				continue
			}
			all = append(all, m)
		}
	}
	return sorted(all)
}

// optionSubject matches the words at the beginning of an option's documentation that do not describe its effect, such
// as "AttentionScale returns the option that ".
var optionSubject = regexp.MustCompile(`^(?:An? )?(\w+) (?:(?:returns|is) (?:the|an) \w*[oO]ption(?: of [^:,]*?)?(?: that| by which| for| to|:) |is )?`)

// effect returns what the named option does: the first sentence about it without the beginning that optionSubject
// matches. It returns "" if there is no documentation.
func (s *Session) effect(pkg *types.Package, name string) string {
	if s.Doc == nil {
		return ""
	}
	text := strings.TrimSuffix(firstSentence(s.Doc(pkg.Path(), name).Text), ".")
	if subject := optionSubject.FindStringSubmatch(text); subject != nil && subject[1] == name {
		return text[len(subject[0]):]
	}
	return text
}

// optionWidth is the greatest length of lines about options, in characters.
const optionWidth = 80

// wrap breaks text into lines of at most optionWidth characters, and indents all lines but the first.
func wrap(text string) string {
	const indent = "    "
	var lines []string
	for utf8.RuneCountInString(text) > optionWidth {
		at := strings.LastIndexByte(string([]rune(text)[:optionWidth+1]), ' ')
		if at <= len(indent) {
			break
		}
		lines = append(lines, text[:at])
		text = indent + text[at+1:]
	}
	return strings.Join(append(lines, text), "\n")
}
