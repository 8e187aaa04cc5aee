package misuse

import (
	"context"
	"encoding/asn1"
	"encoding/json"
	"encoding/xml"
	"errors"
	html "html/template"
	"log/slog"
	"maps"
	"reflect"
	"slices"
	"testing"
	"text/template"
)

// TestFunctions checks that each replacement has the name and the type of the function that it replaces.
func TestFunctions(t *testing.T) {
	replaced := map[string]map[string]any{
		"context":       {"WithValue": context.WithValue},
		"encoding/asn1": {"Marshal": asn1.Marshal, "MarshalWithParams": asn1.MarshalWithParams},
		"encoding/json": {"Marshal": json.Marshal, "MarshalIndent": json.MarshalIndent},
		"encoding/xml":  {"Marshal": xml.Marshal, "MarshalIndent": xml.MarshalIndent},
		"errors":        {"Is": errors.Is},
		"html/template": {
			"HTMLEscaper": html.HTMLEscaper, "JSEscaper": html.JSEscaper, "URLQueryEscaper": html.URLQueryEscaper,
		},
		"log/slog": {"Any": slog.Any, "AnyValue": slog.AnyValue, "Group": slog.Group},
		"reflect":  {"DeepEqual": reflect.DeepEqual},
		"text/template": {
			"HTMLEscaper": template.HTMLEscaper, "JSEscaper": template.JSEscaper, "URLQueryEscaper": template.URLQueryEscaper,
		},
	}
	if got, want := slices.Sorted(maps.Keys(Functions)), slices.Sorted(maps.Keys(replaced)); !slices.Equal(got, want) {
		t.Errorf("packages %v, want %v", got, want)
	}
	for path, functions := range replaced {
		for name, f := range functions {
			if got, want := reflect.TypeOf(Functions[path][name]), reflect.TypeOf(f); got != want {
				t.Errorf("%s.%s is replaced by a %v, want %v", path, name, got, want)
			}
		}
		if len(functions) != len(Functions[path]) {
			t.Errorf("%s: %d replacements, want %d", path, len(Functions[path]), len(functions))
		}
	}
}
