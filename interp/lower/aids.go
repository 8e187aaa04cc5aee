package lower

import (
	"fmt"
	"go/token"
	"go/types"
	"reflect"

	"github.com/goanvil/notebook/interp/check"
)

// Aid returns the package of aids, and the aids by name. Aids are the functions that lowered code calls; session holds
// those of a session. The types of their parameters and results are any, struct{}, predeclared types, exported types of
// packages that importer knows, and slices, pointers, channels and functions of these. An aid that accepts values of
// every type has a parameter of type any.
func Aid(importer types.Importer, session map[string]any) (*types.Package, map[string]reflect.Value, error) {
	pkg := types.NewPackage(check.AidPath, "aid")
	symbols := map[string]reflect.Value{}
	for name, fn := range session {
		v := reflect.ValueOf(fn)
		t, err := typeOf(importer, v.Type())
		if err != nil {
			return nil, nil, fmt.Errorf("aid %s: %w", name, err)
		}
		pkg.Scope().Insert(types.NewFunc(token.NoPos, pkg, name, t.(*types.Signature)))
		symbols[name] = v
	}
	pkg.MarkComplete()
	return pkg, symbols, nil
}

// typeOf returns t as a type of go/types.
func typeOf(importer types.Importer, t reflect.Type) (types.Type, error) {
	if t.PkgPath() != "" {
		pkg, err := importer.Import(t.PkgPath())
		if err != nil {
			return nil, err
		}
		obj := pkg.Scope().Lookup(t.Name())
		if obj == nil {
			return nil, fmt.Errorf("no type %v", t)
		}
		return obj.Type(), nil
	}
	if t.Name() != "" {
		return types.Universe.Lookup(t.Name()).Type(), nil
	}
	return compositeOf(importer, t)
}

// compositeOf returns the unnamed type t as a type of go/types.
func compositeOf(importer types.Importer, t reflect.Type) (types.Type, error) {
	switch t.Kind() {
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return types.Universe.Lookup("any").Type(), nil
		}
	case reflect.Struct:
		if t.NumField() == 0 {
			return types.NewStruct(nil, nil), nil
		}
	case reflect.Chan:
		elem, err := typeOf(importer, t.Elem())
		if err != nil {
			return nil, err
		}
		return types.NewChan(types.SendRecv, elem), nil
	case reflect.Func:
		return signatureOf(importer, t)
	case reflect.Slice, reflect.Pointer:
		elem, err := typeOf(importer, t.Elem())
		if err != nil {
			return nil, err
		}
		if t.Kind() == reflect.Slice {
			return types.NewSlice(elem), nil
		}
		return types.NewPointer(elem), nil
	}
	return nil, fmt.Errorf("%v: an aid cannot have this type", t)
}

// signatureOf returns the function type t as a type of go/types.
func signatureOf(importer types.Importer, t reflect.Type) (types.Type, error) {
	params := make([]*types.Var, t.NumIn())
	for i := range params {
		p, err := typeOf(importer, t.In(i))
		if err != nil {
			return nil, err
		}
		params[i] = types.NewParam(token.NoPos, nil, "", p)
	}
	results := make([]*types.Var, t.NumOut())
	for i := range results {
		r, err := typeOf(importer, t.Out(i))
		if err != nil {
			return nil, err
		}
		results[i] = types.NewParam(token.NoPos, nil, "", r)
	}
	in, out := types.NewTuple(params...), types.NewTuple(results...)
	return types.NewSignatureType(nil, nil, nil, in, out, t.IsVariadic()), nil
}
