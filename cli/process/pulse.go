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

const (
	asGauge   = prometheus.GaugeValue
	asCounter = prometheus.CounterValue
)

// vitals asks the database at each scrape. Every process shows the same: rules take the largest.
func vitals(db *store.Store) scraped {
	return func(look bool) []metric {
		c, up, full := db.Connections(), 0., 0.
		var now pulse.Reading
		if look {
			ctx, cancel := context.WithTimeout(context.Background(), pulseWait)
			defer cancel()
			var err error
			if now, err = pulse.Take(ctx, db.DB); err == nil {
				up = 1
			}
			if db.Room(ctx) != nil {
				full = 1
			}
		}
		own := []metric{
			{asGauge, "database_connections", "Connections to the database that this process has.", nil, only(float64(c.Open))},
			{asGauge, "database_connections_max", "Connections to the database that this process may have; 0: any number.", nil, only(float64(c.Max))},
			{asGauge, "database_connections_in_use", "Connections to the database that somebody in this process is using.", nil, only(float64(c.InUse))},
			{asCounter, "database_connection_waits_total", "How often somebody had to wait for a connection to the database.", nil, only(float64(c.Waits))},
			{asCounter, "database_connection_wait_seconds_total", "How long all those have waited.", nil, only(c.Waited.Seconds())},
			{asGauge, "database_full", "1 if the database cannot write, as its disk is full or it is read-only, else 0: it refused a write of this process a moment ago, or SQLite has no room.", nil, only(full)},
			{asGauge, "database_up", "1 if the database answers this process, else 0.", nil, only(up)},
		}
		if look && up == 0 {
			return own
		}
		return append(append(own, platformMetrics(now)...), queueMetrics(now)...)
	}
}

// platformMetrics are about the platform as a whole.
func platformMetrics(now pulse.Reading) []metric {
	return []metric{
		{asGauge, "database_clock_skew_seconds", "The database's clock less this process's.", nil, only(now.Skew.Seconds())},
		{asGauge, "schedule_lag_seconds", "How long the tournament or schedule that waits longest is past its time.", nil, only(now.Late.Seconds())},
		{asGauge, "schedule_missed_starts", "Starts that the schedules there are have missed.", nil, only(float64(now.Missed))},
		{asGauge, "deliveries_pending", "Deliveries to webhooks that are not over.", nil, only(float64(now.Unsent))},
		{asGauge, "delivery_lag_seconds", "How long the oldest pending delivery is past its time.", nil, only(now.UnsentBy.Seconds())},
		{asGauge, "bots", "Bots by status.", []string{"status"}, by(now.Bots)},
		{asGauge, "bots_held", "Bots that are paused until an administrator lifts it, for what became of their matches.", []string{"reason"}, by(now.Held)},
		{asCounter, "ladder_matches_rated_total", "Matches that a ladder's ratings hold, in the database.", []string{"ladder"}, by(now.Rated)},
		{asGauge, "fit_age_seconds", "Age of a ladder's fit if there are results since, else 0.", []string{"ladder"}, func(give giver) {
			for id, age := range now.Fits {
				give(age.Seconds(), id)
			}
		}},
	}
}

// by gives numbers by the label that is their key.
func by[K ~string, N int | int64 | uint64](numbers map[K]N) func(giver) {
	return func(give giver) {
		for label, n := range numbers {
			give(float64(n), string(label))
		}
	}
}

// queueMetrics are about what waits for matches.
func queueMetrics(now pulse.Reading) []metric {
	queued, leased, oldest := map[pulse.Waits]float64{}, map[pulse.Waits]float64{}, map[pulse.Waits]float64{}
	for by, q := range now.Queues {
		queued[by], leased[by], oldest[by] = float64(q.Queued), float64(q.Running), q.Oldest.Seconds()
	}
	eligible, starved := map[string]int{}, map[string]int{}
	for id, l := range now.Ladders {
		eligible[id], starved[id] = l.Eligible, l.Starved
	}
	byQueue := func(numbers map[pulse.Waits]float64) func(giver) {
		return func(give giver) {
			for by, n := range numbers {
				give(n, by.Game, string(by.Source))
			}
		}
	}
	queue, ladder := []string{"game", "source"}, []string{"ladder"}
	return []metric{
		{asGauge, "matches_queued", "Matches that wait for a worker, in the database.", queue, byQueue(queued)},
		{asGauge, "matches_leased", "Matches that a worker has, in the database.", queue, byQueue(leased)},
		{asGauge, "match_queue_oldest_seconds", "Age of the match that waits longest for a worker; those that wait for a paused tournament, their round's time, a bot or others of their asker do not count.", queue, byQueue(oldest)},
		{asGauge, "ladder_eligible_bots", "Bots that a standing ladder can give matches: 0 while too few owners have one there for its smallest table.", ladder, by(eligible)},
		{asGauge, "ladder_starved_bots", "Those of them that are there for an hour or longer and were given no match of the ladder within the last hour.", ladder, by(starved)},
	}
}

// scraped is a [prometheus.Collector] of metrics whose values are read at each scrape; to list them, look is false and nothing is read.
type scraped func(look bool) []metric

// metric is one of them, with a function that gives all its values.
type metric struct {
	kind       prometheus.ValueType
	name, help string
	labels     []string
	values     func(give giver)
}

// giver takes a value, with the values of its labels.
type giver func(v float64, labels ...string)

// only makes the function of a metric that has one value.
func only(v float64) func(giver) { return func(give giver) { give(v) } }

func (m metric) desc() *prometheus.Desc {
	return prometheus.NewDesc("molerun_"+m.name, m.help, m.labels, nil)
}

// Describe lists the metrics.
func (s scraped) Describe(to chan<- *prometheus.Desc) {
	for _, m := range s(false) {
		to <- m.desc()
	}
}

// Collect reads them.
func (s scraped) Collect(to chan<- prometheus.Metric) {
	for _, m := range s(true) {
		m.values(func(v float64, labels ...string) { to <- prometheus.MustNewConstMetric(m.desc(), m.kind, v, labels...) })
	}
}
