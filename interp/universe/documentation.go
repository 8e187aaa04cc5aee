package universe

import (
	"compress/gzip"
	_ "embed"
	"io"
	"strings"
	"sync"
)

// A Doc is the documentation of one symbol.
type Doc struct {
	Text    string // the doc comment
	Decl    string // the declaration, for types only
	Example string // code that uses the symbol
}

var (
	docMu    sync.Mutex
	docCache = map[string]map[string]string{}
)

// DocOf returns the documentation of a package's symbol, or the zero Doc if there is none. name is "F", "T",
// "T.Method", "T.Field", or "" for the package itself. The path "builtin" stands for the predeclared names.
func DocOf(path, name string) Doc {
	full, ok := Resolve(path)
	if !ok && path == "builtin" {
		full, ok = path, true
	}
	if !ok {
		return Doc{}
	}
	docMu.Lock()
	defer docMu.Unlock()
	if docCache[full] == nil {
		docCache[full] = readDoc(full)
	}
	section := name
	if name == "" {
		section = "package"
	}
	return Doc{
		Text:    unindent(docCache[full][section]),
		Decl:    unindent(docCache[full]["type "+name]),
		Example: exampleOf(Short(full), name),
	}
}

//go:embed examples.txt
var exampleText string

// examples returns the examples of examples.txt by package and symbol.
var examples = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	path := ""
	for line := range strings.Lines(exampleText) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || line[0] == '#':
		case line[0] == '[':
			path = strings.Trim(line, "[]")
			all[path] = map[string]string{}
		default:
			name, code, _ := strings.Cut(line, "\t")
			all[path][name] = strings.TrimSpace(code)
		}
	}
	return all
})

// exampleOf returns the example of a symbol, or "". A method of Tensor or Lib without an example of its own has the
// example of the function with the same name.
func exampleOf(path, symbol string) string {
	bySymbol := examples()[path]
	if code := bySymbol[symbol]; code != "" {
		return code
	}
	if owner, method, ok := strings.Cut(symbol, "."); ok && (owner == "Tensor" || owner == "Lib") {
		return bySymbol[method]
	}
	return ""
}

// readDoc returns the sections of a package's documentation by name. In the file, a line that is not indented is the
// name of a section, and the indented lines below it are its text.
func readDoc(path string) map[string]string {
	rest := docFile("doc/" + Short(path) + ".txt")
	sections := map[string]string{}
	for rest != "" {
		name, below, _ := strings.Cut(rest, "\n")
		end := 0
		for end < len(below) && (below[end] == '\t' || below[end] == '\n') {
			end += strings.IndexByte(below[end:], '\n') + 1
		}
		sections[name], rest = below[:end], below[end:]
	}
	return sections
}

// docFile returns the content of a file of documentation. The files of packages outside this module are compressed.
// docFile ignores errors, since a test reads all files.
func docFile(name string) string {
	if text, err := files.ReadFile(name); err == nil {
		return string(text)
	}
	packed, err := files.Open(name + ".gz")
	if err != nil {
		return ""
	}
	defer packed.Close()
	var text strings.Builder
	if z, err := gzip.NewReader(packed); err == nil {
		_, _ = io.Copy(&text, z)
	}
	return text.String()
}

// unindent removes a tab from each line of section, and a final newline.
func unindent(section string) string {
	return strings.TrimSuffix(strings.ReplaceAll("\n"+section, "\n\t", "\n")[1:], "\n")
}
