package client

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"time"
)

// silence is how long a platform may send nothing of a long answer.
const silence = time.Minute

// errSilent marks a platform that stopped sending.
var errSilent = errors.New("the platform sends no more")

// Stream copies what a path answers while it comes, however long it is. An answer that breaks off is an error, a refusal a [*Refusal].
func (c *Client) Stream(ctx context.Context, path string, to io.Writer) (err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	quiet := time.AfterFunc(silence, func() { cancel(errSilent) })
	defer quiet.Stop()
	patient := c.patient() // however long, while something comes
	after := patient.after
	patient.after = func(wait time.Duration) <-chan time.Time {
		quiet.Reset(wait + silence) // it said how long it is silent
		return after(wait)
	}
	body, err := patient.open(ctx, http.MethodGet, path, nil, nil)
	if err != nil {
		return cmp.Or(context.Cause(ctx), err)
	}
	defer func() { err = errors.Join(err, body.Close()) }()
	if _, err = io.Copy(to, &watched{body: body, quiet: quiet}); err != nil {
		if cause := context.Cause(ctx); cause != nil {
			err = cause
		}
		return fmt.Errorf("%s broke off: %w", path, err)
	}
	return nil
}

// watched is a body whose reads may not be quiet for long. Only reads count: whatever takes the bytes may be slow.
type watched struct {
	body  io.Reader
	quiet *time.Timer
}

// Read stops the clock when it has something.
func (w *watched) Read(b []byte) (int, error) {
	w.quiet.Reset(silence)
	n, err := w.body.Read(b)
	w.quiet.Stop()
	return n, err
}
