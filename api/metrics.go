package api

import (
	"fmt"
	"net/http"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics are the API's own numbers. No label holds an id.
type metrics struct {
	relayAnswers *prometheus.CounterVec
}

func newMetrics(reg prometheus.Registerer, version string) (*metrics, error) {
	m := &metrics{}
	m.relayAnswers = prometheus.NewCounterVec(prometheus.CounterOpts{
		Name: "molerun_relay_answers_total", Help: "Answers that relays brought, by whether they were taken or refused (late, or not the first).",
	}, []string{"outcome"})
	build := prometheus.NewGaugeVec(prometheus.GaugeOpts{
		Name: "molerun_build_info", Help: "Always 1; the labels tell what runs.",
	}, []string{"version", "commit", "goversion"})
	build.WithLabelValues(version, commit(), runtime.Version()).Set(1)
	for _, c := range []prometheus.Collector{m.relayAnswers, build} {
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

// NewHTTPServer is a server with every timeout set; the caller starts and stops it.
func NewHTTPServer(addr string, handler http.Handler) *http.Server {
	return &http.Server{
		Addr: addr, Handler: handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       15 * time.Second,
		WriteTimeout:      30 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    16 << 10,
	}
}

// MetricsHandler serves /metrics for a listener of its own, which the public must not reach.
func MetricsHandler(g prometheus.Gatherer) http.Handler {
	mux := http.NewServeMux()
	mux.Handle("GET /metrics", promhttp.HandlerFor(g, promhttp.HandlerOpts{}))
	return mux
}
