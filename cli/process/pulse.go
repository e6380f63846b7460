package process

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/pulse"
)

// pulseWait bounds one look at the database: a scrape waits ten seconds.
const pulseWait = 5 * time.Second

// vitals asks the database at each scrape. Every process tells the same: rules take the largest.
type vitals struct {
	db *store.Store

	up, full, skew, late, unsent, unsentBy                 *prometheus.Desc
	queued, running, oldest, eligible, starved, bots, fits *prometheus.Desc
	held                                                   *prometheus.Desc
	rated, missed                                          *prometheus.Desc
	conns, connsMax, connsUsed, connWaits, connWaited      *prometheus.Desc
}

func newVitals(db *store.Store) *vitals {
	desc := func(name, help string, labels ...string) *prometheus.Desc {
		return prometheus.NewDesc("molerun_"+name, help, labels, nil)
	}
	return &vitals{
		db:       db,
		up:       desc("database_up", "1 if the database answers this process, else 0."),
		full:     desc("database_full", "1 if the disk under the database is full, else 0: it refused a write of this process a moment ago, or SQLite has no room."),
		skew:     desc("database_clock_skew_seconds", "The database's clock less this process's."),
		late:     desc("schedule_lag_seconds", "How long the tournament or schedule that waits longest is past its time."),
		unsent:   desc("deliveries_pending", "Deliveries to webhooks that are not over."),
		unsentBy: desc("delivery_lag_seconds", "How long the oldest pending delivery is past its time."),
		queued:   desc("matches_queued", "Matches that wait for a worker, in the database.", "game", "source"),
		running:  desc("matches_leased", "Matches that a worker has, in the database.", "game", "source"),
		oldest:   desc("match_queue_oldest_seconds", "Age of the match that waits longest; tournaments that are paused do not count, nor challenges that wait for others of their asker.", "game", "source"),
		eligible: desc("ladder_eligible_bots", "Active bots on a standing ladder.", "ladder"),
		starved:  desc("ladder_starved_bots", "Active bots on a standing ladder for an hour or longer that were given no match within the last hour.", "ladder"),
		bots:     desc("bots", "Bots by status.", "status"),
		held:     desc("bots_held", "Bots that are paused until an administrator lifts it, for what became of their matches.", "reason"),
		rated:    desc("ladder_matches_rated_total", "Matches that a ladder's ratings hold, in the database.", "ladder"),
		missed:   desc("schedule_missed_starts", "Starts that the schedules there are have missed."),
		conns:    desc("database_connections", "Connections to the database that this process has."),
		connsMax: desc("database_connections_max", "Connections to the database that this process may have; 0: any number."),

		connsUsed:  desc("database_connections_in_use", "Connections to the database that somebody in this process is using."),
		connWaits:  desc("database_connection_waits_total", "How often somebody had to wait for a connection to the database."),
		connWaited: desc("database_connection_wait_seconds_total", "How long all those have waited."),
		fits:       desc("fit_age_seconds", "Age of a ladder's fit if there are results since, else 0.", "ladder"),
	}
}

// Describe lists what Collect gives.
func (p *vitals) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{p.up, p.full, p.skew, p.late, p.unsent, p.unsentBy, p.queued, p.running, p.oldest, p.eligible, p.starved, p.bots, p.held, p.fits, p.rated, p.missed, p.conns, p.connsMax, p.connsUsed, p.connWaits, p.connWaited} {
		to <- d
	}
}

// Collect looks at the database.
func (p *vitals) Collect(to chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), pulseWait)
	defer cancel()
	tell := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.GaugeValue, v, labels...)
	}
	count := func(d *prometheus.Desc, v float64, labels ...string) {
		to <- prometheus.MustNewConstMetric(d, prometheus.CounterValue, v, labels...)
	}
	c := p.db.Connections()
	tell(p.conns, float64(c.Open))
	tell(p.connsMax, float64(c.Max))
	tell(p.connsUsed, float64(c.InUse))
	count(p.connWaits, float64(c.Waits))
	count(p.connWaited, c.Waited.Seconds())
	full := 0.0
	if p.db.Room() != nil {
		full = 1
	}
	tell(p.full, full)
	now, err := pulse.Take(ctx, p.db.DB)
	if err != nil {
		tell(p.up, 0)
		return
	}
	tell(p.up, 1)
	tell(p.skew, now.Skew.Seconds())
	tell(p.late, now.Late.Seconds())
	tell(p.unsent, float64(now.Unsent))
	tell(p.unsentBy, now.UnsentBy.Seconds())
	for by, q := range now.Queues {
		tell(p.queued, float64(q.Queued), by.Game, string(by.Source))
		tell(p.running, float64(q.Running), by.Game, string(by.Source))
		tell(p.oldest, q.Oldest.Seconds(), by.Game, string(by.Source))
	}
	for id, l := range now.Ladders {
		tell(p.eligible, float64(l.Eligible), id)
		tell(p.starved, float64(l.Starved), id)
	}
	for status, n := range now.Bots {
		tell(p.bots, float64(n), string(status))
	}
	for conduct, n := range now.Held {
		tell(p.held, float64(n), string(conduct))
	}
	tell(p.missed, float64(now.Missed))
	for id, n := range now.Rated {
		count(p.rated, float64(n), id)
	}
	for id, age := range now.Fits {
		tell(p.fits, age.Seconds(), id)
	}
}
