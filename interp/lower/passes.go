package lower

// passes in the order in which they run, each over the result of the last.
var passes = []Pass{{Name: "functions", Run: assignFunctions}}

// aidTables are the compiled functions that lowered code calls, see [Aid].
var aidTables = []map[string]any{}
