package director

import (
	"context"
	"errors"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// Rounds are made while the tournament's row is locked, with a row of their own each: however many workers end the last
// match of a round, the next one is made once. What a round holds follows from the tournament's seed and results, not from
// who makes it.

// Advance makes what comes next in a running tournament, if its time has come: a round, or the end.
func (d *Director) Advance(ctx context.Context, id string) error {
	return d.inTx(ctx, func(tx *txn) error {
		t, err := tx.LockTournament(id)
		if err != nil || t.Status != tournament.Running {
			return err
		}
		switch t.Format {
		case tournament.Arena:
			return tx.advance(ctx, &t)
		case tournament.RoundRobin:
			if err := tx.attend(ctx, &t); err != nil || t.Status != tournament.Running {
				return err
			}
		}
		return tx.finishTournament(ctx, &t)
	})
}

// advance rebuilds a running tournament, whose row is locked, and goes on with it.
func (tx *txn) advance(ctx context.Context, t *tournament.Tournament) error {
	rebuild := tx.d.contest
	if t.Format == tournament.SPRT { // asked after every match
		rebuild = tx.d.latest
	}
	c, err := rebuild(tx.Reader, *t)
	if err != nil {
		return err
	}
	if c.Plan, err = tx.plan(t.ID); err != nil {
		return err
	}
	return tx.proceed(ctx, t, c)
}

// proceed makes rounds until there is something to play, or ends the tournament. A round robin is made whole at once. While bots are
// greeted it waits, once it is known that they can be paired. An error at the start is the caller's; later ones end the tournament
// with the reason, as nothing can follow.
func (tx *txn) proceed(ctx context.Context, t *tournament.Tournament, c *contest) error {
	for {
		step, err := pairing.Next(c.Contest)
		if !c.begins && (errors.Is(err, pairing.ErrImpossible) || errors.Is(err, pairing.ErrOptions)) {
			step, err = pairing.Step{Status: pairing.Over, Why: pairing.Reason(err)}, nil
			if t.Format == tournament.Arena && !c.Closed {
				step.Status = pairing.Wait // for others to come
			}
		}
		switch {
		case err != nil:
			return err
		case step.Status == pairing.Over && t.Format == tournament.SPRT: // as soon as it is decided: what is still open counts for nobody
			if err := tx.voidOpen(t.ID, step.Why); err != nil {
				return err
			}
			return tx.end(t, tournament.Finished, step.Why)
		case step.Status == pairing.Over && c.Open() == 0:
			return tx.end(t, tournament.Finished, step.Why)
		case step.Status != pairing.Play:
			return nil
		}
		if c.greeting(tx.d.now()) {
			return nil // the sweeper goes on
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
		c.begins = false
	}
}

// makeRound saves a round and its matches.
func (tx *txn) makeRound(ctx context.Context, c *contest, r pairing.Round) error {
	number := len(c.Rounds) + 1
	list, err := tx.d.deal(c, number, 0, r.Blocks, "")
	if err != nil {
		return err
	}
	r.Blocks = withMatches(r.Blocks, list)
	if pause := c.t.Options.RoundPause(); pause > 0 && number > 1 {
		r.StartsAt = tx.d.now().Add(pause)
	}
	text, err := textOf(r)
	if err != nil {
		return err
	}
	if err := tx.AddRound(store.Round{TournamentID: c.t.ID, Number: number, Pairing: text, MadeAt: tx.d.now()}); err != nil {
		return err
	}
	c.Rounds = append(c.Rounds, r)
	tx.made = append(tx.made, c.t.Format)
	return tx.save(ctx, c.t, r.StartsAt, list)
}

// finishTournament goes on with a running tournament, whose row is locked, if none of its matches is open: to its next
// round, or to its end. An sprt may end before.
func (tx *txn) finishTournament(ctx context.Context, t *tournament.Tournament) error {
	if t.Status != tournament.Running {
		return nil
	}
	if open, err := tx.HasOpen(t.ID); err != nil || open && t.Format != tournament.SPRT {
		return err
	}
	if t.Format == tournament.RoundRobin { // all of it is made at once
		if _, made, err := tx.LastRound(t.ID); err != nil || made {
			return errors.Join(err, tx.end(t, tournament.Finished, ""))
		}
	}
	return tx.advance(ctx, t)
}
