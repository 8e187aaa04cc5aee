package compile

import (
	"reflect"
	"unsafe"
)

// An adapter turns a closure into a Go function without reflect.MakeFunc, whose functions are slower to make and
// to call. One adapter serves all signatures that pass their parameters and results in the same way: a uint64
// stands for any integer or bool, an unsafe.Pointer for any pointer.
type adapter = func(*closure) unsafe.Pointer

// The types in the signatures of adapters; see shapeOf for their letters.
type (
	wordShape  = uint64
	ptrShape   = unsafe.Pointer
	floatShape = float64
	textShape  = string
	listShape  = slice
	anyShape   = iface
)

// shapeOf returns the letter of the shape in which values of type t are passed, or 0 if no shape fits.
func shapeOf(t reflect.Type) byte {
	switch classOf(t) {
	case pointerClass:
		return 'p'
	case stringClass:
		return 's'
	case interfaceClass:
		return 'a'
	case sliceClass:
		return 'l'
	case word1, word2, word4, word8:
		if k := t.Kind(); k == reflect.Float64 {
			return 'f'
		} else if k != reflect.Float32 {
			return 'w'
		}
	}
	return 0
}

// adapters holds the adapters by signature: the letters of the parameters, a colon, and the letter
// of the result, if any.
var adapters = map[string]adapter{}

// adapterFor returns the adapter for functions of type t, or nil.
func adapterFor(t reflect.Type) adapter {
	var key []byte
	for i := range t.NumIn() {
		key = append(key, shapeOf(t.In(i)))
	}
	key = append(key, ':')
	for i := range t.NumOut() {
		key = append(key, shapeOf(t.Out(i)))
	}
	return adapters[string(key)]
}

// addressOf returns the address of the function value f, which has function type.
func addressOf[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// setArg sets parameter i of the call that fr is for.
func setArg[T any](fr *frame, i int, v T) {
	*at[T](unsafe.Pointer(fr), fr.code.params[i].off) = v
}

// result returns the single result of the call that fr is for.
func result[T any](fr *frame) T { return *at[T](unsafe.Pointer(fr), fr.code.results[0].off) }

// The functions below add the adapters for at most two parameters and one result, for each combination of shapes. Their
// type parameters A, B and R are the shapes of the parameters and of the result, and a, b and r the letters of these
// shapes. There is no adapter for two parameters and a slice as the result.

func init() {
	adapters[":"] = func(c *closure) unsafe.Pointer {
		return addressOf(func() { fr := c.begin(); c.s.enter(fr); c.s.exit(fr) })
	}
	addResult0[wordShape]("w")
	addResult0[ptrShape]("p")
	addResult0[floatShape]("f")
	addResult0[textShape]("s")
	addResult0[listShape]("l")
	addResult0[anyShape]("a")
	addParams1[wordShape]("w")
	addParams1[ptrShape]("p")
	addParams1[floatShape]("f")
	addParams1[textShape]("s")
	addParams1[listShape]("l")
	addParams1[anyShape]("a")
}

// addResult0 adds the adapter for func() R.
func addResult0[R any](r string) {
	adapters[":"+r] = func(c *closure) unsafe.Pointer {
		return addressOf(func() R {
			fr := c.begin()
			c.s.enter(fr)
			v := result[R](fr)
			c.s.exit(fr)
			return v
		})
	}
}

// addParams1 adds the adapters for func(A), and for functions whose first parameter is an A and that have a result or a
// second parameter.
func addParams1[A any](a string) {
	adapters[a+":"] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A) {
			fr := c.begin()
			setArg(fr, 0, x)
			c.s.enter(fr)
			c.s.exit(fr)
		})
	}
	addResult1[A, wordShape](a, "w")
	addResult1[A, ptrShape](a, "p")
	addResult1[A, floatShape](a, "f")
	addResult1[A, textShape](a, "s")
	addResult1[A, listShape](a, "l")
	addResult1[A, anyShape](a, "a")
	addParams2[A, wordShape](a, "w")
	addParams2[A, ptrShape](a, "p")
	addParams2[A, floatShape](a, "f")
	addParams2[A, textShape](a, "s")
	addParams2[A, listShape](a, "l")
	addParams2[A, anyShape](a, "a")
}

// addResult1 adds the adapter for func(A) R.
func addResult1[A, R any](a, r string) {
	adapters[a+":"+r] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A) R {
			fr := c.begin()
			setArg(fr, 0, x)
			c.s.enter(fr)
			v := result[R](fr)
			c.s.exit(fr)
			return v
		})
	}
}

// addParams2 adds the adapters for func(A, B) and for func(A, B) R.
func addParams2[A, B any](a, b string) {
	adapters[a+b+":"] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A, y B) {
			fr := c.begin()
			setArg(fr, 0, x)
			setArg(fr, 1, y)
			c.s.enter(fr)
			c.s.exit(fr)
		})
	}
	addResult2[A, B, wordShape](a, b, "w")
	addResult2[A, B, ptrShape](a, b, "p")
	addResult2[A, B, floatShape](a, b, "f")
	addResult2[A, B, textShape](a, b, "s")
	addResult2[A, B, anyShape](a, b, "a")
}

// addResult2 adds the adapter for func(A, B) R.
func addResult2[A, B, R any](a, b, r string) {
	adapters[a+b+":"+r] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A, y B) R {
			fr := c.begin()
			setArg(fr, 0, x)
			setArg(fr, 1, y)
			c.s.enter(fr)
			v := result[R](fr)
			c.s.exit(fr)
			return v
		})
	}
}

// A function value points to words: the address of its code, then what it captures. adapted holds the
// code addresses of the functions that adapters make. The word after the code address is their closure.
var adapted = map[uintptr]bool{}

// madeByReflection describes the functions that reflect.MakeFunc makes of closures. They share one code
// address, and one of their words is the body that MakeFunc was given.
var madeByReflection struct {
	code     uintptr
	body     int     // the index of the word that is the body
	bodyCode uintptr // the code address of the bodies, whose next word is their closure
}

// makeFuncWords is the number of words that a function made by reflect.MakeFunc points to (package reflect,
// makeFuncImpl).
const makeFuncWords = 6

// init fills adapted and madeByReflection from functions made of a sample closure. It drops adapters whose functions
// have another layout.
func init() {
	sample := &closure{}
	for key, adapt := range adapters {
		f := adapt(sample)
		if (*[2]unsafe.Pointer)(f)[1] != unsafe.Pointer(sample) {
			delete(adapters, key)
			continue
		}
		adapted[*(*uintptr)(f)] = true
	}
	body := sample.reflectBody()
	bodyAt := addressOf(body)
	if (*[2]unsafe.Pointer)(bodyAt)[1] != unsafe.Pointer(sample) {
		return
	}
	f := funcPointer(reflect.MakeFunc(reflect.TypeFor[func(int, int, int) int](), body))
	for i, word := range (*[makeFuncWords]unsafe.Pointer)(f) {
		if word == bodyAt {
			madeByReflection.code, madeByReflection.body = *(*uintptr)(f), i
			madeByReflection.bodyCode = *(*uintptr)(bodyAt)
		}
	}
}

// closureAt returns the closure behind the Go function at f, or nil if f is not made of one.
func closureAt(f unsafe.Pointer) *closure {
	code := *(*uintptr)(f)
	if code == madeByReflection.code {
		body := (*[makeFuncWords]unsafe.Pointer)(f)[madeByReflection.body]
		if *(*uintptr)(body) == madeByReflection.bodyCode {
			return (*[2]*closure)(body)[1]
		}
		return nil
	}
	if adapted[code] {
		return (*[2]*closure)(f)[1]
	}
	return nil
}
