package misuse

import (
	"encoding/asn1"
	"encoding/json"
	"encoding/xml"
	"io"
	"log"
	"reflect"
	"text/template"
)

// Functions has the replacements of functions, by the path of their package and their name. The replacements check that
// their arguments do not nest too deeply.
var Functions = map[string]map[string]any{
	"context":       {"WithValue": withValue},
	"encoding/asn1": {"Marshal": marshalASN1, "MarshalWithParams": marshalASN1WithParams},
	"encoding/json": {
		"Marshal":       marshal("json", handlesCycles, json.Marshal),
		"MarshalIndent": marshalIndent("json", handlesCycles, json.MarshalIndent),
	},
	"encoding/xml": {
		"Marshal":       marshal("xml", !handlesCycles, xml.Marshal),
		"MarshalIndent": marshalIndent("xml", !handlesCycles, xml.MarshalIndent),
	},
	"errors":   {"Is": isError},
	"log/slog": {"Any": slogAny, "AnyValue": slogValue, "Group": slogGroup},
	"reflect":  {"DeepEqual": deepEqual},

	"html/template": escapers,
	"text/template": escapers,
}

var escapers = map[string]any{
	"HTMLEscaper":     escaper(template.HTMLEscaper),
	"JSEscaper":       escaper(template.JSEscaper),
	"URLQueryEscaper": escaper(template.URLQueryEscaper),
}

// handlesCycles is the last argument of tooDeep for functions that accept values that contain themselves.
const handlesCycles = true

func marshalASN1(v any) ([]byte, error) { return marshalASN1WithParams(v, "") }

func marshalASN1WithParams(v any, params string) ([]byte, error) {
	if err := tooDeep("asn1", v, !handlesCycles); err != nil {
		return nil, err
	}
	return asn1.MarshalWithParams(v, params)
}

// marshal returns f with a check that its argument does not nest too deeply. prefix and cycles are arguments of tooDeep.
func marshal(prefix string, cycles bool, f func(v any) ([]byte, error)) func(v any) ([]byte, error) {
	return func(v any) ([]byte, error) {
		if err := tooDeep(prefix, v, cycles); err != nil {
			return nil, err
		}
		return f(v)
	}
}

// marshalIndent is marshal for functions that indent.
func marshalIndent(
	prefix string, cycles bool, f func(v any, prefix, indent string) ([]byte, error),
) func(v any, prefix, indent string) ([]byte, error) {
	return func(v any, linePrefix, indent string) ([]byte, error) {
		if err := tooDeep(prefix, v, cycles); err != nil {
			return nil, err
		}
		return f(v, linePrefix, indent)
	}
}

// encode is marshal for the method Encode of E.
func encode[E interface{ Encode(v any) error }](prefix string, cycles bool) func(e E, v any) error {
	return func(e E, v any) error {
		if err := tooDeep(prefix, v, cycles); err != nil {
			return err
		}
		return e.Encode(v)
	}
}

func deepEqual(x, y any) bool {
	for _, v := range [...]any{x, y} {
		if err := tooDeep("reflect.DeepEqual", v, handlesCycles); err != nil {
			panic(err)
		}
	}
	return reflect.DeepEqual(x, y)
}

// notPrintable returns an error if a template cannot print data because data contains itself or nests too deeply.
func notPrintable(data any) error {
	if endless(data) {
		return tooDeep("template", data, !handlesCycles)
	}
	return nil
}

// A templater is a template of package text/template or html/template.
type templater interface {
	Execute(w io.Writer, data any) error
	ExecuteTemplate(w io.Writer, name string, data any) error
}

func execute[T templater](t T, w io.Writer, data any) error {
	if err := notPrintable(data); err != nil {
		return err
	}
	return t.Execute(w, data)
}

func executeNamed[T templater](t T, w io.Writer, name string, data any) error {
	if err := notPrintable(data); err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, data)
}

// withFuncs returns f, the method Funcs of a template, for functions that are checked by printableResult.
func withFuncs[T any](f func(T, template.FuncMap) T) func(T, template.FuncMap) T {
	return func(t T, functions template.FuncMap) T {
		checked := template.FuncMap{}
		for name, function := range functions {
			checked[name] = printableResult(function)
		}
		return f(t, checked)
	}
}

// printableResult returns f, a function of a template, but if its result cannot be printed, it panics with an error,
// which ends the execution of the template.
func printableResult(f any) any {
	v := reflect.ValueOf(f)
	if v.Kind() != reflect.Func || v.IsNil() || v.Type().NumOut() == 0 || !canNest(v.Type().Out(0)) {
		return f
	}
	return reflect.MakeFunc(v.Type(), func(args []reflect.Value) (results []reflect.Value) {
		if v.Type().IsVariadic() {
			results = v.CallSlice(args)
		} else {
			results = v.Call(args)
		}
		if err := notPrintable(results[0].Interface()); err != nil {
			panic(err)
		}
		return results
	}).Interface()
}

// escaper returns a function that calls f with Printable(args).
func escaper(f func(...any) string) func(...any) string {
	return func(args ...any) string { return f(Printable(args)...) }
}

// withPrintable returns a function that calls f with Printable(args).
func withPrintable(f func(*log.Logger, ...any)) func(*log.Logger, ...any) {
	return func(l *log.Logger, args ...any) { f(l, Printable(args)...) }
}

// withPrintableFormat is withPrintable for methods with a format.
func withPrintableFormat(f func(*log.Logger, string, ...any)) func(*log.Logger, string, ...any) {
	return func(l *log.Logger, format string, args ...any) { f(l, format, Printable(args)...) }
}
