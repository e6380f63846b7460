package store

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Rounds are made while the tournament's row is locked, with a row of their own each: however many workers end the last
// match of a round, the next one is made once. What a round holds follows from the tournament's seed and results, not from
// who makes it.

// DueRounds are the running tournaments that a worker should look at, at most 100: those that have no match open, as
// when they waited for bots to come back, and arenas, where bots come free one at a time.
func (s *Store) DueRounds(ctx context.Context) (ids []string, err error) {
	err = s.with(ctx).Model(&tournamentRow{}).Where("status = ? AND (format = ? OR NOT EXISTS ("+
		"SELECT 1 FROM matches m WHERE m.tournament_id = tournaments.id AND m.status IN ('queued', 'running')))",
		tournament.Running, tournament.Arena).Order("id").Limit(100).Pluck("id", &ids).Error
	return ids, err
}

// Advance makes what comes next in a running tournament, if its time has come: a round, or the end.
func (s *Store) Advance(ctx context.Context, id string) error {
	return s.InTx(ctx, func(tx *Tx) error {
		t, err := takeTournament(locked(tx.db), id)
		if err != nil || t.Status != tournament.Running {
			return err
		}
		if t.Format == tournament.Arena {
			return tx.advance(ctx, &t)
		}
		return tx.finishTournament(ctx, &t)
	})
}

// advance rebuilds a running tournament, whose row is locked, and goes on with it.
func (tx *Tx) advance(ctx context.Context, t *tournament.Tournament) error {
	rebuild := tx.s.contest
	if t.Format == tournament.SPRT { // asked after every match
		rebuild = tx.s.latest
	}
	c, err := rebuild(tx.db, *t)
	if err != nil {
		return err
	}
	if c.Plan, err = tx.plan(t.ID); err != nil {
		return err
	}
	return tx.proceed(ctx, t, c)
}

// proceed makes rounds until there is something to play, or ends the tournament. A round robin is made whole at once. An
// error of the first round is the caller's; later ones end the tournament with the reason, as nothing can follow.
func (tx *Tx) proceed(ctx context.Context, t *tournament.Tournament, c *contest) error {
	for {
		step, err := pairing.Next(c.Contest)
		if len(c.Rounds) > 0 && (errors.Is(err, pairing.ErrImpossible) || errors.Is(err, pairing.ErrOptions)) {
			step, err = pairing.Step{Status: pairing.Over, Why: err.Error()}, nil
			if t.Format == tournament.Arena && !c.Closed {
				step.Status = pairing.Wait // for others to come
			}
		}
		switch {
		case err != nil:
			return err
		case step.Status == pairing.Over && t.Format == tournament.SPRT:
			return tx.endTrial(t, step.Why)
		case step.Status == pairing.Over && !c.open():
			return tx.end(t, tournament.Finished, step.Why)
		case step.Status != pairing.Play:
			return nil
		}
		if c.Plan != nil && step.Fixed != nil {
			c.Plan = append(c.Plan, step.Fixed...)
			if err := tx.keepPlan(t.ID, c.Plan); err != nil {
				return err
			}
		}
		if err := tx.makeRound(ctx, c, step.Round); err != nil {
			return err
		}
		if len(step.Round.Blocks) > 0 && t.Format != tournament.RoundRobin {
			return nil
		}
	}
}

// endTrial ends an sprt, whose row is locked, as soon as it is decided: what is still open is void, and counts for nobody.
func (tx *Tx) endTrial(t *tournament.Tournament, why string) error {
	if err := tx.voidOpen(t.ID, why); err != nil {
		return err
	}
	return tx.end(t, tournament.Finished, why)
}

// makeRound saves a round and its matches.
func (tx *Tx) makeRound(ctx context.Context, c *contest, r pairing.Round) error {
	number := len(c.Rounds) + 1
	list, err := tx.s.deal(c, number, 0, r.Blocks, "")
	if err != nil {
		return err
	}
	ids := each(list, func(m tournament.Match) string { return m.ID })
	row, err := newRoundRow(c.t.ID, number, r, ids, tx.s.now())
	if err != nil {
		return err
	}
	if err := tx.db.Create(&row).Error; err != nil {
		return err
	}
	c.Rounds, c.matches = append(c.Rounds, r), append(c.matches, ids)
	tx.rounds = append(tx.rounds, c.t.Format)
	return tx.save(ctx, c.t, list)
}

// luck is secret random bytes for one round of a tournament, from its seed, which is never told: whoever makes the round makes
// the same, and what is told of some of them says nothing of the others.
type luck struct{ *game.Rand }

// Read fills b; it does not fail.
func (l luck) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = byte(l.IntN(256)) //nolint:gosec // 0..255
	}
	return len(b), nil
}

// deal makes the matches of blocks, in order; blocks are counted on from after. A block of the schedule whose matches share
// a seed is one block of matches; of any other each match is a block of its own. They share a seed only where that
// tells nobody anything ([game.Info].OneDeal): whoever saw the end of one match would know the secrets of the next. occasion tells the luck of matches made later for a
// round from that of its first ones: what was dealt once is never dealt again.
func (s *Store) deal(c *contest, number, after int, blocks []pairing.Block, occasion string) ([]tournament.Match, error) {
	deals := luck{game.Stream(c.t.Seed, number, "deals"+occasion)}
	var out []tournament.Match
	for _, b := range blocks {
		t, err := s.seated(c.t, len(b.Games[0].Seats))
		if err != nil {
			return nil, err
		}
		place := 0
		for i, g := range b.Games {
			if i == 0 || !c.info.OneDeal {
				after, place = after+1, 0
			}
			place++
			m := tournament.Match{
				TournamentID: t.ID, Round: number, Block: after, Number: place,
				Game: t.Game, RulesVersion: c.info.Version, Config: t.Config, Clock: t.Clock, Limits: t.Limits,
			}
			if place > 1 {
				m.Seed = out[len(out)-1].Seed
			}
			for seat, entry := range g.Seats {
				e := c.field[entry]
				m.Seats = append(m.Seats, tournament.MatchSeat{Seat: game.Seat(seat), BotID: e.Entry.BotID, BotName: e.BotName, //nolint:gosec // at most game.MaxSeats
					VersionID: required(e.Entry.VersionID), OwnerID: e.OwnerID, Build: e.Build})
			}
			if err := s.draw(&m, deals); err != nil {
				return nil, err
			}
			out = append(out, m)
		}
	}
	return out, nil
}

// draw gives a match its id, its time, and what is drawn for it alone from a source of secret randomness: its seed unless it
// has one, its nonce, and the aliases of its seats.
func (s *Store) draw(m *tournament.Match, from io.Reader) (err error) {
	var seed, names game.Seed
	for _, b := range [][]byte{seed[:], names[:], m.Nonce[:]} {
		if _, err := io.ReadFull(from, b); err != nil {
			return fmt.Errorf("randomness: %w", err)
		}
	}
	if m.Seed == (game.Seed{}) {
		m.Seed = seed
	}
	for seat, alias := range aliases(len(m.Seats), game.Stream(names, 0, "aliases")) {
		m.Seats[seat].Alias = alias
	}
	m.CreatedAt = s.now()
	m.ID, err = s.ids.next()
	return err
}

// seated is a tournament with the table and configuration for so many seats, which may be fewer than full.
func (s *Store) seated(t tournament.Tournament, seats int) (tournament.Tournament, error) {
	if seats == t.Table {
		return t, nil
	}
	engine, err := s.engine(t.Game)
	if err != nil {
		return t, err
	}
	t.Table = seats
	t.Config, err = engine.Configure(t.Config, seats)
	return t, err
}

// seed draws a fresh secret.
func (s *Store) seed() (seed game.Seed, err error) {
	if _, err = io.ReadFull(s.opts.Rand, seed[:]); err != nil {
		err = fmt.Errorf("randomness: %w", err)
	}
	return seed, err
}
