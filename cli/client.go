package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/molerun/molerun/api/wire"
)

// client talks to a platform's API as any program would.
type client struct {
	base  string
	http  *http.Client
	token string // sent with every call that names none; "" calls as anybody
}

func newClient(base string) *client {
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse } // a token goes to nobody else
	return &client{base: base, http: &http.Client{Timeout: 30 * time.Second, CheckRedirect: stay}}
}

// refusal is a problem that the platform answered with.
type refusal struct {
	method, path string
	problem      wire.Problem
}

// Error says what was asked for, the stable code and the facts.
func (r *refusal) Error() string {
	text := fmt.Sprintf("%s %s: %s: %s", r.method, r.path, r.problem.Code, r.problem.Detail)
	for _, place := range r.problem.Errors {
		text += fmt.Sprintf(" [%s %s]", place.Pointer, place.Detail)
	}
	return text
}

// maxReply bounds what is read of one answer.
const maxReply = 256 << 20

func (c *client) get(ctx context.Context, path string, out any) error {
	return c.call(ctx, http.MethodGet, path, "", nil, out)
}

func (c *client) post(ctx context.Context, token, path string, in, out any) error {
	b, err := json.Marshal(in)
	if err != nil {
		return err
	}
	return c.call(ctx, http.MethodPost, path, token, b, out)
}

func (c *client) createTournament(ctx context.Context, token string, in wire.TournamentCreate) (t wire.Tournament, err error) {
	err = c.post(ctx, token, "/v1/tournaments", in, &t)
	return t, err
}

func (c *client) call(ctx context.Context, method, path, token string, body []byte, out any) error {
	b, err := c.raw(ctx, method, path, token, body)
	if err != nil || out == nil {
		return err
	}
	if err := json.Unmarshal(b, out); err != nil {
		return fmt.Errorf("%s %s: the answer is not the JSON expected: %w", method, path, err)
	}
	return nil
}

func (c *client) raw(ctx context.Context, method, path, token string, body []byte) (b []byte, err error) {
	request, err := http.NewRequestWithContext(ctx, method, c.base+path, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	if body != nil {
		request.Header.Set("Content-Type", "application/json")
	}
	if token = firstOf(token, c.token); token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, response.Body.Close()) }()
	if b, err = io.ReadAll(io.LimitReader(response.Body, maxReply)); err != nil {
		return nil, err
	}
	if response.StatusCode >= http.StatusMultipleChoices {
		var p wire.Problem
		if json.Unmarshal(b, &p) == nil && p.Code != "" {
			return nil, &refusal{method, path, p}
		}
		return nil, fmt.Errorf("%s %s: status %d", method, path, response.StatusCode)
	}
	return b, nil
}

// download saves what a path answers in a file.
func (c *client) download(ctx context.Context, path, file string) error {
	b, err := c.raw(ctx, http.MethodGet, path, "", nil)
	if err != nil {
		return err
	}
	return os.WriteFile(file, b, 0o644) //nolint:gosec // records are for everybody
}

// pages calls each for every row of a list, over all its pages. path has a query already.
func pages[T any](ctx context.Context, c *client, path string, each func(T) error) error {
	cursor := ""
	for {
		var page struct {
			Data []T     `json:"data"`
			Next *string `json:"next_cursor"`
		}
		if err := c.get(ctx, path+cursor, &page); err != nil {
			return err
		}
		for _, row := range page.Data {
			if err := each(row); err != nil {
				return err
			}
		}
		if page.Next == nil {
			return nil
		}
		cursor = "&cursor=" + *page.Next
	}
}
