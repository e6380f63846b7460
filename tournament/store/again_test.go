package store_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/internal/directortest"
	"github.com/molerun/molerun/internal/must"
	"github.com/molerun/molerun/internal/storetest"
	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
	"github.com/molerun/molerun/tournament/store/database"
)

// Of what may go wrong, only that others were in the way is tried again, and not for ever. What is tried again happens once.
func TestATransactionIsTriedAgainIfOthersWereInTheWay(t *testing.T) {
	said := func(code string) error { return fmt.Errorf("a statement: %w", &pgconn.PgError{Code: code}) }
	for name, c := range map[string]struct {
		err         error
		fails, runs int
	}{
		"nothing":              {nil, 0, 1},
		"a deadlock":           {said("40P01"), 1, 2},
		"serialisation":        {said("40001"), 3, 4},
		"for ever":             {said("40001"), 100, 5},
		"another code of 40":   {said("40003"), 1, 1}, // nobody knows whether the statement was completed
		"a duplicate":          {said("23505"), 1, 1},
		"bad data":             {said("22021"), 1, 1},
		"a server that stops":  {said("57P01"), 1, 1},
		"a lost commit":        {fs.ErrClosed, 1, 1},
		"a refusal":            {tournament.ErrState, 1, 1},
		"words without a code": {errors.New("deadlock detected (SQLSTATE 40P01)"), 1, 1},
	} {
		storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
			runs := 0
			w := &world{directortest.NewWorld(t, open)}
			counted := open(store.Options{Now: w.Clock.Now, Commit: func(try int) error {
				if runs = try; try <= c.fails {
					return c.err
				}
				return nil
			}})
			d := directortest.New(counted)
			_, err := d.CreateTournament(w.Ctx, w.Draft())
			if runs != c.runs || (err == nil) != (c.fails < c.runs) || err != nil && !errors.Is(err, c.err) {
				t.Errorf("%s: %v after %d runs, want %d", name, err, runs, c.runs)
			}
			list := must.First(w.Tournaments(w.Ctx, store.TournamentFilter{Name: "cup"}, store.Page{}))(w.T)
			events := must.Get(w.Feed(w.Ctx, "", 0, 10))(w.T)
			if want := min(1, max(0, c.runs-c.fails)); len(list) != want || len(events) != want {
				t.Errorf("%s: %d tournaments and %d events, want %d", name, len(list), len(events), want)
			}
		})
	}
}

// What a request is bound to holds in each try: quota, precondition and key.
func TestConditionsHoldInEachTry(t *testing.T) {
	storetest.Each(t, func(t *testing.T, open storetest.Open) {
		w := &world{directortest.NewWorld(t, open)}
		twice := open(store.Options{Now: w.Clock.Now, Commit: storetest.Twice})
		made := 0
		for range 3 {
			_, err := directortest.New(twice.WithQuota(w.Org.ID, store.Tournaments, 2)).CreateTournament(w.Ctx, w.Draft())
			switch {
			case err == nil:
				made++
			case !errors.Is(err, tournament.ErrLimit):
				t.Error(err)
			}
		}
		if made != 2 {
			t.Errorf("made %d of two", made)
		}
		key := strings.Repeat("ab", 32)
		claim := must.Get(twice.ClaimKey(w.Ctx, key, key))(w.T)
		bot := w.NewBot("b", w.Org)
		unchanged := must.Get(twice.WithClaim(claim).WithUnchanged(w.Ctx, store.Bots, bot.ID))(w.T)
		w.Did(directortest.New(unchanged).PauseBot(w.Ctx, bot.ID))
		directortest.Refused(t, "a bot that has changed", directortest.Err(directortest.New(unchanged).PauseBot(w.Ctx, bot.ID)), tournament.ErrChanged)
		w.Must(twice.FreeKey(w.Ctx, claim))
		if _, err := twice.ClaimKey(w.Ctx, key, key); !errors.Is(err, tournament.ErrBusy) {
			t.Errorf("the key of what was carried out: %v", err)
		}
	})
}

// Whoever stops waiting is not kept by the tries that are left.
func TestNobodyWaitsForTriesWhenStopped(t *testing.T) {
	storetest.SQLite(t, func(t *testing.T, open storetest.Open) {
		ctx, cancel := context.WithCancel(t.Context())
		s := open(store.Options{Commit: func(int) error {
			cancel()
			return &pgconn.PgError{Code: database.DeadlockDetected}
		}})
		runs := 0
		if err := s.InTx(ctx, func(*store.Tx) error { runs++; return nil }); err == nil || runs != 1 {
			t.Errorf("%v after %d runs", err, runs)
		}
	})
}
