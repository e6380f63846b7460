package store_test

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/molerun/molerun/tournament"
	"github.com/molerun/molerun/tournament/store"
)

func TestADatabaseThatGoesAwayIsToldFromAMistake(t *testing.T) {
	c, open := through(t)
	s := open(store.Options{Now: time.Now})
	if _, err := s.Ladder(t.Context(), "chess"); err == nil || store.Away(err) {
		t.Errorf("no such ladder: %v, away %v; want an error that is not", err, store.Away(err))
	}
	c.close()
	for range 3 { // the connection that was open, then new ones
		if _, err := s.Ladders(t.Context()); !store.Away(err) {
			t.Errorf("the database is gone, and %v (%T) does not say so", err, err)
		}
	}
	for code, want := range map[string]bool{"57P01": true, "57P03": true, "08006": true, "53300": true, "40001": false, "23505": false, "57014": false} {
		if err := fmt.Errorf("x: %w", &pgconn.PgError{Code: code}); store.Away(err) != want {
			t.Errorf("%s: away %v, want %v", code, !want, want)
		}
	}
	for _, err := range []error{nil, tournament.ErrNotFound, errors.New("else")} {
		if store.Away(err) {
			t.Errorf("%v says that the database is away", err)
		}
	}
}
