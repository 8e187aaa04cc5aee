package misuse

import (
	"encoding/asn1"
	"encoding/gob"
	"encoding/json"
	"encoding/xml"
	html "html/template"
	"io"
	"log"
	"log/slog"
	"reflect"
	"text/template"
)

// Functions has the replacements of functions, by the path of their package and their name. The replacements check that
// their arguments do not nest too deeply.
var Functions = map[string]map[string]any{
	"context":       {"WithValue": withValue},
	"encoding/asn1": {"Marshal": marshalASN1, "MarshalWithParams": marshalASN1WithParams},
	"encoding/json": {"Marshal": marshalJSON, "MarshalIndent": marshalIndentJSON},
	"encoding/xml":  {"Marshal": marshalXML, "MarshalIndent": marshalIndentXML},
	"errors":        {"Is": isError},
	"reflect":       {"DeepEqual": deepEqual},
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

func marshalJSON(v any) ([]byte, error) {
	if err := tooDeep("json", v, handlesCycles); err != nil {
		return nil, err
	}
	return json.Marshal(v)
}

func marshalIndentJSON(v any, prefix, indent string) ([]byte, error) {
	if err := tooDeep("json", v, handlesCycles); err != nil {
		return nil, err
	}
	return json.MarshalIndent(v, prefix, indent)
}

func marshalXML(v any) ([]byte, error) {
	if err := tooDeep("xml", v, !handlesCycles); err != nil {
		return nil, err
	}
	return xml.Marshal(v)
}

func marshalIndentXML(v any, prefix, indent string) ([]byte, error) {
	if err := tooDeep("xml", v, !handlesCycles); err != nil {
		return nil, err
	}
	return xml.MarshalIndent(v, prefix, indent)
}

func encodeGob(e *gob.Encoder, v any) error {
	if err := tooDeep("gob", v, !handlesCycles); err != nil {
		return err
	}
	return e.Encode(v)
}

func encodeJSON(e *json.Encoder, v any) error {
	if err := tooDeep("json", v, handlesCycles); err != nil {
		return err
	}
	return e.Encode(v)
}

func encodeXML(e *xml.Encoder, v any) error {
	if err := tooDeep("xml", v, !handlesCycles); err != nil {
		return err
	}
	return e.Encode(v)
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

func executeText(t *template.Template, w io.Writer, data any) error {
	if err := notPrintable(data); err != nil {
		return err
	}
	return t.Execute(w, data)
}

func executeNamedText(t *template.Template, w io.Writer, name string, data any) error {
	if err := notPrintable(data); err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, data)
}

func executeHTML(t *html.Template, w io.Writer, data any) error {
	if err := notPrintable(data); err != nil {
		return err
	}
	return t.Execute(w, data)
}

func executeNamedHTML(t *html.Template, w io.Writer, name string, data any) error {
	if err := notPrintable(data); err != nil {
		return err
	}
	return t.ExecuteTemplate(w, name, data)
}

// withPrintable returns a function that calls f with Printable(args).
func withPrintable(f func(*log.Logger, ...any)) func(*log.Logger, ...any) {
	return func(l *log.Logger, args ...any) { f(l, Printable(args)...) }
}

// withPrintableFormat is withPrintable for methods with a format.
func withPrintableFormat(f func(*log.Logger, string, ...any)) func(*log.Logger, string, ...any) {
	return func(l *log.Logger, format string, args ...any) { f(l, format, Printable(args)...) }
}

// withPrintableRecord is withPrintable for methods of slog.Logger.
func withPrintableRecord(f func(*slog.Logger, string, ...any)) func(*slog.Logger, string, ...any) {
	return func(l *slog.Logger, message string, args ...any) { f(l, message, Printable(args)...) }
}

func logWith(l *slog.Logger, args ...any) *slog.Logger { return l.With(Printable(args)...) }
