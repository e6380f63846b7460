package pulse

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store/database"
)

// StarvedAfter is how long a bot that a standing ladder can give matches may go without a new one there before it counts as starved.
const StarvedAfter = time.Hour

// Reading is what an operator asks the database: is everybody served? Ages are whole at least zero; zero where nothing waits.
type Reading struct {
	Skew     time.Duration // the database's clock less this process's, give or take the way there
	Queues   map[Waits]queue
	Ladders  map[string]ladderBots // standing ladders, by id
	Bots     map[tournament.BotStatus]int
	Held     map[tournament.Conduct]int // bots that are paused for it
	Late     time.Duration              // how long the tournament or schedule that waits longest is past its time
	Unsent   int                        // deliveries to webhooks that wait for their time or a worker
	UnsentBy time.Duration              // how long the oldest of those is past its time
	Fits     map[string]time.Duration   // age of the last fit of each ladder that has results since; 0 if it has none
	Rated    map[string]int64           // matches that each ladder's ratings hold, by ladder
	Missed   int64                      // starts that the schedules there are have missed
}

// Waits is what matches are counted by.
type Waits struct {
	Game   string
	Source tournament.Source
}

// queue is the open matches of a game and a source.
type queue struct {
	Queued, Running int
	// Oldest is how long the job of a queued one has waited for a worker: not while its tournament is paused, before its round's time, nor
	// while it waits for a bot or for others of its asker.
	Oldest time.Duration
}

// ladderBots are those that a standing ladder can give matches: none while too few owners have one for its smallest table. Starved are
// those without a new match of the ladder for [StarvedAfter].
type ladderBots struct{ Eligible, Starved int }

// Take looks at the database. It changes nothing.
func Take(ctx context.Context, base *database.DB) (Reading, error) {
	db := base.SQL(ctx)
	var p Reading
	clock, err := base.Clock(db)
	if err != nil {
		return p, err
	}
	now := base.Now()
	p.Skew = clock.Sub(now)
	for _, part := range []func(*gorm.DB, time.Time, *Reading) error{queues, standings, bots, late, unsent, fits, rated, missed} {
		if err := part(db, now, &p); err != nil {
			return p, err
		}
	}
	return p, nil
}

func since(now time.Time, at *time.Time) time.Duration {
	if at == nil {
		return 0
	}
	return max(0, now.Sub(database.UTC(*at)))
}

// earliest returns the first time of a column, nil if there is none.
func earliest(db *gorm.DB, column string) (*time.Time, error) {
	var at []*time.Time
	err := db.Limit(1).Pluck(column, &at).Error
	if err != nil || len(at) == 0 {
		return nil, err
	}
	return at[0], nil
}

func queues(db *gorm.DB, now time.Time, p *Reading) error {
	p.Queues = map[Waits]queue{}
	const source = "CASE WHEN tournament_id IS NOT NULL THEN 'tournament' WHEN ladder_id IS NOT NULL THEN 'ladder' ELSE 'challenge' END"
	const count = "SELECT game, status, " + source + " AS source, COUNT(*) AS n FROM matches WHERE status = "
	rows, err := database.All[struct {
		Waits
		Status string
		N      int
	}](db.Raw(count + "'queued' GROUP BY 1, 2, 3 UNION ALL " + count + "'running' GROUP BY 1, 2, 3"))
	if err != nil {
		return err
	}
	for _, r := range rows {
		q := p.Queues[r.Waits]
		if r.Status == string(tournament.MatchQueued) {
			q.Queued = r.N
			oldest, err := earliest(db.Table("matches").Joins("JOIN river_job j ON j.id = job_id").Where("game = ? AND status = ? AND "+source+" = ? AND j.state <> 'scheduled'"+
				" AND NOT EXISTS (SELECT 1 FROM tournaments t WHERE t.id = matches.tournament_id AND t.paused_at IS NOT NULL)",
				r.Game, tournament.MatchQueued, r.Source).Order("j.scheduled_at"), "j.scheduled_at")
			if err != nil {
				return err
			}
			q.Oldest = since(now, oldest)
		} else {
			q.Running = r.N
		}
		p.Queues[r.Waits] = q
	}
	return nil
}

func standings(db *gorm.DB, now time.Time, p *Reading) error {
	p.Ladders = map[string]ladderBots{}
	hour := now.Add(-StarvedAfter)
	rows, err := database.All[struct {
		Ladder tournament.Ladder `gorm:"embedded"`
		Owners int
		Bots   ladderBots `gorm:"embedded"`
	}](db.Raw("SELECT l.id, l.plays, l.table_size, w.owners, w.eligible, w.starved FROM ladders l JOIN (SELECT e.ladder_id, COUNT(DISTINCT b.owner_id) AS owners, COUNT(*) AS eligible,"+
		" SUM(CASE WHEN e.joined_at < ? AND NOT EXISTS (SELECT 1 FROM match_seats s JOIN matches m ON m.id = s.match_id"+
		" WHERE s.bot_id = e.bot_id AND s.match_id >= ? AND m.ladder_id = e.ladder_id AND m.tournament_id IS NULL) THEN 1 ELSE 0 END) AS starved"+
		" FROM ladder_entries e JOIN ladders x ON x.id = e.ladder_id JOIN bots b ON b.id = e.bot_id AND b.status = ? AND b.unproven_at IS NULL"+
		" JOIN version_games g ON g.version_id = b.version_id AND g.game = x.plays GROUP BY e.ladder_id) w ON w.ladder_id = l.id",
		hour, database.FirstID(hour), tournament.BotActive)) // whom store.Reader.OnLadder gives to the matchmaking
	for _, r := range rows {
		least := 2
		if e, ok := catalog.Find(r.Ladder.Game); ok {
			least = r.Ladder.Tables(e.Info())[0]
		}
		if r.Owners < least {
			r.Bots = ladderBots{}
		}
		p.Ladders[r.Ladder.ID] = r.Bots
	}
	return err
}

func bots(db *gorm.DB, _ time.Time, p *Reading) error {
	p.Bots = map[tournament.BotStatus]int{}
	p.Held = map[tournament.Conduct]int{tournament.ConductVoids: 0, tournament.ConductRetirements: 0}
	rows, err := database.All[struct {
		Status  tournament.BotStatus
		Conduct tournament.Conduct
		N       int
	}](db.Raw("SELECT status, conduct, COUNT(*) AS n FROM bots GROUP BY status, conduct"))
	for _, r := range rows {
		p.Bots[r.Status] += r.N
		if r.Conduct != "" {
			p.Held[r.Conduct] += r.N
		}
	}
	return err
}

func late(db *gorm.DB, now time.Time, p *Reading) error {
	start, err := earliest(db.Table("tournaments").Where("status = ? AND starts_at <= ? AND paused_at IS NULL", tournament.Scheduled, now).Order("starts_at"), "starts_at")
	if err != nil {
		return err
	}
	due, err := earliest(db.Table("schedules").Where("due_at <= ?", now).Order("due_at"), "due_at")
	p.Late = max(since(now, start), since(now, due))
	return err
}

func unsent(db *gorm.DB, now time.Time, p *Reading) error {
	var err error
	if p.Unsent, err = database.Count(db.Table("deliveries").Where("status = 'pending'")); err != nil {
		return err
	}
	next, err := earliest(db.Table("deliveries").Where("status = 'pending'").Order("next_at"), "next_at")
	p.UnsentBy = since(now.Add(p.Skew), next) // it waits by the database's clock
	return err
}

func fits(db *gorm.DB, now time.Time, p *Reading) error {
	p.Fits = map[string]time.Duration{}
	rows, err := database.All[struct {
		LadderID string
		FittedAt time.Time
		Behind   bool
	}](db.Raw("SELECT f.ladder_id, f.fitted_at, f.to_seq < l.next_seq - 1 AS behind FROM ladder_fits f JOIN ladders l ON l.id = f.ladder_id"))
	for _, r := range rows {
		p.Fits[r.LadderID] = 0
		if r.Behind {
			p.Fits[r.LadderID] = since(now, &r.FittedAt)
		}
	}
	return err
}

func rated(db *gorm.DB, _ time.Time, p *Reading) error {
	rows, err := database.All[tournament.Ladder](db)
	p.Rated = database.Index(rows, func(l tournament.Ladder) (string, int64) { return l.ID, l.Rated() })
	return err
}

func missed(db *gorm.DB, _ time.Time, p *Reading) error {
	return db.Table("schedules").Select("COALESCE(SUM(missed_total), 0)").Scan(&p.Missed).Error
}
