package director

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/text"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/rating"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// Finish makes a running match done, in one transaction with everything that follows from it: places and verdicts, the
// ratings as far as schedule order allows, what comes next in its tournament after the last match of a round, and also (the completion of
// the job; nil for none). Results that come in meanwhile share the transaction of the next group. It is
// [tournament.ErrFenced] if the match is no longer at m.Epoch: then nothing changes, however often it is called.
func (d *Director) Finish(ctx context.Context, m tournament.Match, o runner.Outcome, also func(*store.Tx) error) error {
	n := len(m.Seats)
	if len(o.Rank) != n || len(o.Faults) != n || len(o.P95) != n || len(o.Result.Rank) != n || len(o.Result.Points) != n {
		return fmt.Errorf("match %s: the outcome is not for %d seats", m.ID, n)
	}
	result, err := json.Marshal(o.Result)
	if err != nil {
		return fmt.Errorf("match %s: result: %w", m.ID, err)
	}
	e := &ending{match: m, also: also, failing: o.Failing, failed: o.Failed, Ending: store.Ending{
		MatchID: m.ID, Epoch: m.Epoch, Status: tournament.MatchDone, Result: new(string(result)), Retired: o.Retired,
		Steps: o.Steps, Hash: hex.EncodeToString(o.Hash[:]), Seats: make([]store.SeatEnding, n),
	}}
	points := rating.Points(o.Result, o.Retired)
	for i := range e.Seats {
		e.Seats[i] = store.SeatEnding{
			Place: o.Rank[i], Verdict: tournament.VerdictOf(points[i], o.Rank[i]), Faults: o.Faults[i], P95US: o.P95[i].Microseconds(),
			Retired: o.Retired.Has(game.Seat(i)),
		}
		if o.Claims != nil {
			e.Seats[i].Used, e.Seats[i].Own, e.Seats[i].Rules = o.Claims[i].Used, o.Claims[i].Own, o.Claims[i].Rules
		}
	}
	return d.endings.Do(ctx, e)
}

// maxVoidReason bounds what is kept of why a match is void, in bytes.
const maxVoidReason = 1000

// Void ends a running match without a result, for a fault of the platform: it takes its place in schedule order and rates
// nobody. A match of a tournament or ladder is played again in its place, [tournament.MaxReplays] times at most. For the rest
// it is like [Director.Finish].
func (d *Director) Void(ctx context.Context, m tournament.Match, reason string, also func(*store.Tx) error) error {
	return d.endings.Do(ctx, &ending{match: m, also: also, Ending: store.Ending{
		MatchID: m.ID, Epoch: m.Epoch, Status: tournament.MatchVoid, Reason: text.Escape(reason, maxVoidReason),
	}})
}

// ending is a match that ends, with what is done in the same transaction; also may be nil.
type ending struct {
	store.Ending
	match           tournament.Match
	also            func(*store.Tx) error
	failing, failed game.Seats // as in the outcome
	err             error      // it is fenced
}

// endGroup ends matches in one transaction. Rows are locked in the order tournaments, matches, ladders, ratings, as in
// [Director.Cancel]. The endings whose match was fenced say so in their err; the error is the transaction's.
func (d *Director) endGroup(ctx context.Context, group []*ending) ([]error, error) {
	err := d.inTx(ctx, func(tx *txn) error {
		live, found, err := tx.endMatches(group)
		if err != nil || len(live) == 0 {
			return err
		}
		if err := tx.playVoidAgain(ctx, live, found); err != nil {
			return err
		}
		if err := tx.afterMatchesEnded(ctx, live, found); err != nil {
			return err
		}
		for _, e := range live {
			if e.also == nil {
				continue
			}
			if err := e.also(tx.Tx); err != nil {
				return err
			}
		}
		return nil
	})
	return store.Map(group, func(e *ending) error { return e.err }), err
}

// idsOf returns the ids of what some matches belong to, each once and in order.
func idsOf(group []*ending, of func(tournament.Match) string) []string {
	ids := store.Map(group, func(e *ending) string { return of(e.match) })
	slices.Sort(ids)
	return slices.DeleteFunc(slices.Compact(ids), func(id string) bool { return id == "" })
}

// endMatches writes the endings of the matches that are still at their epoch, and returns those; the others are fenced.
func (tx *txn) endMatches(group []*ending) ([]*ending, store.Ended, error) {
	var live []*ending
	tournaments := idsOf(group, func(m tournament.Match) string { return m.TournamentID })
	ladders := idsOf(group, func(m tournament.Match) string { return m.LadderID })
	found, err := tx.EndMatches(store.Map(group, func(e *ending) store.Ending { return e.Ending }), tournaments, ladders, ratingBatch)
	if err != nil {
		return nil, found, err
	}
	for _, e := range group {
		if !slices.Contains(found.IDs, e.match.ID) {
			e.err = fmt.Errorf("%w: match %s is not at epoch %d any more", tournament.ErrFenced, e.match.ID, e.match.Epoch)
			continue
		}
		e.err = nil
		live = append(live, e)
		if e.Status == tournament.MatchVoid {
			tx.EmitMatch(tournament.EventMatchVoid, e.match, nil)
			continue
		}
		tx.EmitMatch(tournament.EventMatchFinished, e.match, openResult(e, found))
	}
	return live, found, nil
}

// openResult returns the result of a match that was played to its end, by seat; nothing while it is sealed.
func openResult(e *ending, found store.Ended) []tournament.SeatResult {
	if slices.Contains(found.Sealed, e.match.ID) {
		return nil
	}
	out := make([]tournament.SeatResult, len(e.match.Seats))
	for i, s := range e.match.Seats {
		out[i] = tournament.SeatResult{Seat: i, BotID: s.BotID, Rank: e.Seats[i].Place, Verdict: e.Seats[i].Verdict}
	}
	return out
}

// noteShowings keeps how the bots did in the matches that were played to their end, without those by challenge.
func (tx *txn) noteShowings(live []*ending) {
	var list []store.Showing
	for _, e := range live {
		if e.Status != tournament.MatchDone || e.match.ByChallenge() {
			continue
		}
		for _, s := range e.match.Seats {
			list = append(list, store.Showing{
				BotID: s.BotID, VersionID: s.VersionID, Failing: e.failing.Has(s.Seat), Failed: e.failed.Has(s.Seat), Asked: e.match.AskerID != "",
			})
		}
	}
	tx.NoteShowings(list)
}

// playVoidAgain makes the replays of the void ones among the endings: those of ladders and of tournaments that run. What was found
// before no longer holds.
func (tx *txn) playVoidAgain(ctx context.Context, live []*ending, found store.Ended) error {
	for _, e := range live {
		event, ofTournament := found.Tournaments[e.match.TournamentID]
		if e.Status != tournament.MatchVoid || !ofTournament && e.match.LadderID == "" || ofTournament && event.Status != tournament.Running {
			continue
		}
		if err := tx.playAgain(ctx, e.match); err != nil {
			return err
		}
		delete(found.Due, e.match.LadderID)
		delete(found.Open, e.match.TournamentID)
	}
	return nil
}

// afterMatchesEnded does what comes of matches that have ended: ratings, what is next in their tournaments, and challenges that waited.
func (tx *txn) afterMatchesEnded(ctx context.Context, live []*ending, found store.Ended) error {
	ended := idsOf(live, func(m tournament.Match) string { return m.TournamentID })
	for _, id := range ended {
		tx.EmitTournament(tournament.EventStandings, found.Tournaments[id])
	}
	for _, id := range idsOf(live, func(m tournament.Match) string { return m.LadderID }) {
		if err := tx.rateFound(id, found); err != nil {
			return err
		}
	}
	tx.noteShowings(live) // bots are locked behind ratings, and a round that is made next asks which of them are greeted first
	for _, id := range ended {
		event := found.Tournaments[id]
		if found.Open[id] && event.Format != tournament.SPRT {
			continue // nothing comes before the last
		}
		if err := tx.finishTournament(ctx, &event); err != nil {
			return err
		}
	}
	for _, id := range idsOf(live, func(m tournament.Match) string { return m.AskerID }) {
		if err := tx.nextChallenges(ctx, id); err != nil {
			return err
		}
	}
	return nil
}

// rateFound rates what was found to be due on a ladder, or looks again if that no longer holds.
func (tx *txn) rateFound(ladderID string, found store.Ended) error {
	if due, ok := found.Due[ladderID]; ok {
		_, err := tx.rateDue(due)
		return err
	}
	return tx.rateOn(ladderID)
}
