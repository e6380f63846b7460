package director

import (
	"context"
	"errors"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/schedule"
	"github.com/molerun/molerun/tournament/store"
)

// CreateTournament adds a scheduled tournament. Empty id and time are filled in; a rated one without a ladder gets its game's base
// ladder. The configuration must be canonical already.
func (d *Director) CreateTournament(ctx context.Context, t tournament.Tournament) (tournament.Tournament, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Tournament, error) { return tx.announce(t) })
}

// announce adds a scheduled tournament.
func (tx *txn) announce(t tournament.Tournament) (tournament.Tournament, error) {
	if _, err := tx.d.info(t.Game); err != nil {
		return t, err
	}
	if err := tx.d.store.Fill(&t.ID, &t.CreatedAt); err != nil {
		return t, err
	}
	t.OpensAt, t.ClosesAt, t.StartsAt = store.UTC(t.OpensAt), store.UTC(t.ClosesAt), store.UTC(t.StartsAt)
	t.Status, t.Reason, t.Seed = tournament.Scheduled, "", game.Seed{}
	t.StartedAt, t.EndedAt, t.PausedAt = nil, nil, nil
	t.BoundOwners()
	if err := tx.enterLadder(&t); err != nil {
		return t, err
	}
	tx.EmitTournament(tournament.EventTournamentCreated, t)
	return t, tx.AddTournament(t)
}

// enterLadder gives a rated tournament without a ladder the base ladder of its game.
func (tx *txn) enterLadder(t *tournament.Tournament) error {
	if !t.Rated {
		t.LadderID = ""
		return nil
	}
	if t.LadderID != "" && t.LadderID != t.Game {
		_, err := tx.Ladder(t.LadderID)
		return err
	}
	l, err := tx.EnsureLadder(t.Game)
	t.LadderID = l.ID
	return err
}

// EnsureLadder returns the base ladder of a game. It makes it, with its first season, if there is none.
func (d *Director) EnsureLadder(ctx context.Context, gameID string) (tournament.Ladder, error) {
	if _, err := d.info(gameID); err != nil {
		return tournament.Ladder{}, err
	}
	return transact(ctx, d, func(tx *txn) (tournament.Ladder, error) { return tx.EnsureLadder(gameID) })
}

// changeTournament changes a tournament in a transaction, its row locked, unless the rule may refuses.
func (d *Director) changeTournament(
	ctx context.Context, id string, may func(tournament.Tournament) error, change func(*txn, *tournament.Tournament) error,
) (tournament.Tournament, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Tournament, error) {
		t, err := tx.LockTournament(id)
		if err == nil {
			err = may(t)
		}
		if err == nil {
			err = change(tx, &t)
		}
		return t, err
	})
}

// Cancel ends a scheduled or running tournament for a reason; matches not over become void. The rule is
// [tournament.CanCancel].
func (d *Director) Cancel(ctx context.Context, id, reason string) (tournament.Tournament, error) {
	return d.changeTournament(ctx, id, tournament.CanCancel, func(tx *txn, t *tournament.Tournament) error {
		if err := tx.end(t, tournament.Cancelled, reason); err != nil {
			return err
		}
		if err := tx.voidOpen(id, "tournament cancelled: "+reason); err != nil {
			return err
		}
		return tx.rateOn(t.LadderID)
	})
}

// end writes the last state of a tournament, whose row is locked.
func (tx *txn) end(t *tournament.Tournament, status tournament.Status, reason string) error {
	now := tx.d.now()
	t.Status, t.Reason, t.EndedAt, t.PausedAt = status, reason, &now, nil
	kind := tournament.EventTournamentCancelled
	if status == tournament.Finished {
		kind = tournament.EventTournamentFinished
	}
	tx.EmitTournament(kind, *t)
	if err := tx.WithdrawRetired(t.ID); err != nil {
		return err
	}
	return tx.SaveEnd(*t)
}

// A paused tournament is running with paused_at set. A worker that takes the job of a match that has not begun parks the
// match instead: it stays queued, without a job, until the tournament is resumed. Parking and resuming both hold the
// tournament's row, so that no match falls between them.

// PauseTournament lets no new match of a running tournament begin; those that have begun go on to their end, with another
// worker if theirs is lost. The rule is [tournament.CanPause].
func (d *Director) PauseTournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return d.changeTournament(ctx, id, tournament.CanPause, (*txn).pause)
}

// pause writes that a tournament, whose row is locked, is paused.
func (tx *txn) pause(t *tournament.Tournament) error {
	t.PausedAt = new(tx.d.now())
	tx.EmitTournament(tournament.EventTournamentPaused, *t)
	return tx.SavePause(*t)
}

// ResumeTournament lets the matches of a paused tournament begin again. An arena lasts longer by as long as it was paused. The rule is [tournament.CanResume].
func (d *Director) ResumeTournament(ctx context.Context, id string) (tournament.Tournament, error) {
	return d.changeTournament(ctx, id, tournament.CanResume, func(tx *txn, t *tournament.Tournament) error {
		if t.Format == tournament.Arena {
			t.Options.PausedMS += t.PausedFor(d.now()).Milliseconds()
		}
		t.PausedAt = nil
		parked, err := tx.Parked(id)
		if err != nil {
			return err
		}
		if err := tx.GiveJobs(ctx, parked); err != nil {
			return err
		}
		tx.EmitTournament(tournament.EventTournamentResumed, *t)
		return tx.SavePause(*t)
	})
}

// Write changes what is written about a tournament, and gives the tournament with its texts. The rules are
// [tournament.CanWrite] and [tournament.Texts.Check].
func (d *Director) Write(ctx context.Context, id string, change func(*tournament.Texts)) (tournament.Tournament, error) {
	return d.changeTournament(ctx, id, tournament.CanWrite, func(tx *txn, t *tournament.Tournament) (err error) {
		if t.Texts, err = tx.Texts(id); err != nil {
			return err
		}
		change(&t.Texts)
		if err := t.Texts.Check(); err != nil {
			return err
		}
		return tx.SaveTexts(id, t.Texts)
	})
}

// Revise changes a tournament before its start: change returns what it is to become, all fields, and its texts. The rule is
// [tournament.CanRevise]. Those who have entered read in words what has changed; places that come free go to the entries that have waited longest; where
// check-in is put off, nobody is checked in any more.
func (d *Director) Revise(ctx context.Context, id, what string, change func(tournament.Tournament) (tournament.Tournament, error)) (tournament.Tournament, error) {
	anything := func(tournament.Tournament) error { return nil } // the rule looks at the entries, too
	return d.changeTournament(ctx, id, anything, func(tx *txn, t *tournament.Tournament) (err error) {
		if t.Texts, err = tx.Texts(id); err != nil {
			return err
		}
		was := *t
		next, err := change(was)
		if err != nil {
			return err
		}
		info, err := d.info(t.Game)
		if err != nil {
			return err
		}
		all, err := tx.Entered(id)
		if err != nil {
			return err
		}
		next.OpensAt, next.ClosesAt, next.StartsAt = store.UTC(next.OpensAt), store.UTC(next.ClosesAt), store.UTC(next.StartsAt)
		next.BoundOwners()
		if err := tournament.CanRevise(was, next, info, store.Map(all, entryOf)); err != nil {
			return err
		}
		if err := tx.enterLadder(&next); err != nil {
			return err
		}
		*t = next
		if err := tx.ReviseTournament(was, next); err != nil {
			return err
		}
		if next.CheckIn == 0 || !next.ChecksIn(d.now()) {
			if err := tx.CheckOut(id); err != nil {
				return err
			}
		}
		changed := next
		changed.Reason = what
		tx.EmitTournament(tournament.EventTournamentChanged, changed)
		return tx.admit(next)
	})
}

// RenewInvite gives a tournament another invite code, of which invite is the hash and which ends at a time, nil for none: that before
// admits nobody from now on. The rule is [tournament.CanRenew].
func (d *Director) RenewInvite(ctx context.Context, id string, invite tournament.Invite, ends *time.Time) (tournament.Tournament, error) {
	return d.changeTournament(ctx, id, tournament.CanRenew, func(tx *txn, t *tournament.Tournament) error {
		t.Invite, t.InviteEndsAt = invite, ends
		return tx.SaveInvite(*t)
	})
}

// MakeDue makes the tournaments that a schedule owes now ([schedule.Schedule.Due]) and returns them, in one transaction with
// the schedule's own progress: whoever comes second finds nothing to do. A schedule with a configuration that its game takes no more is
// cancelled with the reason instead.
func (d *Director) MakeDue(ctx context.Context, id string) ([]tournament.Tournament, error) {
	var made []tournament.Tournament
	err := d.inTx(ctx, func(tx *txn) error {
		_, err := tx.ChangeSchedule(id, func(x schedule.Schedule) (schedule.Schedule, error) {
			due, after := x.Due(d.now())
			made = nil
			if len(due) == 0 {
				return after, nil
			}
			if err := d.playable(x.Template); errors.Is(err, game.ErrConfig) {
				return x.Cancel(pairing.Reason(err), d.now())
			} else if err != nil {
				return after, err
			}
			made = due
			for i, t := range due {
				err := tx.staysRated(&t)
				if err != nil {
					return after, err
				}
				if made[i], err = tx.announce(t); err != nil {
					return after, err
				}
			}
			return after, nil
		})
		return err
	})
	if err != nil {
		return nil, err
	}
	return made, nil
}

// playable refuses a tournament whose configuration its game takes no more ([game.ErrConfig]). A release before 0.2 took matches of any
// length; one that can be longer than [game.MaxSteps] would end void.
func (d *Director) playable(t tournament.Tournament) error {
	engine, err := d.engine(t.Game)
	if err != nil {
		return err
	}
	_, err = engine.Configure(t.Config, t.Table)
	return err
}

// staysRated gives a rated tournament of a schedule the ladder that its matches are like now, and takes the rating off one that has
// none: a schedule made by a release before may ask for it.
func (tx *txn) staysRated(t *tournament.Tournament) error {
	if !t.Rated {
		return nil
	}
	engine, err := tx.d.engine(t.Game)
	if err != nil {
		return err
	}
	ladders, err := tx.Ladders()
	if err != nil {
		return err
	}
	_, _, err = t.DecideRated(engine, ladders, nil)
	return err
}
