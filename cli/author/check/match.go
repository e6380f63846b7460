package check

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/molerun/molerun/bots/house"
	"github.com/molerun/molerun/cli/inprocess"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
)

// matchName begins the names of all matches of a check. They are the same in every check, and so are the ids of decisions: a bot
// that takes its luck from them decides the same in each.
const matchName = "check"

// short returns the configuration of a whole match of a game whose base game takes random players thousands of decisions.
func short(id string) json.RawMessage {
	if id == "mole" {
		return json.RawMessage(`{"points":1,"max_rounds":4}`)
	}
	return nil
}

// whole plays a match at the smallest table against the house's random player, as the platform would; false if the bot met
// a fault.
func (r *run) whole(ctx context.Context, e game.Engine) (bool, error) {
	info := e.Info()
	s, err := r.spec(e)
	if err != nil {
		return false, err
	}
	bot, err := httpbot.New(httpbot.Config{URL: r.URL, Secrets: r.Secrets, Text: r.report.Card.Text, Client: r.client, Now: r.Now})
	if err != nil {
		return false, err
	}
	timed := &timed{Bot: bot}
	players := []runner.Player{timed}
	random, ok := house.Find("random")
	if !ok {
		return false, errors.New("the house has no random player")
	}
	for i := range info.MinSeats - 1 {
		players = append(players, inprocess.Player(random.Decide(uint64(i))))
	}
	log := &faults{dropped: func(step int, note string) {
		next := limits
		if strings.HasPrefix(note, "belief ") {
			next = `answer each of the turn's "asks", see Messages in docs/1-bot.md; where a turn has none, leave "belief" out`
		}
		r.dropped(info.ID, fmt.Sprintf("a whole match, step %d", step), note, next)
	}}
	o, err := runner.Play(ctx, s, players, log)
	if err != nil {
		return false, err
	}
	runner.Farewell(ctx, s, players, &o)
	r.ledgers = append(r.ledgers, timed.ledgers...)
	if log.first == nil {
		r.found(OK, info.ID, "a whole match", fmt.Sprintf("%s against random, rank %d of %d", game.Plural(len(timed.ledgers), "decision"), o.Rank[0], info.MinSeats), "")
		return true, nil
	}
	where := fmt.Sprintf("a whole match, step %d", log.step)
	r.found(Fault, info.ID, where, log.first.Fault+": "+log.first.Reason, mend(tournament.Fault(log.first.Fault), log.first.Reason))
	return false, nil
}

// mend says what to do about a fault.
func mend(f tournament.Fault, reason string) string {
	switch f {
	case tournament.FaultStatus:
		return httpbot.AtReason(reason)
	case tournament.FaultTimeout:
		return "answer within the turn's clock.limit_ms and what is left of clock.bank_ms; where organisers give longer, check with --limit, like --limit 2m"
	case tournament.FaultConnect, tournament.FaultTLS:
		return "look into the bot's log: it must answer every turn with status 200"
	case tournament.FaultIllegal:
		return "take an action from the offer's list, or make one of its forms"
	case tournament.FaultWrongDecision:
		return `echo the turn's "decision" in its answer`
	default:
		return "see Messages in docs/1-bot.md for what an answer may hold"
	}
}

func (r *run) spec(e game.Engine) (runner.Spec, error) {
	info := e.Info()
	config, err := e.Configure(short(info.ID), info.MinSeats)
	if err != nil {
		return runner.Spec{}, fmt.Errorf("%s: %w", info.ID, err)
	}
	m := tournament.Match{
		ID: matchName + "-" + info.ID, Game: info.ID, RulesVersion: info.Version, Engine: "molerun check", Config: config,
		Seed: seed("a whole match", info.MinSeats), Clock: r.clock(), Beliefs: true,
		Limits: tournament.FaultLimits{InRow: 1, Total: 1}, // what comes after a fault would only cost time
	}
	for i := range info.MinSeats {
		m.Seats = append(m.Seats, tournament.MatchSeat{Alias: "seat-" + strconv.Itoa(i)})
	}
	return runner.SpecOf(m, e, nil), nil
}

// timed keeps the ledger of every decision.
type timed struct {
	*httpbot.Bot
	ledgers []runner.Ledger
}

// Ask asks the bot.
func (t *timed) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	reply := t.Bot.Ask(ctx, b, a)
	if reply.Fault == "" {
		t.ledgers = append(t.ledgers, reply.Ledger)
	}
	return reply
}

// faults keeps the first fault of seat 0 in a match, and passes on what was dropped from its answers.
type faults struct {
	step    int
	first   *runner.Decision
	dropped func(step int, note string)
}

// Append looks at a step.
func (f *faults) Append(_ context.Context, s runner.Step) error {
	d, ok := s.Decision(0)
	switch {
	case ok && d.Fault != "" && f.first == nil:
		f.step, f.first = s.Step, &d
	case ok && d.Fault == "" && d.Reason != "":
		for note := range strings.SplitSeq(d.Reason, "; ") {
			f.dropped(s.Step, note)
		}
	}
	return nil
}
