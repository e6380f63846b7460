package process

import "github.com/prometheus/client_golang/prometheus"

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
