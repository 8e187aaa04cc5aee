//go:build ignore

// Package pbkdf2 has sources of the generic functions of the standard package crypto/pbkdf2. The compiler of cells
// uses them instead of the originals; see stdFiles in package compile.
package pbkdf2

import "hash"

// Package compile sets this variable; see stdFunctions.
var pbkdf2Key func(h func() hash.Hash, password string, salt []byte, iter, keyLength int) ([]byte, error)

func Key[Hash hash.Hash](h func() Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	return pbkdf2Key(func() hash.Hash { return h() }, password, salt, iter, keyLength)
}
