package lower

import (
	"fmt"
	"go/types"
	"strings"
	"unicode"
)

// foreign are names that NumPy, JAX or PyTorch have for what the library calls
// otherwise, in small letters without underscores. What begins with a small
// letter is written as it stands.
var foreign = map[string]string{
	"array": "New", "asarray": "New", "empty": "Zeros", "fill": "Full", "identity": "Eye",
	"cat": "Concatenate", "concat": "Concatenate", "mm": "MatMul", "bmm": "MatMul",
	"cast": "AsType", "to": "AsType", "view": "Reshape", "ravel": "Flatten",
	"unsqueeze": "ExpandDims", "permute": "Transpose", "expand": "BroadcastTo", "ndim": "Rank", "dim": "Rank", "numel": "Size",
	"tolist": "Values", "numpy": "Values", "tonumpy": "Values",
	"multiply": "Mul", "divide": "Div", "subtract": "Sub", "negative": "Neg", "power": "Pow", "absolute": "Abs", "mod": "Rem", "remainder": "Rem",
	"fabs": "Abs", "rint": "Round", "fix": "Trunc", "clip": "Clamp", "sigmoid": "Logistic", "expit": "Logistic", "swish": "Silu",
	"arcsin": "Asin", "arccos": "Acos", "arctan": "Atan", "arctan2": "Atan2", "arcsinh": "Asinh", "arccosh": "Acosh", "arctanh": "Atanh",
	"equal": "Eq", "notequal": "Ne", "greater": "Gt", "greaterequal": "Ge", "less": "Lt", "lessequal": "Le",
	"logicaland": "And", "logicalor": "Or", "logicalxor": "Xor", "bitwiseand": "And", "bitwiseor": "Or", "bitwisexor": "Xor", "invert": "Not",
	"leftshift": "Shl", "rightshift": "Shr", "amax": "Max", "amin": "Min", "gammaln": "Lgamma",
	"select": "Where", "whileloop": "While", "foriloop": "ForI", "pinverse": "PInv",
	"load": "ReadNPY", "save": "WriteNPY", "savez": "WriteNPZ", "imread": "ReadImage", "imsave": "WriteImage", "loadtxt": "ReadCSV", "savetxt": "WriteCSV",
	"readfeather": "ReadArrow", "tofeather": "WriteArrow", "blockuntilready": "Wait",
	"random": "random.New(42)", "rand": "random.New(42)", "randn": "random.New(42)", "seed": "random.New(42)", "manualseed": "random.New(42)",
}

// hintForeign returns what to write for a name that another library has; x is what
// a method of it was selected of, "" for a function.
func (c *Cell) hintForeign(name, x string) string {
	own, ok := foreign[strings.ToLower(strings.ReplaceAll(name, "_", ""))]
	switch {
	case !ok:
		return ""
	case unicode.IsLower(rune(own[0])):
		return "write " + own
	case x == "" && c.has(own):
		return "write " + c.tensorName() + "." + own
	case c.hasMethod(own):
		return "write " + max(x, "x") + "." + own
	case c.has(own):
		return "write " + c.tensorName() + "." + own
	}
	return ""
}

// has reports whether the library exports name.
func (c *Cell) has(name string) bool {
	pkg, err := c.Env.Import(c.tensorPath)
	return err == nil && pkg.Scope().Lookup(name) != nil
}

// methods returns the names of the methods of tensors.
func (c *Cell) methods() (names []string) {
	if c.Tensor == nil {
		return nil
	}
	set := types.NewMethodSet(types.NewPointer(c.Tensor))
	for i := range set.Len() {
		if m := set.At(i).Obj(); m.Exported() {
			names = append(names, m.Name())
		}
	}
	return names
}

func (c *Cell) hasMethod(name string) bool {
	for _, m := range c.methods() {
		if m == name {
			return true
		}
	}
	return false
}

// hintMethod suggests what may have been meant by a method that tensors lack.
func (c *Cell) hintMethod(x, name string) string {
	if text := c.hintForeign(name, x); text != "" {
		return text
	}
	if near := nearest(name, c.methods()); near != "" {
		return fmt.Sprintf("did you mean %s.%s?", x, near)
	}
	return ""
}
