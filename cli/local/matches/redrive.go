package matches

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/bots/kit"
	"github.com/molerun/molerun/bots/protocol"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// Again is one decision of a record, asked once more.
type Again struct {
	Step   int             // of the record, whose turn it is
	Was    replay.Turn     // as recorded
	Ahead  []string        // what was sent ahead with it then and used
	Now    json.RawMessage // the action now; nil at a fault
	Fault  tournament.Fault
	Reason string
	Debug  string
	Took   time.Duration
	// Same reports whether the bot itself decided then, and decides the same now, what it sent ahead included.
	Same bool
}

// Redrive sends the recorded turns of a seat, one after the other and under their old ids, to a bot, and reports what it
// decides now. Each turn is as it was: the view, the offer, the events, the clock and what became of the answer before. The
// memo is not in a record: it is what the bot itself asks for on the way. No record says whether its match asked for beliefs;
// one that somebody has given does.
func (r *Room) Redrive(ctx context.Context, rec *replay.Record, seat game.Seat, b Bot, clock tournament.Clock, tell func(Again) error) error {
	player, err := r.player(b, 0)
	if err != nil {
		return err
	}
	d := &drive{rec: rec, seat: seat, player: player, clock: clock, bank: clock.Bank, br: briefing(rec, seat, clock), believed: believed(rec)}
	if p, ok := player.(runner.Reader); ok {
		d.text = p.WantsText()
	}
	_ = player.Start(ctx, d.br) // a courtesy, as in the match
	err = rec.Play(func(p *replay.Player) error {
		step := p.Step()
		d.hear(p.Events())
		if step+1 == len(rec.Steps) {
			return nil
		}
		t, ok := turnOf(rec.Steps[step+1], seat)
		if !ok || !asked(t) {
			return nil
		}
		again, err := d.ask(ctx, step+1, p.Table(), t)
		if err != nil {
			return err
		}
		return tell(again)
	})
	if err == nil {
		player.End(ctx, d.br, &rec.Result, rating.Placing(rec.Result, rec.Retired)[seat])
	}
	return err
}

// drive is one seat of a record on its way through the match once more.
type drive struct {
	rec      *replay.Record
	seat     game.Seat
	player   runner.Player
	br       runner.Briefing
	clock    tournament.Clock
	text     bool
	believed bool // the match asked for beliefs
	bank     time.Duration
	previous *runner.Previous
	heard    []game.Event
	memo     string
}

func briefing(rec *replay.Record, seat game.Seat, clock tournament.Clock) runner.Briefing {
	engine, _ := catalog.Find(rec.Header.Game)
	b := runner.Briefing{
		Match: rec.Header.Match, Info: engine.Info(), Config: rec.Header.Config, Seat: seat, Clock: clock, Commitment: rec.Seed.Commit(rec.Nonce),
	}
	for _, s := range rec.Header.Seats {
		b.Aliases = append(b.Aliases, s.Alias)
	}
	return b
}

func (d *drive) hear(events []game.Event) {
	for _, e := range events {
		if e.VisibleTo(d.seat) {
			d.heard = append(d.heard, e)
		}
	}
}

// ask asks the bot for a turn of the record.
func (d *drive) ask(ctx context.Context, step int, table game.Table, was replay.Turn) (Again, error) {
	a := runner.Ask{
		Step: table.Step(), Decision: runner.DecisionID(d.rec.Header.Match, table.Step(), d.seat), Bank: d.bank, Previous: d.previous,
		View: table.View(d.seat), Offer: table.Offer(d.seat), Memo: d.memo,
	}
	for _, e := range d.heard {
		a.Events = append(a.Events, e.Data)
	}
	if d.believed {
		a.Asks = claim.Asked(table.Questions(d.seat))
	}
	if d.text {
		a.Text, _ = game.TurnWords(table, d.seat, d.heard) // a game without words is no fault
	}
	one, cancel := context.WithTimeout(ctx, d.clock.Limit+d.bank+d.clock.Allowance)
	reply := d.player.Ask(one, d.br, a)
	cancel()
	if err := ctx.Err(); err != nil {
		return Again{}, err
	}
	if reply.Fault == tournament.FaultPlatform {
		return Again{}, fmt.Errorf("step %d: %s", step, reply.Reason)
	}
	d.heard = nil
	if reply.Fault == "" && !Faulty(was) {
		d.memo = reply.Memo
	}
	again := Again{Step: step, Was: was, Ahead: ahead(d.rec, d.seat, step, len(d.rec.Steps)-1), Fault: reply.Fault, Reason: reply.Reason, Debug: reply.Debug, Took: reply.Ledger.Elapsed}
	engine, _ := catalog.Find(d.rec.Header.Game) // the record has been verified
	again.judge(engine, a.Offer, reply, func(action json.RawMessage) error { return table.Check(game.Turn{Seat: d.seat, Action: action}) })
	d.settle(was)
	return again, nil
}

// judge finds the action of a reply and compares it with what was recorded.
func (a *Again) judge(engine game.Engine, offer json.RawMessage, r runner.Reply, check func(json.RawMessage) error) {
	if a.Fault != "" {
		return
	}
	action, err := kit.Chosen(offer, protocol.Answer{Action: r.Action, Choose: r.Choose})
	if err == nil {
		var b bytes.Buffer
		if err = json.Compact(&b, action); err == nil {
			action = b.Bytes()
			err = check(action)
		}
	}
	if err != nil {
		a.Fault, a.Reason = tournament.FaultIllegal, err.Error()
		if _, detail := game.Code(err); errors.Is(err, game.ErrIllegal) {
			a.Reason = detail
		}
		return
	}
	a.Now = action
	a.Same = a.Was.By == replay.ByBot && game.Same(engine, action, a.Was.Action) && len(r.Then) >= len(a.Ahead)
	for i := 0; a.Same && i < len(a.Ahead); i++ {
		a.Same = game.Same(engine, r.Then[i], json.RawMessage(a.Ahead[i]))
	}
}

// settle takes over what the record says became of the answer.
func (d *drive) settle(was replay.Turn) {
	d.previous = &runner.Previous{Status: "ok"}
	if Faulty(was) {
		d.previous.Status = was.Why
	}
	if l, ok := runner.ReadClock(was.Clock); ok {
		d.bank = us(l.BankUS)
		d.previous.Elapsed, d.previous.Charged = us(l.ElapsedUS), us(l.ChargedUS)
	}
}

func us(n int64) time.Duration { return time.Duration(n) * time.Microsecond }

// asked reports whether a bot was asked for this turn.
func asked(t replay.Turn) bool {
	return t.Why != tournament.WhyThen && t.Why != tournament.WhyRetired
}

// ahead returns the actions that a seat had sent ahead with its turn of a step, as far as they were used up to the step last.
func ahead(rec *replay.Record, seat game.Seat, step, last int) []string {
	var list []string
	for i := step + 1; i <= last; i++ {
		t, ok := turnOf(rec.Steps[i], seat)
		if !ok || t.Why != tournament.WhyThen {
			break
		}
		list = append(list, string(t.Action))
	}
	return list
}

// believed reports whether anybody gave a belief in a match.
func believed(rec *replay.Record) bool {
	return slices.ContainsFunc(rec.Steps, func(s replay.Step) bool {
		return slices.ContainsFunc(s.Turns, func(t replay.Turn) bool { return t.Belief != nil })
	})
}

// turnOf returns what a seat did in a step.
func turnOf(s replay.Step, seat game.Seat) (replay.Turn, bool) {
	for _, t := range s.Turns {
		if t.Seat == seat {
			return t, true
		}
	}
	return replay.Turn{}, false
}
