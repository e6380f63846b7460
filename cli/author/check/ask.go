package check

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
)

// defaultPatience is how long one message that belongs to no match may take.
const defaultPatience = 10 * time.Second

// reply is what came back.
type reply struct{ httpbot.Answer }

// String returns the reply in a few words.
func (r reply) String() string {
	switch {
	case r.Fault == "":
		return fmt.Sprintf("status %d, %s", r.Status, protocol.Quote(string(r.Body)))
	case r.Fault == tournament.FaultStatus && len(r.Body) > 0:
		return r.Reason + ": " + protocol.Quote(string(r.Body))
	}
	return r.Reason
}

// empty reports whether the answer is {}.
func (r reply) empty() bool {
	var v map[string]any
	return r.Fault == "" && json.Unmarshal(r.Body, &v) == nil && v != nil && len(v) == 0
}

// send sends any message to a URL of the bot, over connections of its own.
func (r *run) send(ctx context.Context, url string, m httpbot.Message) reply {
	ctx, cancel := context.WithTimeout(ctx, r.Patience)
	defer cancel()
	a, err := httpbot.Post(ctx, httpbot.Config{URL: url, Client: r.raw}, m)
	if err != nil {
		a.Fault, a.Reason = tournament.FaultConnect, reason(err)
	}
	return reply{a}
}

// post sends a message as the platform would.
func (r *run) post(ctx context.Context, id string, body []byte) reply {
	return r.send(ctx, r.URL, r.sign(id, body))
}

func (r *run) sign(id string, body []byte) httpbot.Message {
	at := r.Now()
	return httpbot.Message{ID: id, At: at, Signature: r.keys.Sign(id, at, body), Body: body}
}
