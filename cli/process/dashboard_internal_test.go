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
	switch {
	case d.UID == "":
		t.Error("d.UID is empty")
	case d.Title == "":
		t.Error("d.Title is empty")
	case d.SchemaVersion < 36: // Grafana 9, to the 11.6 of the compose file
		t.Errorf("d.SchemaVersion is %v, want at least 36", d.SchemaVersion)
	case d.SchemaVersion > 41:
		t.Errorf("d.SchemaVersion is %v, want at most 41", d.SchemaVersion)
	}
	sources := dashboardIsProvisioned(t)
	var rows []string
	var rules strings.Builder // every query, for Prometheus's own parser
	rules.WriteString("groups:\n- name: dashboard\n  rules:\n")
	seen, y := map[int]bool{}, 0
	for _, p := range d.Panels {
		switch g := p.GridPos; {
		case seen[p.ID]:
			t.Error("seen[p.ID] is true, want false")
		case p.Title == "":
			t.Error("p.Title is empty")
		case g.Y < y:
			t.Errorf("g.Y is %v, want at least %v", g.Y, y)
		case g.H < 1:
			t.Errorf("g.H is %v, want at least 1", g.H)
		case g.X < 0:
			t.Errorf("g.X is %v, want at least 0", g.X)
		case g.X+g.W > 24:
			t.Errorf("g.X+g.W is %v, want at most 24", g.X+g.W)
		case len(p.Panels) > 0:
			t.Errorf("len(p.Panels) is %v, want 0", len(p.Panels))
		case p.Collapsed:
			t.Error("p.Collapsed is true, want false")
		}
		seen[p.ID], y = true, p.GridPos.Y
		if p.Type == "row" {
			rows = append(rows, p.Title)
			continue
		}
		units := []string{"short", "s", "ops", "reqps", "percentunit"}
		switch {
		case p.Type != "timeseries":
			t.Errorf(`%s: p.Type is %q, want "timeseries"`, p.Title, p.Type)
		case sources[p.Datasource.UID] != p.Datasource.Type:
			t.Errorf("%s: sources[p.Datasource.UID] is %v, want %v", p.Title, sources[p.Datasource.UID], p.Datasource.Type)
		case !slices.Contains(units, p.FieldConfig.Defaults.Unit):
			t.Errorf("%s: p.FieldConfig.Defaults.Unit is %v, want one of %v", p.Title, p.FieldConfig.Defaults.Unit, units)
		case len(p.Targets) == 0:
			t.Errorf("%s: len(p.Targets) is 0", p.Title)
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
	switch {
	case sources.APIVersion != 1:
		t.Errorf("sources.APIVersion is %v, want 1", sources.APIVersion)
	case len(sources.Datasources) != 1:
		t.Errorf("len(sources.Datasources) is %v, want 1", len(sources.Datasources))
	case sources.Datasources[0].URL != "http://prometheus:9090":
		t.Errorf(`sources.Datasources[0].URL is %q, want "http://prometheus:9090"`, sources.Datasources[0].URL)
	case !sources.Datasources[0].IsDefault:
		t.Error("sources.Datasources[0].IsDefault is false, want true")
	}
	switch {
	case providers.APIVersion != 1:
		t.Errorf("providers.APIVersion is %v, want 1", providers.APIVersion)
	case len(providers.Providers) != 1:
		t.Errorf("len(providers.Providers) is %v, want 1", len(providers.Providers))
	case providers.Providers[0].Type != "file":
		t.Errorf(`providers.Providers[0].Type is %q, want "file"`, providers.Providers[0].Type)
	case !strings.Contains(string(compose), "./deploy/grafana/molerun.json:"+providers.Providers[0].Options.Path+"/molerun.json:ro"):
		t.Errorf("got %q, want %q in it", string(compose), "./deploy/grafana/molerun.json:"+providers.Providers[0].Options.Path+"/molerun.json:ro")
	case !strings.Contains(string(compose), "./deploy/grafana/provisioning:/etc/grafana/provisioning:ro"):
		t.Errorf("got %q, want %q in it", string(compose), "./deploy/grafana/provisioning:/etc/grafana/provisioning:ro")
	}
	return map[string]string{sources.Datasources[0].UID: sources.Datasources[0].Type}
}
