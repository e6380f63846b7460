package process

import (
	"cmp"
	"encoding/json"
	"runtime"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
)

func counter(reg prometheus.Registerer, name, help string, labels ...string) *prometheus.CounterVec {
	return promauto.With(reg).NewCounterVec(prometheus.CounterOpts{Name: "molerun_" + name, Help: help}, labels)
}

func gauge(reg prometheus.Registerer, name, help string) prometheus.Gauge {
	return promauto.With(reg).NewGauge(prometheus.GaugeOpts{Name: "molerun_" + name, Help: help})
}

func histogram(reg prometheus.Registerer, name, help, label string, buckets ...float64) *prometheus.HistogramVec {
	return promauto.With(reg).NewHistogramVec(prometheus.HistogramOpts{Name: "molerun_" + name, Help: help, Buckets: buckets}, strings.Fields(label))
}

// buildInfo says which program a process is.
func buildInfo() prometheus.Collector {
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "molerun_build_info", Help: "Always 1; the labels say what runs.",
	}, []string{"version", "commit", "goversion"})
	build.WithLabelValues(command.Version(), command.Commit(), runtime.Version()).Set(1)
	return build
}

// connMetrics shows how many connections to the API are open, and how many were refused.
func connMetrics(l *connlimit.Listener) scraped {
	return func(bool) []metric {
		address, all := l.Refused()
		return []metric{
			{asGauge, "connections", "Connections to the API that are open now.", nil, only(float64(l.Open()))},
			{asCounter, "connections_refused_total", "Connections to the API that were closed at once: their address had its share, or all places were taken.", []string{"reason"}, by(map[string]uint64{"address": address, "all": all})},
		}
	}
}

// lateness shows how late this process gets to run, and how long it was stalled.
func lateness(c *httpbot.Client) scraped {
	return func(bool) []metric {
		late, stalled := c.Late()
		return []metric{
			{asGauge, "worker_lateness_seconds", "How late this process gets to run, smoothed over some seconds. Above a tenth of a second it takes no further matches.", nil, only(late.Seconds())},
			{asCounter, "worker_stall_seconds_total", "How long this process was stalled, in stalls of a tenth of a second and more. No bot is charged for it.", nil, only(stalled.Seconds())},
		}
	}
}

// The outcomes of deliveries and reviews, by whether they went well.
var (
	delivered  = map[bool]string{true: "ok", false: "refused"}
	reviewedAs = map[bool]string{true: "done", false: "failed"}
)

// observer counts what workers with so many slots do, with a zero for what has not risen yet: what is new has no increase. Labels are games
// and kinds, never ids of bots, matches or tournaments.
func observer(reg prometheus.Registerer, slots int) jobs.Observer {
	started := counter(reg, "matches_started_total", "Attempts to play a match; resumed ones count again.", "game", "source")
	finished := counter(reg, "matches_finished_total", "Matches whose result is safe.", "game", "source")
	voided := counter(reg, "matches_voided_total", "Matches voided by a fault of the platform.", "game")
	released := counter(reg, "matches_released_total", "Matches given back to the queue by a worker that stops, or lost to another.", "game")
	retired := counter(reg, "seats_retired_total", "Seats retired after too many faults.", "game")
	lost := counter(reg, "leases_expired_total", "Matches taken back from workers that were lost.")
	opened := counter(reg, "tournaments_started_total", "Tournaments started at their time.")
	rated := counter(reg, "ladder_matches_finished_total", "Rated matches whose result is safe, by ladder.", "ladder")
	deliveries := counter(reg, "deliveries_total", "Tries to deliver an event to a webhook, by whether the receiver took it.", "outcome")
	reviewing := counter(reg, "review_seconds_total", "Time that reviews of matches took, by whether they were done or given up.", "outcome")
	paired := counter(reg, "matchmaker_runs_total", "Looks at the waiting entries of a standing ladder: matches were made, no two could be paired, or it failed.", "ladder", "outcome")
	running := gauge(reg, "matches_running", "Matches this process is playing: its busy slots.")
	swept := gauge(reg, "sweep_last_timestamp_seconds", "When this process last looked for lost matches and due starts, in seconds since 1970.")
	lasted := histogram(reg, "match_duration_seconds", "Time from the first attempt at a match until its result is safe.", "game", .1, .25, .5, 1, 2.5, 5, 10, 30, 60, 300, 900, 3600)
	steps := histogram(reg, "match_steps", "Steps of the matches whose result is safe.", "game", 5, 10, 20, 50, 100, 200, 500, 1000, 2000)
	decisions := histogram(reg, "decision_duration_seconds", "Time from asking a bot until its whole answer, by what became of it.", "game outcome", .001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10)
	gauge(reg, "worker_slots", "Matches this process can play at once.").Set(float64(slots))
	for _, e := range catalog.All() {
		for _, c := range []*prometheus.CounterVec{voided, released, retired} {
			c.WithLabelValues(e.Info().ID)
		}
	}
	for _, outcome := range delivered {
		deliveries.WithLabelValues(outcome)
	}
	for _, outcome := range reviewedAs {
		reviewing.WithLabelValues(outcome)
	}
	return jobs.Observer{
		Started: func(m *tournament.Match) {
			started.WithLabelValues(m.Game, string(m.Source())).Inc()
			running.Inc()
		},
		Finished: func(m *tournament.Match, end *runner.Outcome) {
			finished.WithLabelValues(m.Game, string(m.Source())).Inc()
			steps.WithLabelValues(m.Game).Observe(float64(end.Steps))
			if m.StartedAt != nil {
				lasted.WithLabelValues(m.Game).Observe(time.Since(*m.StartedAt).Seconds())
			}
			if m.LadderID != "" {
				rated.WithLabelValues(m.LadderID).Inc()
			}
			retired.WithLabelValues(m.Game).Add(float64(end.Retired.Len()))
			running.Dec()
		},
		Voided: func(m *tournament.Match, _ string) {
			voided.WithLabelValues(m.Game).Inc()
			running.Dec()
		},
		Released: func(m *tournament.Match) {
			released.WithLabelValues(m.Game).Inc()
			running.Dec()
		},
		Decided: func(m *tournament.Match, f tournament.Fault, elapsed time.Duration) {
			decisions.WithLabelValues(m.Game, cmp.Or(string(f), "ok")).Observe(elapsed.Seconds())
		},
		Delivered: func(ok bool) { deliveries.WithLabelValues(delivered[ok]).Inc() },
		Swept: func(matches, tournaments int) {
			lost.WithLabelValues().Add(float64(matches))
			opened.WithLabelValues().Add(float64(tournaments))
			swept.SetToCurrentTime()
		},
		Paired: func(ladder string, made int, err error) {
			outcome := "none"
			if err != nil {
				outcome = "error"
			} else if made > 0 {
				outcome = "made"
			}
			for _, all := range []string{"made", "none", "error"} {
				paired.WithLabelValues(ladder, all)
			}
			paired.WithLabelValues(ladder, outcome).Inc()
			rated.WithLabelValues(ladder)
		},
		Reviewed: func(ok bool, took time.Duration) {
			reviewing.WithLabelValues(reviewedAs[ok]).Add(took.Seconds())
		},
	}
}

// timed returns a finder of engines whose steps it measures.
func timed(reg prometheus.Registerer, find func(id string) (game.Engine, bool)) func(id string) (game.Engine, bool) {
	took := histogram(reg, "engine_step_duration_seconds", "Time that the rules take to apply the decisions of one step.", "game", .00001, .000025, .00005, .0001, .00025, .0005, .001, .0025, .005, .01, .1, 1)
	return func(id string) (game.Engine, bool) {
		e, ok := find(id)
		return timedEngine{e, took.WithLabelValues(id)}, ok
	}
}

// timedEngine is an engine whose dealt tables are measured.
type timedEngine struct {
	game.Engine
	took prometheus.Observer
}

func (e timedEngine) New(config json.RawMessage, seats int, seed game.Seed) (game.Table, []game.Event, error) {
	t, events, err := e.Engine.New(config, seats, seed)
	return timedTable{t, e.took}, events, err
}

type timedTable struct {
	game.Table
	took prometheus.Observer
}

func (t timedTable) Apply(turns []game.Turn) ([]game.Event, error) {
	start := time.Now()
	events, err := t.Table.Apply(turns)
	t.took.Observe(time.Since(start).Seconds())
	return events, err
}
