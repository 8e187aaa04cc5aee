//go:build ignore

// Package hkdf stands for the generic functions of the standard package crypto/hkdf. Their instances are
// compiled like functions of cells.
package hkdf

import "hash"

// The compiler sets these from stdFunctions.
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
