package check

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament/httpbot"
)

// defaultPatience is how long one message that belongs to no match may take.
const defaultPatience = 10 * time.Second

// asker sends any bytes under any headers, which the platform's own client does not: within the same guard, and like it
// through no proxy and after no redirect.
type asker struct {
	url       string
	patience  time.Duration
	transport *http.Transport
}

func newAsker(url string, g httpbot.Guard, patience time.Duration) *asker {
	dialer := &net.Dialer{Timeout: patience, Control: g.Control()}
	return &asker{url, patience, &http.Transport{
		Proxy: nil, DialContext: dialer.DialContext, DisableCompression: true, MaxIdleConnsPerHost: parallel,
		TLSHandshakeTimeout: patience, MaxResponseHeaderBytes: 16 << 10,
	}}
}

func (a *asker) close() { a.transport.CloseIdleConnections() }

// request is a message with its headers.
type request struct {
	id, signature string
	at            time.Time
	body          []byte
}

// reply is what came back.
type reply struct {
	status int
	body   []byte
	err    error // there is none
}

// String returns the reply in a few words.
func (r reply) String() string {
	if errors.Is(r.err, context.DeadlineExceeded) {
		return "no answer in time"
	}
	if r.err != nil {
		return "no answer: " + r.err.Error()
	}
	return fmt.Sprintf("status %d, %s", r.status, protocol.Quote(string(r.body)))
}

// empty reports whether the answer is {}.
func (r reply) empty() bool {
	var v map[string]any
	return r.err == nil && r.status == http.StatusOK && json.Unmarshal(r.body, &v) == nil && v != nil && len(v) == 0
}

func (a *asker) send(ctx context.Context, l request) reply {
	ctx, cancel := context.WithTimeout(ctx, a.patience)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, a.url, bytes.NewReader(l.body))
	if err != nil {
		return reply{err: err}
	}
	request.Header = http.Header{
		"Content-Type": {"application/json"}, "User-Agent": {"molerun/" + strconv.Itoa(protocol.Version)}, "X-Idempotency-Key": nil,
		protocol.HeaderID: {l.id}, protocol.HeaderTimestamp: {strconv.FormatInt(l.at.Unix(), 10)},
	}
	if l.signature != "" {
		request.Header.Set(protocol.HeaderSignature, l.signature)
	}
	response, err := a.transport.RoundTrip(request)
	if err != nil {
		return reply{err: err}
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, protocol.MaxAnswerBytes+1))
	return reply{response.StatusCode, body, err}
}

// post sends a message as the platform would.
func (r *run) post(ctx context.Context, id string, body []byte) reply {
	at := r.Now()
	return r.raw.send(ctx, request{id: id, at: at, signature: r.keys.Sign(id, at, body), body: body})
}
