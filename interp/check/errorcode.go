package check

import (
	"go/token"
	"go/types"
	"reflect"
	"strings"
)

// A Code is the kind of an error of go/types. It is the name of a constant of the standard library's package
// internal/types/errors, such as "UndeclaredName".
type Code string

// CodeOf returns the code of e, or "" if e has no code or one that this package does not know.
//
// go/types keeps the number of the code in an unexported field. CodeOf reads it by reflection, as golang.org/x/tools
// does. The numbers do not change between releases of Go.
func CodeOf(e types.Error) Code {
	if n := int(hidden(e, "go116code")); 0 < n && n < len(codes) && codes[n] != "_" {
		return Code(codes[n])
	}
	return ""
}

// IsCode reports whether CodeOf can return name.
func IsCode(name string) bool {
	for _, code := range codes {
		if code == name {
			return name != "_"
		}
	}
	return false
}

// Span returns the start and the end of the syntax that e is about. Both are the position of e if go/types does not
// record them.
func Span(e types.Error) (from, to token.Pos) {
	from, to = token.Pos(hidden(e, "go116start")), token.Pos(hidden(e, "go116end"))
	if !from.IsValid() || to < from {
		return e.Pos, e.Pos
	}
	return from, to
}

// hidden returns the integer in an unexported field of e, or 0 if there is no such field.
func hidden(e types.Error, field string) int64 {
	if v := reflect.ValueOf(e).FieldByName(field); v.IsValid() && v.CanInt() {
		return v.Int()
	}
	return 0
}

// codes has the name of each code at the index that is its number. At numbers that are not in use, it has _.
var codes = strings.Fields(`
	_ Test BlankPkgName MismatchedPkgName InvalidPkgUse BadImportPath BrokenImport ImportCRenamed UnusedImport
	InvalidInitCycle DuplicateDecl InvalidDeclCycle InvalidTypeCycle InvalidConstInit InvalidConstVal
	InvalidConstType UntypedNilUse WrongAssignCount UnassignableOperand NoNewVar MultiValAssignOp InvalidIfaceAssign
	InvalidChanAssign IncompatibleAssign UnaddressableFieldAssign NotAType InvalidArrayLen BlankIfaceMethod
	IncomparableMapKey _ InvalidPtrEmbed BadRecv InvalidRecv DuplicateFieldAndMethod DuplicateMethod InvalidBlank
	InvalidIota MissingInitBody InvalidInitSig InvalidInitDecl InvalidMainDecl TooManyValues NotAnExpr
	TruncatedFloat NumericOverflow UndefinedOp MismatchedTypes DivByZero NonNumericIncDec UnaddressableOperand
	InvalidIndirection NonIndexableOperand InvalidIndex SwappedSliceIndices NonSliceableOperand InvalidSliceExpr
	InvalidShiftCount InvalidShiftOperand InvalidReceive InvalidSend DuplicateLitKey MissingLitKey InvalidLitIndex
	OversizeArrayLit MixedStructLit InvalidStructLit MissingLitField DuplicateLitField UnexportedLitField
	InvalidLitField UntypedLit InvalidLit AmbiguousSelector UndeclaredImportedName UnexportedName UndeclaredName
	MissingFieldOrMethod BadDotDotDotSyntax NonVariadicDotDotDot _ _ InvalidDotDotDot UncalledBuiltin InvalidAppend
	InvalidCap InvalidClose InvalidCopy InvalidComplex InvalidDelete InvalidImag InvalidLen SwappedMakeArgs
	InvalidMake InvalidReal InvalidAssert ImpossibleAssert InvalidConversion InvalidUntypedConversion
	BadOffsetofSyntax InvalidOffsetof UnusedExpr UnusedVar MissingReturn WrongResultCount OutOfScopeResult
	InvalidCond InvalidPostDecl _ InvalidIterVar InvalidRangeExpr MisplacedBreak MisplacedContinue
	MisplacedFallthrough DuplicateCase DuplicateDefault BadTypeKeyword InvalidTypeSwitch InvalidExprSwitch
	InvalidSelectCase UndeclaredLabel DuplicateLabel MisplacedLabel UnusedLabel JumpOverDecl JumpIntoBlock
	InvalidMethodExpr WrongArgCount InvalidCall UnusedResults InvalidDefer InvalidGo BadDecl RepeatedDecl
	InvalidUnsafeAdd InvalidUnsafeSlice UnsupportedFeature NotAGenericType WrongTypeArgCount CannotInferTypeArgs
	InvalidTypeArg InvalidInstanceCycle InvalidUnion MisplacedConstraintIface InvalidMethodTypeParams
	MisplacedTypeParam InvalidUnsafeSliceData InvalidUnsafeString _ InvalidClear TypeTooLarge InvalidMinMaxOperand
	TooNew
`)
