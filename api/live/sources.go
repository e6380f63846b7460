package live

import (
	"context"
	"encoding/json"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/wire"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

// EventOf returns an event in its API form.
func EventOf(e tournament.Event) wire.Event {
	out := wire.Event{
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
	for _, s := range e.Result {
		out.Result = append(out.Result, wire.SeatResult{Seat: s.Seat, BotID: s.BotID, Rank: s.Rank, Verdict: string(s.Verdict)})
	}
	return out
}

// Feed streams all public events or, with an id, of one tournament's.
type Feed struct {
	Store        *store.Store
	TournamentID string
}

func (x Feed) load(ctx context.Context, after int64, limit int) ([]item, bool, error) {
	list, err := x.Store.Feed(ctx, x.TournamentID, after, limit)
	out := make([]item, len(list))
	for i, e := range list {
		out[i] = newItem(e.Seq, string(e.Kind), httpx.JSON(EventOf(e)))
	}
	return out, false, err
}

// matchSource is the stream of a match: what a spectator or, after the end, a seat heard, then the end.
type matchSource struct {
	x    *Matches
	m    tournament.Match // as it was when the reader came, and when it has begun since
	seat game.Seat
	who  httpx.Caller // for whom the match is played again: the first who reads
}

// Source returns the stream of what a seat or a spectator heard of a match, then its end.
func (x *Matches) Source(who httpx.Caller, m tournament.Match, seat game.Seat) Source {
	return &matchSource{x: x, m: m, seat: seat, who: who}
}

// load asks for new steps first. While there are some and the game goes on, the match is not asked for: what ends it wakes
// the stream again, at the latest the next resync. Once the match is over the steps are read again: then all of them are there.
func (s *matchSource) load(ctx context.Context, after int64, limit int) ([]item, bool, error) {
	events, ended, err := s.x.EventsSeen(ctx, s.who, s.m, s.seat, int(after), limit)
	if err != nil {
		return nil, false, err
	}
	if len(events) > 0 && !ended {
		return s.items(after, events), false, nil
	}
	status, started, err := s.x.store.MatchState(ctx, s.m.ID)
	if err != nil {
		return nil, false, err
	}
	if status.Over() || s.m.StartedAt == nil {
		s.m.StartedAt = started
		if events, _, err = s.x.EventsSeen(ctx, s.who, s.m, s.seat, int(after), limit); err != nil {
			return nil, false, err
		}
	}
	out := s.items(after, events)
	if !status.Over() || len(out) == limit {
		return out, false, nil
	}
	return append(out, newItem(after+int64(len(out))+1, "end", httpx.JSON(map[string]string{"status": string(status)}))), true, nil
}

func (s *matchSource) items(after int64, events []json.RawMessage) []item {
	out := make([]item, len(events))
	for i, e := range events {
		out[i] = newItem(after+int64(i)+1, "", httpx.JSON(wire.MatchEvent{Index: int(after) + i + 1, Event: e}))
	}
	return out
}
