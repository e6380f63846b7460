package httpx

import (
	"bytes"
	"encoding/json"
	"net/http"
	"time"
)

// LinesType is the media type of JSON Lines.
const LinesType = "application/x-ndjson"

// Lines is an answer of unknown length: JSON, one value a line. It holds only what is being sent.
type Lines struct {
	to      http.ResponseWriter
	control *http.ResponseController
	limit   time.Duration
}

// NewLines begins the answer. A reader who takes longer than limit to accept what is sent at once is cut off.
func NewLines(to http.ResponseWriter, limit time.Duration) *Lines {
	h := to.Header()
	h.Set("Content-Type", LinesType)
	h.Set("X-Accel-Buffering", "no") // nginx would gather it
	to.WriteHeader(http.StatusOK)
	raw := to
	if u, ok := to.(interface{ Unwrap() http.ResponseWriter }); ok {
		raw = u.Unwrap() // a router's own Flush may hide errors
	}
	return &Lines{to: to, control: http.NewResponseController(raw), limit: limit}
}

// SendLines sends some values and waits until the reader has them, or as good as.
func SendLines[T any](l *Lines, list []T) error {
	var out bytes.Buffer
	write := json.NewEncoder(&out)
	for _, v := range list {
		if err := write.Encode(v); err != nil {
			return err
		}
	}
	_ = l.control.SetWriteDeadline(time.Now().Add(l.limit)) //nolint:forbidigo // the network runs by the system's clock
	if _, err := l.to.Write(out.Bytes()); err != nil {
		return err
	}
	return l.control.Flush()
}
