package process

import (
	"flag"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/api/connlimit"
	"github.com/molerun/molerun/api/gate"
	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update-metrics", false, "write testdata/metrics.golden")

var described = regexp.MustCompile(`^Desc\{fqName: "([^"]*)", help: "(.*)", constLabels: \{\}, variableLabels: \{(.*)\}\}$`)

// listed returns the metrics of a server process: name, labels, help.
func listed(t *testing.T) string {
	t.Helper()
	s, err := settings.New()
	must.OK(t, err)
	s.Database = filepath.Join(t.TempDir(), "m.db")
	p, err := Open(t.Context(), s, slog.New(slog.DiscardHandler), Options{FastSync: true, Makes: true})
	must.OK(t, err)
	t.Cleanup(func() { _ = p.Close() })
	must.OK(t, p.Store.Migrate(t.Context()))
	says := false
	all, err := p.metrics.Gather()
	for _, f := range all {
		says = says || f.GetName() == "molerun_build_info"
	}
	if !says {
		t.Errorf("a worker, which has no API, does not say what runs (%v)", err)
	}
	_, err = p.API(gate.DefaultLimits())
	must.OK(t, err)
	l, err := command.Listen(t.Context(), "127.0.0.1:0")
	must.OK(t, err)
	defer l.Close()
	p.metrics.MustRegister(connMetrics(connlimit.Listen(l, connlimit.Limits{Total: 1})), lateness(p.Bots), vitals(p.Store))
	observer(p.metrics, 1)
	timed(p.metrics, catalog.Find)
	if _, err := p.metrics.Gather(); err != nil {
		t.Errorf("a scrape fails: %v", err)
	}
	descs := make(chan *prometheus.Desc)
	go func() { p.metrics.Describe(descs); close(descs) }()
	var lines []string
	for d := range descs {
		if m := described.FindStringSubmatch(d.String()); m != nil && strings.HasPrefix(m[1], "molerun_") {
			lines = append(lines, m[1]+" {"+m[3]+"} "+m[2])
		} else if strings.Contains(d.String(), "molerun_") {
			t.Errorf("cannot read %s", d)
		}
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n") + "\n"
}

func TestTheMetricsAreThoseListedAndNoLabelIsUnbounded(t *testing.T) {
	got := listed(t)
	golden := filepath.Join("testdata", "metrics.golden")
	if *update {
		must.OK(t, os.WriteFile(golden, []byte(got), 0o600))
	}
	want, err := os.ReadFile(golden)
	if err != nil || got != string(want) {
		t.Errorf("the metrics are\n%s\nthe list says (%v)\n%s", got, err, want)
	}
	bounded := []string{"", "game", "ladder", "outcome", "status", "method", "route", "code", "reason", "source", "format", "version", "commit", "goversion"}
	for line := range strings.Lines(got) {
		name, rest, _ := strings.Cut(line, " {")
		labels, _, _ := strings.Cut(rest, "}")
		for _, l := range strings.Split(labels, ",") {
			if !slices.Contains(bounded, l) {
				t.Errorf("%s has the label %q, which is none of %v", name, l, bounded)
			}
		}
	}
}

func TestRulesAndDashboardsUseOnlyMetricsThatExist(t *testing.T) {
	golden, err := os.ReadFile(filepath.Join("testdata", "metrics.golden"))
	must.OK(t, err)
	used := 0
	for _, file := range []string{"alerts.yml", "grafana/molerun.json"} {
		text, err := os.ReadFile(filepath.Join("..", "..", "deploy", file))
		must.OK(t, err)
		for _, name := range regexp.MustCompile(`molerun_[a-z_]+`).FindAllString(string(text), -1) {
			used++
			known := false
			for _, suffix := range []string{"", "_bucket", "_count", "_sum"} {
				known = known || strings.Contains("\n"+string(golden), "\n"+strings.TrimSuffix(name, suffix)+" {")
			}
			if !known {
				t.Errorf("%s uses %s, which no process serves", file, name)
			}
		}
	}
	if used < 15 {
		t.Errorf("%d metrics are used: the files were not read right", used)
	}
}
