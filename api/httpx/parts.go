package httpx

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// The media types of answers in parts: JSON Lines, and tar.
const (
	LinesType = "application/x-ndjson"
	TarType   = "application/x-tar"
)

// Parts is an answer of unknown length, sent in parts. It holds only what is being sent.
type Parts struct {
	to      http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

// NewParts begins the answer. A reader who takes longer than limit to accept a part is cut off.
func NewParts(to http.ResponseWriter, mediaType string, limit time.Duration) *Parts {
	h := to.Header()
	h.Set("Content-Type", mediaType)
	h.Set("X-Accel-Buffering", "no") // nginx would gather it
	to.WriteHeader(http.StatusOK)
	raw := to
	if u, ok := to.(interface{ Unwrap() http.ResponseWriter }); ok {
		raw = u.Unwrap() // a router's own Flush may hide errors
	}
	return &Parts{to: to, control: http.NewResponseController(raw), limit: limit}
}

// Send sends a part and waits until the reader has it, or as good as.
func (p *Parts) Send(part []byte) error {
	_ = p.control.SetWriteDeadline(time.Now().Add(p.limit)) //nolint:forbidigo // the network runs by the system's clock
	if _, err := p.to.Write(part); err != nil {
		return err
	}
	return p.control.Flush()
}

// Lines returns values as JSON Lines.
func Lines[T any](list []T) ([]byte, error) {
	var out bytes.Buffer
	write := json.NewEncoder(&out)
	for _, v := range list {
		if err := write.Encode(v); err != nil {
			return nil, err
		}
	}
	return out.Bytes(), nil
}
