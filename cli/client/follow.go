package client

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/molerun/molerun/api/wire"
)

// comeBack is how long a stream that has ended is left alone.
const comeBack = 2 * time.Second

// Follow calls each for every event of a path from its first on, as they happen, until each says that it was the last. A stream that
// ends early is taken up again where it ended, also after a restart of the platform; nothing is missed and nothing comes twice. A refusal is a [*Refusal].
func (c *Client) Follow(ctx context.Context, path string, each func(wire.Event) (last bool, err error)) error {
	patient := c.patient()
	var after int64
	met := false // the platform was there: an address that was never right is an error at once
	for {
		body, err := patient.open(ctx, http.MethodGet, path, nil, http.Header{"Accept": {"text/event-stream"}, "Last-Event-Id": {strconv.FormatInt(after, 10)}})
		switch {
		case err == nil:
			met = true
			over := false
			err = readStream(body, func(e wire.Event) error {
				after = e.ID
				over, err = each(e)
				if over && err == nil {
					err = io.EOF
				}
				return err
			})
			_ = body.Close()
			if ended := errors.Is(err, io.EOF); over && ended {
				return nil
			} else if err != nil && !ended {
				return err
			}
		case !met || !restarting(err) || ctx.Err() != nil:
			return err
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-c.after(comeBack):
		}
	}
}

// restarting reports whether an error is what a platform that is being restarted answers, or its proxy, or nobody.
func restarting(err error) bool {
	var network *net.OpError
	var refusal *Refusal
	var status *statusError
	switch {
	case errors.As(err, &refusal):
		return refusal.Problem.Status == http.StatusServiceUnavailable
	case errors.As(err, &status):
		return status.status >= http.StatusInternalServerError
	}
	return errors.As(err, &network) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
}

// patient returns the same client without a time limit: a stream may be silent for long.
func (c *Client) patient() *Client {
	other := *c
	other.HTTP = &http.Client{CheckRedirect: c.HTTP.CheckRedirect}
	return &other
}

// readStream calls each for every event of a stream, until it ends (nil) or each returns an error. What has no number is no event:
// it says why the stream ends.
func readStream(body io.Reader, each func(wire.Event) error) error {
	lines := bufio.NewScanner(body)
	numbered := false
	for lines.Scan() {
		line := lines.Text()
		data, isData := strings.CutPrefix(line, "data:")
		switch {
		case strings.HasPrefix(line, "id:"):
			numbered = true
		case line == "":
			numbered = false
		case isData && numbered:
			var e wire.Event
			if err := json.Unmarshal([]byte(data), &e); err != nil {
				return fmt.Errorf("an event of the stream is not the JSON expected: %w", err)
			}
			if err := each(e); err != nil {
				return err
			}
		}
	}
	return nil // cut off or ended: the same
}
