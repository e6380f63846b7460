package api

import (
	"bytes"
	"context"
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
	"log/slog"
	"net/http"
	"strings"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/tournament"
)

// Bounds of an Idempotency-Key, in characters. A key must be hard to guess: without a token it alone opens the answer kept.
const (
	minKey = 16
	maxKey = 64
)

// keeping bounds the work of keeping an answer after the request has ended.
const keeping = 5 * time.Second

// keptHeaders are those of an answer that are kept with it.
func keptHeaders() []string { return []string{"Content-Type", "Location"} }

// kept is an answer as the database has it, encrypted.
type kept struct {
	Status int               `json:"status"`
	Head   map[string]string `json:"head"`
	Body   []byte            `json:"body"`
}

// once carries a POST with an Idempotency-Key out once: whoever asks again with the same key and the same request gets the
// first answer. A refusal is not kept: it has changed nothing, and the next try may do better.
func (s *Server) once(c *gin.Context, r route) error {
	fields := c.Request.Header.Values("Idempotency-Key")
	if r.method != http.MethodPost || len(fields) == 0 {
		return s.unchanged(c, r)
	}
	key := fields[0]
	if len(fields) > 1 || len(key) < minKey || len(key) > maxKey || strings.ContainsFunc(key, func(c rune) bool { return c <= ' ' || c > '~' }) {
		return fmt.Errorf("%w: an Idempotency-Key is given once, as %d to %d printable characters without spaces; a random UUID will do", errKey, minKey, maxKey)
	}
	raw, err := body(c)
	if err != nil {
		return err
	}
	c.Request.Body = io.NopCloser(bytes.NewReader(raw))
	caller, secret := addressKey(c.ClientIP()), ""
	if who := whoIs(c); who != nil {
		_, text, _ := strings.Cut(c.GetHeader("Authorization"), " ")
		caller, secret = "token:"+who.tokenID, text
	}
	id := hashOf(caller, r.path, key)
	claim, err := s.store.ClaimKey(c.Request.Context(), id, hashOf(c.Request.URL.RequestURI(), c.GetHeader("Content-Type"), string(raw)))
	if err != nil {
		return err
	}
	box, err := answerBox(secret, key)
	if err != nil {
		return err
	}
	if claim.Answer != "" {
		return sendKept(c, box, id, claim.Answer)
	}
	c.Request = c.Request.WithContext(s.store.WithClaim(c.Request.Context(), claim))
	rec, err := record(c, func() error { return s.unchanged(c, r) })
	ctx, cancel := context.WithTimeout(context.WithoutCancel(c.Request.Context()), keeping) // also for a client that hung up: it will ask again
	defer cancel()
	if err != nil {
		if failed := s.store.FreeKey(ctx, claim); failed != nil {
			s.log.Warn("an idempotency key stays taken for a minute", "request_id", requestID(c), "err", failed)
		}
		return err
	}
	answer, err := s.keep(box, id, rec)
	if err == nil {
		err = s.store.AnswerKey(ctx, claim, answer)
	}
	if err != nil { // it is carried out all the same
		s.log.LogAttrs(ctx, slog.LevelError, "an answer was not kept", slog.String("request_id", requestID(c)), slog.String("err", err.Error()))
	}
	rec.replay(c)
	return nil
}

// hashOf is the hex SHA-256 of some texts, told apart.
func hashOf(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p) // a hash takes everything
	}
	return hex.EncodeToString(h.Sum(nil))
}

// answerBox encrypts answers with what only the caller knows: an answer may hold a token or a secret, of which the database
// keeps hashes at most.
func answerBox(secret, key string) (cipher.AEAD, error) {
	derived, err := hkdf.Key(sha256.New, []byte(secret+"\n"+key), nil, "molerun idempotency 1", 32)
	if err != nil {
		return nil, err
	}
	block, err := aes.NewCipher(derived)
	if err != nil {
		return nil, err
	}
	return cipher.NewGCM(block)
}

// keep is a recorded answer, encrypted.
func (s *Server) keep(box cipher.AEAD, id string, rec *recorder) (string, error) {
	a := kept{Status: rec.status, Head: map[string]string{}, Body: rec.body.Bytes()}
	for _, name := range keptHeaders() {
		if v := rec.head.Get(name); v != "" {
			a.Head[name] = v
		}
	}
	raw, err := json.Marshal(a)
	if err != nil {
		return "", err
	}
	nonce := make([]byte, box.NonceSize())
	if _, err := io.ReadFull(s.rand, nonce); err != nil {
		return "", err
	}
	return base64.RawStdEncoding.EncodeToString(box.Seal(nonce, nonce, raw, []byte(id))), nil
}

// sendKept answers as the first time.
func sendKept(c *gin.Context, box cipher.AEAD, id, answer string) error {
	raw, err := base64.RawStdEncoding.DecodeString(answer)
	if err == nil && len(raw) < box.NonceSize() {
		err = errors.New("too short")
	}
	if err == nil {
		raw, err = box.Open(nil, raw[:box.NonceSize()], raw[box.NonceSize():], []byte(id))
	}
	var a kept
	if err == nil {
		err = json.Unmarshal(raw, &a)
	}
	if err != nil {
		return fmt.Errorf("%w: the answer kept cannot be opened: %w", tournament.ErrAnswer, err)
	}
	for name, v := range a.Head {
		c.Header(name, v)
	}
	c.Header("Idempotent-Replayed", "true")
	c.Status(a.Status)
	if len(a.Body) == 0 {
		c.Writer.WriteHeaderNow()
		return nil
	}
	c.Data(a.Status, a.Head["Content-Type"], a.Body)
	return nil
}
