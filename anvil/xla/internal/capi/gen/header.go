package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// Patterns for the parts of the header that are read.
var (
	comments    = regexp.MustCompile(`(?s)//[^\n]*|/\*.*?\*/`)
	version     = regexp.MustCompile(`#define PJRT_API_(MAJOR|MINOR) (\d+)`)
	structBody  = regexp.MustCompile(`(?s)(?:typedef )?struct (PJRT_\w+) \{(.*?)\n\}`)
	apiField    = regexp.MustCompile(`_PJRT_API_STRUCT_FIELD\((PJRT_\w+)\);`)
	enumBody    = regexp.MustCompile(`(?s)typedef enum \{(.*?)\} (PJRT_\w+);`)
	functionPtr = regexp.MustCompile(`\(\*(\w+)\)\(`)
	unionField  = regexp.MustCompile(`(?s)union \{\s*[^;]*?(\w+);.*?\}`)
	spaces      = regexp.MustCompile(`\s+`)
	firstWord   = regexp.MustCompile(`^\w+`)
)

// enums are the C enums whose constants the table contains.
var enums = map[string]bool{
	"PJRT_Error_Code": true, "PJRT_Buffer_Type": true, "PJRT_NamedValue_Type": true,
	"PJRT_HostBufferSemantics": true,
}

// measure returns the table of layouts for the header file. It compiles and runs a C program that prints the table.
func measure(header string) ([]byte, error) {
	raw, err := os.ReadFile(header)
	if err != nil {
		return nil, err
	}
	path, err := filepath.Abs(header)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "capigen")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	source, binary := filepath.Join(dir, "measure.c"), filepath.Join(dir, "measure")
	program := measuringProgram(path, comments.ReplaceAllString(string(raw), ""))
	if err := os.WriteFile(source, program, 0o644); err != nil {
		return nil, err
	}
	if out, err := exec.Command("cc", "-o", binary, source).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("cc: %w\n%s", err, out)
	}
	return exec.Command(binary).Output()
}

// measuringProgram returns a C program that prints the table of layouts for the header at path, whose
// text without comments is header.
func measuringProgram(path, header string) []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "#include <stdio.h>\n#include %q\nint main(void) {\n", path)
	for _, m := range version.FindAllStringSubmatch(header, -1) {
		fmt.Fprintf(&b, "printf(\"%s %s\\n\");\n", strings.ToLower(m[1]), m[2])
	}
	for _, m := range enumBody.FindAllStringSubmatch(header, -1) {
		if enums[m[2]] {
			measureEnum(&b, m[1])
		}
	}
	for i, m := range apiField.FindAllStringSubmatch(header, -1) {
		fmt.Fprintf(&b, "printf(\"func %d %s\\n\");\n", i, m[1])
	}
	for _, m := range structBody.FindAllStringSubmatch(header, -1) {
		if m[1] != "PJRT_Api" {
			measureStruct(&b, m[1], m[2])
		}
	}
	b.WriteString("return 0;\n}\n")
	return b.Bytes()
}

// measureEnum writes statements that print the constants of an enum.
func measureEnum(b *bytes.Buffer, body string) {
	for _, entry := range strings.Split(body, ",") {
		if name := firstWord.FindString(strings.TrimSpace(entry)); name != "" {
			fmt.Fprintf(b, "printf(\"enum %s %%d\\n\", (int)%s);\n", name, name)
		}
	}
}

// measureStruct writes statements that print the size of a struct and the offsets of its fields.
func measureStruct(b *bytes.Buffer, name, body string) {
	fmt.Fprintf(b, "printf(\"struct %s %%zu\\n\", sizeof(struct %s));\n", name, name)
	body = unionField.ReplaceAllString(body, "union $1")
	for _, field := range strings.Split(body, ";") {
		field = strings.TrimSpace(spaces.ReplaceAllString(field, " "))
		if field == "" {
			continue
		}
		fieldName, class := classify(field)
		fmt.Fprintf(b, "printf(\"field %s %%zu %s\\n\", offsetof(struct %s, %s));\n", fieldName, class, name, fieldName)
	}
}

// classify returns the name and the class of a field, given its declaration in C. The class is
// "callback" for a function pointer, and otherwise the C type without const, struct and spaces.
func classify(field string) (name, class string) {
	if m := functionPtr.FindStringSubmatch(field); m != nil {
		return m[1], "callback"
	}
	field = strings.ReplaceAll(strings.ReplaceAll(field, "const ", ""), "struct ", "")
	field = strings.ReplaceAll(field, "const*", "*")
	cut := strings.LastIndexAny(field, " *")
	return field[cut+1:], strings.ReplaceAll(field[:cut+1], " ", "")
}
