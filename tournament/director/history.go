package director

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// History is the rated matches of a ladder, in schedule order, with its versions by number as package rating wants them.
type History struct {
	Ladder   tournament.Ladder
	FromSeq  int64 // the first place whose match it holds: 1, or above that if the rest of them was read before
	ToSeq    int64 // the last place that it has seen
	Versions []HistoryVersion
	Matches  []HistoryMatch
	blocks   int // numbered so far
	seasons  []seasonParams
}

// Params returns what the on-line ratings took for known in the match of that index.
func (h *History) Params(match int) rating.Params { return paramsAt(h.seasons, h.Matches[match].seq) }

// HistoryVersion is a player of a [History]; Parent is the number of the nearest version that it came from
// and that has played here, or -1.
type HistoryVersion struct {
	VersionID, BotID, Bot string
	Number                int
	Parent                int
}

// HistoryMatch is a rated match. Those with one Block above 0 share a deal.
type HistoryMatch struct {
	rating.Match
	Block int
	seq   int64 // its place in schedule order
}

// historyBatch is how many places of the order one query reads: what is rated does not change, so no transaction is needed
// and nobody waits long for the connection.
const historyBatch = 2000

// History reads what the ratings of a ladder rest on now.
func (d *Director) History(ctx context.Context, ladderID string) (*History, error) {
	r, err := d.readHistory(ctx, ladderID, &History{})
	if err != nil {
		return nil, err
	}
	return r.h, r.number(d.store.Reader(ctx))
}

// HistoryAfter reads what has been rated on a ladder since a history was read, numbered as there. If that cannot be, because
// a version has played for the first time, it reads the whole history.
func (d *Director) HistoryAfter(ctx context.Context, before *History) (*History, error) {
	r, err := d.readHistory(ctx, before.Ladder.ID, before)
	if err != nil {
		return nil, err
	}
	if len(r.h.Versions) > len(before.Versions) {
		return d.History(ctx, before.Ladder.ID)
	}
	return r.h, nil
}

// readHistory reads the matches after those of before, whose numbers of versions and blocks go on.
func (d *Director) readHistory(ctx context.Context, ladderID string, before *History) (*historyReader, error) {
	l, err := d.store.Ladder(ctx, ladderID)
	if err != nil {
		return nil, err
	}
	from := d.store.Reader(ctx)
	seasons, err := laterParams(from, l)
	if err != nil {
		return nil, err
	}
	r := &historyReader{
		h: &History{
			Ladder:   l,
			FromSeq:  before.ToSeq + 1,
			ToSeq:    l.NextSeq - 1,
			Versions: slices.Clone(before.Versions),
			blocks:   before.blocks,
			seasons:  seasons,
		},
		at:     map[string]int{},
		blocks: map[store.Block]int{},
		void:   map[int]bool{},
	}
	for i, v := range before.Versions {
		r.at[v.VersionID] = i
	}
	for seq := r.h.FromSeq; seq <= r.h.ToSeq; seq += historyBatch {
		rows, err := from.PlayedSeats(l.ID, seq, min(seq+historyBatch-1, r.h.ToSeq))
		if err != nil {
			return nil, err
		}
		for len(rows) > 0 {
			n := slices.IndexFunc(rows, func(x store.PlayedSeat) bool { return x.LadderSeq != rows[0].LadderSeq })
			if n < 0 {
				n = len(rows)
			}
			if err := r.add(rows[:n]); err != nil {
				return nil, err
			}
			rows = rows[n:]
		}
	}
	r.h.Matches = slices.DeleteFunc(r.h.Matches, func(m HistoryMatch) bool { return m.Void || r.void[m.Block] })
	return r, nil
}

// historyReader numbers what it reads: versions as they come, and blocks from 1.
type historyReader struct {
	h      *History
	at     map[string]int
	blocks map[store.Block]int
	void   map[int]bool // by block: nobody is rated
}

// add takes the seats of one match.
func (r *historyReader) add(seats []store.PlayedSeat) error {
	first := seats[0]
	m := HistoryMatch{seq: first.LadderSeq}
	if first.TournamentID != nil {
		key := store.Block{TournamentID: *first.TournamentID, Round: first.Round, Number: first.Block}
		if r.blocks[key] == 0 {
			r.h.blocks++
			r.blocks[key] = r.h.blocks
		}
		m.Block = r.blocks[key]
	}
	players := store.Map(seats, func(s store.PlayedSeat) int {
		p, known := r.at[s.VersionID]
		if !known {
			p = len(r.h.Versions)
			r.at[s.VersionID] = p
			r.h.Versions = append(r.h.Versions, HistoryVersion{VersionID: s.VersionID, BotID: s.BotID})
		}
		return p
	})
	if first.Result == nil {
		if m.Void = true; m.Block > 0 {
			r.void[m.Block] = true
		}
	} else {
		var result game.Result
		if err := json.Unmarshal([]byte(*first.Result), &result); err != nil || len(result.Rank) != len(seats) {
			return fmt.Errorf("ladder %s place %d: the result is not one of %d seats (%w)", r.h.Ladder.ID, first.LadderSeq, len(seats), err)
		}
		m.Match = rating.Of(result, players, game.Seats(first.Retired))
	}
	r.h.Matches = append(r.h.Matches, m)
	return nil
}

// number names the versions and puts them in the order of their numbers, in which parents come first.
func (r *historyReader) number(from store.Reader) error {
	list := r.h.Versions
	bots := store.Map(list, func(v HistoryVersion) string { return v.BotID })
	slices.Sort(bots)
	all, err := from.NamedVersions(slices.Compact(bots))
	if err != nil {
		return err
	}
	for _, x := range all {
		if i, played := r.at[x.ID]; played {
			list[i].Bot, list[i].Number = x.Bot, x.Number
		}
	}
	sorted := slices.SortedFunc(slices.Values(list), func(a, b HistoryVersion) int {
		return cmp.Or(cmp.Compare(a.Number, b.Number), strings.Compare(a.VersionID, b.VersionID))
	})
	place := make([]int, len(list))
	for to, v := range sorted {
		place[r.at[v.VersionID]] = to
	}
	parents := lineageOf(store.Map(all, func(v store.NamedVersion) store.Descent { return v.Descent }))
	for i := range sorted {
		sorted[i].Parent = -1
		if up, ok := parents.nearest(sorted[i].VersionID, r.at); ok {
			sorted[i].Parent = place[up]
		}
	}
	r.h.Versions = sorted
	for _, m := range r.h.Matches {
		for i := range m.Seats {
			m.Seats[i].Player = place[m.Seats[i].Player]
		}
	}
	return nil
}

// partnersOver is how many of a ladder's last places the table of partners looks at.
const partnersOver = 50_000

// partnersShown is how many pairs of owners it shows.
const partnersShown = 50

// Partnership is an owner who scores above expectation where bots of another sit ([rating.Surplus], whose owners are names here).
type Partnership struct {
	rating.Surplus
	OwnerID, PartnerID string
}

// Partners returns the pairs of owners of a ladder of whom one scores farthest above what the ratings expect against the other alone,
// the worst first, at most fifty; and how many pairs were looked at. It looks at the last 50,000 places of the ladder's order.
func (d *Director) Partners(ctx context.Context, l tournament.Ladder) ([]Partnership, int, error) {
	r := d.store.Reader(ctx)
	list, err := r.Encounters(l.ID, l.LastSeq-partnersOver)
	if err != nil {
		return nil, 0, err
	}
	all := rating.Surpluses(list)
	var ids []string
	var worst []Partnership
	for _, x := range all[:min(len(all), partnersShown)] {
		ids = append(ids, x.Owner, x.Partner)
		worst = append(worst, Partnership{Surplus: x, OwnerID: x.Owner, PartnerID: x.Partner})
	}
	names, err := r.UserNames(ids)
	for i := range worst {
		worst[i].Owner, worst[i].Partner = names[worst[i].OwnerID], names[worst[i].PartnerID]
	}
	return worst, len(all), err
}
