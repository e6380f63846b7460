package cli

import (
	"bufio"
	"context"
	"errors"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
)

func TestTheTableOfTheEnvironmentIsThatOfTheSettings(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "docs", "7-operate.md"))
	if err != nil {
		t.Fatal(err)
	}
	told := map[string]string{}
	for _, m := range regexp.MustCompile("(?m)^\\| `(MOLERUN_\\w+)` \\| (?:`--[a-z-]+` )?\\| (.*?) \\|").FindAllStringSubmatch(string(text), -1) {
		told[m[1]] = strings.Trim(m[2], "`")
	}
	s := reflect.TypeFor[settings]()
	for i := range s.NumField() {
		name, standard := s.Field(i).Tag.Get("env"), s.Field(i).Tag.Get("envDefault")
		got, found := told[name]
		if !found || (standard != "" && got != standard) {
			t.Errorf("docs/7-operate.md says of %s: %q (%v), the program's default is %q", name, got, found, standard)
		}
		delete(told, name)
	}
	for name := range told {
		t.Errorf("docs/7-operate.md tells of %s, which nothing reads", name)
	}
}

func TestAnEmptyAddressForMetricsIsNone(t *testing.T) {
	t.Setenv("MOLERUN_METRICS", "")
	if s, err := newSettings(); err != nil || s.Metrics != "" {
		t.Errorf("MOLERUN_METRICS= says %q (%v), want none", s.Metrics, err)
	}
}

func TestASettingThatNoProcessCanRunWithIsRefusedByItsName(t *testing.T) {
	for _, row := range [][2]string{
		{"MOLERUN_WORKERS", "-1"},
		{"MOLERUN_KEEP_EVENTS_DAYS", "-1"},
		{"MOLERUN_PACK_DAYS", "-1"},
		{"MOLERUN_DRAIN_SECONDS", "-1"},
		{"MOLERUN_REQUESTS_PER_MINUTE", "0"},
		{"MOLERUN_TRUSTED_PROXIES", "10.0.0.0/8,here"},
		{"MOLERUN_CURSOR_KEY", "short"},
		{"MOLERUN_ALLOW_PRIVATE_BOTS", "here"},
	} {
		t.Run(row[0], func(t *testing.T) {
			t.Setenv(row[0], row[1])
			s, err := newSettings()
			if err != nil {
				t.Fatal(err)
			}
			flag := "--" + strings.ReplaceAll(strings.ToLower(strings.TrimPrefix(row[0], "MOLERUN_")), "_", "-")
			if err := s.check(); !errors.Is(err, errUsage) || !strings.Contains(err.Error(), row[0]) && !strings.Contains(err.Error(), flag) {
				t.Errorf("%s=%s: %v, want a usage error that names it", row[0], row[1], err)
			}
		})
	}
	s, err := newSettings()
	if err != nil {
		t.Fatal(err)
	}
	s.Proxies = []string{"10.0.0.0/8", "::1"}
	if err := s.check(); err != nil {
		t.Errorf("the defaults and two proxies: %v", err)
	}
}

func TestAProcessThatStopsSaysSoBeforeItShutsTheDoor(t *testing.T) {
	s, err := newSettings()
	if err != nil {
		t.Fatal(err)
	}
	s.Database, s.Listen, s.Metrics, s.Workers, s.Drain = filepath.Join(t.TempDir(), "m.db"), "127.0.0.1:0", "", 0, 8
	ctx, stop := context.WithCancel(t.Context())
	out, told := io.Pipe()
	ended := make(chan error, 1)
	go func() { ended <- run(ctx, console{out: told, err: io.Discard}, s, true, true) }()
	base, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	stop()
	for status := http.StatusOK; status != http.StatusServiceUnavailable; {
		answer, err := http.Get(strings.TrimSpace(base) + "/readyz")
		if err != nil {
			t.Fatalf("the door is shut, and /readyz never said so: %v", err)
		}
		status = answer.StatusCode
		_ = answer.Body.Close()
	}
	if err := <-ended; err != nil {
		t.Error(err)
	}
}

func TestANewDatabaseFileIsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	db, err := openStore(t.Context(), path, nil, storeOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it has mode %v (%v), want 0600: it holds the secrets of bots", info.Mode(), err)
	}
}

func TestAScrapeTellsWhetherTheDatabaseAnswers(t *testing.T) {
	db, err := openStore(t.Context(), filepath.Join(t.TempDir(), "m.db"), nil, storeOptions{fastSync: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Migrate(t.Context()); err != nil {
		t.Fatal(err)
	}
	reg := prometheus.NewRegistry()
	watch, err := observer(reg, 3)
	if err != nil {
		t.Fatal(err)
	}
	if err := reg.Register(newPulse(db)); err != nil {
		t.Fatal(err)
	}
	watch.Delivered(true)
	watch.Delivered(false)
	watch.Swept(2, 1)
	watch.Paired("cia", 2, nil)
	watch.Paired("cia", 0, nil)
	watch.Paired("cia", 0, tournament.ErrState)
	began := time.Now().Add(-2 * time.Second)
	for _, m := range []tournament.Match{{Game: "cia", TournamentID: "x"}, {Game: "cia", LadderID: "cia"}, {Game: "cia"}} {
		m.StartedAt = &began
		watch.Started(&m)
		watch.Finished(&m, &runner.Outcome{Steps: 40})
	}
	find, err := timed(reg, catalog.Find)
	if err != nil {
		t.Fatal(err)
	}
	engine, _ := find("molehill")
	table, _, err := engine.New(nil, 2, game.Seed{1})
	if err != nil {
		t.Fatal(err)
	}
	var turns []game.Turn
	for seat := range table.Due().Each() {
		turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
	}
	if _, err := table.Apply(turns); err != nil {
		t.Fatal(err)
	}
	watch.Decided(&tournament.Match{Game: "cia"}, tournament.FaultTimeout, 0)
	scrape := func() map[string]float64 {
		families, err := reg.Gather()
		if err != nil {
			t.Fatal(err)
		}
		out := map[string]float64{}
		for _, f := range families {
			for _, m := range f.GetMetric() {
				out[f.GetName()] += m.GetGauge().GetValue() + m.GetCounter().GetValue() + float64(m.GetHistogram().GetSampleCount())
			}
		}
		return out
	}
	got := scrape()
	for name, want := range map[string]float64{
		"molerun_database_up": 1, "molerun_deliveries_total": 2, "molerun_leases_expired_total": 2, "molerun_decision_duration_seconds": 1, "molerun_schedule_lag_seconds": 0,
		"molerun_matchmaker_runs_total": 3, "molerun_matches_started_total": 3, "molerun_matches_finished_total": 3, "molerun_match_steps": 3,
		"molerun_match_duration_seconds": 3, "molerun_worker_slots": 3, "molerun_matches_running": 0, "molerun_engine_step_duration_seconds": 1,
		"molerun_schedule_missed_starts": 0, "molerun_database_connections_max": 1, "molerun_database_connections": 1,
		"molerun_database_connections_in_use": 0, "molerun_database_connection_waits_total": 0, "molerun_database_connection_wait_seconds_total": 0,
	} {
		if v, there := got[name]; !there || v != want {
			t.Errorf("%s is %v (%v), want %v", name, v, there, want)
		}
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	got = scrape()
	if v, there := got["molerun_database_up"]; !there || v != 0 {
		t.Errorf("molerun_database_up without the database is %v (%v), want 0", v, there)
	}
	if _, there := got["molerun_schedule_lag_seconds"]; there {
		t.Error("a lag is told that nobody could know")
	}
}
