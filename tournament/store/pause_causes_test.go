package store_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/pressly/goose/v3"

	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/migrations"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/archive"
)

// pausedBefore are bots as the release before wrote them, when the cause of a pause was a sentence.
var pausedBefore = []struct {
	name, status, reason, conduct string
	banned, disabled              bool // the bot; its owner
	want                          tournament.PauseCause
}{
	{name: "active", status: "active"},
	{name: "failing", status: "paused", reason: "dial tcp: refused", want: tournament.PausedByChecks},
	{name: "resting", status: "paused", reason: "paused by its owner", want: tournament.PausedByOwner},
	{name: "unbanned", status: "paused", reason: "the ban was lifted; two health checks must pass", want: tournament.PausedByChecks},
	{name: "cheat", status: "paused", reason: "banned: cheats", banned: true, want: tournament.BannedByAdmin},
	{name: "mocked", status: "paused", reason: "banned: its owner's account is disabled", banned: true, want: tournament.BannedByAdmin},
	{name: "shut", status: "paused", reason: "banned: its owner's account is disabled", banned: true, disabled: true, want: tournament.BannedByOwner},
	{name: "rough", status: "paused", reason: "banned: too many voids in its last 10 matches; ask an administrator", conduct: "voids", banned: true, want: tournament.BannedByRule},
	{name: "gone", status: "retired", reason: "paused by its owner", banned: true},
}

// writeBefore makes the bots of pausedBefore in w, whose schema is the one before.
func writeBefore(w *world) {
	w.T.Helper()
	for i, row := range pausedBefore {
		u := fmt.Sprintf("owner-%d", i)
		at := "2026-03-01 12:00:00"
		var banned, disabled *string
		if row.banned {
			banned = &at
		}
		if row.disabled {
			disabled = &at
		}
		w.Must(w.SQL(w.Ctx).Exec("INSERT INTO users (id, name, name_folded, role, created_at, disabled_at, disabled_reason) VALUES (?, ?, ?, 'owner', ?, ?, '')",
			u, u, u, at, disabled).Error)
		w.Must(w.SQL(w.Ctx).Exec("INSERT INTO bots (id, owner_id, name, name_folded, status, reason, version_id, created_at, checked_at, passes, takes_challenges, banned_at, conduct)"+
			" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 0, FALSE, ?, ?)", row.name, u, row.name, row.name, row.status, row.reason, "v-"+row.name, at, at, banned, row.conduct).Error)
	}
}

// checkCauses compares what is read now with what the sentences meant.
func checkCauses(t *testing.T, s *store.Store) {
	t.Helper()
	for _, row := range pausedBefore {
		b := must.Get(s.Bot(t.Context(), row.name))(t)
		if b.Pause != row.want {
			t.Errorf("bot %s, %s because of %q: cause %q, want %q", row.name, row.status, row.reason, b.Pause, row.want)
		}
		if b.Reason != row.reason {
			t.Errorf("bot %s: reason %q, want it as it was: %q", row.name, b.Reason, row.reason)
		}
	}
}

func TestSentencesOfTheReleaseBeforeAreReadOnceAsCauses(t *testing.T) {
	on(t, storetest.Each, func(t *testing.T, w *world) {
		p := w.migrations()
		w.Did(p.DownTo(w.Ctx, 18))
		writeBefore(w)
		w.Did(p.Up(w.Ctx))
		checkCauses(t, w.Store)
		if err := w.SQL(w.Ctx).Exec("UPDATE bots SET pause_cause = 'paused by its owner'").Error; err == nil {
			t.Error("a sentence is taken for a cause")
		}
	})
}

func TestABackupKnowsTheCausesOfPauses(t *testing.T) {
	w := elsewhere(t)
	writeBefore(w)
	updates := must.Get(migrations.Updates(18))(w.T)
	w.Must(w.SQL(w.Ctx).Exec(updates[0]).Error)
	now := lines(t, backup(t, w.Store))
	const causes = `,"pause_cause:text","unproven_at:time","trial_due:bool","failures:int","owner_paused:bool"`
	for name, file := range map[string]io.Reader{"of this release": packed(t, now), "of the release before": packed(t, relabelled(without(t, now, "bots", causes), 18))} {
		t.Run(name, func(t *testing.T) {
			all := must.Get(io.ReadAll(file))(t)
			storetest.Each(t, func(t *testing.T, to storetest.Open) {
				s := to(store.Options{})
				if _, err := archive.Restore(t.Context(), s, storetest.Engines, strings.NewReader(string(all))); err != nil {
					t.Fatal(err)
				}
				checkCauses(t, s)
			})
		})
	}
}

// An administrator's ban in the very words of another cause is no other ban.
func TestABanIsLiftedByItsCauseAndNotByItsWords(t *testing.T) {
	on(t, storetest.One, func(t *testing.T, w *world) {
		ada := w.NewUser("ada")
		b, idle := w.NewBot("fox", ada), w.NewBot("owl", ada)
		w.Did(w.BanBot(w.Ctx, b.ID, "its owner's account is disabled"))
		w.Did(w.Greet(idle.ID, "paused by its owner"))
		w.Did(w.DisableUser(w.Ctx, ada.ID, "spam"))
		w.Did(w.EnableUser(w.Ctx, ada.ID))
		if got, err := w.Bot(w.Ctx, b.ID); err != nil || got.BannedAt == nil || got.Pause != tournament.BannedByAdmin {
			t.Errorf("the bot is %+v (%v), want it banned by the administrator still", got, err)
		}
		if h, err := w.Check(idle.ID, ""); err != nil || h.Passes != 1 {
			t.Errorf("a check of a bot whose check failed with an owner's words: %+v (%v), want it counted", h, err)
		}
	})
}

func (w *world) migrations() *goose.Provider {
	w.T.Helper()
	return provider(w.T, w.Store)
}

// provider applies single migrations, and takes them back.
func provider(t *testing.T, s *store.Store) *goose.Provider {
	t.Helper()
	db := must.Get(s.SQL(t.Context()).DB())(t)
	dialect := goose.DialectSQLite3
	if s.SQL(t.Context()).Name() == "postgres" {
		dialect = goose.DialectPostgres
	}
	return must.Get(goose.NewProvider(dialect, db, migrations.Files, goose.WithDisableGlobalRegistry(true)))(t)
}
