package httpx

import (
	"crypto/aes"
	"crypto/cipher"
	"crypto/hkdf"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// Replayed is the header of an answer that was kept of the first time: nothing was done again.
const Replayed = "Idempotent-Replayed"

// Limits of an Idempotency-Key, in characters. A key must be hard to guess: without a token, the key alone opens the stored
// answer.
const (
	MinKey = 16
	MaxKey = 64
)

// IdempotencyKey returns the key of a POST; "" if it has none.
func IdempotencyKey(r *http.Request) (string, error) {
	fields := r.Header.Values("Idempotency-Key")
	if r.Method != http.MethodPost || len(fields) == 0 {
		return "", nil
	}
	key := fields[0]
	odd := func(c rune) bool { return c <= ' ' || c > '~' }
	if len(fields) > 1 || len(key) < MinKey || len(key) > MaxKey || strings.ContainsFunc(key, odd) {
		return "", fmt.Errorf("%w: an Idempotency-Key is given once, as %d to %d printable characters without spaces; a random UUID will do", ErrKey, MinKey, MaxKey)
	}
	return key, nil
}

// Hash returns the hex SHA-256 of a list of texts; no two lists are hashed alike.
func Hash(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// AnswerBox encrypts answers with what only the caller knows, because an answer may hold a token or a secret, and the
// database stores at most their hashes.
type AnswerBox struct{ aead cipher.AEAD }

// NewAnswerBox makes a box from a caller's secret ("" without one) and an idempotency key.
func NewAnswerBox(secret, key string) (AnswerBox, error) {
	derived, err := hkdf.Key(sha256.New, []byte(secret+"\n"+key), nil, "molerun idempotency 1", 32)
	if err != nil {
		return AnswerBox{}, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return AnswerBox{}, err
	}
	aead, err := cipher.NewGCM(block)
	return AnswerBox{aead}, err
}

// keptAnswer is a stored answer.
type keptAnswer struct {
	Status int               `json:"status"`
	Head   map[string]string `json:"head"`
	Body   []byte            `json:"body"`
}

// Seal returns a recorded answer, encrypted; it opens only under the same id.
func (b AnswerBox) Seal(random io.Reader, id string, rec *Recorder) (string, error) {
	a := keptAnswer{Status: rec.status, Head: map[string]string{}, Body: rec.body.Bytes()}
	for _, name := range []string{"Content-Type", "Location"} {
		if v := rec.head.Get(name); v != "" {
			a.Head[name] = v
		}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, b.aead.NonceSize())
	if _, err := io.ReadFull(random, nonce); err != nil {
		return "", err
	}
	return base64.RawStdEncoding.EncodeToString(b.aead.Seal(nonce, nonce, raw, []byte(id))), nil
}

func (b AnswerBox) open(id, sealed string) (keptAnswer, error) {
	raw, err := base64.RawStdEncoding.DecodeString(sealed)
	if err != nil {
		return keptAnswer{}, err
	}
	if len(raw) < b.aead.NonceSize() {
		return keptAnswer{}, errors.New("too short")
	}
	raw, err = b.aead.Open(nil, raw[:b.aead.NonceSize()], raw[b.aead.NonceSize():], []byte(id))
	if err != nil {
		return keptAnswer{}, err
	}
	var a keptAnswer
	return a, json.Unmarshal(raw, &a)
}

// Send repeats the first answer. It fails, having sent nothing, if the answer cannot be opened.
func (b AnswerBox) Send(c *gin.Context, id, sealed string) error {
	a, err := b.open(id, sealed)
	if err != nil {
		return err
	}
	for name, v := range a.Head {
		c.Header(name, v)
	}
	c.Header(Replayed, "true")
	c.Status(a.Status)
	if len(a.Body) == 0 {
		c.Writer.WriteHeaderNow()
		return nil
	}
	c.Data(a.Status, a.Head["Content-Type"], a.Body)
	return nil
}
