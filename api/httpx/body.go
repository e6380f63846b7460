package httpx

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"reflect"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/molerun/molerun/engines/game/strict"
)

// MaxBodyBytes is the largest request body.
const MaxBodyBytes = 1 << 20

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
	if err := errors.Join(strict.Decode(raw, out), noNulls(raw, reflect.TypeOf(out).Elem())); err != nil {
		return fmt.Errorf("%w: %w", ErrBody, err)
	}
	return check(raw)
}

// noNulls refuses null for the keys of a body whose fields take it, as if the key were left out: nobody who writes null means that. For
// other fields [strict.Decode] refuses it.
func noNulls(raw []byte, t reflect.Type) error {
	var keys map[string]json.RawMessage
	if t.Kind() != reflect.Struct || json.Unmarshal(raw, &keys) != nil {
		return nil
	}
	var wrong strict.Errors
	for _, f := range reflect.VisibleFields(t) {
		key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if strict.Nullable(f.Type) && string(keys[key]) == "null" {
			wrong = append(wrong, &strict.Error{Pointer: "/" + key, Reason: "must not be null; leave the key out"})
		}
	}
	return wrong.Err()
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
