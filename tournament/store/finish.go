package store

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
)

// Finish makes a running match done, in one transaction with everything that follows from it: places and verdicts, the
// ratings as far as schedule order allows, what comes next in its tournament after the last match of a round, and also (the completion of
// the job; nil for none). Results that come in meanwhile share the transaction of the next group. It is
// [tournament.ErrFenced] if the match is no longer at m.Epoch: then nothing changes, however often it is called.
func (s *Store) Finish(ctx context.Context, m tournament.Match, o runner.Outcome, also func(*Tx) error) error {
	n := len(m.Seats)
	if len(o.Rank) != n || len(o.Faults) != n || len(o.P95) != n || len(o.Result.Rank) != n || len(o.Result.Points) != n {
		return fmt.Errorf("match %s: the outcome is not for %d seats", m.ID, n)
	}
	result, err := json.Marshal(o.Result)
	if err != nil {
		return fmt.Errorf("match %s: result: %w", m.ID, err)
	}
	text := string(result)
	e := &ending{
		match: m, status: tournament.MatchDone, result: &text, retired: int(o.Retired), steps: o.Steps, hash: hex.EncodeToString(o.Hash[:]),
		seats: make([]seatEnding, n), also: also,
	}
	points := rating.Points(o.Result, o.Retired)
	for i := range e.seats {
		e.seats[i] = seatEnding{
			place: o.Rank[i], verdict: string(tournament.VerdictOf(points[i], o.Rank[i])), faults: o.Faults[i], p95US: o.P95[i].Microseconds(),
			retired: o.Retired.Has(game.Seat(i)), //nolint:gosec // a seat of the match
		}
	}
	return s.endings.settle(ctx, e, s.endGroup)
}

// maxVoidReason bounds what is kept of why a match is void, in bytes.
const maxVoidReason = 1000

// Void ends a running match without a result, for a fault of the platform: it takes its place in schedule order and rates
// nobody. A match of a tournament or ladder is played again in its place, [tournament.MaxReplays] times at most. For the rest
// it is like [Store.Finish].
func (s *Store) Void(ctx context.Context, m tournament.Match, reason string, also func(*Tx) error) error {
	return s.endings.settle(ctx, &ending{match: m, status: tournament.MatchVoid, reason: text.Escape(reason, maxVoidReason), also: also}, s.endGroup)
}

// ending is how a match ended.
type ending struct {
	match   tournament.Match
	status  tournament.MatchStatus
	reason  string
	result  *string
	retired int
	steps   int
	hash    string
	seats   []seatEnding
	also    func(*Tx) error
	grouped
}

type seatEnding struct {
	place   int
	verdict string
	faults  int
	p95US   int64
	retired bool
}

// endGroup ends matches in one transaction. Rows are locked in the order tournaments, matches, ladders, ratings, as in
// [Store.Cancel]. The endings whose match was fenced are told so by their err; the error is the transaction's.
func (s *Store) endGroup(ctx context.Context, group []*ending) error {
	return s.InTx(ctx, func(tx *Tx) error {
		cups := map[string]*tournament.Tournament{}
		for _, e := range group {
			if e.match.TournamentID != "" {
				cups[e.match.TournamentID] = nil
			}
		}
		for _, id := range slices.Sorted(maps.Keys(cups)) {
			t, err := takeTournament(locked(tx.db), id)
			if err != nil {
				return err
			}
			cups[id] = &t
		}
		live, err := tx.endMatches(group)
		if err != nil || len(live) == 0 {
			return err
		}
		if err := tx.endSeats(live); err != nil {
			return err
		}
		ladders, ended, askers := map[string]bool{}, map[string]bool{}, map[string]bool{}
		for _, e := range live {
			ladders[e.match.LadderID], ended[e.match.TournamentID], askers[e.match.AskerID] = true, true, true
			tx.tellMatch(map[bool]tournament.EventKind{true: tournament.EventMatchFinished, false: tournament.EventMatchVoid}[e.status == tournament.MatchDone], e.match)
		}
		if err := tx.playVoidAgain(ctx, live, cups); err != nil {
			return err
		}
		for _, id := range slices.Sorted(maps.Keys(ended)) {
			if id != "" {
				tx.tellTournament(tournament.EventStandings, *cups[id])
			}
		}
		for _, id := range slices.Sorted(maps.Keys(ladders)) {
			if id == "" {
				continue
			}
			if _, err := tx.applyRatings(id); err != nil {
				return err
			}
		}
		for _, id := range slices.Sorted(maps.Keys(ended)) {
			if id == "" {
				continue
			}
			if err := tx.finishTournament(ctx, cups[id]); err != nil {
				return err
			}
		}
		delete(askers, "")
		for _, id := range slices.Sorted(maps.Keys(askers)) {
			if err := tx.nextChallenges(ctx, id); err != nil {
				return err
			}
		}
		for _, e := range live {
			if e.also != nil {
				if err := e.also(tx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}

// playVoidAgain makes the replays of the void ones among the endings: those of ladders and of tournaments that run.
func (tx *Tx) playVoidAgain(ctx context.Context, live []*ending, cups map[string]*tournament.Tournament) error {
	for _, e := range live {
		cup := cups[e.match.TournamentID]
		if e.status != tournament.MatchVoid || cup == nil && e.match.LadderID == "" || cup != nil && cup.Status != tournament.Running {
			continue
		}
		if err := tx.playAgain(ctx, e.match); err != nil {
			return err
		}
	}
	return nil
}

// endMatches writes the endings of the matches that are still at their epoch, and returns those; the others are fenced.
func (tx *Tx) endMatches(group []*ending) (live []*ending, err error) {
	rows := make([]string, len(group))
	var args []any
	for i, e := range group {
		rows[i] = "(CAST(? AS TEXT), CAST(? AS BIGINT), CAST(? AS TEXT), CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS TEXT))"
		args = append(args, e.match.ID, e.match.Epoch, e.status, e.result, e.retired, e.steps, e.hash, e.reason)
	}
	args = append(args, tx.s.now(), tournament.MatchRunning)
	var ids []string
	err = tx.db.Raw("WITH v (id, epoch, status, result, retired, steps, hash, reason) AS (VALUES "+strings.Join(rows, ", ")+")"+
		" UPDATE matches SET status = v.status, void_cause = CASE WHEN v.status = 'void' THEN 'platform' ELSE '' END, result = v.result, retired = v.retired, steps = v.steps, hash = v.hash, reason = v.reason,"+
		" ended_at = ?, worker = '' FROM v WHERE matches.id = v.id AND matches.epoch = v.epoch AND matches.status = ? RETURNING matches.id", args...).Scan(&ids).Error
	if err != nil {
		return nil, err
	}
	for _, e := range group {
		if slices.Contains(ids, e.match.ID) {
			e.err = nil
			live = append(live, e)
		} else {
			e.err = fmt.Errorf("%w: match %s is not at epoch %d any more", tournament.ErrFenced, e.match.ID, e.match.Epoch)
		}
	}
	return live, nil
}

// endSeats writes places, verdicts and faults.
func (tx *Tx) endSeats(live []*ending) error {
	var rows []string
	var args []any
	flush := func() error {
		if len(rows) == 0 {
			return nil
		}
		sql := "WITH v (match_id, seat, place, verdict, faults, p95_us, retired) AS (VALUES " + strings.Join(rows, ", ") + ")" +
			" UPDATE match_seats SET place = v.place, verdict = v.verdict, faults = v.faults, p95_us = v.p95_us, retired = v.retired FROM v" +
			" WHERE match_seats.match_id = v.match_id AND match_seats.seat = v.seat"
		err := tx.db.Exec(sql, args...).Error
		rows, args = rows[:0], args[:0]
		return err
	}
	for _, e := range live {
		for seat, end := range e.seats {
			rows = append(rows, "(CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS INTEGER), CAST(? AS TEXT), CAST(? AS INTEGER), CAST(? AS BIGINT), CAST(? AS BOOLEAN))")
			args = append(args, e.match.ID, seat, end.place, end.verdict, end.faults, end.p95US, end.retired)
		}
		if len(rows) >= batch {
			if err := flush(); err != nil {
				return err
			}
		}
	}
	if err := flush(); err != nil {
		return err
	}
	return tx.countResets(live)
}

// countResets counts what came of no connection. Only void matches and those with faults are asked for their decisions.
func (tx *Tx) countResets(live []*ending) error {
	var ids []string
	for _, e := range live {
		if e.status == tournament.MatchVoid || slices.ContainsFunc(e.seats, func(s seatEnding) bool { return s.faults > 0 }) {
			ids = append(ids, e.match.ID)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	return tx.db.Exec("UPDATE match_seats SET resets = (SELECT COUNT(*) FROM decisions d WHERE d.match_id = match_seats.match_id AND d.seat = match_seats.seat AND d.fault = ?)"+
		" WHERE match_id IN ?", tournament.FaultConnect, ids).Error
}

// finishTournament goes on with a running tournament, whose row is locked, if none of its matches is open: to its next
// round, or to its end. An sprt may end before.
func (tx *Tx) finishTournament(ctx context.Context, t *tournament.Tournament) error {
	if t.Status != tournament.Running {
		return nil
	}
	if open, err := tx.open(t.ID); err != nil || open && t.Format != tournament.SPRT {
		return err
	}
	if t.Format == tournament.RoundRobin { // all of it was made at the start
		return tx.end(t, tournament.Finished, "")
	}
	return tx.advance(ctx, t)
}

// open tells whether a match of a tournament is not over. It looks from the last match made, which is open the longest.
func (tx *Tx) open(tournamentID string) (bool, error) {
	var open []string
	err := tx.db.Model(&matchRow{}).Where("tournament_id = ? AND status IN ('queued', 'running')", tournamentID).
		Order("id DESC").Limit(1).Pluck("id", &open).Error
	return len(open) > 0, err
}
