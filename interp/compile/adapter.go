package compile

import (
	"reflect"
	"unsafe"
)

// Closures of common signatures become Go functions without reflection, which cost less to
// make and to call. Only how a parameter is passed matters: any integer is a uint64, any
// pointer an unsafe.Pointer.

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
	case pointer:
		return 'p'
	case text:
		return 's'
	case dynamic:
		return 'a'
	case list:
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

type make1 = func(*closure) unsafe.Pointer

var adapters = map[string]make1{}

// adapter returns the function that turns closures into functions of type t, or nil.
func adapter(t reflect.Type) make1 {
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

func addressOf[F any](f F) unsafe.Pointer { return *(*unsafe.Pointer)(unsafe.Pointer(&f)) }

func arg[T any](fr *frame, i int, v T) {
	*at[T](unsafe.Pointer(fr), fr.code.params[i].at) = v
}

func result[T any](fr *frame, i int) T { return *at[T](unsafe.Pointer(fr), fr.code.results[i].at) }

func init() {
	adapters[":"] = func(c *closure) unsafe.Pointer {
		return addressOf(func() { fr := c.begin(); c.s.enter(fr); c.s.exit(fr) })
	}
	results0[wordShape]('w')
	results0[ptrShape]('p')
	results0[floatShape]('f')
	results0[textShape]('s')
	results0[listShape]('l')
	results0[anyShape]('a')
	params1[wordShape]("w")
	params1[ptrShape]("p")
	params1[floatShape]("f")
	params1[textShape]("s")
	params1[listShape]("l")
	params1[anyShape]("a")
}

func results0[R any](r byte) {
	adapters[":"+string(r)] = func(c *closure) unsafe.Pointer {
		return addressOf(func() R {
			fr := c.begin()
			c.s.enter(fr)
			v := result[R](fr, 0)
			c.s.exit(fr)
			return v
		})
	}
}

func params1[A any](a string) {
	adapters[a+":"] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A) {
			fr := c.begin()
			arg(fr, 0, x)
			c.s.enter(fr)
			c.s.exit(fr)
		})
	}
	results1[A, wordShape](a, "w")
	results1[A, ptrShape](a, "p")
	results1[A, floatShape](a, "f")
	results1[A, textShape](a, "s")
	results1[A, listShape](a, "l")
	results1[A, anyShape](a, "a")
	params2[A, wordShape](a + "w")
	params2[A, ptrShape](a + "p")
	params2[A, floatShape](a + "f")
	params2[A, textShape](a + "s")
	params2[A, listShape](a + "l")
	params2[A, anyShape](a + "a")
}

func results1[A, R any](a, r string) {
	adapters[a+":"+r] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A) R {
			fr := c.begin()
			arg(fr, 0, x)
			c.s.enter(fr)
			v := result[R](fr, 0)
			c.s.exit(fr)
			return v
		})
	}
}

func params2[A, B any](ab string) {
	adapters[ab+":"] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A, y B) {
			fr := c.begin()
			arg(fr, 0, x)
			arg(fr, 1, y)
			c.s.enter(fr)
			c.s.exit(fr)
		})
	}
	results2[A, B, wordShape](ab, "w")
	results2[A, B, ptrShape](ab, "p")
	results2[A, B, floatShape](ab, "f")
	results2[A, B, textShape](ab, "s")
	results2[A, B, anyShape](ab, "a")
}

func results2[A, B, R any](ab, r string) {
	adapters[ab+":"+r] = func(c *closure) unsafe.Pointer {
		return addressOf(func(x A, y B) R {
			fr := c.begin()
			arg(fr, 0, x)
			arg(fr, 1, y)
			c.s.enter(fr)
			v := result[R](fr, 0)
			c.s.exit(fr)
			return v
		})
	}
}

// sample is the closure from which closureAt learns the layout of adapted functions.
var sample = &closure{}

// places maps the code address of an adapted Go function to the word that holds its
// closure.
var places = map[uintptr]int{}

// madeByReflection has the code address that all functions made by reflection share, and the index of the
// word that holds their body.
var madeByReflection struct {
	code  uintptr
	body  int
	inner uintptr
	place int
}

func init() {
	for key, make := range adapters {
		f := make(sample)
		words := (*[3]unsafe.Pointer)(f)
		n := 0
		if words[1] == unsafe.Pointer(sample) {
			n = 1
		}
		if n == 0 {
			delete(adapters, key)
			continue
		}
		places[*(*uintptr)(f)] = n
	}
	body := sample.reflected()
	inner := addressOf(body)
	f := funcPointer(reflect.MakeFunc(reflect.TypeFor[func(int, int, int) int](), body))
	words := (*[8]unsafe.Pointer)(f)
	for i := 1; i < 6; i++ {
		if words[i] == inner && (*[2]unsafe.Pointer)(inner)[1] == unsafe.Pointer(sample) {
			madeByReflection.code, madeByReflection.body = *(*uintptr)(f), i
			madeByReflection.inner, madeByReflection.place = *(*uintptr)(inner), 1
		}
	}
}

// closureAt returns the closure behind the Go function at f, or nil.
func closureAt(f unsafe.Pointer) *closure {
	code := *(*uintptr)(f)
	if code == madeByReflection.code {
		inner := (*[8]unsafe.Pointer)(f)[madeByReflection.body]
		if *(*uintptr)(inner) == madeByReflection.inner {
			return *(**closure)(unsafe.Add(inner, 8*madeByReflection.place))
		}
		return nil
	}
	if n := places[code]; n > 0 {
		return *(**closure)(unsafe.Add(f, 8*n))
	}
	return nil
}
