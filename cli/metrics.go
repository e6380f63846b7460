package cli

import (
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/jobs"
	"github.com/molerun/molerun/tournament/runner"
)

// observer counts what workers do. Labels are games and kinds, never ids.
func observer(reg prometheus.Registerer) (jobs.Observer, error) {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Name: "molerun_" + name, Help: help}, labels)
	}
	started := counter("matches_started_total", "Attempts to play a match; resumed ones count again.", "game")
	finished := counter("matches_finished_total", "Matches whose result is safe.", "game")
	voided := counter("matches_voided_total", "Matches voided by a fault of the platform.", "game")
	released := counter("matches_released_total", "Matches given back to the queue by a worker that stops, or lost to another.", "game")
	retired := counter("seats_retired_total", "Seats retired after too many faults.", "game")
	lost := counter("leases_expired_total", "Matches taken back from workers that were lost.")
	opened := counter("tournaments_started_total", "Tournaments started at their time.")
	rated := counter("ladder_matches_finished_total", "Rated matches whose result is safe, by ladder.", "ladder")
	delivered := counter("deliveries_total", "Tries to deliver an event to a webhook, by whether the receiver took it.", "outcome")
	running := prometheus.NewGauge(prometheus.GaugeOpts{Name: "molerun_matches_running", Help: "Matches this process is playing."})
	decisions := prometheus.NewHistogramVec(prometheus.HistogramOpts{
		Name: "molerun_decision_duration_seconds", Help: "Time from asking a bot until its whole answer, by what became of it.",
		Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10},
	}, []string{"game", "outcome"})
	for _, c := range []prometheus.Collector{started, finished, voided, released, retired, lost, opened, rated, delivered, running, decisions} {
		if err := reg.Register(c); err != nil {
			return jobs.Observer{}, err
		}
	}
	return jobs.Observer{
		Started: func(m *tournament.Match) { started.WithLabelValues(m.Game).Inc(); running.Inc() },
		Finished: func(m *tournament.Match, o *runner.Outcome) {
			finished.WithLabelValues(m.Game).Inc()
			if m.LadderID != "" {
				rated.WithLabelValues(m.LadderID).Inc()
			}
			retired.WithLabelValues(m.Game).Add(float64(o.Retired.Len()))
			running.Dec()
		},
		Voided:   func(m *tournament.Match, _ string) { voided.WithLabelValues(m.Game).Inc(); running.Dec() },
		Released: func(m *tournament.Match) { released.WithLabelValues(m.Game).Inc(); running.Dec() },
		Decided: func(m *tournament.Match, f tournament.Fault, elapsed time.Duration) {
			outcome := string(f)
			if outcome == "" {
				outcome = "ok"
			}
			decisions.WithLabelValues(m.Game, outcome).Observe(elapsed.Seconds())
		},
		Delivered: func(ok bool) {
			outcome := "refused"
			if ok {
				outcome = "ok"
			}
			delivered.WithLabelValues(outcome).Inc()
		},
		Swept: func(matches, tournaments int) {
			lost.WithLabelValues().Add(float64(matches))
			opened.WithLabelValues().Add(float64(tournaments))
		},
	}, nil
}
