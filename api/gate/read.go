package gate

import (
	"bytes"

	"github.com/gin-gonic/gin"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// Decode decodes the body of a request into out, a pointer, strictly, and refuses text that no column can hold.
func Decode(c *gin.Context, out any) error { return httpx.Decode(c, out, storable) }

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
		if err := text.Opaque.Check(token.String(), httpx.MaxBodyBytes); err != nil {
			return &tournament.FieldError{Pointer: string(d.StackPointer()), Reason: err.Error()}
		}
	}
}
