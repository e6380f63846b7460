package process

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"golang.org/x/sync/errgroup"

	"github.com/molerun/molerun/cli/command"
	"github.com/molerun/molerun/cli/settings"
	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/httpbot"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

func TestANewDatabaseFileIsForItsOwnerAlone(t *testing.T) {
	path := filepath.Join(t.TempDir(), "m.db")
	db, err := OpenStore(t.Context(), path, "", true)
	must.OK(t, err)
	defer db.Close()
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("it has mode %v (%v), want 0600: it holds the secrets of bots", info.Mode(), err)
	}
}

// What the system refuses is told with what to do, in any command that opens a file.
func TestAFileThatTheSystemRefusesSaysWhatHelps(t *testing.T) {
	dir := t.TempDir()
	for _, row := range []struct {
		err  error
		next string
	}{
		{syscall.EROFS, "mount its file system for writing"}, {syscall.EACCES, "run this as the user of the platform"}, {syscall.EPERM, "run this as the user of the platform"},
		{syscall.ENOSPC, "make room on its disk"}, {syscall.EDQUOT, "make room on its disk"}, {syscall.EIO, "check the path, and the disk under it"},
	} {
		err := withoutFile("m.db", &fs.PathError{Op: "open", Path: "m.db", Err: row.err})
		if !errors.Is(err, row.err) || !strings.Contains(err.Error(), "open m.db: ") || !strings.Contains(err.Error(), "\nnext: "+row.next) {
			t.Errorf("%v: %v; want %s", row.err, err, row.next)
		}
	}
	for path, next := range map[string]string{
		filepath.Join(dir, "no", "m.db"): "check the path, or make the folder " + filepath.Join(dir, "no"),
		dir:                              "name a file, as in sqlite:" + filepath.Join(dir, "molerun.db"),
	} {
		db, err := OpenStore(t.Context(), path, "", true)
		if err == nil || !strings.HasSuffix(err.Error(), "\nnext: "+next) {
			t.Errorf("%s: %v, %v; want %s", path, db, err, next)
		}
	}
}

// During an upgrade programs of the release before go on beside a database that is ahead of them, and start again; they say so.
func TestAProcessSaysThatANewerProgramHasMigratedItsDatabase(t *testing.T) {
	for _, newer := range []bool{false, true} {
		s, err := settings.New()
		must.OK(t, err)
		s.Database, s.Metrics = filepath.Join(t.TempDir(), "m.db"), ""
		var log bytes.Buffer
		p, err := Open(t.Context(), s, slog.New(slog.NewTextHandler(&log, nil)), Options{Makes: true, FastSync: true})
		must.OK(t, err)
		defer p.Close()
		must.OK(t, p.Store.Migrate(t.Context()))
		if newer {
			_, err := p.Store.Raw().ExecContext(t.Context(), "INSERT INTO goose_db_version (version_id, is_applied) VALUES (90000, TRUE)")
			must.OK(t, err)
		}
		if there, err := p.Await(t.Context(), false); !there || err != nil {
			t.Errorf("newer %v: it starts: %v, %v", newer, there, err)
		}
		if want := "the database has 90000, which this program does not know: run the release that migrated it"; strings.Contains(log.String(), want) != newer {
			t.Errorf("newer %v: it logs %q", newer, log.String())
		}
	}
}

// A worker that may not call the bots that the API takes would void their matches and pause them: it does not start.
func TestAWorkerOpensTheSameNetworksToBotsAsTheAPI(t *testing.T) {
	file := filepath.Join(t.TempDir(), "m.db")
	for i, row := range []struct {
		serves  bool
		private []string
		refused string // what the error says
		logged  bool
	}{
		{false, []string{"10.0.0.0/8"}, "", false}, // no API has started yet
		{true, nil, "", false},
		{true, []string{"127.0.0.9/8", "::1/128"}, "", true},
		{true, []string{"127.0.0.0/8", "::1/128"}, "", false},
		{false, []string{"::1/128", " 127.0.0.0/8", "127.0.0.1/8"}, "", false}, // the same networks
		{false, nil, "here it opens none to bots, in the process that serves 127.0.0.0/8, ::1/128", false},
		{false, []string{"127.0.0.0/8"}, "here it opens 127.0.0.0/8 to bots", false},
		{true, nil, "", true},
		{false, nil, "", false},
	} {
		s, err := settings.New()
		must.OK(t, err)
		s.Database, s.Listen, s.Metrics, s.Private = file, "127.0.0.1:0", "", row.private
		var log bytes.Buffer
		p, err := Open(t.Context(), s, slog.New(slog.NewTextHandler(&log, nil)), Options{Makes: true, FastSync: true})
		must.OK(t, err)
		ctx, stop := context.WithCancel(t.Context())
		group, serving := errgroup.WithContext(ctx)
		if row.serves {
			_, err := p.Serve(serving, group, s, nil)
			must.OK(t, err)
		}
		there, err := p.Await(serving, true)
		if there != (row.refused == "") || (err != nil) != (row.refused != "") || err != nil && (!errors.Is(err, command.ErrUsage) || !strings.Contains(err.Error(), row.refused)) {
			t.Errorf("process %d: it starts: %v, %v", i+1, there, err)
		}
		if logged := strings.Contains(log.String(), "MOLERUN_ALLOW_PRIVATE_BOTS"); logged != row.logged {
			t.Errorf("process %d: it logs %q", i+1, log.String())
		}
		stop()
		if err := errors.Join(group.Wait(), p.Close()); err != nil {
			t.Error(err)
		}
	}
}

// A worker that may not call a bot which the API took has other settings than the API: its log names the setting and the bot.
func TestAWorkerThatMayNotCallABotSaysWhichSetting(t *testing.T) {
	for _, row := range []struct {
		guard httpbot.Guard
		url   string
		may   bool
	}{
		{httpbot.Guard{}, "http://127.0.0.1:8000/", false}, {httpbot.Guard{}, "http://bot.example.org:8000/", false}, {httpbot.Guard{}, "http://bot/", false},
		{httpbot.Loopback(), "http://127.0.0.1:8000/", true}, {httpbot.Loopback(), "http://10.0.0.7:8000/", false},
	} {
		var log bytes.Buffer
		p := Process{log: slog.New(slog.NewTextHandler(&log, nil)), Bots: httpbot.NewClient(httpbot.Options{Guard: row.guard})}
		defer p.Bots.Close()
		_, err := p.reach(tournament.Version{BotID: "the-bot", URL: row.url, Secrets: []string{"whsec_" + strings.Repeat("QUJD", 8)}})
		said := strings.Contains(log.String(), "MOLERUN_ALLOW_PRIVATE_BOTS alike") && strings.Contains(log.String(), "bot=the-bot")
		if errors.Is(err, tournament.ErrBot) == row.may || said == row.may {
			t.Errorf("%s: %v, and the log %q", row.url, err, log.String())
		}
	}
}

func TestAScrapeTellsWhetherTheDatabaseAnswers(t *testing.T) {
	db, err := openStore(t.Context(), filepath.Join(t.TempDir(), "m.db"), true, store.Options{FastSync: true})
	must.OK(t, err)
	must.OK(t, db.Migrate(t.Context()))
	reg := prometheus.NewRegistry()
	watch := observer(reg, 3)
	reg.MustRegister(vitals(db))
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
	engine, _ := timed(reg, catalog.Find)("molehill")
	table, _, err := engine.New(nil, 2, game.Seed{1})
	must.OK(t, err)
	var turns []game.Turn
	for seat := range table.Due().Each() {
		turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
	}
	_, err = table.Apply(turns)
	must.OK(t, err)
	watch.Decided(&tournament.Match{Game: "cia"}, tournament.FaultTimeout, 0)
	scrape := func() map[string]float64 {
		families, err := reg.Gather()
		must.OK(t, err)
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
	must.OK(t, db.Close())
	got = scrape()
	if v, there := got["molerun_database_up"]; !there || v != 0 {
		t.Errorf("molerun_database_up without the database is %v (%v), want 0", v, there)
	}
	if _, there := got["molerun_schedule_lag_seconds"]; there {
		t.Error("a lag is told that nobody could know")
	}
}
