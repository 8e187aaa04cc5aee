package compile

import (
	"reflect"
	"unsafe"
)

// An adapter returns a Go function that runs a closure, as a pointer; see funcPointer. Functions that adapters return
// are faster to make and to call than those of reflect.MakeFunc. One adapter serves all function types whose parameters
// and results have the same shapes.
type adapter = func(*closure) unsafe.Pointer

// A shape is the type that an adapter uses for all types whose values Go passes in the same way. Each has a letter.
type (
	wordShape   = uint64         // w: integers and bools
	ptrShape    = unsafe.Pointer // p: pointers, maps, channels and functions
	floatShape  = float64        // f
	stringShape = string         // s
	sliceShape  = slice          // l
	ifaceShape  = iface          // a
)

// shapeOf returns the letter of the shape of values of type t, or 0 if no shape fits.
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
// of the result, if there is one.
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

// funcPointerOf is funcPointer for f, whose type F must be a function type.
func funcPointerOf[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

// setArg sets parameter i in fr, the frame of a call.
func setArg[T any](fr *frame, i int, v T) {
	*at[T](unsafe.Pointer(fr), fr.code.params[i].off) = v
}

// result returns the single result of the call whose frame is fr.
func result[T any](fr *frame) T { return *at[T](unsafe.Pointer(fr), fr.code.results[0].off) }

// The functions below add the adapters for at most two parameters and one result, for each combination of shapes. Their
// type parameters A, B and R are the shapes of the parameters and of the result, and a, b and r the letters of these
// shapes. There is no adapter for two parameters and a slice as the result.

func init() {
	adapters[":"] = func(c *closure) unsafe.Pointer {
		return funcPointerOf(func() { fr := c.begin(); c.s.enter(fr); c.s.exit(fr) })
	}
	addResult0[wordShape]("w")
	addResult0[ptrShape]("p")
	addResult0[floatShape]("f")
	addResult0[stringShape]("s")
	addResult0[sliceShape]("l")
	addResult0[ifaceShape]("a")
	addParams1[wordShape]("w")
	addParams1[ptrShape]("p")
	addParams1[floatShape]("f")
	addParams1[stringShape]("s")
	addParams1[sliceShape]("l")
	addParams1[ifaceShape]("a")
}

// addResult0 adds the adapter for func() R.
func addResult0[R any](r string) {
	adapters[":"+r] = func(c *closure) unsafe.Pointer {
		return funcPointerOf(func() R {
			fr := c.begin()
			c.s.enter(fr)
			v := result[R](fr)
			c.s.exit(fr)
			return v
		})
	}
}

// addParams1 adds the adapters for all functions whose first parameter is an A.
func addParams1[A any](a string) {
	adapters[a+":"] = func(c *closure) unsafe.Pointer {
		return funcPointerOf(func(x A) {
			fr := c.begin()
			setArg(fr, 0, x)
			c.s.enter(fr)
			c.s.exit(fr)
		})
	}
	addResult1[A, wordShape](a, "w")
	addResult1[A, ptrShape](a, "p")
	addResult1[A, floatShape](a, "f")
	addResult1[A, stringShape](a, "s")
	addResult1[A, sliceShape](a, "l")
	addResult1[A, ifaceShape](a, "a")
	addParams2[A, wordShape](a, "w")
	addParams2[A, ptrShape](a, "p")
	addParams2[A, floatShape](a, "f")
	addParams2[A, stringShape](a, "s")
	addParams2[A, sliceShape](a, "l")
	addParams2[A, ifaceShape](a, "a")
}

// addResult1 adds the adapter for func(A) R.
func addResult1[A, R any](a, r string) {
	adapters[a+":"+r] = func(c *closure) unsafe.Pointer {
		return funcPointerOf(func(x A) R {
			fr := c.begin()
			setArg(fr, 0, x)
			c.s.enter(fr)
			v := result[R](fr)
			c.s.exit(fr)
			return v
		})
	}
}

// addParams2 adds the adapters for all functions with the parameters A and B.
func addParams2[A, B any](a, b string) {
	adapters[a+b+":"] = func(c *closure) unsafe.Pointer {
		return funcPointerOf(func(x A, y B) {
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
	addResult2[A, B, stringShape](a, b, "s")
	addResult2[A, B, ifaceShape](a, b, "a")
}

// addResult2 adds the adapter for func(A, B) R.
func addResult2[A, B, R any](a, b, r string) {
	adapters[a+b+":"+r] = func(c *closure) unsafe.Pointer {
		return funcPointerOf(func(x A, y B) R {
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

// A function value is a pointer to words: the address of its code, then the variables that it captures. adapted holds
// the code addresses of the functions that adapters return. They capture one variable, the *closure.
var adapted = map[uintptr]bool{}

// madeByReflection describes the functions that reflect.MakeFunc returns for bodies from reflectBody. All of them have
// the same code address, and one of their words is the body.
var madeByReflection struct {
	code     uintptr // the code address of the functions
	body     int     // the index of the word that is the body
	bodyCode uintptr // the code address of the bodies, which capture one variable, the *closure
}

// makeFuncWords is the number of words that a function from reflect.MakeFunc points to (package reflect, makeFuncImpl).
const makeFuncWords = 6

// init sets adapted and madeByReflection. It reads the layout of functions from examples, and removes adapters whose
// functions do not have the *closure as their second word.
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
	bodyAt := funcPointerOf(body)
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

// closureAt returns the closure that the Go function f runs, or nil if f was made neither by an adapter nor with
// reflectBody. f is the pointer that funcPointer returns.
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
