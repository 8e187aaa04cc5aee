package cell

import (
	"go/ast"
	"go/token"
	"strconv"

	"golang.org/x/tools/go/ast/astutil"
)

// Ident returns an identifier at pos.
func Ident(pos token.Pos, name string) *ast.Ident { return &ast.Ident{NamePos: pos, Name: name} }

// String returns a string literal at pos.
func String(pos token.Pos, s string) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.STRING, Value: strconv.Quote(s)}
}

// Int returns an integer literal at pos.
func Int(pos token.Pos, n int) ast.Expr {
	return &ast.BasicLit{ValuePos: pos, Kind: token.INT, Value: strconv.Itoa(n)}
}

// Call returns a call of fun.
func Call(fun ast.Expr, args ...ast.Expr) *ast.CallExpr {
	return &ast.CallExpr{Fun: fun, Args: args, Lparen: fun.Pos(), Rparen: fun.Pos()}
}

// Block returns list as one statement that replaces s.
func Block(s ast.Stmt, list []ast.Stmt) ast.Stmt {
	if len(list) == 1 {
		return list[0]
	}
	return &ast.BlockStmt{Lbrace: s.Pos(), List: list, Rbrace: s.End()}
}

// IsBlank reports whether e is the blank identifier.
func IsBlank(e ast.Expr) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == "_"
}

// Rewrite calls leave for n and each node below it, after their children, and replaces each node other than n by
// the result.
func Rewrite(n ast.Node, leave func(ast.Node) ast.Node) {
	astutil.Apply(n, nil, func(at *astutil.Cursor) bool {
		if old := at.Node(); old != nil {
			if fresh := leave(old); fresh != old {
				at.Replace(fresh)
			}
		}
		return true
	})
}

// ReceiverType returns the name of the type that a method is declared on, or "" for a function.
func ReceiverType(f *ast.FuncDecl) string {
	if f.Recv == nil || len(f.Recv.List) == 0 {
		return ""
	}
	t := ast.Unparen(f.Recv.List[0].Type)
	if star, ok := t.(*ast.StarExpr); ok {
		t = ast.Unparen(star.X)
	}
	switch index := t.(type) {
	case *ast.IndexExpr:
		t = index.X
	case *ast.IndexListExpr:
		t = index.X
	}
	if id, ok := t.(*ast.Ident); ok {
		return id.Name
	}
	return ""
}

// FunctionName returns the name of a function, or Type.Method for a method.
func FunctionName(f *ast.FuncDecl) string {
	if name := ReceiverType(f); name != "" {
		return name + "." + f.Name.Name
	}
	return f.Name.Name
}
