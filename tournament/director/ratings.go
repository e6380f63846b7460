package director

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// ratingBatch is how many matches one transaction rates at most; the sweeper goes on with the rest.
const ratingBatch = 500

// ApplyRatings rates the matches of a ladder whose blocks are over, in schedule order, up to the first that is not (and at
// most 500 at once). A block in which a match is void rates nobody. It returns how many places it went on.
func (d *Director) ApplyRatings(ctx context.Context, ladderID string) (int, error) {
	return transact(ctx, d, func(tx *txn) (int, error) { return tx.rate(ladderID) })
}

// rate implements [Director.ApplyRatings] within a transaction.
func (tx *txn) rate(ladderID string) (int, error) {
	l, err := tx.LockLadder(ladderID)
	if err != nil {
		return 0, err
	}
	due, err := tx.Due(l, ratingBatch)
	if err != nil {
		return 0, err
	}
	return tx.rateDue(due)
}

// rateOn rates what is due on a ladder; "" is none.
func (tx *txn) rateOn(ladderID string) error {
	if ladderID == "" {
		return nil
	}
	_, err := tx.rate(ladderID)
	return err
}

// rateDue rates what is due on a ladder, whose row is locked, and returns how many places that is.
func (tx *txn) rateDue(due store.Due) (int, error) {
	l, list := due.Ladder, wholeBlocks(due.Matches, due.Next)
	if len(list) == 0 {
		return 0, nil
	}
	later, err := laterParams(tx.Reader, l)
	if err != nil {
		return 0, err
	}
	all, present, err := tx.LockRatings(l.ID, botsOf(list))
	if err != nil {
		return 0, err
	}
	table := newRatingTable(l.ID, later, all, list)
	table.set(present)
	events, err := table.fold(list)
	if err != nil {
		return 0, err
	}
	tx.SaveRatings(l.ID, l.NextSeq+int64(len(list)), table.changed(events), events)
	tx.EmitRated(l)
	return len(list), nil
}

// ReorderLadder lets a ladder go on that waits for matches which cannot be played now: their blocks lose their places in schedule order,
// and get places at the end once they can.
func (d *Director) ReorderLadder(ctx context.Context, ladderID string) error {
	return d.inTx(ctx, func(tx *txn) error { return tx.Reorder(ladderID) })
}

// botsOf returns the bots that sit in some matches, by id.
func botsOf(list []tournament.Match) []string {
	var bots []string
	for _, m := range list {
		for _, s := range m.Seats {
			bots = append(bots, s.BotID)
		}
	}
	slices.Sort(bots)
	return slices.Compact(bots)
}

// blockOf returns the block of a match; zero outside tournaments, where each match is a block of its own.
func blockOf(m tournament.Match) store.Block {
	if m.TournamentID == "" {
		return store.Block{}
	}
	return store.Block{TournamentID: m.TournamentID, Round: m.Round, Number: m.Block}
}

// wholeBlocks leaves out the last matches of a list, in schedule order, if their block goes on behind it: with next.
func wholeBlocks(list []tournament.Match, next store.Block) []tournament.Match {
	if next == (store.Block{}) {
		return list
	}
	for len(list) > 0 && blockOf(list[len(list)-1]) == next {
		list = list[:len(list)-1]
	}
	return list
}

// voidBlocks returns the blocks with a match that was not played to its end.
func voidBlocks(list []tournament.Match) map[store.Block]bool {
	out := map[store.Block]bool{}
	for _, m := range list {
		if m.Status == tournament.MatchVoid && m.TournamentID != "" {
			out[blockOf(m)] = true
		}
	}
	return out
}

// ratingTable is the part of a ladder that some matches touch, as package rating wants it: players by number.
type ratingTable struct {
	ladder string
	rows   []tournament.Rating // by player; ascending version
	states []rating.State
	at     map[string]int // player by version
	parent []int          // by player: the nearest version that it came from and that is in the table, -1 if there is none
	later  []seasonParams // seasons after the first, in order
	gains  map[int64]int  // by place: the rule of K where it is not the current one
}

// seasonParams are what a season takes for known, from a place in schedule order on.
type seasonParams struct {
	from   int64
	params rating.Params
}

// paramsAt returns what is known of seats and teams at a place in schedule order, with the rule of K of now. later are the
// seasons after the first.
func paramsAt(later []seasonParams, seq int64) rating.Params {
	var p rating.Params
	for _, s := range later {
		if s.from <= seq {
			p = s.params
		}
	}
	p.Rule = rating.WideRule
	return p
}

// params returns what is known of seats and teams at a place, with the rule by which that place was rated.
func (t *ratingTable) params(seq int64) rating.Params {
	p := paramsAt(t.later, seq)
	if earlier, ok := t.gains[seq]; ok {
		p.Rule = rating.Rule(earlier)
	}
	return p
}

// laterParams returns the seasons of a ladder after the first, in order.
func laterParams(r store.Reader, l tournament.Ladder) ([]seasonParams, error) {
	if l.Season == 1 {
		return nil, nil
	}
	seasons, err := r.LaterSeasons(l.ID)
	return store.Map(seasons, func(x tournament.Season) seasonParams { return seasonParams{from: x.FromSeq, params: params(x)} }), err
}

// newRatingTable has a fresh row for every version that sits in list, and for every version of the same bots that is rated. all are the
// versions of those bots.
func newRatingTable(ladderID string, later []seasonParams, all []store.RatedVersion, list []tournament.Match) *ratingTable {
	t := &ratingTable{ladder: ladderID, at: make(map[string]int), later: later}
	for _, m := range list {
		for _, s := range m.Seats {
			t.at[s.VersionID] = 0
		}
	}
	for _, v := range all {
		if _, sits := t.at[v.ID]; sits || v.Rated {
			t.rows = append(t.rows, tournament.Rating{LadderID: ladderID, VersionID: v.ID, BotID: v.BotID})
		}
	}
	slices.SortFunc(t.rows, func(a, b tournament.Rating) int { return strings.Compare(a.VersionID, b.VersionID) })
	t.states, t.parent = make([]rating.State, len(t.rows)), make([]int, len(t.rows))
	for i, row := range t.rows {
		t.at[row.VersionID], t.states[i] = i, rating.New()
	}
	from := lineageOf(store.Map(all, func(v store.RatedVersion) store.Descent { return v.Descent }))
	for i, row := range t.rows {
		t.parent[i] = -1
		if up, ok := from.nearest(row.VersionID, t.at); ok {
			t.parent[i] = up
		}
	}
	return t
}

// set puts ratings that there are in the place of fresh ones.
func (t *ratingTable) set(present []tournament.Rating) {
	for _, r := range present {
		i := t.at[r.VersionID]
		t.rows[i], t.states[i] = r, rating.State{Rating: rating.Milli(r.Milli), Games: r.Games}
	}
}

// fold applies matches that are over, in schedule order, and returns their events. A block in which a match is void rates
// nobody.
func (t *ratingTable) fold(list []tournament.Match) ([]tournament.RatingEvent, error) {
	var events []tournament.RatingEvent
	void := voidBlocks(list)
	for _, m := range list {
		if void[blockOf(m)] || m.Status == tournament.MatchVoid {
			continue
		}
		es, err := t.rate(m)
		if err != nil {
			return nil, fmt.Errorf("ladder %s place %d: %w", t.ladder, m.LadderSeq, err)
		}
		events = append(events, es...)
	}
	return events, nil
}

// rate applies one match to the table and returns its events, by version. A bot that is not rated has none. A version
// that is not rated yet begins where the one that it replaced stands ([rating.Enter]).
func (t *ratingTable) rate(m tournament.Match) ([]tournament.RatingEvent, error) {
	if m.Result == nil {
		return nil, fmt.Errorf("match %s is %s and has no result", m.ID, m.Status)
	}
	players := store.Map(m.Seats, func(s tournament.MatchSeat) int { return t.at[s.VersionID] })
	for _, p := range players {
		t.enter(p)
	}
	match := rating.Of(*m.Result, players, m.Retired)
	p := t.params(m.LadderSeq)
	deltas, err := rating.Rate(match, t.states, p)
	if err != nil {
		return nil, err
	}
	var out []tournament.RatingEvent
	for _, d := range deltas {
		if d.After.Games == d.Before.Games {
			continue
		}
		r := &t.rows[d.Player]
		r.Milli, r.Games, r.LastSeq = int64(d.After.Rating), d.After.Games, m.LadderSeq
		r.Tally.Add(slices.DeleteFunc(slices.Clone(m.Seats), func(s tournament.MatchSeat) bool { return s.VersionID != r.VersionID }))
		t.states[d.Player] = d.After
		out = append(out, tournament.RatingEvent{
			LadderID: m.LadderID, LadderSeq: m.LadderSeq, VersionID: r.VersionID, BotID: r.BotID, MatchID: m.ID,
			BeforeMilli: int64(d.Before.Rating), DeltaMilli: int64(d.Change), AfterMilli: int64(d.After.Rating),
			K: d.K, Expected: d.Expected, Score: d.Score, KRule: int(p.Rule),
		})
	}
	return out, nil
}

// enter gives a player who is not rated the state and the line that it begins with: those of the version it came from.
func (t *ratingTable) enter(p int) {
	t.states[p] = rating.Enter(t.states, t.parent, p)
	if t.states[p].Games > 0 {
		return
	}
	for up := t.parent[p]; up >= 0; up = t.parent[up] {
		if t.states[up].Games > 0 {
			t.rows[p].OffsetMilli = t.rows[up].OffsetMilli
			return
		}
	}
}

// changed returns the rows that events are of, by version.
func (t *ratingTable) changed(events []tournament.RatingEvent) []tournament.Rating {
	of := map[string]bool{}
	for _, e := range events {
		of[e.VersionID] = true
	}
	return slices.DeleteFunc(slices.Clone(t.rows), func(r tournament.Rating) bool { return !of[r.VersionID] })
}

// rated returns the rows of versions that have been rated.
func (t *ratingTable) rated() []tournament.Rating {
	return slices.DeleteFunc(slices.Clone(t.rows), func(r tournament.Rating) bool { return r.Games == 0 })
}

// ErrRatings is the code of a ladder whose tables are not the fold of its results; the text says where.
var ErrRatings = errors.New("ratings_differ")

// CheckRatings folds the results of a ladder in schedule order from nothing and compares with its tables, to the
// thousandth. A difference is [ErrRatings].
func (d *Director) CheckRatings(ctx context.Context, ladderID string) error {
	return d.store.View(ctx, func(r store.Reader) error { return CheckRatings(r, ladderID) })
}

// CheckRatings implements [Director.CheckRatings] over a reader, for callers that read more at the same moment.
func CheckRatings(r store.Reader, ladderID string) error {
	t, want, err := replayRatings(r, ladderID)
	if err != nil {
		return err
	}
	got, err := r.AllRatingEvents(ladderID)
	if err != nil {
		return err
	}
	if err := same(want, got, "event"); err != nil {
		return err
	}
	rows, err := r.Ratings(ladderID)
	if err != nil {
		return err
	}
	for i := range rows {
		rows[i].OffsetMilli = 0 // the fit's: not of the fold
	}
	return same(t.rated(), rows, "rating")
}

// ReplayRatings returns the table that the results of a ladder give, folded in schedule order from nothing, by version. Of what
// is stored as ratings it looks at the rules of K alone.
func (d *Director) ReplayRatings(ctx context.Context, ladderID string) ([]tournament.Rating, error) {
	var out []tournament.Rating
	err := d.store.View(ctx, func(r store.Reader) error {
		t, _, err := replayRatings(r, ladderID)
		if err == nil {
			out = t.rated()
		}
		return err
	})
	return out, err
}

// replayRatings folds what counts as rated: the table and the events that it gives.
func replayRatings(r store.Reader, ladderID string) (*ratingTable, []tournament.RatingEvent, error) {
	l, err := r.Ladder(ladderID)
	if err != nil {
		return nil, nil, err
	}
	list, _, err := r.OverFrom(ladderID, 1, l.NextSeq-1, int(l.NextSeq))
	if err != nil {
		return nil, nil, err
	}
	if int64(len(list)) != l.NextSeq-1 {
		return nil, nil, fmt.Errorf("%w: place %d counts as rated, but its match is not over", ErrRatings, len(list)+1)
	}
	later, err := laterParams(r, l)
	if err != nil {
		return nil, nil, err
	}
	all, err := r.RatedVersions(ladderID, botsOf(list))
	if err != nil {
		return nil, nil, err
	}
	t := newRatingTable(ladderID, later, all, list)
	if t.gains, err = r.EarlierGains(ladderID, int(rating.WideRule)); err != nil {
		return nil, nil, err
	}
	events, err := t.fold(list)
	if err != nil {
		return nil, nil, fmt.Errorf("%w: %w", ErrRatings, err)
	}
	return t, events, nil
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
