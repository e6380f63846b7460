package client

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"strconv"
	"time"

	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game/text"
)

// Client talks to a platform's API as any program would.
type Client struct {
	Base  string // the address of the platform, without a slash at the end
	HTTP  *http.Client
	Token string // sent with every call; "" calls as anybody

	after func(time.Duration) <-chan time.Time // time.After, but for tests
}

// New calls the platform at base as anybody.
func New(base string) *Client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // a token goes to nobody else
	return &Client{Base: base, after: time.After, HTTP: &http.Client{Timeout: 30 * time.Second, CheckRedirect: stay}}
}

// Refusal is a problem that the platform answered with.
type Refusal struct {
	method, path string
	Problem      wire.Problem
}

// Error says what was asked for, the stable code and the facts, which name all places.
func (r *Refusal) Error() string {
	return fmt.Sprintf("%s %s: %s: %s", r.method, r.path, line(r.Problem.Code), line(r.Problem.Detail))
}

// maxSaid bounds what is repeated of each part of a problem, in bytes.
const maxSaid = 2000

// line returns what a platform says, on one line: it cannot pass for a line of ours.
func line(said string) string { return text.Escape(said, maxSaid) }

// maxReply bounds what is read of one answer.
const maxReply = 256 << 20

// Get reads what a path answers into out.
func (c *Client) Get(ctx context.Context, path string, out any) error {
	return c.Call(ctx, http.MethodGet, path, nil, out)
}

// Call sends body with a method and reads the answer into out; nil drops it. A problem is a [*Refusal].
func (c *Client) Call(ctx context.Context, method, path string, body []byte, out any) error {
	b, err := c.raw(ctx, method, path, body)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(b, out); err != nil {
		return fmt.Errorf("%s %s: the answer is not the JSON expected: %w", method, path, err)
	}
	return nil
}

func (c *Client) raw(ctx context.Context, method, path string, body []byte) ([]byte, error) {
	answer, err := c.open(ctx, method, path, body, nil)
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(io.LimitReader(answer, maxReply))
	return b, errors.Join(err, answer.Close())
}

// open sends a request and returns the body of its answer. A problem is a [*Refusal], what a proxy refuses a [*statusError].
func (c *Client) open(ctx context.Context, method, path string, body []byte, headers http.Header) (io.ReadCloser, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.Base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	maps.Copy(request.Header, headers)
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if c.Token != "" {
		request.Header.Set("Authorization", "Bearer "+c.Token)
	}
	response, err := c.do(request)
	if err != nil {
		return nil, err
	}
	if response.StatusCode < http.StatusMultipleChoices {
		return response.Body, nil
	}
	defer func() { _ = response.Body.Close() }()
	var p wire.Problem
	if json.NewDecoder(io.LimitReader(response.Body, maxReply)).Decode(&p) == nil && p.Code != "" {
		return nil, &Refusal{method: method, path: path, Problem: p}
	}
	return nil, &statusError{method, path, response.StatusCode}
}

// statusError is an answer that is no problem of the platform's: a proxy's, before which it is away.
type statusError struct {
	method, path string
	status       int
}

func (e *statusError) Error() string {
	return fmt.Sprintf("%s %s: status %d", e.method, e.path, e.status)
}

// How often a reader that has to wait comes back, and how long it waits at most.
const (
	waitsMost   = 10
	longestWait = 2 * time.Minute
)

// do sends a request. A reader that asks too much waits as long as the platform says and asks again; what changes something is
// for its sender to repeat.
func (c *Client) do(request *http.Request) (*http.Response, error) {
	for waits := 0; ; waits++ {
		response, err := c.HTTP.Do(request)
		if err != nil || response.StatusCode != http.StatusTooManyRequests || request.Method != http.MethodGet || waits == waitsMost {
			return response, err
		}
		seconds, err := strconv.Atoi(response.Header.Get("Retry-After"))
		wait := time.Duration(seconds) * time.Second
		if err != nil || wait < 0 || wait > longestWait {
			return response, nil
		}
		if err := response.Body.Close(); err != nil {
			return nil, err
		}
		select {
		case <-c.after(wait):
		case <-request.Context().Done():
			return nil, request.Context().Err()
		}
	}
}

// Read returns what a path answers, as it is.
func (c *Client) Read(ctx context.Context, path string) ([]byte, error) {
	return c.raw(ctx, http.MethodGet, path, nil)
}
