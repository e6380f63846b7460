package protocol

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/molerun/molerun/engines/game"
)

// The headers of a signed message, as Standard Webhooks 1.0 names them (HTTP ignores their case).
const (
	HeaderID        = "Webhook-Id"        // the same when a message is sent again
	HeaderTimestamp = "Webhook-Timestamp" // Unix seconds
	HeaderSignature = "Webhook-Signature" // "v1,<base64>", several separated by spaces
)

// Tolerance is how far a message's timestamp may differ from the receiver's clock, either way.
const Tolerance = 5 * time.Minute

// The length of a secret in bytes, and how its text form begins.
const (
	minSecretBytes = 24
	maxSecretBytes = 64
	secretPrefix   = "whsec_"
)

// The sentinels of signing.
var (
	ErrSecret    = errors.New("bad_secret")    // a secret's text form is refused
	ErrSignature = errors.New("bad_signature") // a message is not proven to come from the holder of the secret
)

// NewSecret draws a secret of 32 bytes from random and returns its text form.
func NewSecret(random io.Reader) (string, error) {
	var b [32]byte
	if _, err := io.ReadFull(random, b[:]); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return secretPrefix + base64.StdEncoding.EncodeToString(b[:]), nil
}

// Keys are the live secrets of one bot: one, or two while rotating. They are safe for concurrent use. The zero Keys sign
// nothing and verify nothing.
type Keys struct{ pools []*sync.Pool }

// ParseKeys reads up to two secrets in their text form, "whsec_" and 24 to 64 bytes in base64. Without secrets it returns the
// zero Keys. The error never shows a secret.
func ParseKeys(secrets ...string) (Keys, error) {
	if len(secrets) > 2 {
		return Keys{}, fmt.Errorf("%w: %d secrets, at most two live at a time", ErrSecret, len(secrets))
	}
	var k Keys
	for _, text := range secrets {
		raw, err := parseSecret(text)
		if err != nil {
			return Keys{}, err
		}
		k.pools = append(k.pools, &sync.Pool{New: func() any { return hmac.New(sha256.New, raw) }})
	}
	return k, nil
}

func parseSecret(text string) ([]byte, error) {
	coded, ok := strings.CutPrefix(text, secretPrefix)
	if !ok {
		return nil, fmt.Errorf("%w: it must begin with %s", ErrSecret, secretPrefix)
	}
	raw, err := base64.StdEncoding.Strict().DecodeString(coded)
	if err != nil || strings.ContainsAny(coded, "\r\n") {
		return nil, fmt.Errorf("%w: what follows %s is not standard base64 with padding", ErrSecret, secretPrefix)
	}
	if len(raw) < minSecretBytes || len(raw) > maxSecretBytes {
		return nil, fmt.Errorf("%w: %d bytes, want %d to %d", ErrSecret, len(raw), minSecretBytes, maxSecretBytes)
	}
	return raw, nil
}

// Len counts the live secrets.
func (k Keys) Len() int { return len(k.pools) }

// Sign returns the signature header of a message: one "v1,<base64>" for each secret, separated by spaces; "" without secrets. The
// signed text is id.seconds.body, so id must not contain a dot.
func (k Keys) Sign(id string, at time.Time, body []byte) string {
	if len(k.pools) == 0 {
		return ""
	}
	var seconds [20]byte
	stamp := strconv.AppendInt(seconds[:0], at.Unix(), 10)
	out := make([]byte, 0, 96)
	for i, pool := range k.pools {
		if i > 0 {
			out = append(out, ' ')
		}
		sum := mac(pool, id, stamp, body)
		out = base64.StdEncoding.AppendEncode(append(out, "v1,"...), sum[:])
	}
	return string(out)
}

func mac(pool *sync.Pool, id string, stamp, body []byte) [sha256.Size]byte {
	var sum [sha256.Size]byte
	h := pool.Get().(hash.Hash) // the pool holds nothing else
	h.Reset()
	head := make([]byte, 0, 96)
	head = append(append(append(append(head, id...), '.'), stamp...), '.')
	h.Write(head)
	h.Write(body)
	h.Sum(sum[:0])
	pool.Put(h)
	return sum
}

// Verify says why a message is not proven genuine ([ErrSignature]): a header is missing, the timestamp is further than
// [Tolerance] from now, or no signature was made with a live secret. Signatures are compared in constant time.
func (k Keys) Verify(h http.Header, body []byte, now time.Time) error {
	id, stamp, list := h.Get(HeaderID), h.Get(HeaderTimestamp), h.Get(HeaderSignature)
	for _, header := range [...]struct{ name, value string }{{HeaderID, id}, {HeaderTimestamp, stamp}, {HeaderSignature, list}} {
		if header.value == "" {
			return fmt.Errorf("%w: the header %s is missing", ErrSignature, strings.ToLower(header.name))
		}
	}
	seconds, err := strconv.ParseInt(stamp, 10, 64)
	if err != nil {
		return fmt.Errorf("%w: the timestamp %q is not Unix seconds", ErrSignature, stamp)
	}
	if age := now.Sub(time.Unix(seconds, 0)); age > Tolerance || age < -Tolerance {
		return fmt.Errorf("%w: the timestamp is %s off, at most %s is allowed", ErrSignature, age.Round(time.Second).Abs(), Tolerance)
	}
	if !k.signed(id, stamp, list, body) {
		return fmt.Errorf("%w: no signature in the list fits", ErrSignature)
	}
	return nil
}

func (k Keys) signed(id, stamp, list string, body []byte) bool {
	good := false
	for _, pool := range k.pools {
		want := mac(pool, id, []byte(stamp), body)
		for one := range strings.SplitSeq(list, " ") {
			coded, ok := strings.CutPrefix(one, "v1,")
			got, err := base64.StdEncoding.DecodeString(coded)
			good = good || ok && err == nil && hmac.Equal(got, want[:])
		}
	}
	return good
}

// MessageID returns the stable id of a message that asks for no decision: "msg_" and 32 hex digits. key names the message
// among those of its kind.
func MessageID(kind, key string, seat game.Seat) string {
	b := slices.Concat([]byte(kind), []byte{'/'}, []byte(key), []byte{'/'})
	sum := sha256.Sum256(strconv.AppendInt(b, int64(seat), 10))
	return "msg_" + hex.EncodeToString(sum[:16])
}
