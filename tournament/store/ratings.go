package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

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

// ApplyRatings rates the matches of a ladder whose blocks are over, in schedule order, up to the first that is not (and at
// most 500 at once). A block in which a match is void rates nobody. It returns how many places it went on.
func (s *Store) ApplyRatings(ctx context.Context, ladderID string) (n int, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		n, err = tx.ApplyRatings(ladderID)
		return err
	})
	return n, err
}

// ApplyRatings is [Store.ApplyRatings] within a transaction.
func (tx *Tx) ApplyRatings(ladderID string) (int, error) {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil {
		return 0, found(err, "ladder", ladderID)
	}
	list, err := overFrom(tx.db, ladderID, l.NextSeq, l.LastSeq, ratingBatch)
	if err == nil {
		list, err = wholeBlocks(tx.db, list)
	}
	if err != nil || len(list) == 0 {
		return 0, err
	}
	table, err := tx.table(l, list)
	if err != nil {
		return 0, err
	}
	var events []ratingEventRow
	changed := make(map[int]bool)
	void := voidBlocks(list)
	for _, m := range list {
		es, err := table.rate(m, void[blockOf(m)])
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
	tx.TellRated(l.ladder())
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

// block names matches that share a seed, and are rated together or not at all.
type block struct {
	tournament    string
	round, number int
}

func blockOf(m tournament.Match) block { return block{m.TournamentID, m.Round, m.Block} }

// wholeBlocks leaves out the last matches of a list, in schedule order, if their block goes on behind it.
func wholeBlocks(db *gorm.DB, list []tournament.Match) ([]tournament.Match, error) {
	if len(list) == 0 {
		return nil, nil
	}
	last := list[len(list)-1]
	var next []matchRow
	if err := db.Select("tournament_id", "round", "block").Where("ladder_id = ? AND ladder_seq = ?", last.LadderID, last.LadderSeq+1).
		Limit(1).Find(&next).Error; err != nil {
		return nil, err
	}
	if len(next) == 1 && last.TournamentID != "" && (block{required(next[0].TournamentID), next[0].Round, next[0].Block}) == blockOf(last) {
		for len(list) > 0 && blockOf(list[len(list)-1]) == blockOf(last) {
			list = list[:len(list)-1]
		}
	}
	return list, nil
}

// voidBlocks are those with a match that was not played to its end. A match outside tournaments is a block of its own.
func voidBlocks(list []tournament.Match) map[block]bool {
	out := map[block]bool{}
	for _, m := range list {
		if m.Status == tournament.MatchVoid && m.TournamentID != "" {
			out[blockOf(m)] = true
		}
	}
	return out
}

// ratingTable is the part of a ladder that some matches touch, as package rating wants it: players by number.
type ratingTable struct {
	rows   []ratingRow // by player; ascending version
	states []rating.State
	at     map[string]int // player by version
	parent []int          // by player: the nearest version that it came from and that is in the table, -1 if there is none
	later  []seasonParams // seasons after the first, in order
}

// seasonParams are what a season takes for known, from a place in schedule order on.
type seasonParams struct {
	from   int64
	params rating.Params
}

// params are what is known of seats and teams at a place in schedule order.
func (t *ratingTable) params(seq int64) (p rating.Params) {
	for _, s := range t.later {
		if s.from <= seq {
			p = s.params
		}
	}
	return p
}

// newRatingTable has a fresh row for every version that sits in list, and for every version of the same bots that is rated.
func newRatingTable(db *gorm.DB, l ladderRow, list []tournament.Match) (*ratingTable, error) {
	t := &ratingTable{at: make(map[string]int)}
	if l.Season > 1 {
		seasons, err := laterSeasons(db, l.ID)
		if err != nil {
			return nil, err
		}
		t.later = each(seasons, func(x tournament.Season) seasonParams { return seasonParams{x.FromSeq, params(x)} })
	}
	bots := map[string]bool{}
	for _, m := range list {
		for _, s := range m.Seats {
			t.at[s.VersionID], bots[s.BotID] = 0, true
		}
	}
	type version struct {
		Descent descent `gorm:"embedded"`
		Rated   bool
	}
	from := tournament.Lineage{}
	for ids := range slices.Chunk(slices.Sorted(maps.Keys(bots)), batch) {
		var all []version
		if err := db.Table("versions v").Select("v.id, v.bot_id, v.parent_id, r.version_id IS NOT NULL AS rated").
			Joins("LEFT JOIN ratings r ON r.version_id = v.id AND r.ladder_id = ?", l.ID).
			Where("v.bot_id IN ?", ids).Order("v.bot_id, v.number").Scan(&all).Error; err != nil {
			return nil, err
		}
		for _, v := range all {
			if _, sits := t.at[v.Descent.ID]; sits || v.Rated {
				t.rows = append(t.rows, ratingRow{LadderID: l.ID, VersionID: v.Descent.ID, BotID: v.Descent.BotID})
			}
		}
		maps.Copy(from, tournament.LineageOf(each(all, func(v version) tournament.Descent { return v.Descent.descent() })))
	}
	slices.SortFunc(t.rows, func(a, b ratingRow) int { return strings.Compare(a.VersionID, b.VersionID) })
	t.states, t.parent = make([]rating.State, len(t.rows)), make([]int, len(t.rows))
	for i, r := range t.rows {
		t.at[r.VersionID], t.states[i] = i, rating.New()
	}
	for i, r := range t.rows {
		t.parent[i] = -1
		if up, ok := from.Nearest(r.VersionID, t.at); ok {
			t.parent[i] = up
		}
	}
	return t, nil
}

// table locks and reads the ratings of the versions in list, in version order.
func (tx *Tx) table(l ladderRow, list []tournament.Match) (*ratingTable, error) {
	t, err := newRatingTable(tx.db, l, list)
	if err != nil {
		return nil, err
	}
	versions := each(t.rows, func(r ratingRow) string { return r.VersionID })
	var rows []ratingRow
	if err := locked(tx.db).Where("ladder_id = ? AND version_id IN ?", l.ID, versions).Order("version_id").Find(&rows).Error; err != nil {
		return nil, err
	}
	for _, r := range rows {
		i := t.at[r.VersionID]
		t.rows[i], t.states[i] = r, rating.State{Rating: rating.Milli(r.Milli), Games: r.Games}
	}
	return t, nil
}

// rate applies one match that is over to the table and returns its events, by version. Who is not rated has none. A version
// that is not rated yet begins where the one that it replaced stands ([rating.Enter]).
func (t *ratingTable) rate(m tournament.Match, void bool) ([]ratingEventRow, error) {
	if void || m.Status == tournament.MatchVoid {
		return nil, nil
	}
	if m.Result == nil {
		return nil, fmt.Errorf("match %s is %s and has no result", m.ID, m.Status)
	}
	players := each(m.Seats, func(s tournament.MatchSeat) int { return t.at[s.VersionID] })
	for _, p := range players {
		t.states[p] = rating.Enter(t.states, t.parent, p)
	}
	match := rating.Of(*m.Result, players, m.Retired)
	deltas, err := rating.Rate(match, t.states, t.params(m.LadderSeq))
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
		r.Tally.add(slices.DeleteFunc(slices.Clone(m.Seats), func(s tournament.MatchSeat) bool { return s.VersionID != r.VersionID }))
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
	if err := tx.upsertRatings(rows); err != nil {
		return err
	}
	return tx.db.CreateInBatches(events, batch).Error
}

func (tx *Tx) upsertRatings(rows []ratingRow) error {
	return tx.db.Clauses(clause.OnConflict{
		Columns:   []clause.Column{{Name: "ladder_id"}, {Name: "version_id"}},
		DoUpdates: clause.AssignmentColumns([]string{"milli", "games", "last_seq", "wins", "draws", "losses", "faults", "form", "p95_us"}),
	}).CreateInBatches(rows, batch).Error
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
	t, want, err := tx.replay(ladderID)
	if err != nil {
		return err
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
	if err := count(tx.db, ladderID, pointers(rows)); err != nil {
		return err
	}
	return same(t.rated(), rows, "rating")
}

// ReplayRatings is the table that the results of a ladder give, folded in schedule order from nothing, by version. What is
// stored as ratings is not looked at.
func (s *Store) ReplayRatings(ctx context.Context, ladderID string) (out []tournament.Rating, err error) {
	err = s.InTx(ctx, func(tx *Tx) error {
		t, _, err := tx.replay(ladderID)
		if err == nil {
			out = each(t.rated(), ratingRow.rating)
		}
		return err
	})
	return out, err
}

// replay folds what counts as rated: the table and the events that it gives. Nobody rates until the transaction ends.
func (tx *Tx) replay(ladderID string) (*ratingTable, []ratingEventRow, error) {
	var l ladderRow
	if err := locked(tx.db).Where("id = ?", ladderID).Take(&l).Error; err != nil {
		return nil, nil, found(err, "ladder", ladderID)
	}
	list, err := overFrom(tx.db, ladderID, 1, l.NextSeq-1, int(l.NextSeq))
	if err != nil {
		return nil, nil, err
	}
	if int64(len(list)) != l.NextSeq-1 {
		return nil, nil, fmt.Errorf("%w: place %d counts as rated, but its match is not over", ErrRatings, len(list)+1)
	}
	t, err := newRatingTable(tx.db, l, list)
	if err != nil {
		return nil, nil, err
	}
	var events []ratingEventRow
	void := voidBlocks(list)
	for _, m := range list {
		es, err := t.rate(m, void[blockOf(m)])
		if err != nil {
			return nil, nil, fmt.Errorf("%w: place %d: %w", ErrRatings, m.LadderSeq, err)
		}
		events = append(events, es...)
	}
	return t, events, nil
}

// rated are the rows of those who have been rated.
func (t *ratingTable) rated() []ratingRow {
	return slices.DeleteFunc(slices.Clone(t.rows), func(r ratingRow) bool { return r.Games == 0 })
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
