package process

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/molerun/molerun/internal/must"
)

// panel is the part of Grafana's panels that ours use.
type panel struct {
	ID         int
	Type       string
	Title      string
	Datasource struct{ Type, UID string }
	GridPos    struct{ H, W, X, Y int }
	Collapsed  bool
	Panels     []panel

	FieldConfig struct {
		Defaults struct {
			Unit string
			Min  *float64
		}
		Overrides []struct{}
	}
	Targets []struct{ RefID, Expr, LegendFormat string }
}

// There is no Grafana here: this holds what can be held without one. That every query has data is TestTheTopology's to say.
func TestTheDashboardIsWholeAndAsksForWhatThereIs(t *testing.T) {
	var d struct {
		UID, Title, Timezone, Refresh string
		SchemaVersion                 int
		Time                          struct{ From, To string }
		Tags                          []string
		Panels                        []panel
	}
	text, err := os.ReadFile("../../deploy/grafana/molerun.json")
	must.OK(t, err)
	r := json.NewDecoder(strings.NewReader(string(text)))
	r.DisallowUnknownFields()
	must.OK(t, r.Decode(&d))
	if d.UID == "" || d.Title == "" || d.SchemaVersion < 36 || d.SchemaVersion > 41 { // Grafana 9, to the 11.6 of the compose file
		t.Errorf("uid %q, title %q, schema %d; want both, and 36 to 41", d.UID, d.Title, d.SchemaVersion)
	}
	sources := dashboardIsProvisioned(t)
	var rows []string
	var rules strings.Builder // every query, for Prometheus's own parser
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	seen, y := map[int]bool{}, 0
	for _, p := range d.Panels {
		if g := p.GridPos; g.Y < y || g.H < 1 || g.X < 0 || g.X+g.W > 24 {
			t.Errorf("%s stands at %+v, below %d", p.Title, g, y)
		}
		if seen[p.ID] || p.Title == "" || p.Collapsed || len(p.Panels) > 0 {
			t.Errorf("panel %d, %q: there before: %v; collapsed: %v, with %d panels in it", p.ID, p.Title, seen[p.ID], p.Collapsed, len(p.Panels))
		}
		seen[p.ID], y = true, p.GridPos.Y
		if p.Type == "row" {
			rows = append(rows, p.Title)
			continue
		}
		units := []string{"short", "s", "ops", "reqps", "percentunit"}
		if p.Type != "timeseries" || sources[p.Datasource.UID] != p.Datasource.Type || !slices.Contains(units, p.FieldConfig.Defaults.Unit) || len(p.Targets) == 0 {
			t.Fatalf("%s: %+v; the units are %v, the sources %v", p.Title, p, units, sources)
		}
		first := p.Targets[0].Expr
		if seconds := strings.Contains(first, "_seconds") && !strings.Contains(first, "_seconds_count"); seconds != (p.FieldConfig.Defaults.Unit == "s") {
			t.Errorf("%s: the unit of %s is not %s", p.Title, first, p.FieldConfig.Defaults.Unit)
		}
		for i, q := range p.Targets {
			if q.RefID != string(rune('A'+i)) || q.LegendFormat == "" {
				t.Errorf("%s: query %q with legend %q", p.Title, q.RefID, q.LegendFormat)
			}
			labelsExist(t, p.Title, q.Expr, q.LegendFormat)
			fmt.Fprintf(&rules, "  - {record: 'p:%d:%s', expr: %q}\n", p.ID, q.RefID, q.Expr)
		}
	}
	if want := []string{"Overview", "Bots and latency", "Tournaments and events", "Workers, database and API"}; !slices.Equal(rows, want) {
		t.Errorf("the rows are %v, want %v", rows, want)
	}
	file := filepath.Join(t.TempDir(), "dashboard.yml")
	must.OK(t, os.WriteFile(file, []byte(rules.String()), 0o600))
	if out, err := exec.CommandContext(t.Context(), "promtool", "check", "rules", file).CombinedOutput(); err != nil {
		t.Errorf("a query of the dashboard: %v\n%s", err, out)
	}
}

// labelsExist wants each label that a query or its legend names on every metric of the query, and each in the legend kept.
func labelsExist(t *testing.T, title, expr, legend string) {
	t.Helper()
	golden, err := os.ReadFile(filepath.Join("testdata", "metrics.golden"))
	must.OK(t, err)
	var named, kept []string
	for _, m := range regexp.MustCompile(`by \(([^)]*)\)`).FindAllStringSubmatch(expr, -1) {
		kept = append(kept, strings.Split(m[1], ", ")...)
	}
	for _, m := range regexp.MustCompile(`(\w+)(?:!=|=~|!~|=)"`).FindAllStringSubmatch(expr, -1) {
		named = append(named, m[1])
	}
	for _, m := range regexp.MustCompile(`\{\{(\w+)\}\}`).FindAllStringSubmatch(legend, -1) {
		if !slices.Contains(kept, m[1]) {
			t.Errorf("%s: the legend tells of %s, which %s drops", title, m[1], expr)
		}
	}
	names := regexp.MustCompile(`molerun_[a-z_]+`).FindAllString(expr, -1)
	if len(names) == 0 {
		t.Errorf("%s asks for nothing of ours: %s", title, expr)
	}
	for _, name := range names {
		there := regexp.MustCompile(`(?m)^` + regexp.MustCompile(`_(bucket|count|sum)$`).ReplaceAllString(name, "") + ` \{(.*?)\}`).FindSubmatch(golden)
		if there == nil {
			t.Errorf("%s asks for %s, which no process serves", title, name)
			continue
		}
		labels := append(strings.Split(string(there[1]), ","), "job", "instance")
		if strings.HasSuffix(name, "_bucket") {
			labels = append(labels, "le")
		}
		for _, l := range append(named, kept...) {
			if !slices.Contains(labels, l) {
				t.Errorf("%s: %s has no label %s", title, name, l)
			}
		}
	}
}

// dashboardIsProvisioned holds Grafana's provisioning against the compose file: the file is where its provider looks, and
// Prometheus is where the source says. It returns the kinds of the sources by uid.
func dashboardIsProvisioned(t *testing.T) map[string]string {
	t.Helper()
	read := func(name string, into any) {
		text, err := os.ReadFile(filepath.Join("..", "..", name))
		must.OK(t, err)
		if err := yaml.UnmarshalWithOptions(text, into, yaml.DisallowUnknownField()); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
	}
	var sources struct {
		APIVersion  int `yaml:"apiVersion"`
		Datasources []struct {
			Name, UID, Type, URL string
			IsDefault            bool `yaml:"isDefault"`
		}
	}
	var providers struct {
		APIVersion int `yaml:"apiVersion"`
		Providers  []struct {
			Name, Type string
			Options    struct{ Path string }
		}
	}
	read("deploy/grafana/provisioning/datasources/prometheus.yml", &sources)
	read("deploy/grafana/provisioning/dashboards/molerun.yml", &providers)
	compose, err := os.ReadFile("../../docker-compose.yml")
	must.OK(t, err)
	if list := sources.Datasources; sources.APIVersion != 1 || len(list) != 1 || list[0].URL != "http://prometheus:9090" || !list[0].IsDefault {
		t.Fatalf("the sources are %+v", sources)
	}
	if providers.APIVersion != 1 || len(providers.Providers) != 1 || providers.Providers[0].Type != "file" {
		t.Fatalf("the providers are %+v", providers)
	}
	for _, mount := range []string{"molerun.json:" + providers.Providers[0].Options.Path + "/molerun.json:ro", "provisioning:/etc/grafana/provisioning:ro"} {
		if !strings.Contains(string(compose), "./deploy/grafana/"+mount) {
			t.Errorf("compose does not mount %s", mount)
		}
	}
	return map[string]string{sources.Datasources[0].UID: sources.Datasources[0].Type}
}
