package store

import (
	"context"
	"math"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/broadcast"
	"github.com/molerun/molerun/tournament/store/database"
	"github.com/molerun/molerun/tournament/store/queue"
)

// Match returns a match with its seats.
func (s *Store) Match(ctx context.Context, id string) (tournament.Match, error) {
	return s.Reader(ctx).Match(id)
}

// MatchState returns how far a match is: its status, and when it began, nil before that.
func (s *Store) MatchState(ctx context.Context, id string) (tournament.MatchStatus, *time.Time, error) {
	m, err := database.ByID[tournament.Match](s.SQL(ctx).Select("status", "started_at"), "match", id)
	return m.Status, m.StartedAt, err
}

// Match returns a match with its seats.
func (r Reader) Match(id string) (tournament.Match, error) {
	m, err := database.ByID[tournament.Match](r.db, "match", id)
	if err == nil {
		err = seated(r.db.Session(&gorm.Session{NewDB: true}), &m)
	}
	return m, err
}

// LockMatch returns a match with its seats, its row locked.
func (tx *Tx) LockMatch(id string) (tournament.Match, error) {
	return Reader{tx.Locked(tx.db, Matches, id)}.Match(id)
}

// MatchFilter narrows a list of matches; empty fields do not.
type MatchFilter struct {
	TournamentID string
	BotID        string
	LadderID     string
	Game         string
	Status       tournament.MatchStatus
	Over         bool               // done or void, whatever Status says
	Verdict      tournament.Verdict // of BotID
	Since        time.Time          // made then or later
	Until        time.Time          // made before
	Unlisted     bool               // those of unlisted tournaments too; a list by tournament has them anyway
	// Named are the games whose bots everybody may know from the start. A list by bot leaves out matches of others until all of
	// their block are over, and void ones until all of their round are; a list by verdict leaves out all that are sealed. It happens here,
	// for a short page and its cursor tell as much as a row.
	Named []string
}

// Matches returns a page of matches with their seats and the cursor of the next, "" after the last. [Oldest] is schedule order.
func (s *Store) Matches(ctx context.Context, f MatchFilter, p database.Page) ([]tournament.Match, string, error) {
	db, id := s.filtered(ctx, f)
	list, next, err := database.List(db, p, id, func(m tournament.Match) string { return m.ID })
	if err != nil {
		return nil, "", err
	}
	return list, next, seated(s.SQL(ctx), pointers(list)...)
}

// filtered begins a query of the matches m of a filter, and names the column by which they are in order.
func (s *Store) filtered(ctx context.Context, f MatchFilter) (*gorm.DB, string) {
	if f.BotID != "" {
		return f.narrow(s.satIn(ctx, f.BotID)), "s.match_id"
	}
	return f.narrow(s.SQL(ctx).Table("matches m").Select(database.ColumnsOf[tournament.Match](s.SQL(ctx), "m"))), "m.id"
}

// narrow returns f of the matches m, by the seats s of its bot if it has one.
func (f MatchFilter) narrow(db *gorm.DB) *gorm.DB {
	if f.TournamentID != "" {
		db = db.Where("m.tournament_id = ?", f.TournamentID)
	} else if !f.Unlisted {
		db = db.Where(listed("m"))
	}
	db = database.Narrow(database.Narrow(db, "m.ladder_id = ?", f.LadderID), "m.game = ?", f.Game)
	switch f.Status { // few are of the first three, and each has an index of its own, which SQLite takes for a subquery alone
	case tournament.MatchQueued:
		db = db.Where("m.id IN (SELECT x.id FROM matches x WHERE x.status = 'queued')")
	case tournament.MatchRunning:
		db = db.Where("m.id IN (SELECT x.id FROM matches x WHERE x.status = 'running')")
	case tournament.MatchVoid:
		db = db.Where("m.id IN (SELECT x.id FROM matches x WHERE x.status = 'void')")
	case tournament.MatchDone:
		db = db.Where("m.status = 'done'")
	}
	if f.Over {
		db = db.Where("m.status IN ('done', 'void')")
	}
	db = database.Made(db, "m.id", f.Since, f.Until)
	if f.Verdict != "" {
		db = db.Where("s.verdict = ?", f.Verdict).Where("NOT " + stillOpen)
	}
	if f.BotID != "" {
		db = db.Where("(m.game IN ? OR NOT "+stillOpen+" AND NOT "+dealtAgain+")", f.Named)
	}
	return db
}

// satIn begins a query of the matches m in which a bot sat, each once, by a seat s of it. Ordered by s.match_id it walks along the
// bot's seats, and ends with its limit.
func (s *Store) satIn(ctx context.Context, botID string) *gorm.DB {
	return s.SQL(ctx).Table("match_seats s").Select(database.ColumnsOf[tournament.Match](s.SQL(ctx), "m")).Joins("JOIN matches m ON m.id = s.match_id").
		Where("s.bot_id = ? AND NOT EXISTS (SELECT 1 FROM match_seats e WHERE e.match_id = s.match_id AND e.bot_id = s.bot_id AND e.seat < s.seat)", botID)
}

// MatchResult is how far a match came; Result is nil unless it is done.
type MatchResult struct {
	Status  tournament.MatchStatus
	Result  *game.Result
	Retired game.Seats
}

// Results returns the results of the matches of a tournament, by id.
func (r Reader) Results(tournamentID string) (map[string]MatchResult, error) {
	return results(r.db.Where("tournament_id = ?", tournamentID))
}

// ResultsOf returns the results of some matches, by id.
func (r Reader) ResultsOf(ids []string) (map[string]MatchResult, error) {
	return results(r.db.Where("id IN ?", ids))
}

func results(db *gorm.DB) (map[string]MatchResult, error) {
	list, err := database.All[tournament.Match](db.Select("id", "status", "result", "retired"))
	return database.Index(list, func(m tournament.Match) (string, MatchResult) {
		return m.ID, MatchResult{Status: m.Status, Result: m.Result, Retired: m.Retired}
	}), err
}

// Faults counts the faults of each version in the matches of a tournament, but for some.
func (r Reader) Faults(tournamentID string, but []string) (map[string]int, error) {
	db := r.db.Table("match_seats").Select("version_id AS who, SUM(faults) AS n").
		Where("match_id IN (SELECT id FROM matches WHERE tournament_id = ?)", tournamentID).Group("version_id")
	if len(but) > 0 {
		db = db.Where("match_id NOT IN ?", but)
	}
	return database.Counts[string](db)
}

// Showings returns when the matches of the first tables are shown, by round and table, up to the first round that is not over. An sprt,
// whose rounds nobody follows one by one, has none.
func (s *Store) Showings(ctx context.Context, tournamentID string) ([]broadcast.Showing, error) {
	rows, err := database.All[struct {
		ID           string
		Round, Steps int
		EndedAt      time.Time
		Nth, Latest  int
	}](s.SQL(ctx).Raw("SELECT * FROM (SELECT id, round, steps, ended_at, ROW_NUMBER() OVER (PARTITION BY round ORDER BY block, number, id) AS nth,"+
		" ROW_NUMBER() OVER (PARTITION BY round ORDER BY ended_at DESC, id) AS latest FROM matches"+
		" WHERE tournament_id = (SELECT id FROM tournaments WHERE id = ? AND format <> 'sprt') AND status = 'done') AS played"+
		" WHERE (nth <= ? OR latest = 1) AND round < COALESCE((SELECT MIN(round) FROM matches WHERE tournament_id = ? AND status IN ('queued', 'running')), ?)"+
		" ORDER BY round, nth", tournamentID, broadcast.MatchesPerRound, tournamentID, math.MaxInt32))
	if err != nil {
		return nil, err
	}
	over := map[int]time.Time{} // by round
	for _, m := range rows {
		if m.Latest == 1 {
			over[m.Round] = m.EndedAt
		}
	}
	var out []broadcast.Match
	for _, m := range rows {
		if m.Nth <= broadcast.MatchesPerRound {
			out = append(out, broadcast.Match{ID: m.ID, Round: m.Round, Steps: m.Steps, Over: over[m.Round]})
		}
	}
	return broadcast.Plan(out), nil
}

// HasOpen reports whether a match of a tournament is not over. It looks from the last match made, which is open the longest.
func (r Reader) HasOpen(tournamentID string) (bool, error) {
	open, err := database.All[string](lastOpen(r.db, tournamentID))
	return len(open) > 0, err
}

// lastOpen returns the id of the last match of a tournament that is not over.
func lastOpen(db *gorm.DB, tournamentID string) *gorm.DB {
	return db.Model(&matchRow{}).Select("id").Where("tournament_id = ? AND status IN ('queued', 'running')", tournamentID).Order("id DESC").Limit(1)
}

// LockWaiting returns the ids of a tournament's matches that have not begun, those that became void before they could too, and locks them.
func (tx *Tx) LockWaiting(tournamentID string) (map[string]bool, error) {
	ids, err := database.Pluck[string](tx.Locked(tx.db, Matches, "waiting of "+tournamentID).Model(&matchRow{}).Where("tournament_id = ? AND epoch = 0", tournamentID).
		Order("id"), "id")
	return database.Index(ids, func(id string) (string, bool) { return id, true }), err
}

// LastBlocks returns the highest numbers of a block in the rounds of a tournament, by round.
func (r Reader) LastBlocks(tournamentID string) (map[int]int, error) {
	return database.Counts[int](r.db.Model(&matchRow{}).Select("round AS who, MAX(block) AS n").Where("tournament_id = ?", tournamentID).Group("round"))
}

// openChallenge selects the matches m by challenge that are not over.
const openChallenge = "m.tournament_id IS NULL AND m.ladder_id IS NULL AND m.status IN ('queued', 'running')"

// OpenChallenges counts the seats of a bot in matches by challenge that are not over, and those that a user asked for.
func (r Reader) OpenChallenges(botID, askerID string) (all, asked int, err error) {
	n, err := database.First[struct{ All, Asked int }](r.db.Table("match_seats s").Joins("JOIN matches m ON m.id = s.match_id").
		Select("COUNT(*) AS \"all\", COALESCE(SUM(CASE WHEN m.asker_id = ? THEN 1 ELSE 0 END), 0) AS asked", askerID).
		Where("s.bot_id = ? AND "+openChallenge, botID))
	return n.All, n.Asked, err
}

// OfDisabled returns the matches outside tournaments of disabled users, who asked for them or have a bot there, that are to end:
// those by challenge that are not over, and those of ladders that have not begun. Parked ones come first: the end of one that
// is played makes room for them.
func (s *Store) OfDisabled(ctx context.Context) ([]string, error) {
	return database.All[string](s.SQL(ctx).Raw("SELECT m.id FROM matches m WHERE m.tournament_id IS NULL AND m.status IN ('queued', 'running')" +
		" AND (m.ladder_id IS NULL OR m.status = 'queued' AND m.epoch = 0) AND (" +
		"EXISTS (SELECT 1 FROM users u WHERE u.id = m.asker_id AND u.disabled_at IS NOT NULL) OR " +
		"EXISTS (SELECT 1 FROM match_seats s JOIN users u ON u.id = s.owner_id WHERE s.match_id = m.id AND u.disabled_at IS NOT NULL))" +
		" ORDER BY m.job_id, m.id"))
}

// OfRetired returns the matches outside tournaments that have not begun and have a seat of a retired bot, in the order of [Store.OfDisabled].
// Guests play with bots that are retired from the start.
func (s *Store) OfRetired(ctx context.Context) ([]string, error) {
	return database.All[string](s.SQL(ctx).Raw("SELECT m.id FROM matches m WHERE m.tournament_id IS NULL AND m.status = 'queued' AND m.epoch = 0"+
		" AND EXISTS (SELECT 1 FROM match_seats s JOIN bots b ON b.id = s.bot_id WHERE s.match_id = m.id AND b.status = ? AND b.owner_id <> ?)"+
		" ORDER BY m.job_id, m.id", tournament.BotRetired, tournament.GuestsID))
}

// QueueMatches adds matches of one source, each with a job that waits until a time; the zero time is now.
func (tx *Tx) QueueMatches(ctx context.Context, at time.Time, list ...tournament.Match) error {
	ahead := 0
	if id := list[0].TournamentID; id != "" {
		var err error
		open := tx.db.Model(&matchRow{}).Select("id").Where("tournament_id = ? AND status IN ('queued', 'running')", id).Limit(queue.FarAhead)
		if ahead, err = database.Count(tx.db.Table("(?) open", open)); err != nil {
			return err
		}
	}
	jobs, err := tx.enqueue(ctx, at, list[0].Source(), ahead, database.Map(list, func(m tournament.Match) PlayMatch { return PlayMatch{MatchID: m.ID} })...)
	if err != nil {
		return err
	}
	return tx.insertMatches(list, jobs)
}

// ParkMatch adds a match without a job.
func (tx *Tx) ParkMatch(m tournament.Match) error {
	return tx.insertMatches([]tournament.Match{m}, []int64{0})
}

// insertMatches inserts queued matches with the numbers of their jobs.
func (tx *Tx) insertMatches(list []tournament.Match, jobs []int64) error {
	var rows []matchRow
	var seats []matchSeatRow
	for i, m := range list {
		m.Status = tournament.MatchQueued
		rows = append(rows, matchRow{Match: m, JobID: jobs[i]})
		for _, s := range m.Seats {
			seats = append(seats, matchSeatRow{MatchID: m.ID, MatchSeat: s})
		}
	}
	if err := tx.db.CreateInBatches(rows, database.BatchSize).Error; err != nil {
		return err
	}
	return tx.db.CreateInBatches(seats, database.BatchSize).Error
}

// Replaced notes which match is played in the place of a void one. The void one is unrated then.
func (tx *Tx) Replaced(id, by string) error {
	return database.Save(tx.db, &tournament.Match{ID: id, ReplayedAs: by}, "replayed_as", "rated", "ladder_id", "ladder_seq")
}

// BlockOf returns the matches of the block of m, a void match and its replays included, with their numbers, seeds and what replaced them.
func (r Reader) BlockOf(m tournament.Match) ([]tournament.Match, error) {
	return database.All[tournament.Match](ofBlock(r.db.Select("id", "number", "seed", "replayed_as"), m))
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
func (r Reader) Block(m tournament.Match) (shared, over bool, err error) {
	var n struct{ Matches, Open int }
	err = ofBlock(r.db.Model(&matchRow{}), m).
		Select("COALESCE(SUM(CASE WHEN seed = ? THEN 1 ELSE 0 END), 0) AS matches, COALESCE(SUM(CASE WHEN status IN ('queued', 'running') THEN 1 ELSE 0 END), 0) AS open", m.Seed.String()).Scan(&n).Error
	return n.Matches > 1, n.Open == 0, err
}

// IsDealtAgain reports whether a match of a tournament is void and one of its round is not over, which may have the same bots in the same
// seats: where teams are hidden, nobody is told before that who sat there.
func (r Reader) IsDealtAgain(m tournament.Match) (bool, error) {
	n, err := database.Count(r.db.Table("matches m").Where("m.id = ?", m.ID).Where(dealtAgain))
	return n > 0, err
}

// sealed asks for the ids of those matches m whose block goes on ([Reader.Block]).
func sealed(db *gorm.DB) *gorm.DB {
	return db.Table("matches m").Distinct("m.id").
		Joins("JOIN matches o ON o.tournament_id = m.tournament_id AND o.round = m.round AND o.block = m.block AND o.status IN ('queued', 'running')")
}

// MatchesByID returns the matches of these ids, at most [MaxPage], with their seats, in no order; unknown ids are left out.
func (s *Store) MatchesByID(ctx context.Context, ids []string) ([]tournament.Match, error) {
	if len(ids) == 0 {
		return nil, nil
	}
	return matches(s.SQL(ctx).Where("id IN ?", ids[:min(len(ids), MaxPage)]), s.SQL(ctx))
}
