package check

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
)

// bigMessage is more than ten times the largest turn of any game.
const bigMessage = 256 << 10

// manners returns answers to what is no decision: messages of a later platform, courtesies, and
// junk, after which the bot must still be there.
func (r *run) manners(ctx context.Context) {
	before := len(r.report.Findings)
	const ignore = "answer {} to every type that you do not know, so that later messages do no harm"
	r.unknown(ctx, "of an unknown type", []byte(`{"protocol":1,"type":"weather","rain":true}`), Fault, ignore)
	r.unknown(ctx, "without a type", []byte(`{"protocol":1}`), Fault, ignore)
	pad := `{"protocol":1,"type":"weather","pad":"` + strings.Repeat("rain ", bigMessage/5) + `"}`
	r.unknown(ctx, "of 256 KiB", []byte(pad), Advice, "raise your server's limit on a request's body, and read it whole even where you refuse it: turns of a long list of actions are large")
	start, end := r.courtesies()
	r.courtesy(ctx, protocol.TypeStart, start)
	r.courtesy(ctx, protocol.TypeEnd, end)
	r.post(ctx, protocol.MessageID("junk", r.match, 0), []byte(`{"type":"turn",`)) // whatever it says to this
	if _, err := r.greet(ctx, r.Secrets...); err != nil {
		r.found(Fault, "manners", "", "after a message that is no JSON the bot does not answer hello any more: "+reason(err),
			"catch errors for each request alone, so that one does not end the server")
	}
	if len(r.report.Findings) == before {
		r.found(OK, "manners", "", "start, end, unknown, large and broken messages do no harm", "")
	}
}

func (r *run) unknown(ctx context.Context, name string, body []byte, l Level, next string) {
	back := r.post(ctx, protocol.MessageID("unknown", r.match+name, 0), body)
	switch {
	case back.empty():
	case back.Fault == "":
		r.found(Advice, "manners", "", "a message "+name+" is answered with "+back.String(), next)
	default:
		r.found(l, "manners", "", "a message "+name+": "+back.String(), next)
		r.afterRefusal(ctx, "manners")
	}
}

func (r *run) courtesy(ctx context.Context, kind string, message any) {
	body, err := json.Marshal(message)
	if err != nil {
		panic("check: a message cannot be written as JSON: " + err.Error())
	}
	if back := r.post(ctx, protocol.MessageID(kind, r.match, 0), body); back.Fault != "" {
		r.found(Advice, "manners", "", "a message "+kind+": "+back.String(), "answer {} to "+kind)
	}
}

// courtesies returns a start and an end of the first game that the bot names.
func (r *run) courtesies() (protocol.Start, protocol.End) {
	d := r.clock()
	clock := protocol.Clock{LimitMS: d.Limit.Milliseconds(), BankMS: d.Bank.Milliseconds(), IncrementMS: d.Increment.Milliseconds()}
	id := r.report.Card.Games[0]
	start := protocol.Start{
		Protocol: protocol.Version, Type: protocol.TypeStart, Match: r.match, Game: id, RulesVersion: 1, Config: json.RawMessage(`{}`),
		Opponents: []protocol.Opponent{{Seat: 1, Alias: "house"}}, Clock: clock, Commitment: strings.Repeat("0", 64),
	}
	end := protocol.End{
		Protocol: protocol.Version, Type: protocol.TypeEnd, Match: r.match, Game: id, Rank: 1,
		Result: &game.Result{Rank: []int{1, 2}, Points: []float64{1, 0}, Why: "goal"},
	}
	return start, end
}
