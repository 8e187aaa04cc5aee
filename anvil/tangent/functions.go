package tangent

// The functions of this file are those of the Registry of Default; in a notebook, of its
// session's.

// Accepts reports whether t is a tangent of value, a primal: whether AddTo(value, t) has
// a rule. A Thunk is accepted without being computed.
func Accepts(t, value any) bool { return Default().Accepts(t, value) }

// Accumulate adds t to what acc points to, or to the elements of the slice acc. An
// InplaceableThunk adds itself where the accumulator is of its type and can hold it: a
// tensor of floats. Otherwise the sum, projected to the accumulator, is stored in it; an
// any holds any sum and begins with nil. Other variables that hold the same tensor keep
// it as it is.
func Accumulate(acc, t any) { Default().Accumulate(acc, t) }

// Add returns a + b. Where one of them is of a type of this package, the first of these
// decides: NotImplemented, NoTangent, ZeroTangent, a thunk, Struct.
//
//	NotImplemented + x = NotImplemented
//	None + Zero        = None
//	None + x           = x
//	Zero + x           = x, the same value
//	thunk + x          = its value + x
//	Tangent{P} + Tangent{P} adds part by part
//
// A structural and a natural tangent of one type have a natural sum. Other values are
// added by the rules of RegisterAdd, then as numbers, tensors, or slices of them.
func Add(a, b any) any { return Default().Add(a, b) }

// AddTo returns the primal value p + t, of the type of p. Zero and None leave any value
// as it is. A structural tangent changes the fields that it has; the value is then made
// by the function that Constructor declared, else by setting its fields. An integer takes
// no fraction.
func AddTo(p, t any) any { return Default().AddTo(p, t) }

// Canonical returns t as the one type of tangent that p, a primal, has where each primal
// type has one tangent type, as in Swift: thunks are computed, Zero becomes zeros, a
// OneElement or Sparse a tensor, a structural tangent the first natural one that was
// declared, or one with all fields. Rules of RegisterConvert come first. It shows what
// that costs.
func Canonical(p, t any) any { return Default().Canonical(p, t) }

// CheckRule compares a rule with the function at args, as ChainRulesTestUtils' test_rrule
// does: the result with that of the function, and each tangent with difference quotients
// in a drawn direction, the same one each time. It returns an error that names what
// differs. An integer argument is an index: its tangent must be None or Zero.
func CheckRule(f any, args ...any) error { return Default().CheckRule(f, args...) }

// Constructor declares how a value of a struct type P is made of its fields, in order:
// make is a func(fields...) P, which may return an error besides. AddTo calls it; without
// one AddTo sets the fields, which must be exported.
func Constructor(make any) { Default().Constructor(make) }

// Debug sets whether Accumulate checks that an InplaceableThunk did what its value says.
func Debug(on bool) { Default().Debug(on) }

// DeclareNatural declares the type of natural tangents of a primal type P: add is a
// func(p P, t T) P, and diff a func(to, from P) T; either may return an error besides.
// Where T is an interface, tangents are values of the types that TypesFor is to list. It
// must hold that add(from, diff(to, from)) is to.
func DeclareNatural(add, diff any, tangents ...any) { Default().DeclareNatural(add, diff, tangents...) }

// Diff returns the tangent that leads from one primal value to another of the same type:
// AddTo(from, Diff(to, from)) is to. It is natural where a natural tangent is known, and
// else structural. Parts without a derivative, such as strings, must be equal.
func Diff(to, from any) any { return Default().Diff(to, from) }

// Dump returns the structure of a value as an indented tree: names, types, and the
// numbers at its leaves.
func Dump(value any) string { return Default().Dump(value) }

// Equal reports whether a and b are the same tangent. Thunks are computed; a part that is
// missing is Zero; numbers are equal across types; tangents of two primal types never
// are.
func Equal(a, b any) bool { return Default().Equal(a, b) }

// JVP returns f(args...) and its tangent in the direction of one tangent for each
// argument.
func JVP(f any, args, tangents []any) (out, tangent any) { return Default().JVP(f, args, tangents) }

// Mul returns a * b, elementwise of tensors. Where one of them is of a type of this
// package, the first of these decides: ZeroTangent, NoTangent, NotImplemented, a thunk,
// Struct.
//
//	Zero * x           = Zero, and a thunk x is not computed
//	None * x           = None
//	NotImplemented * x = NotImplemented
//	thunk * x          = its value * x
//	number * Tangent{P} multiplies part by part; two Structs have no product
func Mul(a, b any) any { return Default().Mul(a, b) }

// Natural returns the names of the declared types of natural tangents of the type of
// value.
func Natural(value any) []string { return Default().Natural(value) }

// New returns the structural tangent of the type of value, a primal, with the given
// parts: an F with the names of fields or properties, or the tangents of the elements in
// order.
func New(value any, parts ...any) Struct { return Default().New(value, parts...) }

// OverloadAdd declares the sum of two structural tangents of the type of value of which
// one has parts that are not fields: properties.
func OverloadAdd(value any, add func(a, b Struct) Struct) { Default().OverloadAdd(value, add) }

// Project returns t in the space of the tangents of a primal value p, as ChainRulesCore's
// ProjectTo does: a real p takes the real part, a tensor its dtype, which must have the
// shape of p, a struct projects its fields, and what has no derivative gives None.
// Integers count as real numbers. A Thunk stays one, and projects when it is computed.
func Project(p, t any) any { return Default().Project(p, t) }

// Properties declares that tangents of the type of value may be given by its properties,
// as {Q, R} of a QR whose fields are factors: convert returns the tangents of the fields
// from those of the properties, by the chain rule. Canonical and AddTo call it.
func Properties(value any, convert func(F) F) { Default().Properties(value, convert) }

// RegisterAdd declares a rule of Add: add is a func(a A, b B) C, which may return an
// error besides. It serves Add(b, a) too. A or B may be an interface: a rule that names
// the types themselves comes first, and two rules of interfaces that both fit are an
// error of Add.
func RegisterAdd(add any) { Default().RegisterAdd(add) }

// RegisterConvert declares how a tangent of another type becomes the tangent of the type
// of value that Canonical is to return: convert is a func(T) U.
func RegisterConvert(value, convert any) { Default().RegisterConvert(value, convert) }

// RegisterRule gives f a rule, under a name by which VJP finds it. rule takes the
// arguments of f and returns f(args...) and the pullback, a func(ct any) []any which
// returns the tangent of f itself, None if it captures nothing, and one for each
// argument. They may be of any tangent type: natural, structural, a Thunk, Zero, None.
func RegisterRule(name string, f, rule any) *Rule { return Default().RegisterRule(name, f, rule) }

// Scale returns s * t, where s is a number or a tensor of rank 0. A tangent of a defined
// integer type, such as a time.Duration, must stay exact.
func Scale(s, t any) any { return Default().Scale(s, t) }

// StructuralFor returns the structural tangent that has the numbers and tensors of value,
// a primal, and None for what has no derivative: strings, bools, functions, channels,
// locks and nil. A value that is a number or a tensor is its own tangent.
func StructuralFor(value any) any { return Default().StructuralFor(value) }

// Sub returns a - b. A NotImplemented on either side is an error: rules add tangents, and
// what subtracts them uses them.
func Sub(a, b any) any { return Default().Sub(a, b) }

// TypesFor returns the names of the tangent types of value, a primal: the natural ones,
// the structural one, and those that serve every primal type.
func TypesFor(value any) []string { return Default().TypesFor(value) }

// VJP returns f(args...) and its pullback, which takes a cotangent of the result to one
// tangent for each argument. f is a function of tensors and of structs, slices and maps
// of them, a *Rule, or the name of one that RegisterRule made.
//
// The tangent of an argument that the result does not depend on is Zero. In a structural
// tangent the parts without a tensor are None, as are integers, strings and functions. A
// number of Go is a constant of a function of tensors: its tangent is NotImplemented.
func VJP(f any, args ...any) (out any, pullback func(ct any) []any) { return Default().VJP(f, args...) }
