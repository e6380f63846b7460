package director

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/matchmaking"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/store"
)

// The standing ladder: whoever has entered it gets matches all the time, in the ladder's configuration, at tables of every size that it
// has. A bot has at most one such match open, so that one that is slow or dead delays nobody but those at its table.

// historyPerEntry is how many of a ladder's last matches for each entry the matchmaking looks at.
const historyPerEntry = 8

// OpenLadder opens a ladder, which passes [tournament.Ladder.Check], and returns it. An id that a ladder or a game has, and matches
// that those of a ladder are like, are [tournament.ErrTaken].
func (d *Director) OpenLadder(ctx context.Context, l tournament.Ladder) (tournament.Ladder, error) {
	info, err := d.info(l.Game)
	if err != nil {
		return l, err
	}
	l = l.Sized(info)
	return transact(ctx, d, func(tx *txn) (tournament.Ladder, error) {
		if _, err := d.engine(l.ID); err == nil {
			return l, fmt.Errorf("%w: %q is a game, and its base ladder", tournament.ErrTaken, l.ID)
		}
		if _, err := tx.EnsureLadder(l.Game); err != nil {
			return l, err
		}
		all, err := tx.Ladders()
		if err != nil {
			return l, err
		}
		for _, o := range all {
			if l.Alike(o) {
				return l, fmt.Errorf("%w: ladder %q has these very matches", tournament.ErrTaken, o.ID)
			}
		}
		return tx.AddLadder(l)
	})
}

// JoinLadder enters a bot of ownerID on a standing ladder, or changes how many matches it is given an hour. The rule is
// [tournament.CanPlayLadder]; somebody else's bot is [tournament.ErrNotYours].
func (d *Director) JoinLadder(ctx context.Context, ladderID, botID, ownerID string, perHour int) (tournament.LadderEntry, error) {
	return transact(ctx, d, func(tx *txn) (e tournament.LadderEntry, err error) {
		l, err := tx.Ladder(ladderID)
		if err != nil {
			return e, err
		}
		if err := tx.Lock(store.Rows{store.Bots: {botID}}); err != nil { // the version that plays must play the game
			return e, err
		}
		b, err := tx.owned(botID, ownerID)
		if err != nil {
			return e, err
		}
		games, err := tx.GamesOf(b.VersionID)
		if err != nil {
			return e, err
		}
		if err := tournament.CanPlayLadder(l.Game, b, games, perHour); err != nil {
			return e, err
		}
		return tx.AddLadderEntry(tournament.LadderEntry{LadderID: l.ID, BotID: b.ID, BotName: b.Name, MatchesPerHour: perHour, JoinedAt: d.now()})
	})
}

// LeaveLadder takes a bot off a standing ladder; matches made already are played. A bot that is not on it is
// [tournament.ErrNotFound].
func (d *Director) LeaveLadder(ctx context.Context, ladderID, botID, ownerID string) error {
	return d.inTx(ctx, func(tx *txn) error {
		b, err := tx.owned(botID, ownerID)
		if err != nil {
			return err
		}
		return tx.DeleteLadderEntry(ladderID, b)
	})
}

// LadderStates returns how a bot stands on the ladders that it has joined, by ladder; none of a retired bot, which waits for nothing there.
func (d *Director) LadderStates(ctx context.Context, b tournament.Bot) ([]tournament.LadderState, error) {
	if b.Status == tournament.BotRetired {
		return nil, nil
	}
	r := d.store.Reader(ctx)
	list, err := r.JoinedLadders(b)
	if err != nil {
		return nil, err
	}
	now := d.now()
	out := make([]tournament.LadderState, len(list))
	for i, j := range list {
		info, err := d.info(j.Ladder.Game)
		if err != nil {
			return nil, err
		}
		x, err := r.SeenOnLadder(j.LadderID, b, now.Add(-time.Hour))
		if err != nil {
			return nil, err
		}
		x.FewOwners = j.Ladder.Tables(info)[0] - 1
		out[i] = j.LadderState
		out[i].On(x, now)
	}
	return out, nil
}

// waiting are the entries of a ladder, and the same bots as the matchmaking wants them. Only those that have room are read whole:
// of the others it counts whose they are.
type waiting struct {
	ladder tournament.Ladder
	field  []store.OnLadder
	bots   []matchmaking.Bot
	seats  []tournament.MatchSeat // of the bots that have room
	at     map[string]int         // where a bot is in these lists, by id
}

// MakeLadder gives matches to the bots of a standing ladder that wait for one ([matchmaking.Tables]) and returns how many it
// made. Bots that are paused or retired, or whose version does not play the game any more, are passed over, and so are those of
// an owner who has atOnce matches of ladders open; an administrator's, as house bots, are not counted. Bots of one owner never
// meet: where nobody else is there they wait, as their matches could rate nobody.
func (d *Director) MakeLadder(ctx context.Context, ladderID string, atOnce int) (int, error) {
	return transact(ctx, d, func(tx *txn) (int, error) {
		l, err := tx.LockLadder(ladderID) // one process at a time
		if err != nil {
			return 0, err
		}
		engine, err := d.engine(l.Game)
		if err != nil {
			return 0, err
		}
		w, err := tx.waiting(l, atOnce)
		if err != nil || w == nil {
			return 0, err
		}
		luck, err := d.seed()
		if err != nil {
			return 0, err
		}
		rules := matchmaking.Settings{Sizes: l.Tables(engine.Info())}
		var list []tournament.Match
		for _, table := range matchmaking.Tables(w.bots, rules, game.Stream(luck, 0, "ladder")) {
			m, err := d.newUnratedMatch(engine, l.Config, store.Map(table.Seats, func(place int) tournament.MatchSeat { return w.seats[place] }))
			if err != nil {
				return 0, err
			}
			m.Clock, m.Beliefs = l.ClockClass.Clock(), l.Beliefs
			list = append(list, m)
		}
		return len(list), tx.save(ctx, tournament.Tournament{Rated: true, LadderID: l.ID}, time.Time{}, list)
	})
}

// waiting returns the active entries of a ladder; nil if no two that may meet are free.
func (tx *txn) waiting(l tournament.Ladder, atOnce int) (*waiting, error) {
	field, err := tx.OnLadder(l)
	if err != nil {
		return nil, err
	}
	open, err := tx.OpenLadderMatches()
	if err != nil {
		return nil, err
	}
	uncounted := func(i int) bool { return field[i].OwnerRole == tournament.RoleAdmin }
	w := &waiting{
		ladder: l,
		field:  field,
		bots:   make([]matchmaking.Bot, len(field)),
		seats:  make([]tournament.MatchSeat, len(field)),
		at:     make(map[string]int, len(field)),
	}
	for i, e := range field {
		w.at[e.BotID] = i
		w.bots[i].Owner, w.bots[i].Since = e.OwnerID, e.JoinedAt.UnixMicro()
		if uncounted(i) || open[e.OwnerID] < atOnce {
			w.bots[i].Room = 1
		}
	}
	free, err := tx.withRoom(w)
	if err != nil || len(free) == 0 {
		return nil, err
	}
	last, err := tx.lastLineups(l.ID, historyPerEntry*len(field))
	if err != nil {
		return nil, err
	}
	w.wait(last, len(free))
	matchmaking.BoundOwners(w.bots, open, atOnce, uncounted)
	if free = w.free(); len(free) == 0 {
		return nil, nil
	}
	w.remember(last)
	return w, tx.introduce(w, free)
}

// withRoom leaves room to those bots alone that have no match open and may have another this hour, and in this part of it, and returns
// the bots with room: an hour's matches are spread over the hour.
func (tx *txn) withRoom(w *waiting) ([]string, error) {
	open, err := tx.OpenLadderSeats(w.ladder.ID)
	if err != nil {
		return nil, err
	}
	for i, e := range w.field {
		if open[e.BotID] > 0 {
			w.bots[i].Room = 0
		}
	}
	free := w.free()
	if len(free) == 0 {
		return nil, nil
	}
	for _, part := range []struct {
		span  time.Duration
		share func(perHour int) int
	}{{time.Hour, func(perHour int) int { return perHour }}, {tournament.PaceSpan, tournament.PaceShare}} {
		lately, err := tx.LadderSeatsSince(w.ladder.ID, free, tx.d.now().Add(-part.span))
		if err != nil {
			return nil, err
		}
		for i, e := range w.field {
			if lately[e.BotID] >= part.share(e.MatchesPerHour) {
				w.bots[i].Room = 0
			}
		}
	}
	return w.free(), nil
}

// free returns the bots that have room; none if all are of one owner: they never meet.
func (w *waiting) free() []string {
	var ids []string
	owners := map[string]bool{}
	for i, e := range w.field {
		if w.bots[i].Room > 0 {
			ids = append(ids, e.BotID)
			owners[e.OwnerID] = true
		}
	}
	if len(owners) < 2 {
		return nil
	}
	return ids
}

// introduce notes what the matchmaking and the tables want to know of the bots that have room.
func (tx *txn) introduce(w *waiting, free []string) error {
	known, err := tx.Introduced(w.ladder, free)
	if err != nil {
		return err
	}
	for i, e := range w.field {
		x, ok := known[e.BotID]
		if !ok {
			w.bots[i].Room = 0 // it is busy, or has just left
			continue
		}
		milli := tournament.StartMilli
		if x.Milli != nil {
			milli = *x.Milli
		}
		deviation := unfitted
		if x.SE != nil {
			deviation = *x.SE
		}
		b := &w.bots[i]
		b.Rating, b.Deviation, b.Matches = float64(milli)/1000, deviation, x.Games
		w.seats[i] = tournament.MatchSeat{BotID: e.BotID, BotName: x.BotName, VersionID: x.VersionID, OwnerID: e.OwnerID, Build: x.Build}
	}
	return nil
}

// hasRoom reports whether a bot has room; one that is not on the ladder any more has none.
func (w *waiting) hasRoom(id string) bool {
	i, ok := w.at[id]
	return ok && w.bots[i].Room > 0
}

// wait notes when the bots that have room, n of them, were last given a match.
func (w *waiting) wait(last []store.Lineup, n int) {
	seen := make([]bool, len(w.bots))
	for _, m := range slices.Backward(last) {
		for _, id := range m.Bots {
			if i := w.at[id]; w.hasRoom(id) && !seen[i] {
				seen[i], w.bots[i].Since = true, m.CreatedAt.UnixMicro()
				n--
			}
		}
		if n == 0 {
			return
		}
	}
}

// remember notes the last matches of the bots that have room; nobody asks for those of the others.
func (w *waiting) remember(last []store.Lineup) {
	for _, m := range last {
		if !slices.ContainsFunc(m.Bots, w.hasRoom) {
			continue
		}
		lineup := store.Map(m.Bots, func(id string) int {
			if i, ok := w.at[id]; ok {
				return i
			}
			return len(w.bots) // the bot has left, whichever it was
		})
		for seat, id := range m.Bots {
			if w.hasRoom(id) {
				w.bots[w.at[id]].Sat(lineup, seat)
			}
		}
	}
}

// recent are the last matches of a ladder, as far as this process has read. Places are given and moved ([Tx.Reorder]) under the ladder's lock: whoever
// holds that reads on from the last, if it is still in its place, and else all again. It is never changed: a process that has lost its lock may
// still read it.
type recent struct {
	most int // matches that are kept
	list []store.Lineup
}

// lastLineups returns the line-ups of the last n matches of a ladder, which is locked, in its order.
func (tx *txn) lastLineups(ladderID string, n int) ([]store.Lineup, error) {
	kept, _ := tx.d.lineups.Load(ladderID)
	p, _ := kept.(recent)
	if p.most < n { // the ladder has grown: all again, and some more for what it may grow yet
		p = recent{most: n + n/8}
	}
	var after int64
	if len(p.list) > 0 {
		after = p.list[len(p.list)-1].Seq - 1
	}
	list, err := tx.Lineups(ladderID, after, p.most)
	if err == nil && after > 0 && (len(list) == 0 || !list[0].CreatedAt.Equal(p.list[len(p.list)-1].CreatedAt)) {
		p.list = nil
		list, err = tx.Lineups(ladderID, 0, p.most)
	}
	if err != nil {
		return nil, err
	}
	p.list = slices.Concat(p.list[:max(0, len(p.list)-1)], list)
	p.list = p.list[max(0, len(p.list)-p.most):]
	tx.d.lineups.Store(ladderID, p)
	return p.list[max(0, len(p.list)-n):], nil
}

// unfitted is how far the rating of a bot that the fit has not seen may be off, in Elo: what the fit takes for a guess.
const unfitted = 350.0

// NewSeason ends the season of a ladder and begins the next: from the first match on that is not scheduled yet, the on-line
// ratings take the advantages of the last fit for known. Ratings go on as they are. A ladder without a fit, or one where
// nothing was scheduled in the season, is [tournament.ErrState].
func (d *Director) NewSeason(ctx context.Context, ladderID string) (tournament.Season, error) {
	return transact(ctx, d, func(tx *txn) (tournament.Season, error) {
		none := tournament.Season{}
		l, err := tx.LockLadder(ladderID) // no match is scheduled meanwhile
		if err != nil {
			return none, err
		}
		f, err := tx.FitHead(ladderID)
		if err != nil {
			return none, err
		}
		if f.Matches == 0 {
			return none, fmt.Errorf("%w: ladder %q has no fit yet; there is one some seconds after its first rated match", tournament.ErrState, ladderID)
		}
		later, err := tx.LaterSeasons(ladderID)
		if err != nil {
			return none, err
		}
		if n := len(later); n > 0 && later[n-1].FromSeq > l.LastSeq {
			return none, fmt.Errorf("%w: season %d of ladder %q has no match yet", tournament.ErrState, l.Season, ladderID)
		}
		return tx.AddSeason(tournament.Season{
			LadderID: l.ID, Number: l.Season + 1, FromSeq: l.LastSeq + 1, Advantages: f.Advantages, BeganAt: d.now(),
		})
	})
}

// params returns what the on-line ratings of a season take for known.
func params(season tournament.Season) rating.Params {
	p := rating.Params{Tables: map[int]rating.Advantage{}}
	for _, a := range season.Advantages {
		at := p.Tables[a.Seats]
		if a.Team != "" {
			at.Team = map[string]float64{a.Team: a.Elo}
		} else {
			at.Seat = append(at.Seat, a.Elo) // they are stored by seat
		}
		p.Tables[a.Seats] = at
	}
	return p
}
