package director

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
	"github.com/molerun/molerun/tournament/store"
)

// Start begins a tournament in one transaction: entries fixed to their bots' active versions and numbered (those of retired
// bots withdrawn, and those that did not check in where they were asked to), its first round, or all of a round robin, with
// seats, seeds and ladder places, and a job for each match. The rule is [tournament.CanStart]; an organiser may start early.
// With entries that make no schedule, or a configuration that the game takes no more, it is [tournament.ErrState] before the start time;
// after it the tournament is cancelled with the reason, which is no error. A second start is [tournament.ErrState].
func (d *Director) Start(ctx context.Context, id string) (tournament.Tournament, error) {
	return d.start(ctx, id, tournament.CanStart, false)
}

// StartDue calls [Director.Start] once the start time has come. A tournament that was postponed since somebody looked is [tournament.ErrState].
func (d *Director) StartDue(ctx context.Context, id string) (tournament.Tournament, error) {
	return d.start(ctx, id, func(t tournament.Tournament) error {
		if d.now().Before(t.StartsAt) {
			return fmt.Errorf("%w: the tournament was postponed", tournament.ErrState)
		}
		return tournament.CanStart(t)
	}, false)
}

// StartPaused calls [Director.Start] and [Director.PauseTournament] at once: the first round is made, and none of its matches begins
// before the tournament is resumed.
func (d *Director) StartPaused(ctx context.Context, id string) (tournament.Tournament, error) {
	return d.start(ctx, id, tournament.CanStart, true)
}

func (d *Director) start(ctx context.Context, id string, may func(tournament.Tournament) error, paused bool) (tournament.Tournament, error) {
	return d.changeTournament(ctx, id, may, func(tx *txn, t *tournament.Tournament) (err error) {
		scheduled := *t
		now := d.now()
		t.Status, t.StartedAt = tournament.Running, &now
		if t.Seed, err = d.seed(); err != nil {
			return err
		}
		err = tx.begin(ctx, t)
		if err == nil && paused && t.Status == tournament.Running {
			return tx.pause(t)
		}
		if !errors.Is(err, pairing.ErrOptions) && !errors.Is(err, pairing.ErrImpossible) && !errors.Is(err, game.ErrConfig) {
			return err
		}
		if now.Before(t.StartsAt) {
			return fmt.Errorf("%w: cannot start yet: %s", tournament.ErrState, pairing.Reason(err))
		}
		*t = scheduled // it never started
		tx.DiscardEvents()
		if err := tx.SaveStart(*t); err != nil {
			return err
		}
		return tx.end(t, tournament.Cancelled, pairing.Reason(err))
	})
}

// begin fixes the entries of a tournament and makes its first round.
func (tx *txn) begin(ctx context.Context, t *tournament.Tournament) error {
	if err := tx.d.playable(*t); err != nil {
		return err
	}
	if err := tx.fixEntries(*t); err != nil {
		return err
	}
	c, err := tx.d.contest(tx.Reader, *t)
	if err != nil {
		return err
	}
	if c.Plan, err = pairing.Plan(c.Contest); err != nil {
		return err
	}
	if err := tx.SaveStart(*t); err != nil {
		return err
	}
	greet := tx.d.opts.Greets && c.greets()
	if c.Plan != nil && (greet || t.Format != tournament.RoundRobin) { // whose rounds are else all made now
		if err := tx.keepPlan(t.ID, c.Plan); err != nil {
			return err
		}
	}
	tx.EmitTournament(tournament.EventTournamentStarted, *t)
	if greet {
		for i := range c.field {
			c.field[i].UnprovenAt = new(tx.d.now())
		}
	}
	c.begins = true
	if err := tx.proceed(ctx, t, c); err != nil || !greet {
		return err
	}
	return tx.GreetEntrants(t.ID) // last: bots are locked after ladders
}

// fixEntries fixes and numbers the entries of [tournament.Field], in the order of joining; it tells who is left out, and who has
// waited for a place and has it. A check-in that was never announced leaves nobody out.
func (tx *txn) fixEntries(t tournament.Tournament) error {
	if unannounced, err := tx.SaveCheckInOpened(t.ID); err != nil {
		return err
	} else if unannounced {
		t.CheckIn = 0
	}
	all, err := tx.Entered(t.ID)
	if err != nil {
		return err
	}
	of := map[string]store.Entered{}
	for _, e := range all {
		of[e.BotID] = e
	}
	milli, err := tx.seeding(t, of)
	if err != nil {
		return err
	}
	isRetired := func(e tournament.Entry) bool { return of[e.BotID].Status == tournament.BotRetired }
	place := 0
	for _, e := range tournament.Field(t, store.Map(all, entryOf), isRetired, tx.d.now()) {
		was := of[e.BotID]
		switch {
		case e.LeftOut != "":
			tx.EmitEntry(tournament.EventEntryLeftOut, t, e)
			err = tx.WithdrawEntry(e)
		case e.AgainstID == was.ActiveVersion:
			err = fmt.Errorf("%w: bot %q would play against its own active version", pairing.ErrOptions, e.BotName)
		default:
			if was.Waiting {
				tx.EmitEntry(tournament.EventEntryAdmitted, t, e)
			}
			err = tx.FixEntry(e, was.ActiveVersion, place, cmp.Or(milli[e.BotID], tournament.StartMilli))
			place++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// seeding returns the rating of each entered bot's active version on the tournament's ladder, or the game's where nothing is
// rated. Of a version without a match it is that of the nearest rated version that it came from. of are the entries by bot.
func (tx *txn) seeding(t tournament.Tournament, of map[string]store.Entered) (map[string]int64, error) {
	rows, err := tx.BotRatings(cmp.Or(t.LadderID, t.Game), slices.Sorted(maps.Keys(of)))
	if err != nil {
		return nil, err
	}
	var all []store.Descent
	rated := map[string]int{}
	for i, r := range rows {
		all = append(all, r.Descent)
		if r.Milli != nil {
			rated[r.ID] = i
		}
	}
	from, out := lineageOf(all), map[string]int64{}
	for _, r := range rows {
		if r.ID != of[r.BotID].ActiveVersion { // one that was promoted this moment does not play
			continue
		}
		if r.Milli != nil {
			out[r.BotID] = *r.Milli
		} else if i, ok := from.nearest(r.ID, rated); ok {
			out[r.BotID] = *rows[i].Milli
		}
	}
	return out, nil
}
