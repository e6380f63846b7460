package runner

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
)

// courtesy bounds the time given to the untimed messages start and end.
const courtesy = 5 * time.Second

// maxReason bounds what a decision's reason says, in bytes.
const maxReason = 1000

// Play plays a match from where its record stands to its end. It returns [tournament.ErrFenced] when another worker has
// the match, an [ErrPlatform] error when the match must be voided, and ctx's error when it was asked to stop: then the
// match can be resumed elsewhere.
func Play(ctx context.Context, s Spec, players []Player, log Log) (Outcome, error) {
	if len(players) != len(s.Header.Seats) {
		return Outcome{}, fmt.Errorf("%w: %d players for %d seats", ErrPlatform, len(players), len(s.Header.Seats))
	}
	m, err := open(&s)
	if err != nil {
		return Outcome{}, err
	}
	if len(s.Recorded) == 0 {
		s.tell(ctx, players, func(ctx context.Context, p Player, b Briefing) {
			_ = p.Start(ctx, b) // the first decision will show
		})
	}
	briefings := make([]Briefing, len(players))
	for i := range briefings {
		briefings[i] = s.briefing(game.Seat(i))
	}
	for due := m.table.Due(); due != 0; due = m.table.Due() {
		if m.table.Step() >= game.MaxSteps {
			return Outcome{}, fmt.Errorf("%w: not over after %d steps, the most that are played", ErrPlatform, game.MaxSteps)
		}
		turns, err := m.decide(ctx, due, players, briefings)
		if err != nil {
			return Outcome{}, err
		}
		if err := m.take(turns); err != nil {
			return Outcome{}, err
		}
		if err := log.Append(ctx, Step{m.table.Step(), turns, m.player.Hash()}); err != nil {
			return Outcome{}, err
		}
	}
	return m.outcome(), nil
}

// Farewell tells every player how the match ended; call it once the outcome is safe. A nil outcome is a void match.
func Farewell(ctx context.Context, s Spec, players []Player, o *Outcome) {
	s.tell(ctx, players, func(ctx context.Context, p Player, b Briefing) {
		if o == nil {
			p.End(ctx, b, nil, 0)
			return
		}
		p.End(ctx, b, &o.Result, o.Rank[b.Seat])
	})
}

// tell calls f for every player at once, within the time of an untimed message, and waits.
func (s *Spec) tell(ctx context.Context, players []Player, f func(context.Context, Player, Briefing)) {
	var wg sync.WaitGroup
	for i, p := range players {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(ctx, min(courtesy, s.Clock.Limit+s.Clock.Allowance))
			defer cancel()
			f(ctx, p, s.briefing(game.Seat(i)))
		})
	}
	wg.Wait()
}

// decide gathers the decisions of the seats due. All who must be asked are asked at once, and nothing is released before
// the last has answered.
func (m *match) decide(ctx context.Context, due game.Seats, players []Player, briefings []Briefing) ([]Decision, error) {
	turns := make([]Decision, 0, due.Len())
	var asked []int // indices into turns
	for s := range due.Each() {
		d, ok := m.ready(s)
		if !ok {
			asked = append(asked, len(turns))
		}
		turns = append(turns, d)
	}
	asks := make([]Ask, len(asked))
	for i, at := range asked { // the table is not safe for concurrent use: everything is read before anybody is asked
		asks[i] = m.ask(turns[at].Seat)
		asks[i].Text = m.text(turns[at].Seat, players[turns[at].Seat])
	}
	replies := make([]Reply, len(asked))
	one := func(i int) {
		seat := turns[asked[i]].Seat
		p := players[seat]
		asks[i].Limit = deadline(m.spec.Clock, asks[i].Bank, p.RoundTrip())
		ctx, cancel := context.WithTimeout(ctx, asks[i].Limit)
		defer cancel()
		replies[i] = p.Ask(ctx, briefings[seat], asks[i])
	}
	if len(asked) == 1 {
		one(0)
	} else {
		var wg sync.WaitGroup
		for i := range asked {
			wg.Go(func() { one(i) })
		}
		wg.Wait()
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	for i, at := range asked {
		d, err := m.judge(turns[at].Seat, asks[i], replies[i])
		if err != nil {
			return nil, err
		}
		turns[at] = d
	}
	return turns, nil
}

// ready returns a decision that needs no asking: a retired seat's, or one that was sent ahead and is legal now.
func (m *match) ready(seat game.Seat) (Decision, bool) {
	s := &m.seats[seat]
	d := Decision{Turn: replay.Turn{Seat: seat}}
	if s.retired {
		d.Action, d.By, d.Why, d.Fault = m.table.House(seat), replay.ByHouse, tournament.WhyRetired, tournament.WhyRetired
		return d, true
	}
	if len(s.then) > 0 && s.thenStep == m.table.Step()+1 {
		action := json.RawMessage(s.then[0])
		if m.table.Check(game.Turn{Seat: seat, Action: action}) == nil {
			d.Action, d.By, d.Why = action, replay.ByBot, tournament.WhyThen
			return d, true
		}
	}
	s.then = nil
	return d, false
}

func (m *match) ask(seat game.Seat) Ask {
	s := &m.seats[seat]
	var events []json.RawMessage
	for _, e := range s.heard {
		events = append(events, e.Data)
	}
	var asks []game.Question
	if m.spec.Beliefs {
		asks = claim.Asked(m.table.Questions(seat))
	}
	return Ask{
		Asks: asks, Step: m.table.Step(), Decision: DecisionID(m.spec.Header.Match, m.table.Step(), seat), Bank: s.bank,
		Previous: s.previous, Events: events, View: m.table.View(seat), Offer: m.table.Offer(seat), Memo: s.memo,
	}
}

// text returns what a player may read of its turn in words; "" for one that does not want to.
func (m *match) text(seat game.Seat, p Player) string {
	if r, ok := p.(Reader); ok && r.WantsText() {
		words, _ := game.TurnWords(m.table, seat, m.seats[seat].heard)
		return words
	}
	return "" // as of a game without words
}

// judge turns a reply into a recorded decision: the bot's if all is well, else the house's with the fault.
func (m *match) judge(seat game.Seat, a Ask, r Reply) (Decision, error) {
	charged, bank, inTime := charge(m.spec.Clock, a.Bank, r.Ledger)
	if r.Fault == "" && !inTime {
		r.Fault, r.Reason = tournament.FaultTimeout, fmt.Sprintf("answered after %d ms; limit and bank were %d ms",
			charged.Milliseconds(), (m.spec.Clock.Limit+a.Bank).Milliseconds())
	}
	line := r.Ledger.line(charged, bank)
	d := Decision{
		Turn:  replay.Turn{Seat: seat, By: replay.ByBot, Clock: written(line)},
		Asked: line, Reason: r.Note, Debug: r.Debug, Build: r.Build,
	}
	d.Usage = written(r.Usage)
	if r.Fault == "" {
		m.accept(&d, a, r)
	} else {
		d.Fault, d.Reason = string(r.Fault), r.Reason
	}
	d.Reason = text.Escape(d.Reason, maxReason) // it may quote the bot
	if d.Fault == string(tournament.FaultPlatform) {
		return d, fmt.Errorf("%w: seat %d: %s", ErrPlatform, seat, d.Reason)
	}
	if d.Fault != "" {
		d.By, d.Why, d.Say, d.Memo, d.Then, d.Belief = replay.ByHouse, d.Fault, "", "", nil, nil
		d.Action = m.table.House(seat)
	}
	return d, nil
}

// accept fills the decision from an answer that arrived in time, or notes why the rules refuse it.
func (m *match) accept(d *Decision, a Ask, r Reply) {
	illegal := func(reason string) { d.Fault, d.Reason = string(tournament.FaultIllegal), reason }
	action := r.Action
	if r.Choose != nil {
		one, n, err := chosen(a.Offer, *r.Choose)
		if err != nil || one == nil {
			illegal(fmt.Sprintf("choose: %d is outside 0..%d", *r.Choose, n-1))
			return
		}
		action = one
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, action); err != nil {
		d.Fault, d.Reason = string(tournament.FaultBadJSON), "action: "+err.Error()
		return
	}
	d.Action, d.Memo = compact.Bytes(), r.Memo
	if err := m.table.Check(game.Turn{Seat: d.Seat, Action: d.Action}); err != nil {
		_, detail := game.Code(err)
		illegal(detail)
		return
	}
	if r.Say != "" {
		if err := m.table.Check(game.Turn{Seat: d.Seat, Action: d.Action, Say: r.Say}); err == nil {
			d.Say = r.Say
		} else {
			_, detail := game.Code(err)
			d.Reason = join(d.Reason, "say was dropped: "+detail)
		}
	}
	if r.Belief != nil {
		if err := r.Belief.Fits(a.Asks); err == nil {
			d.Belief = written(&r.Belief)
		} else {
			d.Reason = join(d.Reason, "belief was dropped: "+err.Error())
		}
	}
	for _, next := range r.Then {
		compact := new(bytes.Buffer)
		if json.Compact(compact, next) != nil {
			break
		}
		d.Then = append(d.Then, compact.String())
	}
}

// written returns a ledger, or what a bot claims, as the record has it; nil of nothing.
func written[T any](x *T) json.RawMessage {
	if x == nil {
		return nil
	}
	b, err := json.Marshal(x)
	if err != nil {
		panic("runner: what the record holds cannot be written: " + err.Error())
	}
	return b
}

func join(a, b string) string {
	if a == "" {
		return b
	}
	return a + "; " + b
}

// chosen returns entry k of an offer's list, or of its examples where it has forms, and how many entries there are. Offers are
// our own, and long: only the entry asked for is kept.
func chosen(offer json.RawMessage, k int) (action json.RawMessage, n int, err error) {
	d := jsontext.NewDecoder(bytes.NewReader(offer))
	if _, err := d.ReadToken(); err != nil { // {
		return nil, 0, err
	}
	for d.PeekKind() == '"' {
		key, err := d.ReadToken()
		if err != nil {
			return nil, 0, err
		}
		if name := key.String(); name != "list" && name != "examples" {
			if err := d.SkipValue(); err != nil {
				return nil, 0, err
			}
			continue
		}
		if _, err := d.ReadToken(); err != nil { // [
			return nil, 0, err
		}
		for ; d.PeekKind() != ']'; n++ {
			v, err := d.ReadValue()
			if err != nil {
				return nil, 0, err
			}
			if n == k {
				return bytes.Clone(v), n + 1, nil
			}
		}
		if _, err := d.ReadToken(); err != nil { // ]
			return nil, 0, err
		}
	}
	return nil, n, nil
}
