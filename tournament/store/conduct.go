package store

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// What counts of a bot: voids by our fault at the first attempt, so that replays do not count a match twice, and its
// retirements. A bot past a bound of [tournament.Judge] is banned by the platform until an administrator lifts it.

const (
	// freshConduct is how long ago a match may have ended to have its bots looked at: each sweep looks.
	freshConduct = time.Minute
	// conductSpan is how far back a window goes at most, conductSlot the time in which others' matches are compared.
	conductSpan, conductSlot = 7 * 24 * time.Hour, 10 * time.Minute
)

// ours are the matches that count: played to their end, or void by our fault at the first attempt.
const ours = "(m.status = 'done' OR (m.void_cause = 'platform' AND m.replay = 0))"

// judged selects those of them by which the platform judges a bot: nobody asked for them. Whoever asks for a match chooses its bots and its clock, and could
// have another's bot retired, or play its own bots clean.
const judged = ours + " AND m.asker_id IS NULL"

// Suspects returns the bots, active or not, that were lately in a match void by our fault or retired from one, and are not banned. The few
// such matches are found first, by an index of their own: from the bots on, all matches of all bots would be looked at.
func (s *Store) Suspects(ctx context.Context) ([]string, error) {
	return database.All[string](s.SQL(ctx).Raw("WITH bad AS MATERIALIZED (SELECT m.id, m.status FROM matches m WHERE m.ended_at >= ? AND (m.status = 'void' OR m.retired <> 0) AND "+judged+")"+
		" SELECT DISTINCT s.bot_id FROM bad JOIN match_seats s ON s.match_id = bad.id JOIN bots b ON b.id = s.bot_id"+
		" WHERE (bad.status = 'void' OR s.retired) AND b.banned_at IS NULL AND b.status <> ? ORDER BY s.bot_id",
		s.Now().Add(-freshConduct), tournament.BotRetired))
}

// endedRow is a match of a bot that has ended.
type endedRow struct {
	ID, Game, Status string
	EndedAt          time.Time
	Retired          bool
}

// EndedMatches returns the last matches of a bot that count, with their comparison if enough of them are bad for it to matter.
// Those that ended before its last ban was lifted, or more than seven days ago, do not count. hidden reports which games have
// hidden teams.
func (tx *Tx) EndedMatches(b BotState, hidden func(gameID string) bool) ([]tournament.Ended, error) {
	from := tx.s.Now().Add(-conductSpan)
	if b.ConductFrom != nil && b.ConductFrom.After(from) {
		from = *b.ConductFrom
	}
	rows, err := database.All[endedRow](tx.db.Raw("SELECT m.id, m.game, m.status, m.ended_at, s.retired FROM match_seats s JOIN matches m ON m.id = s.match_id"+
		" WHERE s.bot_id = ? AND m.ended_at >= ? AND "+judged+" ORDER BY s.match_id DESC LIMIT ?", b.ID, from, tournament.ConductWindow))
	if err != nil {
		return nil, err
	}
	with, err := tx.companions(b.ID, database.Map(rows, func(x endedRow) string { return x.ID }))
	if err != nil {
		return nil, err
	}
	out, bad := make([]tournament.Ended, len(rows)), 0
	for i, x := range rows {
		out[i] = tournament.Ended{Void: x.Status == string(tournament.MatchVoid), Retired: hidden(x.Game) && x.Retired, With: with[x.ID]}
		if out[i].Void || out[i].Retired {
			bad++
		}
	}
	if bad < tournament.ConductLeast {
		return nil, nil
	}
	return out, tx.compare(b.ID, rows, out)
}

// companions returns the other bots of some matches.
func (tx *Tx) companions(botID string, ids []string) (map[string][]string, error) {
	seats, err := database.All[matchSeatRow](tx.db.Select("match_id", "bot_id").
		Where("match_id IN ? AND bot_id <> ?", ids, botID).Order("match_id, seat"))
	out := map[string][]string{}
	for _, s := range seats {
		if !slices.Contains(out[s.MatchID], s.BotID) {
			out[s.MatchID] = append(out[s.MatchID], s.BotID)
		}
	}
	return out, err
}

// compare fills in what became of the others' matches in the ten minutes of each.
func (tx *Tx) compare(botID string, rows []endedRow, list []tournament.Ended) error {
	type count struct{ Others, OthersVoid, OthersRetired int }
	known := map[time.Time]count{}
	for i, x := range rows {
		slot := x.EndedAt.Truncate(conductSlot)
		of, ok := known[slot]
		if !ok {
			if err := tx.db.Raw("SELECT COUNT(*) AS others, COALESCE(SUM(CASE WHEN m.status = 'void' THEN 1 ELSE 0 END), 0) AS others_void,"+
				" COALESCE(SUM(CASE WHEN m.retired <> 0 THEN 1 ELSE 0 END), 0) AS others_retired FROM matches m WHERE m.ended_at >= ? AND m.ended_at < ? AND "+judged+
				" AND NOT EXISTS (SELECT 1 FROM match_seats s WHERE s.match_id = m.id AND s.bot_id = ?)", slot, slot.Add(conductSlot), botID).Scan(&of).Error; err != nil {
				return err
			}
			known[slot] = of
		}
		list[i].Others, list[i].OthersVoid, list[i].OthersRetired = of.Others, of.OthersVoid, of.OthersRetired
	}
	return nil
}

// Conduct returns what is counted of the bots that had a void match, a retirement or a reset since a time, the worst first; at most limit.
func (s *Store) Conduct(ctx context.Context, since time.Time, limit int) ([]tournament.BotConduct, error) {
	return database.All[tournament.BotConduct](s.SQL(ctx).Raw("SELECT * FROM (SELECT s.bot_id, b.name AS bot, u.name AS owner, b.conduct, COUNT(*) AS matches,"+
		" SUM(CASE WHEN m.status = 'void' THEN 1 ELSE 0 END) AS voids, SUM(CASE WHEN s.retired THEN 1 ELSE 0 END) AS retirements, SUM(s.resets) AS resets"+
		" FROM matches m JOIN match_seats s ON s.match_id = m.id JOIN bots b ON b.id = s.bot_id JOIN users u ON u.id = b.owner_id WHERE m.ended_at >= ? AND "+ours+
		" GROUP BY s.bot_id, b.name, u.name, b.conduct) c WHERE voids + retirements + resets > 0 ORDER BY voids DESC, retirements DESC, resets DESC, bot_id LIMIT ?",
		since, limit))
}

// LogCheck adds a health check to its bot's log, which goes back [tournament.KeepChecks]. Empty id and time are filled in.
func (s *Store) LogCheck(ctx context.Context, c tournament.Check) error {
	s.tidy(ctx)
	if err := s.Fill(&c.ID, &c.At); err != nil {
		return err
	}
	c.Took = max(0, c.Took)
	return s.SQL(ctx).Table("bot_checks").Create(&c).Error
}

// Checks returns a page of a bot's health checks, the last first, and the cursor of the next, "" after the last.
func (s *Store) Checks(ctx context.Context, botID string, p database.Page) ([]tournament.Check, string, error) {
	return database.List(s.SQL(ctx).Table("bot_checks").Where("bot_id = ?", botID), p, "id", func(c tournament.Check) string { return c.ID })
}

// DueCheck is a bot whose health check is due.
type DueCheck struct {
	tournament.Version
	OwnerID string
	Trial   bool // it failed in its last match, or a tournament begins: it must also make a decision
}

// Showing is how a bot did in a match that has ended.
type Showing struct {
	BotID, VersionID string
	Failing          bool // its last answer was a fault
	Failed           bool // it lost by its faults alone
	Asked            bool // somebody asked for the match: it is not counted, whichever way it went
}

// NoteShowings keeps what the matches of some bots say of them, in order. A bot that is failing is unproven from now on, and its check
// is due at once. Only what the version that plays did counts, and of a bot that is paused nothing.
func (tx *Tx) NoteShowings(list []Showing) {
	var bots, well, failing []string // the bots, and the versions of those that did well
	for _, s := range list {
		bots = append(bots, s.BotID)
		if s.Failing {
			failing = append(failing, s.BotID)
		} else if !s.Asked {
			well = append(well, s.VersionID)
		}
	}
	bots = slices.Compact(slices.Sorted(slices.Values(bots)))
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		var sink []string
		return tx.inOrder(db, Bots, bots).Model(&botRow{}).Where("failures > 0 OR "+tx.s.AnyOf("id"), database.Array(failing)).Pluck("id", &sink)
	})
	tx.Enqueue(func(db *gorm.DB) *gorm.DB {
		return db.Model(&botRow{}).Where("failures > 0 AND status = ?", tournament.BotActive).
			Where(tx.s.AnyOf("id"), database.Array(bots)).Where(tx.s.AnyOf("version_id"), database.Array(well)).Update("failures", 0)
	})
	for _, s := range list {
		if !s.Failing {
			continue
		}
		lost := 0
		if s.Failed && !s.Asked {
			lost = 1
		}
		tx.Enqueue(func(db *gorm.DB) *gorm.DB {
			return db.Exec("UPDATE bots SET unproven_at = ?, trial_due = ?, checked_at = ?, failures = failures + ? WHERE id = ? AND version_id = ? AND status = ?",
				tx.s.Now(), true, time.Unix(0, 0).UTC(), lost, s.BotID, s.VersionID, tournament.BotActive)
		})
	}
}

// GreetEntrants makes the active bots that are entered in a tournament unproven: their checks are due at once, with a decision on trial,
// as of a bot that has never played nobody knows more than that it says hello. One that plays now, or did [tournament.ProvenFor] ago, is
// left alone, and so is one that is being greeted. An arena goes on without bots that are unproven, so one that plays there is only checked.
func (tx *Tx) GreetEntrants(tournamentID string) error {
	ids, err := database.Pluck[string](tx.db.Model(&tournament.Entry{}).Where("tournament_id = ? AND withdrawn_at IS NULL", tournamentID), "bot_id")
	if err != nil {
		return err
	}
	if err := tx.Lock(Rows{Bots: ids}); err != nil {
		return err
	}
	now := tx.s.Now()
	return tx.db.Exec("UPDATE bots SET trial_due = ?, checked_at = ?, unproven_at = CASE WHEN EXISTS (SELECT 1 FROM entries e JOIN tournaments t ON t.id = e.tournament_id"+
		" WHERE e.bot_id = bots.id AND e.withdrawn_at IS NULL AND t.status = ? AND t.format = ?) THEN unproven_at ELSE ? END"+
		" WHERE status = ? AND (unproven_at IS NULL OR unproven_at <= ?) AND "+tx.s.AnyOf("id")+" AND (unproven_at IS NOT NULL OR id NOT IN ("+
		"SELECT s.bot_id FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.status = 'running' AND m.asker_id IS NULL"+
		" UNION SELECT s.bot_id FROM matches m JOIN match_seats s ON s.match_id = m.id WHERE m.status = 'done' AND m.ended_at > ? AND m.asker_id IS NULL))",
		true, time.Unix(0, 0).UTC(), tournament.Running, tournament.Arena, now, tournament.BotActive, now.Add(-tournament.GreetWithin),
		database.Array(ids), now.Add(-tournament.ProvenFor)).Error
}

// dueChecks is among how many due bots, those longest unchecked, is chosen: a dozen times what one owner may have. A platform that is
// behind with its checks has tens of thousands due.
const dueChecks = 250

// DueChecks takes up to n bots whose health check is due: one of each owner, then a second of each, up to each, the longest
// unchecked first, and none of the owners in busy, whose bots are being checked already. So no number of bots of one owner,
// however slowly they answer, keeps another's waiting. Nobody else is given them until their next check is due. A bot whose version
// cannot be read is left out until then and named by the error, beside which the others are returned.
func (s *Store) DueChecks(ctx context.Context, n, each int, busy []string) ([]DueCheck, error) {
	var out []DueCheck
	var unreadable error
	err := s.InTx(ctx, func(tx *Tx) error {
		now := s.Now()
		due := tx.db.Model(&botRow{}).
			Where("banned_at IS NULL AND ((status = ? AND checked_at <= ?) OR (status = ? AND unproven_at IS NOT NULL AND checked_at <= ?) OR (status = ? AND pause_cause = ? AND failures < ? AND checked_at <= ?))",
				tournament.BotActive, now.Add(-tournament.CheckActiveEvery), tournament.BotActive, now.Add(-tournament.CheckUnprovenEvery),
				tournament.BotPaused, tournament.PausedByChecks, tournament.FailuresInRow, now.Add(-tournament.CheckPausedEvery))
		if len(busy) > 0 {
			due = due.Where("owner_id NOT IN ?", busy)
		}
		due = due.Session(&gorm.Session{}) // asked twice
		longest := due.Select("id, owner_id, checked_at").Order("checked_at").Limit(dueChecks)
		ranked := tx.db.Table("(?) AS longest", longest).Select("id AS ranked_id, ROW_NUMBER() OVER (PARTITION BY owner_id ORDER BY checked_at, id) AS nth")
		rows, err := database.All[botRow](tx.SkipLocked(due, Bots).
			Joins("JOIN (?) AS ranked ON ranked_id = id", ranked).Where("nth <= ?", each).Order("nth, checked_at, id").Limit(n))
		if err != nil {
			return err
		}
		out, unreadable = nil, nil
		for _, r := range rows {
			if err := tx.db.Model(&botRow{}).Where("id = ?", r.ID).Update("checked_at", now).Error; err != nil {
				return err
			}
			v, err := tx.Version(r.VersionID)
			if err != nil {
				unreadable = errors.Join(unreadable, fmt.Errorf("bot %q: %w", r.Name, err))
				continue
			}
			out = append(out, DueCheck{Version: v, OwnerID: r.OwnerID, Trial: r.TrialDue})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return out, unreadable
}
