//go:build ignore

// Package pbkdf2 stands for the generic functions of the standard package crypto/pbkdf2. Their instances are
// compiled like functions of cells.
package pbkdf2

import "hash"

// The compiler sets this from stdFunctions.
var pbkdf2Key func(h func() hash.Hash, password string, salt []byte, iter, keyLength int) ([]byte, error)

func Key[Hash hash.Hash](h func() Hash, password string, salt []byte, iter, keyLength int) ([]byte, error) {
	return pbkdf2Key(func() hash.Hash { return h() }, password, salt, iter, keyLength)
}
