package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/pairing"
)

// Start begins a tournament in one transaction: entries fixed to their bots' active versions and numbered (those of
// retired bots withdrawn), its first round, or all of a round robin, with seats, seeds and ladder places, and a job for each
// match. The rule is [tournament.CanStart]; an organiser may start early. With entries that make no schedule it is
// [tournament.ErrState] before the start time; after it the tournament is cancelled with the reason, which is no error. A
// second start is [tournament.ErrState].
func (s *Store) Start(ctx context.Context, id string) (t tournament.Tournament, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		if t, err = takeTournament(locked(tx.db), id); err != nil {
			return err
		}
		if err := tournament.CanStart(t); err != nil {
			return err
		}
		scheduled := t
		now := s.now()
		t.Status, t.StartedAt = tournament.Running, &now
		if t.Seed, err = s.seed(); err != nil {
			return err
		}
		c, err := tx.fielded(t)
		if err == nil {
			if err = tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Updates(map[string]any{
				"status": t.Status, "started_at": now, "seed": t.Seed.String(),
			}).Error; err != nil {
				return err
			}
			if c.Plan != nil && t.Format != tournament.RoundRobin { // whose rounds are all made now
				if err = tx.keepPlan(t.ID, c.Plan); err != nil {
					return err
				}
			}
			tx.tellTournament(tournament.EventTournamentStarted, t)
			err = tx.proceed(ctx, &t, c)
		}
		if !errors.Is(err, pairing.ErrOptions) && !errors.Is(err, pairing.ErrImpossible) {
			return err
		}
		if now.Before(t.StartsAt) {
			return fmt.Errorf("%w: cannot start yet: %w", tournament.ErrState, err)
		}
		t, tx.told = scheduled, nil // it never started
		return tx.cancelUnstarted(&t, err.Error())
	})
	return t, err
}

// fielded is a tournament about to start, with its entries fixed and its plan made.
func (tx *Tx) fielded(t tournament.Tournament) (*contest, error) {
	if err := tx.field(t); err != nil {
		return nil, err
	}
	c, err := tx.s.contest(tx.db, t)
	if err != nil {
		return nil, err
	}
	c.Plan, err = pairing.Plan(c.Contest)
	return c, err
}

// cancelUnstarted ends a tournament whose entries make no schedule.
func (tx *Tx) cancelUnstarted(t *tournament.Tournament, reason string) error {
	if err := tx.db.Model(&tournamentRow{}).Where("id = ?", t.ID).Updates(map[string]any{"started_at": nil, "seed": nil}).Error; err != nil {
		return err
	}
	return tx.end(t, tournament.Cancelled, reason)
}

// field fixes and numbers the entries, in the order of joining; those of retired bots are out.
func (tx *Tx) field(t tournament.Tournament) error {
	all, err := entries(tx.db, t.ID)
	if err != nil {
		return err
	}
	milli, err := tx.seeding(t)
	if err != nil {
		return err
	}
	place := 0
	for _, e := range all {
		if e.Entry.WithdrawnAt != nil {
			continue
		}
		if required(e.Entry.AgainstID) == e.BotVersion {
			return fmt.Errorf("%w: bot %q would play against its own active version", pairing.ErrOptions, e.BotName)
		}
		change := map[string]any{"withdrawn_at": tx.s.now()}
		if e.BotStatus != string(tournament.BotRetired) {
			change = map[string]any{"version_id": e.BotVersion, "place": place, "seed_milli": cmp.Or(milli[e.Entry.BotID], tournament.StartMilli)}
			place++
		}
		if err := tx.db.Model(&entryRow{}).Where("tournament_id = ? AND bot_id = ?", t.ID, e.Entry.BotID).Updates(change).Error; err != nil {
			return err
		}
	}
	return nil
}

// seeding is the rating of each entered bot's active version on the tournament's ladder, or the game's where nothing is
// rated. Of a version without a match it is that of the bot's newest rated one.
func (tx *Tx) seeding(t tournament.Tournament) (map[string]int64, error) {
	var rows []struct {
		BotID string
		Milli int64
	}
	err := tx.db.Table("ratings r").Select("r.bot_id, r.milli").Joins("JOIN versions v ON v.id = r.version_id").Joins("JOIN bots b ON b.id = r.bot_id").
		Where("r.ladder_id = ? AND r.bot_id IN (SELECT bot_id FROM entries WHERE tournament_id = ?)", cmp.Or(t.LadderID, t.Game), t.ID).
		Order("CASE WHEN v.id = b.version_id THEN 1 ELSE 0 END, v.number").Scan(&rows).Error
	out := make(map[string]int64, len(rows))
	for _, r := range rows {
		out[r.BotID] = r.Milli
	}
	return out, err
}

// save gives the matches their places on the ladder, enqueues a job for each and inserts them.
func (tx *Tx) save(ctx context.Context, t tournament.Tournament, list []tournament.Match) error {
	if len(list) == 0 {
		return nil
	}
	if t.Rated {
		first, err := tx.places(t.LadderID, len(list))
		if err != nil {
			return err
		}
		for i := range list {
			list[i].LadderSeq = first + int64(i)
		}
	}
	jobs, err := tx.enqueue(ctx, each(list, func(m tournament.Match) PlayMatch { return PlayMatch{MatchID: m.ID} })...)
	if err != nil {
		return err
	}
	var rows []matchRow
	var seats []seatRow
	for i, m := range list {
		r, ss := newMatchRow(m, jobs[i])
		rows, seats = append(rows, r), append(seats, ss...)
	}
	if err := tx.db.CreateInBatches(rows, batch).Error; err != nil {
		return err
	}
	return tx.db.CreateInBatches(seats, batch).Error
}

// places takes the next n places in the schedule order of a ladder and returns the first.
func (tx *Tx) places(ladderID string, n int) (int64, error) {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil {
		return 0, found(err, "ladder", ladderID)
	}
	return l.LastSeq + 1, tx.db.Model(&ladderRow{}).Where("id = ?", ladderID).Update("last_seq", l.LastSeq+int64(n)).Error
}
