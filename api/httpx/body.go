package httpx

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/engines/game/strict"
)

// MaxBodyBytes is the largest request body.
const MaxBodyBytes = 1 << 20

// Read strictly decodes the body and refuses query parameters. check then looks at the raw JSON.
func Read[T any](c *gin.Context, check func(raw []byte) error) (T, error) {
	var out T
	if _, err := Query(c); err != nil {
		return out, err
	}
	if err := Decode(c, &out, check); err != nil {
		return *new(T), err
	}
	return out, nil
}

// Decode strictly decodes the body into out, a pointer. check then looks at the raw JSON.
func Decode(c *gin.Context, out any, check func(raw []byte) error) error {
	kind, _, err := mime.ParseMediaType(c.GetHeader("Content-Type"))
	if err != nil || kind != "application/json" || c.GetHeader("Content-Encoding") != "" {
		return ErrMediaType
	}
	raw, err := Body(c)
	if err != nil {
		return err
	}
	if err := strict.Decode(raw, out); err != nil {
		return fmt.Errorf("%w: %w", ErrBody, err)
	}
	if err := check(raw); err != nil {
		return err
	}
	var keys map[string]json.RawMessage
	if json.Unmarshal(raw, &keys) == nil {
		for key, v := range keys { // a pointer takes null, as if the key were left out: nobody who writes it means that
			if string(v) == "null" {
				return fmt.Errorf("%w: %w", ErrBody, &strict.Error{Pointer: "/" + key, Reason: "must not be null; leave the key out"})
			}
		}
	}
	return nil
}

// NoBody refuses a body on a route that takes none; an empty object is allowed.
func NoBody(c *gin.Context) error {
	raw, err := Body(c)
	if err != nil || len(raw) == 0 {
		return err
	}
	var none struct{}
	if err := strict.Decode(raw, &none); err != nil {
		return fmt.Errorf("%w: this route takes no body: %w", ErrBody, err)
	}
	return nil
}

// Body returns the body as sent, at most [MaxBodyBytes].
func Body(c *gin.Context) ([]byte, error) {
	raw, err := io.ReadAll(http.MaxBytesReader(c.Writer, c.Request.Body, MaxBodyBytes))
	var large *http.MaxBytesError
	switch {
	case errors.As(err, &large):
		return nil, ErrTooLarge
	case err != nil:
		return nil, fmt.Errorf("%w: the body could not be read to its end", ErrBody)
	}
	return raw, nil
}

// Bare refuses query parameters and a body, for routes that take neither.
func Bare(c *gin.Context) error {
	if _, err := Query(c); err != nil {
		return err
	}
	return NoBody(c)
}
