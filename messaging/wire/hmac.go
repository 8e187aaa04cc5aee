package wire

import (
	"crypto/hmac"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"fmt"
	"hash"
	"sync"
)

// schemes maps the signature schemes of connection files to hash functions.
var schemes = map[string]func() hash.Hash{
	"":            sha256.New,
	"hmac-sha256": sha256.New,
	"hmac-sha384": sha512.New384,
	"hmac-sha512": sha512.New,
	"hmac-sha1":   sha1.New,
}

// A Codec encodes and decodes the messages of one connection. It is safe for
// concurrent use.
type Codec struct {
	mu   sync.Mutex
	mac  hash.Hash // nil if messages are not signed
	seen digestSet // the digests of verified signatures
}

// NewCodec returns a codec for the scheme and key of a connection file. With an
// empty key messages are neither signed nor checked, as the protocol defines.
func NewCodec(scheme, key string) (*Codec, error) {
	newHash, ok := schemes[scheme]
	if !ok {
		return nil, fmt.Errorf("connection: unknown signature scheme %q; use hmac-sha256", scheme)
	}
	c := &Codec{seen: digestSet{limit: replayMemory / 2}}
	if key != "" {
		c.mac = hmac.New(newHash, []byte(key))
	}
	return c, nil
}

// sum appends the digest of parts to dst. The caller holds c.mu.
func (c *Codec) sum(dst []byte, parts [][]byte) []byte {
	c.mac.Reset()
	for _, p := range parts {
		c.mac.Write(p)
	}
	return c.mac.Sum(dst)
}

// sign returns the signature frame of parts, or nil if messages are not signed.
func (c *Codec) sign(parts [][]byte) []byte {
	if c.mac == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var digest [sha512.Size]byte
	sum := c.sum(digest[:0], parts)
	return hex.AppendEncode(make([]byte, 0, 2*len(sum)), sum)
}

// verify returns an error if signature is not the signature of parts, or was seen before.
func (c *Codec) verify(signature []byte, parts [][]byte) error {
	if c.mac == nil {
		return nil
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var want, got [sha512.Size]byte
	sum := c.sum(want[:0], parts)
	if len(signature) != 2*len(sum) {
		return ErrSignature
	}
	if _, err := hex.Decode(got[:], signature); err != nil || !hmac.Equal(got[:len(sum)], sum) {
		return ErrSignature
	}
	var key digestKey
	copy(key[:], sum)
	if !c.seen.add(key) {
		return ErrReplay
	}
	return nil
}

// replayMemory is the greatest number of remembered signatures, as in
// jupyter_client. At least the newest replayMemory/2 are remembered.
const replayMemory = 1 << 16

// A digestKey is the first bytes of a digest. It is shorter than a digest, since the
// digests of different hash functions differ in length.
type digestKey [16]byte

// A digestSet remembers the newest digests. It has two generations: when the young one
// is full, it becomes the old one, and the digests of the old one are forgotten.
type digestSet struct {
	limit      int // the greatest size of a generation
	young, old map[digestKey]struct{}
}

// add adds d and reports whether it is new.
func (s *digestSet) add(d digestKey) bool {
	_, young := s.young[d]
	_, old := s.old[d]
	if young || old {
		return false
	}
	if s.young == nil || len(s.young) >= s.limit {
		s.old, s.young = s.young, make(map[digestKey]struct{})
	}
	s.young[d] = struct{}{}
	return true
}
