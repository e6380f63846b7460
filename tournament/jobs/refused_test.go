package jobs_test

import (
	"context"
	"crypto/rand"
	"database/sql"
	"path/filepath"
	"strings"
	"testing"
	"time"

	_ "github.com/jackc/pgx/v5/stdlib"
	_ "modernc.org/sqlite"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/runner"
	"github.com/molerun/molerun/tournament/store"
)

// noting is a player whose every answer carries a memo.
type noting struct {
	runner.Player
	memo string
}

func (p noting) Ask(ctx context.Context, b runner.Briefing, a runner.Ask) runner.Reply {
	r := p.Player.Ask(ctx, b, a)
	r.Memo = p.memo
	return r
}

// TestWhatTheDatabaseRefusesIsNotTriedAgain: an error of the data is our bug. The match is void with its cause after one
// attempt, nobody is asked twice, and the other matches, its replay among them, go on.
func TestWhatTheDatabaseRefusesIsNotTriedAgain(t *testing.T) {
	for _, row := range []struct {
		name, driver string
		url          func(t *testing.T) string
		memo         string
		plant, cause string
	}{
		{"postgres: a text that it cannot keep", "pgx", storetest.PostgresURL, "a\x00b", "SELECT 1", "SQLSTATE 22021"},
		{"postgres: a broken constraint", "pgx", storetest.PostgresURL, "poison", "ALTER TABLE decisions ADD CHECK (memo <> 'poison')", "SQLSTATE 23514"},
		{"postgres: the result", "pgx", storetest.PostgresURL, "", "ALTER TABLE matches ADD CHECK (replay > 0 OR ladder_seq <> 2 OR status <> 'done')", "SQLSTATE 23514"},
		{"sqlite: a trigger", "sqlite", sqliteFile, "poison", "CREATE TRIGGER no BEFORE INSERT ON decisions WHEN NEW.memo = 'poison' BEGIN SELECT RAISE(ABORT, 'planted'); END", "planted"},
		{"sqlite: the result", "sqlite", sqliteFile, "", "CREATE TRIGGER no BEFORE UPDATE ON matches WHEN NEW.ladder_seq = 2 AND NEW.replay = 0 AND NEW.status = 'done' BEGIN SELECT RAISE(ABORT, 'planted'); END", "planted"},
	} {
		t.Run(row.name, func(t *testing.T) {
			t.Parallel()
			url := row.url(t)
			s := must.Get(store.Open(t.Context(), url, store.Options{Now: time.Now, Rand: rand.Reader, MaxConns: 8, FastSync: true}))(t)
			t.Cleanup(func() { _ = s.Close() })
			must.OK(t, s.Migrate(t.Context()))
			w := liveWorld(t, s)
			db := must.Get(sql.Open(row.driver, strings.TrimPrefix(url, "sqlite:")))(w.T)
			w.Did(db.ExecContext(w.Ctx, row.plant))
			w.Must(db.Close())
			tour := w.tournament(3, `{"steps":2}`)
			b := newBots()
			c := w.config(b)
			c.Players = func(ctx context.Context, m *tournament.Match, seat game.Seat) (runner.Player, error) {
				p, err := b.player(ctx, m, seat)
				if m.LadderSeq == 2 && m.Replay == 0 && seat == 1 && row.memo != "" {
					p = noting{p, row.memo}
				}
				return p, err
			}
			stop := w.run(c)
			w.until("the end of the tournament", w.finished(tour.ID))
			stop()
			refused := 0
			for _, m := range w.matches(tour.ID) {
				want, cause := tournament.MatchDone, ""
				if m.ReplayedAs != "" {
					refused++
					want, cause = tournament.MatchVoid, row.cause
				}
				if m.Status != want || m.Epoch != 1 || !strings.Contains(m.Reason, cause) {
					t.Errorf("place %d: %s after %d attempts for %q, want %s after one for %q", m.LadderSeq, m.Status, m.Epoch, m.Reason, want, cause)
				}
			}
			must.Same(t, "matches that were refused and played again", refused, 1)
			for decision, n := range b.asked {
				if n != 1 {
					t.Errorf("decision %s was asked %d times, want once", decision, n)
				}
			}
		})
	}
}

func sqliteFile(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "molerun.db") }
