package live

import (
	"context"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// EventOf is an event in its API form.
func EventOf(e tournament.Event) wire.Event {
	return wire.Event{
		ID:           e.Seq,
		Event:        string(e.Kind),
		At:           e.At,
		Game:         e.Game,
		MatchID:      e.MatchID,
		TournamentID: e.TournamentID,
		LadderID:     e.LadderID,
		Round:        e.Round,
		Block:        e.Block,
		Number:       e.Number,
		Reason:       e.Reason,
	}
}

// feed is the stream of all public events, or of one tournament's.
type feed struct {
	store      *store.Store
	tournament string
}

// Feed is the stream of all public events or, with an id, of one tournament's.
func Feed(db *store.Store, tournamentID string) Source { return feed{db, tournamentID} }

func (x feed) load(ctx context.Context, after int64, limit int) ([]item, bool, error) {
	list, err := x.store.Feed(ctx, x.tournament, after, limit)
	out := make([]item, len(list))
	for i, e := range list {
		out[i] = item{e.Seq, string(e.Kind), httpx.JSON(EventOf(e))}
	}
	return out, false, err
}

// matchSource is the stream of a match: what a spectator or, after the end, a seat heard, then the end.
type matchSource struct {
	x    *Matches
	m    tournament.Match // as it was when the reader came
	seat game.Seat
}

// Source is the stream of what a seat or a spectator heard of a match, then its end.
func (x *Matches) Source(m tournament.Match, seat game.Seat) Source { return matchSource{x, m, seat} }

// matchEnd is the last event of a match's stream.
type matchEnd struct {
	Status string `json:"status"`
}

func (s matchSource) load(ctx context.Context, after int64, limit int) ([]item, bool, error) {
	m := s.m
	var err error
	m.Status, m.StartedAt, err = s.x.store.MatchState(ctx, m.ID) // before the steps: those of a match that is over are all there
	if err != nil {
		return nil, false, err
	}
	told, err := s.x.Told(ctx, m, s.seat, int(after), limit)
	if err != nil {
		return nil, false, err
	}
	var out []item
	for i, e := range told {
		out = append(out, item{id: after + int64(i) + 1, data: httpx.JSON(wire.MatchEvent{Index: int(after) + i + 1, Event: e})})
	}
	if !m.Status.Over() || len(out) == limit {
		return out, false, nil
	}
	return append(out, item{id: after + int64(len(out)) + 1, kind: "end", data: httpx.JSON(matchEnd{string(m.Status)})}), true, nil
}
