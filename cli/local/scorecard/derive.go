package scorecard

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io/fs"
	"slices"

	"github.com/molerun/molerun/bots/card"
	"github.com/molerun/molerun/cli/local/matches"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// derivation makes a card from the matches of its plan.
type derivation struct {
	// each hands the matches of a game over, in order.
	each    func(ctx context.Context, p part, field []matches.Bot, tell func(matches.Proven) error) error
	end     func() error // is called after all matches, unless it is nil
	decided *decisions   // takes what the subject decided; nil: nobody wants it
	tell    Progress
}

// records has the matches from the files of their records, at most atOnce at a time. sum returns what the hash of a file must be; if again is
// set, the pool's bots must decide now as recorded.
func records(files fs.FS, again bool, atOnce int, sum func(file string) ([32]byte, bool)) derivation {
	return derivation{each: func(ctx context.Context, p part, field []matches.Bot, tell func(matches.Proven) error) error {
		return p.Prove(ctx, files, field, again, atOnce, sum, tell)
	}}
}

// Progress is called after every match: so many of the game's are done. nil: nobody watches.
type Progress func(game string, done, of int)

// derive makes the card of a subject. head is the card with all that is not derived: the subject, the plan, the pool, the clock, the program.
func (d derivation) derive(ctx context.Context, head card.Card, plan Plan, games []string) (card.Card, error) {
	out := head
	out.Format, out.Games, out.Run = card.Format, []card.Game{}, card.Run{Times: []card.Times{}, Records: []card.Record{}}
	var clean, withErrors []card.Estimate
	for _, id := range games {
		p, err := plan.part(id, head.Clock)
		if err != nil {
			return card.Card{}, err
		}
		t, err := d.game(ctx, p, matches.Bot{Name: head.Subject.Name, Build: head.Subject.Build})
		if err != nil {
			return card.Card{}, err
		}
		out.Games = append(out.Games, t.out)
		out.Run.Times = append(out.Run.Times, card.Times{Game: id, MedianUS: quantile(t.took, .5), P95US: quantile(t.took, .95)})
		if u := t.claims.Used; u.Decisions > 0 {
			out.Run.Usage = append(out.Run.Usage, card.Usage{Game: id, Decisions: u.Decisions, Models: t.claims.Models, InputTokens: u.InputTokens, OutputTokens: u.OutputTokens, CostUSD: u.CostUSD()})
		}
		out.Run.Records = append(out.Run.Records, t.records...)
		clean, withErrors = append(clean, t.out.Clean), append(withErrors, t.out.WithErrors)
	}
	if d.end != nil {
		if err := d.end(); err != nil {
			return card.Card{}, err
		}
	}
	out.Clean, out.WithErrors = card.Mean(clean).Rounded(), card.Mean(withErrors).Rounded()
	return out, nil
}

// game counts the matches of a game.
func (d derivation) game(ctx context.Context, p part, subject matches.Bot) (*tally, error) {
	field, err := p.field(subject)
	if err != nil {
		return nil, err
	}
	t := &tally{engine: p.engine, clean: matches.NewScore(&p.Series, field), withErrors: matches.NewScore(&p.Series, field), played: sha256.New()}
	t.out = card.Game{
		Game: p.Game, Variant: p.pool.Variant, Rules: p.RulesVersion, Seats: p.Seats, Matches: p.Games, Faults: []card.Fault{},
		Least: card.Estimate{Value: p.pool.Scaled(0)}.Rounded().Value, Most: card.Estimate{Value: p.pool.Scaled(1)}.Rounded().Value,
	}
	err = d.each(ctx, p, field, func(m matches.Proven) error {
		if d.tell != nil {
			d.tell(p.Game, m.Number, p.Games)
		}
		if d.decided != nil {
			if err := d.decided.add(m); err != nil {
				return err
			}
		}
		return t.add(m, card.Clock{LimitMS: p.LimitMS, BankMS: p.BankMS})
	})
	if err != nil {
		return nil, err
	}
	t.end(p)
	return t, nil
}

// tally counts the matches of a game.
type tally struct {
	out               card.Game
	engine            game.Engine
	clean, withErrors *matches.Score
	played            hash.Hash // of the decisions
	took              []int64
	claims            claim.Account
	records           []card.Record
}

// add counts a match. The error is [card.ErrCard] where it contradicts the clock.
func (t *tally) add(m matches.Proven, clock card.Clock) error {
	r := card.Record{File: m.File}
	if m.Sum != [32]byte{} {
		r.SHA256 = hex.EncodeToString(m.Sum[:])
	}
	t.records = append(t.records, r)
	mine := seatsOf(m)
	if err := t.claimed(m, mine); err != nil {
		return err
	}
	faulty, banks := false, map[game.Seat]*purse{}
	for seat := range mine.Each() {
		banks[seat] = &purse{1000 * clock.BankMS, 1000 * clock.BankMS}
	}
	fmt.Fprintf(t.played, "%s\n", m.Match)
	for i, step := range m.Record.Steps {
		for _, turn := range step.Turns {
			if mine.Has(turn.Seat) {
				if err := banks[turn.Seat].pay(clock, turn); err != nil {
					return fmt.Errorf("%w: /clock says %d ms for each decision and %d ms a match, but in %s, step %d, the decision of seat %d %w", card.ErrCard, clock.LimitMS, clock.BankMS, m.File, i, turn.Seat, err)
				}
				faulty = t.decided(turn) || faulty
			}
			turn.Clock, turn.Usage, turn.Belief = nil, nil, nil // what is claimed is no decision
			b, err := json.Marshal(turn)
			if err != nil {
				return err
			}
			t.played.Write(append(b, '\n'))
		}
	}
	if err := t.clean.Add(m.Played); err != nil {
		return err
	}
	lost := m.Played
	if faulty {
		t.out.Faulty++
		lost.Retired = lost.Retired | mine
		lost.Rank = rating.Placing(lost.Result, lost.Retired)
	}
	return t.withErrors.Add(lost)
}

// seatsOf returns the seats of the subject.
func seatsOf(m matches.Proven) game.Seats {
	var mine game.Seats
	for seat, player := range m.Players {
		if player == 0 {
			mine = mine.With(game.Seat(seat))
		}
	}
	return mine
}

// claimed counts what the subject said beside its decisions in a match.
func (t *tally) claimed(m matches.Proven, mine game.Seats) error {
	claims := func(turn replay.Turn) bool { return mine.Has(turn.Seat) && len(turn.Usage)+len(turn.Belief) > 0 }
	if !slices.ContainsFunc(m.Record.Steps, func(s replay.Step) bool { return slices.ContainsFunc(s.Turns, claims) }) {
		return nil
	}
	p, err := replay.Deal(t.engine, m.Record.Header, m.Record.Seed)
	for _, step := range m.Record.Steps[1:] {
		if err != nil {
			break
		}
		for _, turn := range step.Turns {
			if claims(turn) {
				t.claims.Take(p.Table(), turn.Seat, turn.Usage, turn.Belief)
			}
		}
		err = p.Play(step.Turns)
	}
	return err
}

// decided counts a decision of the subject, and reports whether it is a fault.
func (t *tally) decided(turn replay.Turn) bool {
	t.out.Decisions++
	if matches.Faulty(turn) {
		i := slices.IndexFunc(t.out.Faults, func(f card.Fault) bool { return f.Kind == turn.Why })
		if i < 0 {
			i = len(t.out.Faults)
			t.out.Faults = append(t.out.Faults, card.Fault{Kind: turn.Why})
		}
		t.out.Faults[i].Count++
		return true
	}
	if l, ok := runner.ReadClock(turn.Clock); ok && turn.Why == "" {
		t.took = append(t.took, l.ElapsedUS)
	}
	return false
}

// end makes the shares and strengths of what was counted.
func (t *tally) end(p part) {
	t.out.Played = hex.EncodeToString(t.played.Sum(nil))
	slices.SortFunc(t.out.Faults, func(a, b card.Fault) int { return b.Count - a.Count })
	t.out.ByRole, t.out.BySeat = []card.Share{}, []card.Share{}
	var clean, withErrors []card.Estimate
	for _, s := range t.clean.Splits(0) {
		e := shareOf(s)
		switch x := (card.Share{Of: s.Of, Matches: s.Units, Share: e.Rounded()}); s.By {
		case "role":
			t.out.ByRole = append(t.out.ByRole, x)
		case "seat":
			t.out.BySeat = append(t.out.BySeat, x)
		case "opponent":
			t.out.Opponents = append(t.out.Opponents, card.Opponent{Bot: p.pool.Bots[len(clean)], Pairs: s.Units, Share: e.Rounded(), Beaten: e.Low > .5})
			clean = append(clean, e)
		}
	}
	for _, s := range t.withErrors.Splits(0) {
		if e := shareOf(s); s.By == "opponent" {
			t.out.Opponents[len(withErrors)].WithErrors = e.Rounded()
			withErrors = append(withErrors, e)
		}
	}
	strength := func(list []card.Estimate) card.Estimate {
		e := card.Mean(list)
		return card.Estimate{Value: p.pool.Scaled(e.Value), Low: p.pool.Scaled(e.Low), High: p.pool.Scaled(e.High)}.Rounded()
	}
	t.out.Beliefs = card.Score(t.claims.Own, t.claims.Rules)
	t.out.Clean, t.out.WithErrors = strength(clean), strength(withErrors)
}

func shareOf(s matches.Split) card.Estimate {
	return card.Estimate{Value: s.Share, Low: s.Low, High: s.High}
}

// quantile returns the least of the values that a share q of them do not exceed; 0 of none.
func quantile(list []int64, q float64) int64 {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[max(0, int(float64(len(list))*q+.999999)-1)]
}
