package check

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

const (
	parallel = 8   // decisions asked at once
	walk     = 400 // steps of a walk through a variant, at most
	limits   = "see the limits under Messages in docs/1-bot.md"
)

// table is a dealt table with what its seats have heard since they were last asked.
type table struct {
	game.Table
	engine game.Engine
	config json.RawMessage
	match  string
	action *jsonschema.Schema
	clock  tournament.Clock
	heard  [][]json.RawMessage
	text   bool
}

func (r *run) deal(e game.Engine, v game.Variant, n int) (*table, error) {
	config, err := e.Configure(json.RawMessage(v.Config), n)
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", e.Info().ID, v.Name, err)
	}
	dealt, events, err := e.New(config, n, seed(v.Name, n))
	if err != nil {
		return nil, fmt.Errorf("%s %s: %w", e.Info().ID, v.Name, err)
	}
	s, err := schemas(e.Schemas(), "action")
	if err != nil {
		return nil, err
	}
	t := &table{
		Table: dealt, engine: e, config: config, match: matchName + "-" + e.Info().ID + "-" + v.Name + "-" + strconv.Itoa(n), action: s["action"],
		clock: r.clock(), heard: make([][]json.RawMessage, n), text: r.report.Card.Text,
	}
	protocol.Hear(t.heard, events)
	return t, nil
}

// turn returns the message that asks a seat.
func (t *table) turn(seat game.Seat) *protocol.Turn {
	out := &protocol.Turn{
		Protocol: protocol.Version, Type: protocol.TypeTurn, Match: t.match, Game: t.engine.Info().ID, RulesVersion: t.engine.Info().Version,
		Config: t.config, Seat: seat, Opponents: []protocol.Opponent{}, Step: t.Step(), Decision: runner.DecisionID(t.match, t.Step(), seat),
		Clock:  protocol.Clock{LimitMS: t.clock.Limit.Milliseconds(), BankMS: t.clock.Bank.Milliseconds(), IncrementMS: t.clock.Increment.Milliseconds()},
		Events: t.heard[seat], View: t.View(seat), Offer: t.Offer(seat),
	}
	for i := range t.Seats() {
		if s := game.Seat(i); s != seat {
			out.Opponents = append(out.Opponents, protocol.Opponent{Seat: s, Alias: "house-" + strconv.Itoa(i)})
		}
	}
	if t.text {
		out.Text, _ = t.Describe(seat) // a game without words is no fault
	}
	return out
}

// walk plays the house's actions, and stops at each seat due.
func (t *table) walk(stop func(game.Seat) error) error {
	for range walk {
		due := t.Due()
		if due == 0 {
			return nil
		}
		var turns []game.Turn
		for seat := range due.Each() {
			if err := stop(seat); err != nil {
				return err
			}
			turns = append(turns, game.Turn{Seat: seat, Action: t.House(seat)})
		}
		events, err := t.Apply(turns)
		if err != nil {
			return err
		}
		protocol.Hear(t.heard, events)
	}
	return nil
}

// kind names the phase of a turn and the types of action on offer: one type may be asked in several phases, where a bot may know
// one of them alone.
func kind(view, offer json.RawMessage) (string, error) {
	var at struct {
		Phase string `json:"phase"`
	}
	if err := json.Unmarshal(view, &at); err != nil {
		return "", err
	}
	o, err := kit.ParseOffer(offer)
	if err != nil {
		return "", err
	}
	var types []string
	for _, raw := range o.List {
		var a struct {
			Type string `json:"type"`
		}
		if err := json.Unmarshal(raw, &a); err != nil {
			return "", err
		}
		types = append(types, a.Type)
	}
	for _, f := range o.Forms {
		types = append(types, f.Type)
	}
	slices.Sort(types)
	return fmt.Sprint(at.Phase, slices.Compact(types)), nil
}

// variant asks for one decision of each kind in each phase at the smallest and the largest table, and stops at the first fault.
func (r *run) variant(ctx context.Context, e game.Engine, v game.Variant) error {
	info, asked, bad := e.Info(), 0, false
	for _, n := range slices.Compact([]int{info.MinSeats, info.MaxSeats}) {
		t, err := r.deal(e, v, n)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		err = t.walk(func(seat game.Seat) error {
			k, err := kind(t.View(seat), t.Offer(seat))
			if err != nil || seen[k] || bad {
				return err
			}
			seen[k] = true
			asked++
			turn := t.turn(seat)
			bad = r.judge(t, turn, r.post(ctx, turn.Decision, turn.AppendJSON(nil)), v.Name).level == Fault
			t.heard[seat] = nil
			return ctx.Err()
		})
		if err != nil {
			return err
		}
	}
	if !bad {
		r.found(OK, info.ID, v.Name, fmt.Sprintf("%s, one of each kind, at tables of %s", game.Plural(asked, "decision"), sizes(info)), "")
	}
	return nil
}

func sizes(info game.Info) string {
	if info.MinSeats == info.MaxSeats {
		return strconv.Itoa(info.MinSeats)
	}
	return fmt.Sprintf("%d and %d", info.MinSeats, info.MaxSeats)
}

// verdict is what an answer to a turn is worth.
type verdict struct {
	level  Level
	action []byte // what it means, if it is legal
	named  bool   // it names the decision
}

// judge looks at an answer to a turn as the platform does, and returns what is wrong with it.
func (r *run) judge(t *table, turn *protocol.Turn, back reply, variant string) verdict {
	where := fmt.Sprintf("%s, %d seats, seat %d, step %d", variant, t.Seats(), turn.Seat, turn.Step)
	bad := func(detail, next string) verdict {
		r.found(Fault, turn.Game, where, detail, next)
		return verdict{level: Fault}
	}
	if back.Fault != "" {
		return bad(string(back.Fault)+": "+back.String(), mend(back.Fault, back.Reason))
	}
	answer, notes, err := protocol.ParseAnswer(back.Body)
	if err != nil {
		return bad("the answer "+err.Error()+": "+protocol.Quote(string(back.Body)), `answer {"choose":k} or {"action":{…}}, see Messages in docs/1-bot.md`)
	}
	if answer.Decision != "" && answer.Decision != turn.Decision {
		return bad("the answer is for decision "+protocol.Quote(answer.Decision)+", asked was "+turn.Decision, `echo the turn's "decision" in its answer, and share no turn between requests`)
	}
	action, err := kit.Chosen(turn.Offer, answer)
	if err != nil {
		return bad(err.Error(), `"choose" counts from 0 in the offer's list, or in its examples where it has forms`)
	}
	if err := t.Check(game.Turn{Seat: turn.Seat, Action: action}); err != nil {
		code, detail := game.Code(err)
		return bad(code+": "+detail+": "+protocol.Quote(string(action)), "take an action from the offer's list, or make one of its forms")
	}
	if text := against(t.action, action); text != "" {
		return bad("the action does not fit the game's schema: "+text, "see molerun schema "+turn.Game+" action")
	}
	v := verdict{OK, action, answer.Decision != ""}
	for _, note := range notes {
		v.level = Advice
		r.dropped(turn.Game, where, note, limits)
	}
	if text := against(r.messages["answer"], back.Body); text != "" && len(notes) == 0 {
		v.level = Advice
		r.dropped(turn.Game, where, "the answer counts but does not fit its schema: "+text, "see molerun schema protocol answer")
	}
	return v
}

// decisions looks at how a turn is answered: alone, twice under one id, with a key of a later platform, and many at once.
func (r *run) decisions(ctx context.Context, e game.Engine) error {
	v := e.Info().Variants[0]
	t, err := r.deal(e, v, e.Info().MinSeats)
	if err != nil {
		return err
	}
	seat := slices.Collect(t.Due().Each())[0]
	turn, before := t.turn(seat), len(r.report.Findings)
	ask := func(turn *protocol.Turn, body []byte, how string) verdict {
		return r.judge(t, turn, r.post(ctx, turn.Decision, body), how+v.Name)
	}
	first := ask(turn, turn.AppendJSON(nil), "")
	if first.level == Fault {
		return nil // whatever else is asked would only say it again
	}
	if !first.named {
		r.found(Advice, "decision", "", "the answer does not name the decision", `echo the turn's "decision": then a late answer is never taken for the next one`)
	}
	again := ask(turn, turn.AppendJSON(nil), "the same webhook-id again, ")
	if again.level != Fault && !game.Same(e, first.action, again.action) {
		r.found(Advice, "decision", "", "asked again under the same webhook-id, the bot answered otherwise",
			"let luck follow from the decision's id: then what you see in a replay can be met again")
	}
	later := t.turn(seat)
	later.Decision = runner.DecisionID(t.match+"-later", t.Step(), seat)
	body := later.AppendJSON(nil)
	ask(later, append(body[:len(body)-1], `,"later":{"than":[1]}}`...), "a key that is not known yet, ")
	if len(r.report.Findings) == before {
		r.found(OK, "decision", "", "named, the same when asked again, unknown keys ignored", "")
	}
	r.atOnce(ctx, t, seat)
	return nil
}

// atOnce asks for several decisions at the same time: each match has its own.
func (r *run) atOnce(ctx context.Context, t *table, seat game.Seat) {
	turns, replies := make([]*protocol.Turn, parallel), make([]reply, parallel)
	var wg sync.WaitGroup
	for i := range turns {
		turns[i] = t.turn(seat)
		turns[i].Match += "-" + strconv.Itoa(i)
		turns[i].Decision = runner.DecisionID(turns[i].Match, turns[i].Step, seat)
		wg.Go(func() { replies[i] = r.post(ctx, turns[i].Decision, turns[i].AppendJSON(nil)) })
	}
	wg.Wait()
	for i, back := range replies {
		if back.Status == 0 {
			r.found(Fault, "parallel", "", fmt.Sprintf("of %d turns at once, one got %s", parallel, back), sideBySide)
			return
		}
		if r.judge(t, turns[i], back, "many turns at once").level == Fault {
			return
		}
	}
	r.found(OK, "parallel", "", fmt.Sprintf("%d turns at once", parallel), "")
}
