package erase

import (
	"go/types"
)

// typeArgs is what the type parameters of an instance stand for.
type typeArgs map[*types.TypeParam]types.Type

// subst returns t with its type parameters replaced.
func (u *unit) subst(env typeArgs, t types.Type) types.Type {
	if len(env) == 0 || t == nil {
		return t
	}
	sub := func(t types.Type) types.Type { return u.subst(env, t) }
	switch t := t.(type) {
	case *types.TypeParam:
		if a, ok := env[t]; ok {
			return a
		}
	case *types.Alias:
		return sub(types.Unalias(t))
	case *types.Named:
		return u.substNamed(env, t)
	case *types.Pointer:
		return types.NewPointer(sub(t.Elem()))
	case *types.Slice:
		return types.NewSlice(sub(t.Elem()))
	case *types.Array:
		return types.NewArray(sub(t.Elem()), t.Len())
	case *types.Chan:
		return types.NewChan(t.Dir(), sub(t.Elem()))
	case *types.Map:
		return types.NewMap(sub(t.Key()), sub(t.Elem()))
	case *types.Tuple:
		return u.substTuple(env, t)
	case *types.Signature:
		return types.NewSignatureType(nil, nil, nil, u.substTuple(env, t.Params()), u.substTuple(env, t.Results()), t.Variadic())
	case *types.Struct:
		fields := make([]*types.Var, t.NumFields())
		tags := make([]string, t.NumFields())
		for i := range fields {
			f := t.Field(i)
			fields[i] = types.NewField(f.Pos(), f.Pkg(), f.Name(), sub(f.Type()), f.Embedded())
			tags[i] = t.Tag(i)
		}
		return types.NewStruct(fields, tags)
	case *types.Interface:
		return u.substInterface(env, t)
	}
	return t
}

func (u *unit) substTuple(env typeArgs, t *types.Tuple) *types.Tuple {
	if t == nil {
		return nil
	}
	vars := make([]*types.Var, t.Len())
	for i := range vars {
		v := t.At(i)
		vars[i] = types.NewVar(v.Pos(), v.Pkg(), v.Name(), u.subst(env, v.Type()))
	}
	return types.NewTuple(vars...)
}

func (u *unit) substNamed(env typeArgs, t *types.Named) types.Type {
	n := t.TypeArgs().Len()
	if n == 0 {
		return t
	}
	args := make([]types.Type, n)
	for i := range args {
		args[i] = u.subst(env, t.TypeArgs().At(i))
	}
	inst, err := types.Instantiate(u.types, t.Origin(), args, false)
	if err != nil {
		panic(err)
	}
	return inst
}

func (u *unit) substInterface(env typeArgs, t *types.Interface) types.Type {
	if t.NumMethods() == 0 {
		return t
	}
	var methods []*types.Func
	for m := range t.Methods() {
		methods = append(methods, types.NewFunc(m.Pos(), m.Pkg(), m.Name(), u.subst(env, m.Type()).(*types.Signature)))
	}
	i := types.NewInterfaceType(methods, nil)
	i.Complete()
	return i
}
