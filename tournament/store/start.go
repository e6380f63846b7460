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
// rated. Of a version without a match it is that of the nearest rated version that it came from.
func (tx *Tx) seeding(t tournament.Tournament) (map[string]int64, error) {
	var rows []struct {
		Descent descent `gorm:"embedded"`
		Milli   *int64
		Active  bool
	}
	err := tx.db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, r.milli, v.id = b.version_id AS active").Joins("JOIN bots b ON b.id = v.bot_id").
		Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = ?", cmp.Or(t.LadderID, t.Game)).
		Where("v.bot_id IN (SELECT bot_id FROM entries WHERE tournament_id = ?)", t.ID).Order("v.bot_id, v.number").Scan(&rows).Error
	var all []descent
	rated := map[string]int{}
	for i, r := range rows {
		all = append(all, r.Descent)
		if r.Milli != nil {
			rated[r.Descent.ID] = i
		}
	}
	from, out := lineageOf(all), map[string]int64{}
	for _, r := range rows {
		if !r.Active {
			continue
		}
		if r.Milli != nil {
			out[r.Descent.BotID] = *r.Milli
		} else if i, ok := from.nearest(r.Descent.ID, rated); ok {
			out[r.Descent.BotID] = *rows[i].Milli
		}
	}
	return out, err
}

// save gives those matches that are rated their places on the ladder, enqueues a job for each match and inserts them.
func (tx *Tx) save(ctx context.Context, t tournament.Tournament, list []tournament.Match) error {
	if len(list) == 0 {
		return nil
	}
	if err := tx.rank(t, list); err != nil {
		return err
	}
	jobs, err := tx.enqueue(ctx, list[0].Source(), each(list, func(m tournament.Match) PlayMatch { return PlayMatch{MatchID: m.ID} })...)
	if err != nil {
		return err
	}
	return tx.insertMatches(list, jobs)
}

// insertMatches inserts matches with the numbers of their jobs.
func (tx *Tx) insertMatches(list []tournament.Match, jobs []int64) error {
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

// rank decides which matches of a tournament are rated, for good, whatever paired them: what has no place on the ladder enters
// no rating, on line or fitted.
func (tx *Tx) rank(t tournament.Tournament, list []tournament.Match) error {
	var rated []*tournament.Match
	for i := range list {
		m := &list[i]
		m.Rated, m.LadderID = t.Rated && !m.OneOwner(), ""
		if m.Rated {
			m.LadderID = t.LadderID
			rated = append(rated, m)
		}
	}
	if len(rated) == 0 {
		return nil
	}
	first, err := tx.places(t.LadderID, len(rated))
	for i, m := range rated {
		m.LadderSeq = first + int64(i)
	}
	return err
}

// places takes the next n places in the schedule order of a ladder and returns the first.
func (tx *Tx) places(ladderID string, n int) (int64, error) {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil {
		return 0, found(err, "ladder", ladderID)
	}
	return l.LastSeq + 1, tx.db.Model(&ladderRow{}).Where("id = ?", ladderID).Update("last_seq", l.LastSeq+int64(n)).Error
}
