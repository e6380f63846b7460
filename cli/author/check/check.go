package check

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

// Options of a check.
type Options struct {
	URL     string
	Secrets []string      // live ones, at most two; none: messages go out unsigned
	Games   []game.Engine // all there are; only those that the bot names are played
	Only    []string      // ids; if there are any, only these are played, and the bot must name them
	Guard   httpbot.Guard
	Now     func() time.Time
	Random  io.Reader // challenges, and ids of messages outside matches
	// Limit is the free time for a decision; 0 means that of [tournament.DefaultClock].
	Limit time.Duration
	// Patience is how long one message that belongs to no match may take; 0 means ten seconds, or the limit where that is longer.
	Patience time.Duration
}

// Level is how bad a finding is.
type Level string

// The levels. Only faults make a bot wrong.
const (
	OK     Level = "ok"
	Advice Level = "advice"
	Fault  Level = "fault"
)

// Finding is one thing that was looked at.
type Finding struct {
	Level  Level  `json:"level"`
	What   string `json:"what"`            // hello, signature, manners, a game's id, decision, parallel, latency
	Where  string `json:"where,omitempty"` // variant, table size, seat and step
	Detail string `json:"detail"`
	Next   string `json:"next,omitempty"` // what the author should do
}

// Report is a whole check.
type Report struct {
	Card     protocol.HelloAnswer
	Findings []Finding
}

// Count returns how many findings have a level.
func (r Report) Count(l Level) int {
	n := 0
	for _, f := range r.Findings {
		if f.Level == l {
			n++
		}
	}
	return n
}

// run is a check in progress.
type run struct {
	Options
	keys     protocol.Keys
	client   *httpbot.Client
	raw      *httpbot.Client // for messages that are no greeting and of no match: its connections are others
	tell     func(Finding)
	report   Report
	ledgers  []runner.Ledger // of the decisions in whole matches
	messages map[string]*jsonschema.Schema
	match    string // the drawn name of a match that is never played; for the matches that are, see matchName
	repeated []repeated
	stopped  func() error // not nil once the check is to end
	hasty    bool         // the bot refuses messages before it has read them, which was found
}

// Run checks the bot; tell hears each finding at once. A bot that does not answer the hello is asked nothing more. The
// error is [tournament.ErrBot] for a refused URL, [protocol.ErrSecret] for a refused secret, ctx's, or ours.
func Run(ctx context.Context, o Options, tell func(Finding)) (Report, error) {
	if err := httpbot.CheckURL(o.URL, o.Guard); err != nil {
		return Report{}, err
	}
	keys, err := protocol.ParseKeys(o.Secrets...)
	if err != nil {
		return Report{}, err
	}
	r := &run{Options: o, keys: keys, tell: tell, stopped: ctx.Err, client: httpbot.NewClient(httpbot.Options{Guard: o.Guard}), raw: httpbot.NewClient(httpbot.Options{Guard: o.Guard})}
	r.Limit = cmp.Or(o.Limit, tournament.DefaultClock().Limit)
	r.Patience = cmp.Or(o.Patience, max(defaultPatience, r.Limit))
	defer r.client.Close()
	defer func() { r.raw.Close() }()
	if r.messages, err = schemas(protocol.Schemas(), "answer", "hello_answer"); err != nil {
		return Report{}, err
	}
	var name [8]byte
	if _, err := io.ReadFull(o.Random, name[:]); err != nil {
		return Report{}, fmt.Errorf("draw a name: %w", err)
	}
	r.match = "check-" + hex.EncodeToString(name[:])
	if r.hello(ctx) {
		r.signatures(ctx)
		r.manners(ctx)
		err := r.games(ctx)
		r.tellRepeated()
		if err != nil {
			return r.report, err
		}
		for _, f := range Speed(r.ledgers, r.Limit) {
			r.add(f)
		}
	}
	return r.report, ctx.Err()
}

// clock returns the clock of all turns.
func (r *run) clock() tournament.Clock {
	c := tournament.DefaultClock()
	c.Limit = r.Limit
	return c
}

func (r *run) found(l Level, what, where, detail, next string) {
	r.add(Finding{l, what, where, detail, next})
}

func (r *run) add(f Finding) {
	if r.stopped() != nil {
		return // the bot is not to blame for what was broken off
	}
	r.report.Findings = append(r.report.Findings, f)
	r.tell(f)
}

// repeated holds advice that many decisions get alike; the report has it once, at the end.
type repeated struct {
	Finding
	kind  string
	count int
}

// dropped notes what was dropped from an answer that counted all the same.
func (r *run) dropped(game, where, detail, next string) {
	kind, _, _ := strings.Cut(detail, ":")
	i := slices.IndexFunc(r.repeated, func(x repeated) bool { return x.What == game && x.kind == kind })
	if i < 0 {
		i = len(r.repeated)
		r.repeated = append(r.repeated, repeated{Finding: Finding{Advice, game, where, detail, next}, kind: kind})
	}
	r.repeated[i].count++
}

func (r *run) tellRepeated() {
	for _, x := range r.repeated {
		if x.count > 1 {
			x.Detail += fmt.Sprintf(" (the first of %d)", x.count)
		}
		r.add(x.Finding)
	}
}

// games plays all games that the bot names.
func (r *run) games(ctx context.Context) error {
	first := true
	for _, e := range r.Games {
		id := e.Info().ID
		if len(r.Only) > 0 && !slices.Contains(r.Only, id) {
			continue
		}
		if !slices.Contains(r.report.Card.Games, id) {
			if len(r.Only) > 0 {
				r.found(Fault, id, "", "the bot does not name this game in its hello", `add "`+id+`" to "games" in the answer to hello`)
			}
			continue
		}
		if first {
			first = false
			if err := r.decisions(ctx, e); err != nil {
				return err
			}
		}
		if fine, err := r.whole(ctx, e); err != nil {
			return err
		} else if !fine {
			continue // one fault of a game is enough to mend
		}
		for _, v := range e.Info().Variants {
			if err := r.variant(ctx, e, v); err != nil {
				return err
			}
		}
	}
	return ctx.Err()
}

// seed returns the deal of a table of n seats: always the same, so that a fault can be met again.
func seed(variant string, n int) game.Seed {
	return sha256.Sum256(fmt.Appendf(nil, "%s/%d", variant, n))
}

// schemas compiles the JSON Schemas of these names.
func schemas(texts map[string]string, names ...string) (map[string]*jsonschema.Schema, error) {
	out := map[string]*jsonschema.Schema{}
	for _, name := range names {
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(texts[name]))
		if err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft2020)
		url := "schema:///" + name // a mere name would be taken for a file of this folder, whose own name may hold anything
		if err := c.AddResource(url, doc); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
		if out[name], err = c.Compile(url); err != nil {
			return nil, fmt.Errorf("schema %s: %w", name, err)
		}
	}
	return out, nil
}

// against returns how b breaks a schema; "" if it does not.
func against(s *jsonschema.Schema, b []byte) string {
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(string(b)))
	if err == nil {
		err = s.Validate(value)
	}
	if err == nil {
		return ""
	}
	_, detail, found := strings.Cut(err.Error(), "\n")
	if !found {
		detail = err.Error()
	}
	return strings.Join(strings.Fields(detail), " ")
}
