package main

import "github.com/goanvil/notebook/anvil/promote"

// otherSystems are the systems for comparison, by system and operation.
var otherSystems = map[[2]string]*promote.System{
	{"julia", "promote_type"}: promote.Julia,
	{"mlx", "add"}:            promote.MLX,
	{"polars", "add"}:         promote.Polars,
	{"polars", "supertype(concat vertical_relaxed)"}: promote.PolarsSupertype,
	{"pyarrow", "add"}:                       promote.Arrow,
	{"pyarrow", "unify_schemas(permissive)"}: promote.ArrowUnify,
}

// otherOperations are the systems that have operations besides, by name.
var otherOperations = map[string]*promote.System{"mlx": promote.MLX, "polars": promote.Polars, "pyarrow": promote.Arrow}

func otherRow(r row) row {
	if s, ok := otherSystems[[2]string{r.text("system"), r.text("op")}]; ok {
		return join(s)(r)
	}
	s, ok := otherOperations[r.text("system")]
	if ok && r.text("op") == "expr" {
		return otherValue(r)
	}
	if !ok || r.text("a") == "" {
		return row{"unsupported": "no rows of " + r.text("op") + " of " + r.text("system") + " are answered"}
	}
	return operation(s)(r)
}
