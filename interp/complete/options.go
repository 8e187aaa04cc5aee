package complete

import (
	"go/types"
	"slices"
	"strings"

	"github.com/goanvil/notebook/interp/check"
)

// options returns the options that f accepts as its last arguments, one a line.
func (s *Session) options(f *types.Func) string {
	packages := []*types.Package{f.Pkg()}
	if tensors, err := s.Env.Import(s.TensorPath); err == nil && tensors != f.Pkg() {
		packages = append(packages, tensors)
	}
	var lines []string
	for _, pkg := range packages {
		for name, text := range check.Options(f.Signature(), pkg) {
			lines = append(lines, strings.Replace(text, name, s.qualifier(pkg)+"."+name, 1))
		}
	}
	if len(lines) == 0 {
		return ""
	}
	slices.Sort(lines)
	return "options:\n" + strings.Join(lines, "\n")
}
