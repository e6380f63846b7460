package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
)

// ratingBatch is how many matches one transaction rates at most; the sweeper goes on with the rest.
const ratingBatch = 500

// PendingLadders are the ladders whose next match in schedule order is over and not rated yet.
func (s *Store) PendingLadders(ctx context.Context) ([]string, error) {
	var out []string
	err := s.with(ctx).Table("ladders l").Joins("JOIN matches m ON m.ladder_id = l.id AND m.ladder_seq = l.next_seq").
		Where("m.status IN ?", []tournament.MatchStatus{tournament.MatchDone, tournament.MatchVoid}).Order("l.id").Pluck("l.id", &out).Error
	return out, err
}

// ApplyRatings rates the matches of a ladder that are over, in schedule order, up to the first that is not (and at most
// 500 at once). It returns how many places it went on.
func (s *Store) ApplyRatings(ctx context.Context, ladderID string) (n int, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		n, err = tx.applyRatings(ladderID)
		return err
	})
	return n, err
}

func (tx *Tx) applyRatings(ladderID string) (int, error) {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil {
		return 0, found(err, "ladder", ladderID)
	}
	list, err := overFrom(tx.db, ladderID, l.NextSeq, l.LastSeq, ratingBatch)
	if err != nil || len(list) == 0 {
		return 0, err
	}
	table, err := tx.table(ladderID, list)
	if err != nil {
		return 0, err
	}
	var events []ratingEventRow
	changed := make(map[int]bool)
	for _, m := range list {
		es, err := table.rate(m)
		if err != nil {
			return 0, fmt.Errorf("ladder %s place %d: %w", ladderID, m.LadderSeq, err)
		}
		for _, e := range es {
			changed[table.at[e.VersionID]] = true
		}
		events = append(events, es...)
	}
	if err := tx.saveRatings(table, changed, events); err != nil {
		return 0, err
	}
	return len(list), tx.db.Model(&ladderRow{}).Where("id = ?", ladderID).Update("next_seq", l.NextSeq+int64(len(list))).Error
}

// overFrom are the matches of places from..to that are over, up to the first that is not, at most limit.
func overFrom(db *gorm.DB, ladderID string, from, to int64, limit int) ([]tournament.Match, error) {
	var open []matchRow
	if err := db.Select("ladder_seq").Where("ladder_id = ? AND ladder_seq BETWEEN ? AND ? AND status IN ?", ladderID, from, to,
		[]tournament.MatchStatus{tournament.MatchQueued, tournament.MatchRunning}).Order("ladder_seq").Limit(1).Find(&open).Error; err != nil {
		return nil, err
	}
	if len(open) > 0 {
		to = *open[0].LadderSeq - 1
	}
	var rows []matchRow
	if err := db.Where("ladder_id = ? AND ladder_seq BETWEEN ? AND ?", ladderID, from, to).Order("ladder_seq").Limit(limit).Find(&rows).Error; err != nil {
		return nil, err
	}
	for i, r := range rows {
		if *r.LadderSeq != from+int64(i) {
			return nil, fmt.Errorf("ladder %s has no match at place %d", ladderID, from+int64(i))
		}
	}
	return matches(db, rows)
}

// ratingTable is the part of a ladder that some matches touch, as package rating wants it: players by number.
type ratingTable struct {
	rows   []ratingRow // by player; ascending version
	states []rating.State
	at     map[string]int // player by version
}

// newRatingTable has a fresh row for every version that sits in list.
func newRatingTable(ladderID string, list []tournament.Match) *ratingTable {
	t := &ratingTable{at: make(map[string]int)}
	for _, m := range list {
		for _, s := range m.Seats {
			if _, ok := t.at[s.VersionID]; !ok {
				t.at[s.VersionID] = 0
				t.rows = append(t.rows, ratingRow{LadderID: ladderID, VersionID: s.VersionID, BotID: s.BotID})
			}
		}
	}
	slices.SortFunc(t.rows, func(a, b ratingRow) int { return strings.Compare(a.VersionID, b.VersionID) })
	t.states = make([]rating.State, len(t.rows))
	for i, r := range t.rows {
		t.at[r.VersionID], t.states[i] = i, rating.New()
	}
	return t
}

// table locks and reads the ratings of the versions in list, in version order.
func (tx *Tx) table(ladderID string, list []tournament.Match) (*ratingTable, error) {
	t := newRatingTable(ladderID, list)
	versions := each(t.rows, func(r ratingRow) string { return r.VersionID })
	var rows []ratingRow
	if err := locked(tx.db).Where("ladder_id = ? AND version_id IN ?", ladderID, versions).Order("version_id").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		i := t.at[r.VersionID]
		t.rows[i], t.states[i] = r, rating.State{Rating: rating.Milli(r.Milli), Games: r.Games}
	}
	return t, nil
}

// rate applies one match that is over to the table and returns its events, by version. Who is not rated has none.
func (t *ratingTable) rate(m tournament.Match) ([]ratingEventRow, error) {
	match := rating.Match{Void: m.Status == tournament.MatchVoid}
	for i, s := range m.Seats {
		seat := rating.Seat{Player: t.at[s.VersionID], Retired: m.Retired.Has(game.Seat(i))} //nolint:gosec // at most game.MaxSeats
		if m.Result != nil {
			seat.Rank = m.Result.Rank[i]
			if len(m.Result.Team) > 0 {
				seat.Team = m.Result.Team[i]
			}
		}
		match.Seats = append(match.Seats, seat)
	}
	deltas, err := rating.Rate(match, t.states, rating.Params{})
	if err != nil {
		return nil, err
	}
	var out []ratingEventRow
	for _, d := range deltas {
		if d.After.Games == d.Before.Games {
			continue
		}
		r := &t.rows[d.Player]
		r.Milli, r.Games, r.LastSeq = int64(d.After.Rating), d.After.Games, m.LadderSeq
		t.states[d.Player] = d.After
		out = append(out, ratingEventRow{
			LadderID: m.LadderID, LadderSeq: m.LadderSeq, VersionID: r.VersionID, BotID: r.BotID, MatchID: m.ID,
			BeforeMilli: int64(d.Before.Rating), DeltaMilli: int64(d.Change), AfterMilli: int64(d.After.Rating),
			K: d.K, Expected: d.Expected, Score: d.Score,
		})
	}
	return out, nil
}

func (tx *Tx) saveRatings(t *ratingTable, changed map[int]bool, events []ratingEventRow) error {
	var rows []ratingRow
	for i, r := range t.rows {
		if changed[i] {
			rows = append(rows, r)
		}
	}
	if len(rows) == 0 {
		return nil
	}
	over := clause.OnConflict{
		Columns:   []clause.Column{{Name: "ladder_id"}, {Name: "version_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"milli", "games", "last_seq"}),
	}
	if err := tx.db.Clauses(over).CreateInBatches(rows, batch).Error; err != nil {
		return err
	}
	return tx.db.CreateInBatches(events, batch).Error
}

// ErrRatings is the code of a ladder whose tables are not the fold of its results; the text says where.
var ErrRatings = errors.New("ratings_differ")

// CheckRatings folds the results of a ladder in schedule order from nothing and compares with its tables, to the
// thousandth. A difference is [ErrRatings].
func (s *Store) CheckRatings(ctx context.Context, ladderID string) error {
	return s.InTx(ctx, func(tx *Tx) error { return tx.CheckRatings(ladderID) })
}

// CheckRatings is [Store.CheckRatings] within a transaction.
func (tx *Tx) CheckRatings(ladderID string) error {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil { // nobody rates meanwhile
		return found(err, "ladder", ladderID)
	}
	list, err := overFrom(tx.db, ladderID, 1, l.NextSeq-1, int(l.NextSeq))
	if err != nil {
		return err
	}
	if int64(len(list)) != l.NextSeq-1 {
		return fmt.Errorf("%w: place %d counts as rated, but its match is not over", ErrRatings, len(list)+1)
	}
	t := newRatingTable(ladderID, list)
	var want []ratingEventRow
	for _, m := range list {
		events, err := t.rate(m)
		if err != nil {
			return fmt.Errorf("%w: place %d: %w", ErrRatings, m.LadderSeq, err)
		}
		want = append(want, events...)
	}
	var got []ratingEventRow
	if err := tx.db.Where("ladder_id = ?", ladderID).Order("ladder_seq, version_id").Find(&got).Error; err != nil {
		return err
	}
	if err := same(want, got, "event"); err != nil {
		return err
	}
	var rows []ratingRow
	if err := tx.db.Where("ladder_id = ?", ladderID).Order("version_id").Find(&rows).Error; err != nil {
		return err
	}
	return same(slices.DeleteFunc(t.rows, func(r ratingRow) bool { return r.Games == 0 }), rows, "rating")
}

func same[T comparable](want, got []T, what string) error {
	for i := range max(len(want), len(got)) {
		switch {
		case i >= len(got):
			return fmt.Errorf("%w: %s %+v is missing", ErrRatings, what, want[i])
		case i >= len(want):
			return fmt.Errorf("%w: %s %+v follows from no result", ErrRatings, what, got[i])
		case want[i] != got[i]:
			return fmt.Errorf("%w: %s %+v, the results give %+v", ErrRatings, what, got[i], want[i])
		}
	}
	return nil
}
