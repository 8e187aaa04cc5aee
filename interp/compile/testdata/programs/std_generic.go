package main

import (
	"crypto/hkdf"
	"crypto/pbkdf2"
	"crypto/sha256"
	"crypto/sha512"
	"fmt"
	"hash"
	"hash/maphash"
	"runtime"
	"slices"
	"time"
)

type point struct {
	x int
	y any
}

type counted struct{ hash.Hash }

func main() {
	key, err := hkdf.Key(sha256.New, []byte("secret"), []byte("salt"), "info", 8)
	fmt.Printf("%x %v\n", key, err)
	prk, err := hkdf.Extract(sha512.New, []byte("secret"), nil)
	fmt.Printf("%.8x %v\n", prk, err)
	key, err = hkdf.Expand(func() counted { return counted{sha256.New()} }, prk, "info", 8)
	fmt.Printf("%x %v\n", key, err)
	_, err = hkdf.Key(sha256.New, nil, nil, "", 1<<20)
	fmt.Println(err)
	key, err = pbkdf2.Key(sha256.New, "password", []byte("salt"), 10, 8)
	fmt.Printf("%x %v\n", key, err)

	seed := maphash.MakeSeed()
	fmt.Println(maphash.Comparable(seed, point{1, "a"}) == maphash.Comparable(seed, point{1, "a"}))
	fmt.Println(maphash.Comparable(seed, "a") == maphash.Comparable(seed, "b"))
	var h, g maphash.Hash
	h.SetSeed(seed)
	g.SetSeed(seed)
	maphash.WriteComparable(&h, point{2, 3})
	maphash.WriteComparable(&g, point{2, 3})
	fmt.Println(h.Sum64() == g.Sum64())
	func() {
		defer func() { fmt.Println(recover()) }()
		maphash.Comparable(seed, point{1, []int{1}})
	}()

	words := []string{"a", "b"}
	for i, w := range slices.All(words) { // the collections keep what is used later
		runtime.GC()
		fmt.Println(i, w, words[i])
	}
	fmt.Println(slices.IndexFunc(words, func(w string) bool { runtime.GC(); return w == "b" }))

	done := make(chan string)
	func() {
		p := &point{1, make([]byte, 100)}
		runtime.AddCleanup(p, func(s string) { done <- s }, "cleaned")
		stopped := runtime.AddCleanup(p, func(int) { panic("stopped") }, 1)
		stopped.Stop()
		p.x++
	}()
	for range 1000 {
		runtime.GC()
		select {
		case s := <-done:
			fmt.Println(s)
			return
		case <-time.After(time.Millisecond):
		}
	}
	fmt.Println("not cleaned")
}

// Output:
// f6d2fcc47cb939de <nil>
// 88973d978cf503fc <nil>
// 7bbdacc3cc49b1b5 <nil>
// hkdf: requested key length too large
// 653cc888d937efe2 <nil>
// true
// false
// true
// runtime error: hash of unhashable type []int
// 0 a a
// 1 b b
// 1
// cleaned
