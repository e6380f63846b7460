package store

import (
	"context"
	"time"

	"gorm.io/gorm"

	"github.com/molerun/molerun/tournament"
)

// StarvedAfter is how long an active bot on a standing ladder may go without a new match before it counts as starved.
const StarvedAfter = time.Hour

// Pulse is what an operator asks the database: is everybody served? Ages are whole at least zero; zero where nothing waits.
type Pulse struct {
	Skew     time.Duration // the database's clock less this process's, give or take the way there
	Queues   map[Waits]Queue
	Ladders  map[string]Standing // standing ladders, by id
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

// Queue is the open matches of a game and a source.
type Queue struct {
	Queued, Running int
	// Oldest is how long the longest waiting one has been there; without tournaments that are paused, and challenges that wait
	// for others of their asker.
	Oldest time.Duration
}

// Standing is who waits on a standing ladder.
type Standing struct{ Eligible, Starved int }

// Pulse looks at the database. It changes nothing.
func (s *Store) Pulse(ctx context.Context) (p Pulse, err error) {
	db := s.with(ctx)
	var ms int64
	if err := db.Raw("SELECT " + s.nowMS()).Scan(&ms).Error; err != nil {
		return p, err
	}
	now := s.now()
	p.Skew = time.UnixMilli(ms).Sub(now)
	for _, part := range []func(*gorm.DB, time.Time, *Pulse) error{queues, standings, bots, late, unsent, fits, rated, missed} {
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
	return max(0, now.Sub(utc(*at)))
}

func queues(db *gorm.DB, now time.Time, p *Pulse) error {
	p.Queues = map[Waits]Queue{}
	const source = "CASE WHEN tournament_id IS NOT NULL THEN 'tournament' WHEN ladder_id IS NOT NULL THEN 'ladder' ELSE 'challenge' END"
	var rows []struct {
		Game, Status string
		Source       tournament.Source
		N            int
	}
	const count = "SELECT game, status, " + source + " AS source, COUNT(*) AS n FROM matches WHERE status = "
	if err := db.Raw(count + "'queued' GROUP BY 1, 2, 3 UNION ALL " + count + "'running' GROUP BY 1, 2, 3").Scan(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		key := Waits{r.Game, r.Source}
		q := p.Queues[key]
		if r.Status == string(tournament.MatchQueued) {
			q.Queued = r.N
			oldest, err := first[matchRow](db.Where("game = ? AND status = ? AND "+source+" = ? AND (asker_id IS NULL OR job_id <> 0)"+
				" AND NOT EXISTS (SELECT 1 FROM tournaments t WHERE t.id = matches.tournament_id AND t.paused_at IS NOT NULL)",
				r.Game, tournament.MatchQueued, r.Source).Order("id"))
			if err != nil {
				return err
			}
			if oldest != nil {
				q.Oldest = since(now, &oldest.CreatedAt)
			}
		} else {
			q.Running = r.N
		}
		p.Queues[key] = q
	}
	return nil
}

func standings(db *gorm.DB, now time.Time, p *Pulse) error {
	p.Ladders = map[string]Standing{}
	hour := now.Add(-StarvedAfter)
	var rows []struct {
		LadderID          string
		Eligible, Starved int
	}
	err := db.Raw("SELECT e.ladder_id, COUNT(*) AS eligible, COALESCE(SUM(CASE WHEN e.joined_at < ? AND NOT EXISTS ("+
		"SELECT 1 FROM match_seats s WHERE s.bot_id = e.bot_id AND s.match_id >= ?) THEN 1 ELSE 0 END), 0) AS starved"+
		" FROM ladder_entries e JOIN bots b ON b.id = e.bot_id WHERE b.status = ? GROUP BY e.ladder_id", hour, firstID(hour), tournament.BotActive).Scan(&rows).Error
	for _, r := range rows {
		p.Ladders[r.LadderID] = Standing{r.Eligible, r.Starved}
	}
	return err
}

func bots(db *gorm.DB, _ time.Time, p *Pulse) error {
	p.Bots = map[tournament.BotStatus]int{}
	p.Held = map[tournament.Conduct]int{tournament.ConductVoids: 0, tournament.ConductRetirements: 0}
	var rows []struct {
		Status  tournament.BotStatus
		Conduct tournament.Conduct
		N       int
	}
	err := db.Raw("SELECT status, conduct, COUNT(*) AS n FROM bots GROUP BY status, conduct").Scan(&rows).Error
	for _, r := range rows {
		p.Bots[r.Status] += r.N
		if r.Conduct != "" {
			p.Held[r.Conduct] += r.N
		}
	}
	return err
}

func late(db *gorm.DB, now time.Time, p *Pulse) error {
	t, err := first[tournamentRow](db.Where("status = ? AND starts_at <= ? AND paused_at IS NULL", tournament.Scheduled, now).Order("starts_at"))
	if err != nil {
		return err
	}
	x, err := first[scheduleRow](db.Where("due_at <= ?", now).Order("due_at"))
	if err != nil {
		return err
	}
	if t != nil {
		p.Late = since(now, &t.StartsAt)
	}
	if x != nil {
		p.Late = max(p.Late, since(now, x.DueAt))
	}
	return nil
}

func unsent(db *gorm.DB, now time.Time, p *Pulse) error {
	var n int64
	if err := db.Model(&deliveryRow{}).Where("status = 'pending'").Count(&n).Error; err != nil {
		return err
	}
	p.Unsent = int(n)
	d, err := first[deliveryRow](db.Where("status = 'pending'").Order("next_at"))
	if d != nil {
		p.UnsentBy = since(now, d.NextAt)
	}
	return err
}

func fits(db *gorm.DB, now time.Time, p *Pulse) error {
	p.Fits = map[string]time.Duration{}
	var rows []struct {
		LadderID string
		Behind   bool
	}
	if err := db.Raw("SELECT f.ladder_id, f.to_seq < l.next_seq - 1 AS behind FROM ladder_fits f JOIN ladders l ON l.id = f.ladder_id").Scan(&rows).Error; err != nil {
		return err
	}
	for _, r := range rows {
		p.Fits[r.LadderID] = 0
		if !r.Behind {
			continue
		}
		f, err := first[fitHeadRow](db.Where("ladder_id = ?", r.LadderID))
		if err != nil {
			return err
		}
		if f != nil {
			p.Fits[r.LadderID] = since(now, &f.FittedAt)
		}
	}
	return nil
}

func rated(db *gorm.DB, _ time.Time, p *Pulse) error {
	p.Rated = map[string]int64{}
	var rows []ladderRow
	err := db.Find(&rows).Error
	for _, r := range rows {
		p.Rated[r.ID] = r.NextSeq - 1
	}
	return err
}

func missed(db *gorm.DB, _ time.Time, p *Pulse) error {
	return db.Model(&scheduleRow{}).Select("COALESCE(SUM(missed_total), 0)").Scan(&p.Missed).Error
}
