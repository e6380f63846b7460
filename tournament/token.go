package tournament

import (
	"crypto/sha256"
	"fmt"
	"hash/crc32"
	"io"
	"math/big"
	"strings"
	"time"
)

// Token lets a program act for a user. Only the SHA-256 of its secret is stored.
type Token struct {
	ID         string // public: part of the token's text, used to find it
	UserID     string
	Hash       [32]byte
	Note       string // its owner's name for it
	Scopes     Scopes // what it may do, as far as its user's role allows it
	BotID      string // the only bot it is for; "": all of its user's
	CreatedAt  time.Time
	ExpiresAt  *time.Time // nil: never
	LastUsedAt *time.Time // to the minute; nil: never
	RevokedAt  *time.Time
}

// TokenIDLen is how many digits the id of a token has.
const TokenIDLen = 15

// The text of a token: mr_, the public id, the secret, and the CRC-32 of all before it, in base 62 with fixed widths.
// The checksum lets scanners tell a leaked token from noise; it adds no secrecy.
const (
	tokenPrefix  = "mr_"
	tokenIDBytes = 11 // 88 random bits: an id, not a secret
	secretBytes  = 32
	secretLen    = 43
	checksumLen  = 6
	tokenLen     = len(tokenPrefix) + TokenIDLen + secretLen + checksumLen
	base62Digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
)

// base62 writes b as a number of exactly width digits.
func base62(b []byte, width int) string {
	n, mod, base := new(big.Int).SetBytes(b), new(big.Int), big.NewInt(int64(len(base62Digits)))
	out := make([]byte, width)
	for i := width - 1; i >= 0; i-- {
		n.DivMod(n, base, mod)
		out[i] = base62Digits[mod.Int64()]
	}
	return string(out)
}

func checksum(text string) string {
	sum := crc32.ChecksumIEEE([]byte(text))
	return base62([]byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}, checksumLen)
}

// NewToken makes a token's text, its id and the SHA-256 of its secret. Only the last two may be stored.
func NewToken(random io.Reader) (text, id string, hash [32]byte, err error) {
	b := make([]byte, tokenIDBytes+secretBytes)
	if _, err := io.ReadFull(random, b); err != nil {
		return "", "", hash, fmt.Errorf("token: %w", err)
	}
	id = base62(b[:tokenIDBytes], TokenIDLen)
	secret := base62(b[tokenIDBytes:], secretLen)
	text = tokenPrefix + id + secret
	return text + checksum(text), id, sha256.Sum256([]byte(secret)), nil
}

// ParseToken splits the text of a token; false if it cannot be one.
func ParseToken(text string) (string, [32]byte, bool) {
	var hash [32]byte
	if len(text) != tokenLen || !strings.HasPrefix(text, tokenPrefix) {
		return "", hash, false
	}
	head, sum := text[:tokenLen-checksumLen], text[tokenLen-checksumLen:]
	if checksum(head) != sum || strings.Trim(head[len(tokenPrefix):], base62Digits) != "" {
		return "", hash, false
	}
	rest := head[len(tokenPrefix):]
	return rest[:TokenIDLen], sha256.Sum256([]byte(rest[TokenIDLen:])), true
}
