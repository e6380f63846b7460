package api

import (
	"fmt"
	"runtime"
	"runtime/debug"

	"github.com/prometheus/client_golang/prometheus"
)

// metrics are the API's own numbers. No label holds an id.
type metrics struct {
	duration *prometheus.HistogramVec
	inFlight prometheus.Gauge

	relayAnswers *prometheus.CounterVec
}

func newMetrics(reg prometheus.Registerer, version string) (*metrics, error) {
	m := &metrics{
		duration: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "molerun_http_request_duration_seconds", Help: "Time to answer API requests, by route template.",
			Buckets: []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 20},
		}, []string{"method", "route", "code"}),
		inFlight: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "molerun_http_requests_in_flight", Help: "API requests being answered now.",
		}),
	}
	m.relayAnswers = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "molerun_relay_answers_total", Help: "Answers that relays brought, by whether they were taken or refused (late, or not the first).",
	}, []string{"outcome"})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "molerun_build_info", Help: "Always 1; the labels tell what runs.",
	}, []string{"version", "commit", "goversion"})
	build.WithLabelValues(version, commit(), runtime.Version()).Set(1)
	for _, c := range []prometheus.Collector{m.duration, m.inFlight, m.relayAnswers, build} {
		if err := reg.Register(c); err != nil {
			return nil, fmt.Errorf("api: metrics: %w", err)
		}
	}
	return m, nil
}

// commit is that of the source this program was built from; "" if the build does not say.
func commit() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" {
				return s.Value
			}
		}
	}
	return ""
}
