//go:build ignore

// Package hkdf has sources of the generic functions of the standard package crypto/hkdf. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package hkdf

import "hash"

// Package compile sets these variables; see stdFunctions.
var (
	hkdfExtract func(h func() hash.Hash, secret, salt []byte) ([]byte, error)
	hkdfExpand  func(h func() hash.Hash, pseudorandomKey []byte, info string, keyLength int) ([]byte, error)
	hkdfKey     func(h func() hash.Hash, secret, salt []byte, info string, keyLength int) ([]byte, error)
)

func Extract[H hash.Hash](h func() H, secret, salt []byte) ([]byte, error) {
	return hkdfExtract(func() hash.Hash { return h() }, secret, salt)
}

func Expand[H hash.Hash](h func() H, pseudorandomKey []byte, info string, keyLength int) ([]byte, error) {
	return hkdfExpand(func() hash.Hash { return h() }, pseudorandomKey, info, keyLength)
}

func Key[Hash hash.Hash](h func() Hash, secret, salt []byte, info string, keyLength int) ([]byte, error) {
	return hkdfKey(func() hash.Hash { return h() }, secret, salt, info, keyLength)
}
