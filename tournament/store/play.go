package store

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/riverqueue/river"
	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Claim is what a worker wants: the match of a job, until a lease ends.
type Claim struct {
	PlayMatch
	Worker  string
	Lease   time.Duration
	Decided bool // that its tournament lets it begin: this is not asked again
}

// Claim makes queued matches their workers' until the lease ends, under the next epoch, and returns them by id; one that has not begun
// only if its tournament is not paused, and in a round robin only if none of its bots is away ([Tx.HasBotAway]). Those that were not
// there to be taken are left out.
func (tx *Tx) Claim(list ...Claim) (map[string]tournament.Match, error) {
	update := "UPDATE matches SET status = ?, epoch = epoch + 1, worker = ?, lease_until_ms = " + tx.s.NowMS() + " + ?," +
		" started_at = COALESCE(started_at, ?), engine = CASE WHEN engine = '' THEN ? ELSE engine END" +
		" WHERE id = ? AND status = ? AND epoch = ? AND (epoch > 0 OR ? OR NOT EXISTS (" +
		"SELECT 1 FROM tournaments t WHERE t.id = matches.tournament_id AND (t.paused_at IS NOT NULL OR t.format = ? AND " + botAway + "))) RETURNING " +
		database.ColumnsOf[tournament.Match](tx.db, "matches")
	list = slices.SortedFunc(slices.Values(list), func(a, b Claim) int { return strings.Compare(a.MatchID, b.MatchID) }) // rows are locked in one order
	found := make([][]tournament.Match, len(list))
	all := make([]database.Statement, len(list), len(list)+1)
	for i, c := range list {
		all[i] = func(db *gorm.DB) *gorm.DB {
			return tx.Locked(db, Matches, c.MatchID).Raw(update, tournament.MatchRunning, c.Worker, c.Lease.Milliseconds(), tx.s.Now(), tx.s.Options().Program, c.MatchID, tournament.MatchQueued, c.Epoch,
				c.Decided, tournament.RoundRobin, tx.s.Now().Add(-tournament.GreetWithin)).Find(&found[i])
		}
	}
	var seats []matchSeatRow
	ids := database.Map(list, func(c Claim) string { return c.MatchID })
	all = append(all, func(db *gorm.DB) *gorm.DB {
		return db.Where(tx.s.AnyOf("match_id"), database.Array(ids)).Order("match_id, seat").Find(&seats)
	})
	if err := tx.Batch(all...); err != nil {
		return nil, err
	}
	out := make(map[string]tournament.Match, len(list))
	for _, m := range slices.Concat(found...) {
		seat(&m, slices.DeleteFunc(slices.Clone(seats), func(s matchSeatRow) bool { return s.MatchID != m.ID }))
		out[m.ID] = m
	}
	return out, nil
}

// botAway is a condition on matches: one of the match's bots is paused, or its greeting began after the time given.
const botAway = "EXISTS (SELECT 1 FROM match_seats s JOIN bots b ON b.id = s.bot_id WHERE s.match_id = matches.id AND" +
	" (b.status = 'paused' OR b.status = 'active' AND b.unproven_at > ?))"

// HasBotAway reports whether a bot of a match is paused or is being greeted.
func (tx *Tx) HasBotAway(matchID string) (bool, error) {
	row, err := database.First[tournament.Match](tx.db.Where("id = ? AND "+botAway, matchID, tx.s.Now().Add(-tournament.GreetWithin)))
	return row != nil, err
}

// HasBegun reports whether one of some matches has begun: one that became void before that has not.
func (r Reader) HasBegun(ids []string) (bool, error) {
	row, err := database.First[tournament.Match](r.db.Where("id IN ? AND epoch > 0", ids))
	return row != nil, err
}

// fenced makes a guarded write that found nothing to write [tournament.ErrFenced].
func fenced(change *gorm.DB, matchID string, epoch int64) error {
	if errors.Is(change.Error, gorm.ErrDuplicatedKey) || (change.Error == nil && change.RowsAffected == 0) {
		return fmt.Errorf("%w: match %s is not at epoch %d any more", tournament.ErrFenced, matchID, epoch)
	}
	return change.Error
}

// MatchAt is a match at an epoch.
type MatchAt struct {
	ID     string
	Epoch  int64
	Status tournament.MatchStatus
	// of [Tx.GiveJobs] alone
	Source tournament.Source
	At     time.Time // when it may begin, if that is later
}

// Requeue makes a match that stands so queued, with a new job. It is [tournament.ErrFenced] if it does not stand so any more.
func (tx *Tx) Requeue(ctx context.Context, m MatchAt) error {
	list, err := tx.matchesAt(tx.db.Where("id = ? AND epoch = ? AND status = ?", m.ID, m.Epoch, m.Status))
	if err == nil && len(list) == 0 {
		err = fenced(&gorm.DB{}, m.ID, m.Epoch)
	}
	if err != nil {
		return err
	}
	jobs, err := tx.enqueue(ctx, list[0].At, list[0].Source, 0, PlayMatch{m.ID, m.Epoch})
	if err != nil {
		return err
	}
	queued := matchRow{Match: tournament.Match{ID: m.ID, Status: tournament.MatchQueued}, JobID: jobs[0]}
	return fenced(tx.db.Where("epoch = ? AND status = ?", m.Epoch, m.Status).Select("status", "worker", "lease_until_ms", "job_id").Updates(&queued), m.ID, m.Epoch)
}

// What a lost match is, as SQL. The states are written out, and the orders of [Store.LostMatches] are those of the small indexes of
// open matches: only then does a plan for any parameters use them.
func (s *Store) lostRunning() string { return "status = 'running' AND lease_until_ms < " + s.NowMS() }

func (s *Store) lostQueued() string {
	return "status = 'queued' AND " + s.JobIn("job_id", "kind = ? AND (state IN ('cancelled', 'discarded') OR (state = 'running' AND "+s.JobAgeMS()+" > ?))")
}

// LostMatches returns the ids of the matches that were lost: running ones whose lease has ended, and queued ones whose job was
// taken a lease ago by a worker that never claimed the match, or was cancelled or given up. All of them: with a limit, as many as that
// which cannot be queued again would hold up all others.
func (s *Store) LostMatches(ctx context.Context, lease time.Duration) ([]string, error) {
	running, err := database.Pluck[string](s.SQL(ctx).Model(&matchRow{}).Where(s.lostRunning()).Order("lease_until_ms"), "id")
	if err != nil {
		return nil, err
	}
	queued, err := database.Pluck[string](s.SQL(ctx).Model(&matchRow{}).
		Where(s.lostQueued(), PlayMatch{}.Kind(), lease.Milliseconds()).Order("job_id"), "id")
	return append(running, queued...), err
}

// LockLost locks those of some matches that are still lost. What another sweeper has locked is left to it.
func (tx *Tx) LockLost(lease time.Duration, ids []string) ([]MatchAt, error) {
	return tx.matchesAt(tx.SkipLocked(tx.db, Matches).Where(tx.s.AnyOf("id"), database.Array(ids)).
		Where("("+tx.s.lostRunning()+" OR "+tx.s.lostQueued()+")", PlayMatch{}.Kind(), lease.Milliseconds()))
}

// CancelDeadJobs cancels jobs that a worker has had for a lease and longer, and that no open match waits for: the match has
// another job, or is over. Their worker has died, or will find that it is fenced.
func (tx *Tx) CancelDeadJobs(lease time.Duration) error {
	const waits = "EXISTS (SELECT 1 FROM matches m WHERE m.job_id = river_job.id AND m.status = '%s')" // two, for an index each
	_, err := tx.s.CancelJobs(tx.Tx, PlayMatch{}.Kind(), lease,
		"NOT "+fmt.Sprintf(waits, tournament.MatchQueued)+" AND NOT "+fmt.Sprintf(waits, tournament.MatchRunning))
	return err
}

// matchesAt returns how the matches of a query stand, by id.
func (tx *Tx) matchesAt(db *gorm.DB) ([]MatchAt, error) {
	rows, err := database.All[tournament.Match](db.Select("id, epoch, status, tournament_id, ladder_id, round, replay, created_at").Order("id"))
	if err != nil {
		return nil, err
	}
	out, begins := make([]MatchAt, len(rows)), map[Round]time.Time{}
	for i, m := range rows {
		out[i] = MatchAt{ID: m.ID, Epoch: m.Epoch, Status: m.Status, Source: m.Source()}
		if m.Epoch > 0 {
			continue // it has begun
		}
		of := Round{TournamentID: m.TournamentID, Number: m.Round}
		at, known := begins[of]
		if !known && of.Number > 1 { // before the first there is no pause
			if at, err = tx.roundBegins(of); err != nil {
				return nil, err
			}
			begins[of] = at
		}
		if m.Replay > 0 {
			if again := tournament.ReplayAt(m.CreatedAt, m.Replay); again.After(at) {
				at = again
			}
		}
		if at.After(tx.s.Now()) {
			out[i].At = at
		}
	}
	return out, nil
}

// roundBegins returns when the matches of a round may begin; zero if that is not written in its pairing.
func (tx *Tx) roundBegins(r Round) (at time.Time, err error) {
	text, err := database.Pluck[string](tx.db.Model(&r).Where("tournament_id = ? AND number = ?", r.TournamentID, r.Number),
		"COALESCE("+tx.s.JSON("pairing")+" ->> 'starts_at', '')")
	if err != nil || len(text) == 0 || text[0] == "" {
		return at, err
	}
	return time.Parse(time.RFC3339Nano, text[0])
}

// A match is parked while it is queued without a job (job_id 0): no worker comes for it.

// RequeueOpen gives every match that is not over a new job, but those that are parked: they have none until there is room for them.
func (tx *Tx) RequeueOpen(ctx context.Context) error {
	list, err := tx.matchesAt(tx.db.Where("status = ? OR status = ? AND job_id <> 0", tournament.MatchRunning, tournament.MatchQueued))
	if err != nil {
		return err
	}
	return tx.GiveJobs(ctx, list)
}

// Park takes the job from a queued match that has not begun.
func (tx *Tx) Park(m tournament.Match) error {
	return tx.db.Model(&matchRow{}).Where("id = ? AND status = ? AND epoch = ?", m.ID, tournament.MatchQueued, m.Epoch).Update("job_id", 0).Error
}

// Parked returns the parked matches of a tournament, whose row is locked, and locks them.
func (tx *Tx) Parked(tournamentID string) ([]MatchAt, error) {
	return tx.matchesAt(tx.Locked(tx.db, Matches, "parked of "+tournamentID).
		Where("tournament_id = ? AND status = ? AND job_id = 0", tournamentID, tournament.MatchQueued))
}

// openAsked narrows to the matches by challenge of an asker that are not over.
const openAsked = "asker_id = ? AND status IN ('queued', 'running')"

// OpenAsked counts the matches by challenge of an asker that are not over, and those of them that have a job.
func (r Reader) OpenAsked(askerID string) (open, going int, err error) {
	var n struct{ Open, Going int }
	err = r.db.Model(&matchRow{}).Select("COUNT(*) AS open, COALESCE(SUM(CASE WHEN job_id <> 0 THEN 1 ELSE 0 END), 0) AS going").
		Where(openAsked, askerID).Scan(&n).Error
	return n.Open, n.Going, err
}

// ParkedAsked returns parked matches of an asker, the oldest first, and locks them. Those that somebody else has locked are left
// out.
func (tx *Tx) ParkedAsked(askerID string, limit int) ([]MatchAt, error) {
	return tx.matchesAt(tx.SkipLocked(tx.db, Matches).Where(openAsked+" AND status = 'queued' AND job_id = 0", askerID).Limit(limit))
}

// ParkedAskers returns those who have a parked match by challenge.
func (r Reader) ParkedAskers() ([]string, error) {
	return database.Pluck[string](r.db.Model(&matchRow{}).Distinct("asker_id").Where("asker_id IS NOT NULL AND status IN ('queued', 'running') AND status = 'queued' AND job_id = 0").
		Order("asker_id"), "asker_id")
}

// GiveJobs makes matches, whose rows are locked, queued with a new job each: those that are parked, and those that were lost.
func (tx *Tx) GiveJobs(ctx context.Context, list []MatchAt) error {
	type kind struct {
		source tournament.Source
		at     time.Time
	}
	of := map[kind][]MatchAt{}
	for _, m := range list {
		k := kind{m.Source, m.At}
		of[k] = append(of[k], m)
	}
	for _, k := range slices.SortedFunc(maps.Keys(of), func(a, b kind) int { return cmp.Or(cmp.Compare(a.source, b.source), a.at.Compare(b.at)) }) {
		ahead := 0
		for part := range slices.Chunk(of[k], database.BatchSize) {
			if err := tx.giveJobs(ctx, k.at, k.source, ahead, part); err != nil {
				return err
			}
			ahead += len(part)
		}
	}
	return nil
}

func (tx *Tx) giveJobs(ctx context.Context, at time.Time, source tournament.Source, ahead int, list []MatchAt) error {
	jobs, err := tx.enqueue(ctx, at, source, ahead, database.Map(list, func(m MatchAt) PlayMatch { return PlayMatch{m.ID, m.Epoch} })...)
	if err != nil {
		return err
	}
	rows := make([][]any, len(list))
	for i, m := range list {
		rows[i] = []any{m.ID, jobs[i]}
	}
	return tx.db.Exec("WITH v AS (SELECT given.value ->> 0 AS id, CAST(given.value ->> 1 AS BIGINT) AS job_id FROM "+tx.s.Given()+")"+
		" UPDATE matches SET job_id = v.job_id, status = 'queued', worker = '', lease_until_ms = 0 FROM v WHERE matches.id = v.id", database.Listed(rows)).Error
}

// PlayMatch is the job of playing one match from one epoch on. Another epoch is another job: an old job can do nothing.
type PlayMatch struct {
	MatchID string `json:"match_id"`
	Epoch   int64  `json:"epoch"`
}

// Kind names the job in the queue.
func (PlayMatch) Kind() string { return "play_match" }

// enqueue adds a job for each of list, matches of one source, that waits until a time, and returns their numbers in the same
// order. The zero time is now; ahead is how many of their tournament wait already.
func (tx *Tx) enqueue(ctx context.Context, at time.Time, source tournament.Source, ahead int, list ...PlayMatch) ([]int64, error) {
	jobs := database.Map(list, func(m PlayMatch) river.JobArgs { return m })
	return tx.s.AddMatches(ctx, tx.Tx, at, source, ahead, jobs...)
}
