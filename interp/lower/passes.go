package lower

// passes in the order in which they run, each over the result of the last.
var passes = []Pass{}

// aidTables are the compiled functions that lowered code calls, see [Aid].
var aidTables = []map[string]any{}
