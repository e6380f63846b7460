package api

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// MaxBodyBytes is the largest request body.
const MaxBodyBytes = 1 << 20

// read decodes the body into a request DTO, strictly, and refuses query parameters.
func read[T any](c *gin.Context) (T, error) {
	var out T
	if _, err := query(c); err != nil {
		return out, err
	}
	kind, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || kind != "application/json" || c.GetHeader("Content-Encoding") != "" {
		return out, errMediaType
	}
	raw, err := body(c)
	if err != nil {
		return out, err
	}
	if err := strict.Decode(raw, &out); err != nil {
		return out, fmt.Errorf("%w: %w", errBody, err)
	}
	if err := storable(raw); err != nil {
		return *new(T), err
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) == nil {
		for key, v := range keys { // a pointer takes null, as if the key were left out: nobody who writes it means that
			if string(v) == "null" {
				return *new(T), fmt.Errorf("%w: %w", errBody, &strict.Error{Pointer: "/" + key, Reason: "must not be null; leave the key out"})
			}
		}
	}
	return out, nil
}

// storable refuses a body, valid JSON, with text that no column can hold. What else a text may not be is its field's to say.
func storable(raw []byte) error {
	d := jsontext.NewDecoder(bytes.NewReader(raw))
	for {
		token, err := d.ReadToken()
		if err != nil { // the end: the body has been decoded before
			return nil
		}
		if token.Kind() != '"' {
			continue
		}
		if err := text.Opaque.Check(token.String(), MaxBodyBytes); err != nil {
			return &tournament.FieldError{Pointer: string(d.StackPointer()), Reason: err.Error()}
		}
	}
}

// noBody refuses a body on a route that takes none; an empty object is let through.
func noBody(c *gin.Context) error {
	raw, err := body(c)
	if err != nil || len(raw) == 0 {
		return err
	}
	var none struct{}
	if err := strict.Decode(raw, &none); err != nil {
		return fmt.Errorf("%w: this route takes no body: %w", errBody, err)
	}
	return nil
}

func body(c *gin.Context) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, MaxBodyBytes))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, errTooLarge
	case err != nil:
		return nil, fmt.Errorf("%w: the body could not be read to its end", errBody)
	}
	return raw, nil
}

// send answers with a DTO.
func (s *Server) send(c *gin.Context, status int, v any) error {
	s.write(c, status, "application/json", v)
	return nil
}

func (s *Server) write(c *gin.Context, status int, kind string, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic("api: own data cannot be written as JSON: " + err.Error())
	}
	sendBytes(c, status, kind, b)
}

// sendBytes answers with a body; one that was asked for by GET has a strong ETag.
func sendBytes(c *gin.Context, status int, kind string, b []byte) {
	if c.Request.Method == http.MethodGet && status == http.StatusOK {
		sum := sha256.Sum256(b)
		tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
		c.Header("ETag", tag)
		if match := c.GetHeader("If-None-Match"); match == "*" || strings.Contains(match, tag) {
			c.Status(http.StatusNotModified)
			return
		}
	}
	c.Data(status, kind, b)
}

// bare refuses query parameters and a body: for routes that take neither.
func bare(c *gin.Context) error {
	if _, err := query(c); err != nil {
		return err
	}
	return noBody(c)
}

// sendOne answers with what the path names, for routes that take no query parameters.
func sendOne[R, D any](s *Server, c *gin.Context, of func(*gin.Context) (R, error), dto func(R) D) error {
	if _, err := query(c); err != nil {
		return err
	}
	x, err := of(c)
	if err != nil {
		return err
	}
	return s.send(c, http.StatusOK, dto(x))
}
