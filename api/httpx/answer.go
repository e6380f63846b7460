package httpx

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"net/http"
	"strings"

	"github.com/gin-gonic/gin"
)

// The media types of answers.
const (
	JSONType    = "application/json"
	ProblemType = "application/problem+json"
)

// Send answers with a value as JSON.
func Send(c *gin.Context, status int, v any) error {
	return SendBytes(c, status, JSONType, JSON(v))
}

// JSON encodes one of our own values.
func JSON(v any) json.RawMessage {
	b, err := json.Marshal(v)
	if err != nil {
		panic("httpx: own data cannot be written as JSON: " + err.Error())
	}
	return b
}

// SendBytes answers with a body; for a GET it adds a strong ETag. What can fail has failed before: like [Send] it returns nil.
func SendBytes(c *gin.Context, status int, kind string, b []byte) error {
	if c.Request.Method == http.MethodGet && status == http.StatusOK {
		sum := sha256.Sum256(b)
		tag := `"` + base64.RawURLEncoding.EncodeToString(sum[:16]) + `"`
		c.Header("ETag", tag)
		if match := c.GetHeader("If-None-Match"); match == "*" || strings.Contains(match, tag) {
			c.Status(http.StatusNotModified)
			return nil
		}
	}
	c.Data(status, kind, b)
	return nil
}
