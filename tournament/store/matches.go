package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

// Match is a match with its seats.
func (s *Store) Match(ctx context.Context, id string) (tournament.Match, error) {
	return takeMatch(s.with(ctx), id)
}

// MatchState is how far a match is: its status, and when it began, nil before that.
func (s *Store) MatchState(ctx context.Context, id string) (tournament.MatchStatus, *time.Time, error) {
	var r matchRow
	err := s.with(ctx).Select("status", "started_at").Where("id = ?", id).Take(&r).Error
	return tournament.MatchStatus(r.Status), utcPtr(r.StartedAt), found(err, "match", id)
}

func takeMatch(db *gorm.DB, id string) (tournament.Match, error) {
	var r matchRow
	if err := db.Where("id = ?", id).Take(&r).Error; err != nil {
		return tournament.Match{}, found(err, "match", id)
	}
	list, err := matches(db.Session(&gorm.Session{NewDB: true}), []matchRow{r})
	if err != nil {
		return tournament.Match{}, err
	}
	return list[0], nil
}

// MatchFilter narrows a list of matches; empty fields do not.
type MatchFilter struct {
	TournamentID string
	BotID        string
	LadderID     string
	Status       tournament.MatchStatus
}

// Matches is a page of matches with their seats and the cursor of the next, "" after the last. [Oldest] is schedule order.
func (s *Store) Matches(ctx context.Context, f MatchFilter, p Page) ([]tournament.Match, string, error) {
	db, limit, err := p.byID(s.with(ctx), "id")
	if err != nil {
		return nil, "", err
	}
	if f.TournamentID != "" {
		db = db.Where("tournament_id = ?", f.TournamentID)
	}
	if f.LadderID != "" {
		db = db.Where("ladder_id = ?", f.LadderID)
	}
	if f.Status != "" {
		db = db.Where("status = ?", f.Status)
	}
	if f.BotID != "" {
		db = db.Where("id IN (SELECT match_id FROM match_seats WHERE bot_id = ?)", f.BotID)
	}
	rows, next, err := fetch(db, limit, func(r matchRow) string { return cursor(r.ID) })
	if err != nil {
		return nil, "", err
	}
	out, err := matches(s.with(ctx), rows)
	return out, next, err
}

// ofBlock narrows to the block of m, a void match and its replays included; a match outside tournaments is alone, but for those.
func ofBlock(db *gorm.DB, m tournament.Match) *gorm.DB {
	if m.TournamentID == "" {
		return db.Where("(id = ? OR replay_of = ?)", m.First(), m.First())
	}
	return db.Where("tournament_id = ? AND round = ? AND block = ?", m.TournamentID, m.Round, m.Block)
}

// Block reports whether other matches are on the seed of m, and whether all of its block are over. Before that nothing that
// betrays the seed or a state (seed, nonce, hashes, decisions of others, the full record) may be shown, nor who sits where in
// games with hidden teams: a replay has the same bots in the same seats.
func (s *Store) Block(ctx context.Context, m tournament.Match) (shared, over bool, err error) {
	var n struct{ Matches, Open int }
	err = ofBlock(s.with(ctx).Model(&matchRow{}), m).
		Select("COALESCE(SUM(CASE WHEN seed = ? THEN 1 ELSE 0 END), 0) AS matches, COALESCE(SUM(CASE WHEN status IN ('queued', 'running') THEN 1 ELSE 0 END), 0) AS open", m.Seed.String()).Scan(&n).Error
	return n.Matches > 1, n.Open == 0, err
}

// Decisions are the recorded steps of a match, in order.
func (s *Store) Decisions(ctx context.Context, matchID string) ([]runner.Step, error) {
	if err := s.with(ctx).Select("id").Where("id = ?", matchID).Take(&matchRow{}).Error; err != nil {
		return nil, found(err, "match", matchID)
	}
	return recorded(s.with(ctx), matchID, 0)
}

// DecisionsAfter are the recorded steps of a match after a step, in order.
func (s *Store) DecisionsAfter(ctx context.Context, matchID string, step int) ([]runner.Step, error) {
	return recorded(s.with(ctx), matchID, step)
}

// OpenDecisions are the recorded steps of a match, in order, with no more of each decision than anybody may see once the match is over.
func (s *Store) OpenDecisions(ctx context.Context, matchID string) ([]runner.Step, error) {
	rows, err := decided(s.with(ctx), openQuery, matchID, 0, anySeat)
	if err != nil {
		return nil, err
	}
	for i := range rows { // packed ones have everything
		r := &rows[i]
		r.Fault, r.Reason, r.Memo, r.Debug, r.Build, r.SentAhead = "", "", "", "", "", ""
	}
	return steps(rows)
}

func recorded(db *gorm.DB, matchID string, after int) ([]runner.Step, error) {
	rows, err := decided(db, decidedQuery, matchID, after, anySeat)
	if err != nil {
		return nil, err
	}
	return steps(rows)
}

// SeatDecision is a recorded decision with its place in the match.
type SeatDecision struct {
	Step int // from 1
	runner.Decision
	RecordedAt time.Time // by the database's clock, to the millisecond
}

// SeatDecisions are the recorded decisions of one seat, in order.
func (s *Store) SeatDecisions(ctx context.Context, matchID string, seat game.Seat) ([]SeatDecision, error) {
	if err := s.with(ctx).Where("match_id = ? AND seat = ?", matchID, int(seat)).Take(&seatRow{}).Error; err != nil {
		return nil, found(err, "seat in match", matchID)
	}
	rows, err := decided(s.with(ctx), decidedQuery, matchID, 0, int(seat))
	if err != nil {
		return nil, err
	}
	out := make([]SeatDecision, len(rows))
	for i, r := range rows {
		d, err := r.decision()
		if err != nil {
			return nil, err
		}
		out[i] = SeatDecision{Step: r.Step, Decision: d, RecordedAt: time.UnixMilli(r.RecordedMS).UTC()}
	}
	return out, nil
}
