package explain

import (
	"go/ast"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/goanvil/notebook/interp/check"
)

// A callHint says what to write where an argument of a call is not what the
// library takes; "" where it does not know.
type callHint struct {
	when  *regexp.Regexp
	write func(c *Cell, call *ast.CallExpr, m []string) string
}

var callHints = []callHint{
	{regexp.MustCompile(`^cannot use (\S+) \((?:untyped int constant|constant of type int|variable of type int|value of type int).*\) as (\S+)\.Shape value`), (*Cell).hintShape},
	{regexp.MustCompile(`^too many arguments in call to \S+\n\thave \([^)]*number[^)]*\)\n\twant \([^)]*\bShape\b`), (*Cell).hintShape},
	{regexp.MustCompile(`^too many arguments in call to \S+\n\thave \([^)]*number[^)]*\)\n\twant \([^)]*\.Shape\b`), (*Cell).hintShape},
	{regexp.MustCompile(`^cannot use (\S+) \(.* of type int\) as (\w+)\.(?:ReduceOption|CumsumOption|Axis) value`), func(_ *Cell, _ *ast.CallExpr, m []string) string {
		return "an axis is written " + m[2] + ".Axis(" + m[1] + ")"
	}},
	{regexp.MustCompile(`^too many arguments in conversion to (\S+\.Axis)$`), func(_ *Cell, call *ast.CallExpr, m []string) string {
		if call == nil {
			return ""
		}
		axes := make([]string, len(call.Args))
		for i, arg := range call.Args {
			axes[i] = m[1] + "(" + Written(arg) + ")"
		}
		return "each axis is one argument: " + strings.Join(axes, ", ")
	}},
	{regexp.MustCompile(`\bTensor(?: value)?\) as (\S+\.Axis) value in argument to (\S+)$`), (*Cell).hintFirstAxis},
	{regexp.MustCompile(`^(\S+)\.(\w+) undefined \(type \w+\.Tensor has no field or method \w+\)$`), func(c *Cell, _ *ast.CallExpr, m []string) string {
		return c.hintMethod(m[1], m[2])
	}},
	{regexp.MustCompile(`nv\.Tensor\) cannot be ordered$`), (*Cell).hintExtreme},
	{regexp.MustCompile(`^cannot use (.+) \(.*\bTensor\) as (float64|int|bool) value in argument to (?:(\w+)\.)?(\w+)`), (*Cell).hintNumber},
	{regexp.MustCompile(`^cannot use "([^"]*)" \(.*\) as \*(\w+)\.System value`), func(c *Cell, _ *ast.CallExpr, m []string) string {
		return c.hintMember(m[2], m[1])
	}},
	{regexp.MustCompile(`^cannot use "([^"]*)" \(.*\) as (\w+)\.(?:DType|Option) value`), func(c *Cell, _ *ast.CallExpr, m []string) string {
		return c.hintDType(m[1])
	}},
	{regexp.MustCompile(`^(\w+) \(type\) is not an expression$`), func(c *Cell, call *ast.CallExpr, m []string) string {
		if call == nil {
			return ""
		}
		return c.hintDType(m[1])
	}},
	{regexp.MustCompile(`Tensor\) as string value in argument to (\S+\.Write\w+)$`), func(_ *Cell, call *ast.CallExpr, m []string) string {
		if call == nil || len(call.Args) != 2 {
			return ""
		}
		return "the path comes first: " + m[1] + "(" + Written(call.Args[1]) + ", " + Written(call.Args[0]) + ")"
	}},
	{regexp.MustCompile(`^(?:not enough arguments in call to|too many arguments in call to) random\.(\w+)\n\thave \(number`), (*Cell).hintKey},
	{regexp.MustCompile(`^not enough arguments in call to random\.(\w+)\n\thave \(\S*\bShape\b`), func(c *Cell, _ *ast.CallExpr, m []string) string {
		return "the first argument is a key: random.Key(42); a stream has its own: random.New(42)." + m[1] + "(" + c.tensorName() + ".Shape{3})"
	}},
	{regexp.MustCompile(`^cannot use (\S+) \(.* int .*\) as random\.PRNGKey value in argument to random\.(\w+)`), (*Cell).hintKey},
	{regexp.MustCompile(`^cannot use (\S+) \(.* of (?:\w+ )?type \S*\bTensor\) as random\.PRNGKey value`), func(_ *Cell, _ *ast.CallExpr, m []string) string {
		return "a key is random.Key(42), of two words in a tensor random.PRNGKey{Data: " + m[1] + "}"
	}},
	{regexp.MustCompile(`^(?:invalid argument: |cannot use |cannot index )(\S+) \(value of type func\(\) \S+\)`), hintMethodCall},
	{regexp.MustCompile(`^(\S+)\.\w+ undefined \(type func\(\) \S+ has no field or method \w+\)$`), hintMethodCall},
	{regexp.MustCompile(`^invalid operation: cannot call (\w+\.\w+) \(.* is not a function$`), hintOption},
	{regexp.MustCompile(`^cannot use .* as \*ops\.\w+ value in argument to (\w+\.\w+)$`), hintOption},
	{regexp.MustCompile(`^cannot use "([^"]*)" \(untyped string constant\) as \w+ value in argument to (\w+)\.\w+$`), func(c *Cell, _ *ast.CallExpr, m []string) string {
		return c.hintMember(m[2], m[1])
	}},
	{regexp.MustCompile(`^(?:not enough|too many) arguments in call to (\S+)\n\thave `), (*Cell).hintParameters},
	{regexp.MustCompile(`^in call to (\S+\.If), type \S*Tensor of .* does not match func\(\) T`), func(_ *Cell, _ *ast.CallExpr, m []string) string {
		return "a branch is func() nv.Tensor { return x }; nv.Where chooses among elements"
	}},
	{regexp.MustCompile(`^in call to (\S+), type (?s:.*) does not match `), (*Cell).hintParameters},
	{regexp.MustCompile(`^cannot use (.+) \(.*\bTensor\) as (float64|int|bool) value in (?:return statement|assignment|variable declaration)$`), func(c *Cell, _ *ast.CallExpr, m []string) string {
		if strings.ContainsAny(m[1], " +-*/<>=!&|^%") {
			m[1] = "(" + m[1] + ")"
		}
		return c.hintNumber(nil, append(m, "", ""))
	}},
	{regexp.MustCompile(`^assignment mismatch: .* but (\S+) returns \d+ values?$`), (*Cell).hintResults},
}

// lastHints are for where nothing better is known.
var lastHints = []callHint{
	{regexp.MustCompile(`^cannot use .* as \S+Option value in argument to (\S+)(?:: .*)?$`), (*Cell).hintOptions},
	{regexp.MustCompile(`^cannot use .* as \S+ value in argument to (\S+)(?:: .*)?$`), (*Cell).hintParameters},
}

func hintMethodCall(_ *Cell, _ *ast.CallExpr, m []string) string {
	return "it is a method: write " + m[1] + "()"
}

// hintOption is for an option that is a value, called as if it were a function.
func hintOption(c *Cell, _ *ast.CallExpr, m []string) string {
	pkg, name, _ := strings.Cut(m[1], ".")
	if pkg != c.tensorName() || !c.has(name) {
		return ""
	}
	if c.hasMethod(name) { // nv.All
		return "of tensors it is x." + name + "()"
	}
	return "it is an option itself: write " + m[1]
}

// hintResults names the results of a function of the library, or another that
// has more.
func (c *Cell) hintResults(_ *ast.CallExpr, m []string) string {
	_, name, _ := strings.Cut(m[1], ".")
	pkg, err := c.Env.Import(c.TensorPath)
	if err != nil {
		return ""
	}
	f, ok := pkg.Scope().Lookup(name).(*types.Func)
	if !ok {
		return ""
	}
	if c.has(name + "All") {
		return m[1] + "All has more"
	}
	results := f.Signature().Results()
	if results.Len() < 2 || results.At(0).Name() == "" {
		return ""
	}
	var names []string
	for r := range results.Variables() {
		names = append(names, r.Name())
	}
	return "they are " + strings.Join(names, ", ")
}

// hintOptions names the options of a function of the library.
func (c *Cell) hintOptions(call *ast.CallExpr, m []string) string {
	f := c.ownCallee(call)
	if f == nil {
		return ""
	}
	if list := c.numbers(call); f.Name() == "New" && len(list) == len(call.Args) && len(list) > 1 {
		return "several numbers are one slice: " + c.tensorName() + ".New([]float64{" + strings.Join(list, ", ") + "})"
	}
	var all []string
	for name, text := range check.Options(f.Signature(), f.Pkg()) {
		text, number := strings.CutPrefix(text, "type ")
		text = strings.Replace(text, name, c.tensorName()+"."+name, 1)
		switch {
		case number && name == "DType":
			text = "a dtype such as " + c.tensorName() + ".F32"
		case number:
			text += "(n)"
		}
		all = append(all, text)
	}
	if len(all) == 0 || len(all) > 8 || f.Pkg().Path() != c.TensorPath {
		return m[1] + "? shows its options"
	}
	slices.Sort(all)
	return "its options are " + strings.Join(all, ", ")
}

// ownCallee returns the function of the library that call calls, or nil.
func (c *Cell) ownCallee(call *ast.CallExpr) *types.Func {
	if call == nil {
		return nil
	}
	if f := callee(c.Info, call); f != nil && c.ours(f.Pkg()) {
		return f
	}
	return nil
}

// hintParameters names the parameters of a function of the library.
func (c *Cell) hintParameters(call *ast.CallExpr, m []string) string {
	f := c.ownCallee(call)
	if f == nil {
		return ""
	}
	if f.Name() == "Where" && len(call.Args) == 1 {
		return c.tensorName() + ".Nonzero tells where it holds"
	}
	var names []string
	for p := range f.Signature().Params().Variables() {
		names = append(names, p.Name())
	}
	if f.Signature().Variadic() {
		names[len(names)-1] += "..."
	}
	text := "it is " + m[1] + "(" + strings.Join(names, ", ") + ")"
	if r := f.Signature().Recv(); r != nil { // Split, and SplitN
		if more, _, _ := types.LookupFieldOrMethod(r.Type(), true, f.Pkg(), f.Name()+"N"); more != nil {
			text += "; " + more.Name() + " takes how many"
		}
	}
	return text
}

// callee returns the function or method that call calls by name, or nil.
func callee(info *types.Info, call *ast.CallExpr) *types.Func {
	f, _ := typeutil.Callee(info, call).(*types.Func)
	return f
}

// ours reports whether pkg is the package of tensors or one beside it.
func (c *Cell) ours(pkg *types.Package) bool {
	return pkg != nil && strings.HasPrefix(pkg.Path()+"/", c.TensorPath+"/")
}

// hintCall returns what to write for the argument at pos.
func (c *Cell) hintCall(msg string, pos token.Pos, hints []callHint) string {
	for _, h := range hints {
		if m := h.when.FindStringSubmatch(msg); m != nil {
			if text := h.write(c, c.callAround(pos), m); text != "" {
				return text
			}
		}
	}
	return ""
}

// callAround returns the innermost call that pos is an argument, or the end, of.
func (c *Cell) callAround(pos token.Pos) (found *ast.CallExpr) {
	ast.Inspect(c.File, func(n ast.Node) bool {
		if call, ok := n.(*ast.CallExpr); ok && call.Lparen < pos && pos <= call.Rparen {
			found = call
		}
		return true
	})
	return found
}

// hintShape writes the whole numbers among the arguments as one shape.
func (c *Cell) hintShape(call *ast.CallExpr, _ []string) string {
	if call == nil {
		return ""
	}
	return "a shape is one argument: " + c.tensorName() + ".Shape{" + strings.Join(c.numbers(call), ", ") + "}"
}

// numbers returns the whole numbers among the arguments of call, as they are written.
func (c *Cell) numbers(call *ast.CallExpr) (list []string) {
	for _, arg := range call.Args {
		if basic, ok := c.Info.TypeOf(arg).(*types.Basic); ok && basic.Info()&types.IsInteger != 0 {
			list = append(list, Written(arg))
		}
	}
	return list
}

// hintFirstAxis is for tensors where the axis comes first.
func (c *Cell) hintFirstAxis(call *ast.CallExpr, m []string) string {
	if call == nil {
		return ""
	}
	args := []string{m[1] + "(0)"}
	for _, arg := range call.Args {
		text := Written(arg)
		if _, ok := c.Info.TypeOf(arg).(*types.Slice); ok {
			text += "..."
		}
		args = append(args, text)
	}
	return "the axis comes first: " + m[2] + "(" + strings.Join(args, ", ") + ")"
}

// hintExtreme is for Go's own max and min, which are of numbers.
func (c *Cell) hintExtreme(call *ast.CallExpr, _ []string) string {
	name, ok := map[string]string{"max": "Maximum", "min": "Minimum"}[calleeName(call)]
	if !ok {
		return ""
	}
	args := make([]string, len(call.Args))
	for i, arg := range call.Args {
		args[i] = Written(arg)
	}
	if len(args) != 2 {
		return "of two tensors, elementwise, it is " + c.tensorName() + "." + name
	}
	return "write " + c.tensorName() + "." + name + "(" + strings.Join(args, ", ") + ")"
}

func calleeName(call *ast.CallExpr) string {
	if call == nil {
		return ""
	}
	if id, ok := call.Fun.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// mathNames are what the library calls functions of package math, where not the same.
var mathNames = map[string]string{"Max": "Maximum", "Min": "Minimum", "Mod": "Rem", "RoundToEven": "Round", "Round": "RoundAway"}

// hintNumber is for a tensor where Go has a number.
func (c *Cell) hintNumber(call *ast.CallExpr, m []string) string {
	if m[3] == "math" {
		name := m[4]
		if other, ok := mathNames[name]; ok {
			name = other
		}
		if pkg, err := c.Env.Import(c.TensorPath); err == nil && pkg.Scope().Lookup(name) != nil {
			return "of tensors it is " + c.tensorName() + "." + name
		}
	}
	method := map[string]string{"float64": "Float", "int": "Int", "bool": "Bool"}[m[2]]
	kind := "number"
	if m[2] == "bool" {
		kind = "bool"
	}
	return "the " + kind + " in a tensor of one element is " + m[1] + "." + method + "()"
}

// hintMember returns the member of the package that cells call pkg that a text
// means: "numpy" means promote.NumPy.
func (c *Cell) hintMember(pkg, text string) string {
	want := strings.ReplaceAll(text, "-", "")
	for _, name := range c.membersOf(pkg) {
		if strings.EqualFold(name, want) {
			return "write " + pkg + "." + name
		}
	}
	return ""
}

var longDType = regexp.MustCompile(`^(?:(u?int|float|complex)(\d+)|ui(\d+)|(bool|int|float|double|string))$`)

// hintDType returns the dtype that a text or a type of Go's means.
func (c *Cell) hintDType(text string) string {
	name := strings.ToUpper(text)
	if m := longDType.FindStringSubmatch(text); m != nil {
		switch {
		case m[1] != "":
			name = map[string]string{"uint": "U", "int": "I", "float": "F", "complex": "C"}[m[1]] + m[2]
		case m[3] != "":
			name = "U" + m[3]
		default:
			name = map[string]string{"bool": "I1", "int": "I64", "float": "F32", "double": "F64"}[m[4]]
		}
	}
	pkg, err := c.Env.Import(c.TensorPath)
	if err != nil || name == "" || pkg.Scope().Lookup(name) == nil {
		return ""
	}
	if _, ok := pkg.Scope().Lookup(name).(*types.Const); !ok {
		return ""
	}
	return "the dtype is " + c.tensorName() + "." + name
}

// hintKey is for a seed where a key is wanted.
func (c *Cell) hintKey(call *ast.CallExpr, m []string) string {
	if call == nil || len(call.Args) == 0 {
		return ""
	}
	name, seed := m[len(m)-1], Written(call.Args[0])
	return "the first argument is a key: random.Key(" + seed + "); a stream has its own: random.New(" + seed + ")." + name + "(" + c.tensorName() + ".Shape{3})"
}

// sameCall reports whether two errors are about one mistake in one call: whole
// numbers, the first where it wants a shape, or an option that is called.
func (c *Cell) sameCall(first, second types.Error) bool {
	switch {
	case strings.HasSuffix(second.Msg, "(no value) used as value"):
		call := c.callAround(first.Pos)
		return call != nil && call.Pos() == second.Pos && strings.Contains(first.Msg, " as *ops.")
	case strings.Contains(first.Msg, "Shape value in argument"):
		return (strings.Contains(second.Msg, "constant of type int") || strings.Contains(second.Msg, "Shape value in argument")) &&
			c.callAround(first.Pos) == c.callAround(second.Pos)
	}
	return false
}
