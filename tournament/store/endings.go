package store

import (
	"database/sql/driver"
	"slices"
	"strings"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/claim"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// Ending is how a running match ends: done, or void by a fault of the platform.
type Ending struct {
	MatchID string
	Epoch   int64
	Status  tournament.MatchStatus
	Reason  string       // why it is void
	Result  *string      // JSON; nil if it is void
	Retired game.Seats   // seats whose bot gave up
	Steps   int          // recorded
	Hash    string       // last of the record's chain, hex
	Seats   []SeatEnding // none if it is void
}

// SeatEnding is how a match ended for a seat.
type SeatEnding struct {
	Place   int
	Verdict tournament.Verdict
	Faults  int
	P95US   int64 // what 95 % of its own answers took at most, in microseconds
	Retired bool
	Used    claim.Used
	Own     claim.Score // of its beliefs
	Rules   claim.Score // at the same decisions, by the rules alone
}

// Ended is what there was when some matches had ended. The rows of the tournaments and ladders are locked.
type Ended struct {
	IDs         []string                         // of the matches that were at their epoch
	Sealed      []string                         // of those, the ones with a match on the same seed that is not over
	Tournaments map[string]tournament.Tournament // by id
	Open        map[string]bool                  // tournaments with a match that is not over
	Due         map[string]Due                   // by ladder
}

// EndMatches writes the endings of the matches that are still at their epoch; the others are fenced. It locks the tournaments first
// and then the ladders, those of the tournaments too, for their next round may have places there; each in ascending order of their ids. It finds
// at most limit matches of each of the ladders given that are due.
func (tx *Tx) EndMatches(list []Ending, tournaments, ladders []string, limit int) (Ended, error) {
	e := Ended{Open: map[string]bool{}, Due: map[string]Due{}}
	var played []tournament.Tournament
	var tables []tournament.Ladder
	open := make([][]string, len(tournaments))
	due := make([][]overRow, len(ladders))
	list = slices.SortedFunc(slices.Values(list), func(a, b Ending) int { return strings.Compare(a.MatchID, b.MatchID) }) // rows are locked in one order
	ids := database.Map(list, func(x Ending) string { return x.MatchID })
	all := []database.Statement{
		func(db *gorm.DB) *gorm.DB { return tx.inOrder(db, Tournaments, tournaments).Find(&played) },
		func(db *gorm.DB) *gorm.DB {
			var sink []string
			return tx.inOrder(db, Matches, ids).Model(&tournament.Match{}).Pluck("id", &sink)
		},
		func(db *gorm.DB) *gorm.DB { return db.Exec(endSeats(tx.s.Given()), seatCells(list)) },
		func(db *gorm.DB) *gorm.DB {
			return db.Raw(endMatches(tx.s.Given()), matchCells(list), tx.s.Now()).Find(&e.IDs)
		},
		func(db *gorm.DB) *gorm.DB {
			return sealed(db.Where(tx.s.AnyOf("m.id"), database.Array(ids))).Find(&e.Sealed)
		},
	}
	for _, id := range tournaments {
		all = append(all, func(db *gorm.DB) *gorm.DB { return tx.lockTrial(db, id) })
	}
	all = append(all, func(db *gorm.DB) *gorm.DB {
		return tx.Locked(db, Ladders, ladders...).Where("("+tx.s.AnyOf("id")+" OR id IN (SELECT t.ladder_id FROM tournaments t WHERE "+tx.s.AnyOf("t.id")+"))",
			database.Array(ladders), database.Array(tournaments)).Order("id").Find(&tables)
	})
	for i, id := range tournaments {
		all = append(all, func(db *gorm.DB) *gorm.DB { return lastOpen(db, id).Find(&open[i]) })
	}
	for i, id := range ladders {
		all = append(all, func(db *gorm.DB) *gorm.DB { return dueOn(db, id, limit).Find(&due[i]) })
	}
	if err := tx.Batch(all...); err != nil {
		return e, err
	}
	e.Tournaments = database.Index(played, func(t tournament.Tournament) (string, tournament.Tournament) { return t.ID, t })
	for i, id := range tournaments {
		e.Open[id] = len(open[i]) > 0
	}
	for _, l := range tables {
		tx.Holds(Ladders, l.ID)
		at := slices.Index(ladders, l.ID)
		if at < 0 {
			continue // no match there has ended
		}
		one := Due{Ladder: l}
		var err error
		if one.Matches, one.Next, err = over(l.ID, l.NextSeq, limit, due[at]); err != nil {
			return e, err
		}
		e.Due[l.ID] = one
	}
	tx.countResets(slices.DeleteFunc(slices.Clone(list), func(x Ending) bool { return !slices.Contains(e.IDs, x.MatchID) }))
	return e, nil
}

// inOrder locks rows by id.
func (tx *Tx) inOrder(db *gorm.DB, k Kind, ids []string) *gorm.DB {
	return tx.Locked(db, k, ids...).Where(tx.s.AnyOf("id"), database.Array(ids)).Order("id")
}

// lockTrial locks the open matches of a tournament if any result may end them ([Tx.VoidOpen]): ladders come behind them. Of other
// formats it reads no matches: Postgres sees by the first condition, which names no column of theirs, that there are none, and SQLite by
// the second, which its index has no entry for.
func (tx *Tx) lockTrial(db *gorm.DB, tournamentID string) *gorm.DB {
	var sink []string
	const trial = "(SELECT t.id FROM tournaments t WHERE t.id = ? AND t.format = ?)"
	return tx.Locked(db, Matches, openOf(tournamentID)).Model(&matchRow{}).
		Where(trial+" IS NOT NULL AND tournament_id = "+trial+" AND status IN ('queued', 'running')", tournamentID, tournament.SPRT, tournamentID, tournament.SPRT).
		Order("id").Pluck("id", &sink)
}

// openOf names the open matches of a tournament whose row is locked: nobody adds to them.
func openOf(tournamentID string) string { return "open of " + tournamentID }

// endSeats writes how the matches that run, at their epoch, end for their seats: before [endMatches], as nobody else changes them meanwhile.
func endSeats(given string) string {
	return `WITH s AS (SELECT given.value ->> 0 AS match_id, CAST(given.value ->> 1 AS BIGINT) AS epoch, CAST(given.value ->> 2 AS INTEGER) AS seat,
		CAST(given.value ->> 3 AS INTEGER) AS place, given.value ->> 4 AS verdict, CAST(given.value ->> 5 AS INTEGER) AS faults,
		CAST(given.value ->> 6 AS BIGINT) AS p95_us, CAST(given.value ->> 7 AS BOOLEAN) AS retired,
		CAST(given.value ->> 8 AS INTEGER) AS used_decisions, CAST(given.value ->> 9 AS BIGINT) AS used_input_tokens,
		CAST(given.value ->> 10 AS BIGINT) AS used_output_tokens, CAST(given.value ->> 11 AS BIGINT) AS used_cost_nano_usd,
		CAST(given.value ->> 12 AS INTEGER) AS own_beliefs, CAST(given.value ->> 13 AS DOUBLE PRECISION) AS own_brier, CAST(given.value ->> 14 AS DOUBLE PRECISION) AS own_log,
		CAST(given.value ->> 15 AS INTEGER) AS rules_beliefs, CAST(given.value ->> 16 AS DOUBLE PRECISION) AS rules_brier,
		CAST(given.value ->> 17 AS DOUBLE PRECISION) AS rules_log FROM ` + given + `)
	UPDATE match_seats SET place = s.place, verdict = s.verdict, faults = s.faults, p95_us = s.p95_us, retired = s.retired, used_decisions = s.used_decisions,
	used_input_tokens = s.used_input_tokens, used_output_tokens = s.used_output_tokens, used_cost_nano_usd = s.used_cost_nano_usd,
	own_beliefs = s.own_beliefs, own_brier = s.own_brier, own_log = s.own_log, rules_beliefs = s.rules_beliefs, rules_brier = s.rules_brier, rules_log = s.rules_log
	FROM s JOIN matches m ON m.id = s.match_id AND m.epoch = s.epoch AND m.status = 'running'
	WHERE match_seats.match_id = s.match_id AND match_seats.seat = s.seat`
}

// endMatches ends the matches that run at their epoch, and returns their ids.
func endMatches(given string) string {
	return `WITH e AS (SELECT given.value ->> 0 AS id, CAST(given.value ->> 1 AS BIGINT) AS epoch, given.value ->> 2 AS status, given.value ->> 3 AS result,
		CAST(given.value ->> 4 AS INTEGER) AS retired, CAST(given.value ->> 5 AS INTEGER) AS steps, given.value ->> 6 AS hash, given.value ->> 7 AS reason
		FROM ` + given + `)
	UPDATE matches SET status = e.status, void_cause = CASE WHEN e.status = 'void' THEN 'platform' ELSE '' END, result = e.result, retired = e.retired,
	steps = e.steps, hash = e.hash, reason = e.reason, ended_at = ?, worker = ''
	FROM e WHERE matches.id = e.id AND matches.epoch = e.epoch AND matches.status = 'running' RETURNING matches.id`
}

func matchCells(list []Ending) driver.Valuer {
	return database.Listed(database.Map(list, func(e Ending) []any {
		return []any{e.MatchID, e.Epoch, e.Status, e.Result, int(e.Retired), e.Steps, e.Hash, e.Reason}
	}))
}

func seatCells(list []Ending) driver.Valuer {
	var rows [][]any
	for _, e := range list {
		for seat, end := range e.Seats {
			rows = append(rows, []any{e.MatchID, e.Epoch, seat, end.Place, end.Verdict, end.Faults, end.P95US, end.Retired,
				end.Used.Decisions, end.Used.InputTokens, end.Used.OutputTokens, end.Used.CostNanoUSD,
				end.Own.Beliefs, end.Own.Brier, end.Own.Log, end.Rules.Beliefs, end.Rules.Brier, end.Rules.Log})
		}
	}
	return database.Listed(rows)
}

// countResets counts what came of no connection. Only void matches and those with faults are asked for their decisions.
func (tx *Tx) countResets(live []Ending) {
	var ids []string
	for _, e := range live {
		if e.Status == tournament.MatchVoid || slices.ContainsFunc(e.Seats, func(s SeatEnding) bool { return s.Faults > 0 }) {
			ids = append(ids, e.MatchID)
		}
	}
	if len(ids) == 0 {
		return
	}
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		return db.Exec("UPDATE match_seats SET resets = (SELECT COUNT(*) FROM decisions d WHERE d.match_id = match_seats.match_id AND d.seat = match_seats.seat AND d.fault = ?)"+
			" WHERE match_id IN ?", tournament.FaultConnect, ids)
	})
}

// VoidOpen makes the matches of a tournament that are not over void, for a reason, and returns them as they were.
func (tx *Tx) VoidOpen(tournamentID, reason string) ([]tournament.Match, error) {
	of := func(db *gorm.DB) *gorm.DB { return db.Where("tournament_id = ?", tournamentID) }
	return tx.void(of(tx.Locked(tx.db, Matches, openOf(tournamentID))), reason, of(tx.db))
}

// VoidMatches makes those of some matches void that are not over, whose rows are locked, for a reason, and returns them as they were, by id.
func (tx *Tx) VoidMatches(ids []string, reason string) ([]tournament.Match, error) {
	var out []tournament.Match
	for part := range slices.Chunk(ids, database.BatchSize) {
		list, err := tx.void(tx.db.Where("id IN ?", part), reason, tx.db.Where("id IN ?", part))
		if err != nil {
			return nil, err
		}
		out = append(out, list...)
	}
	return out, nil
}

// void makes those of the matches that one query finds, as these does, void that are not over.
func (tx *Tx) void(found *gorm.DB, reason string, these *gorm.DB) ([]tournament.Match, error) {
	open := func(db *gorm.DB) *gorm.DB {
		return db.Where("status IN ?", []tournament.MatchStatus{tournament.MatchQueued, tournament.MatchRunning})
	}
	list, err := matches(open(found).Order("id"), tx.db)
	if err != nil {
		return nil, err
	}
	return list, open(these).Select("status", "reason", "ended_at", "worker").
		Updates(&matchRow{Match: tournament.Match{Status: tournament.MatchVoid, Reason: reason, EndedAt: new(tx.s.Now())}}).Error
}
