package catalog_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
)

// TestAForgedStateIsRefusedOrBearsToBeLookedAtAndPlayed: the checksum fits and the header is right, but bytes of the state
// are not what a match could have.
func TestAForgedStateIsRefusedOrBearsToBeLookedAtAndPlayed(t *testing.T) {
	for _, e := range catalog.All() {
		t.Run(e.Info().ID, func(t *testing.T) {
			seats := e.Info().MinSeats
			table, _, err := e.New(nil, seats, game.Seed{1})
			gametest.Must(t, err)
			rnd := game.Stream(game.Seed{2}, 0, "forger")
			refused, taken := 0, 0
			for step := 0; step < 6 && table.Due() != 0; step++ {
				whole := table.Snapshot()
				body := whole[:len(whole)-sha256.Size]
				from := bytes.IndexByte(body, '\n') + 1
				for range 40 {
					forged := bytes.Clone(body)
					for range 1 + rnd.IntN(4) {
						forged[from+rnd.IntN(len(body)-from)] = byte(rnd.IntN(256))
					}
					sum := sha256.Sum256(forged)
					twin, err := e.Restore(append(forged, sum[:]...))
					if err == nil {
						taken++
						houseStep(t, twin)
						continue
					}
					if refused++; !errors.Is(err, game.ErrSnapshot) {
						t.Errorf("got %v, want bad_snapshot", err)
					}
				}
				houseStep(t, table)
			}
			t.Logf("%d forged states refused, %d taken", refused, taken)
			if refused == 0 {
				t.Error("no forged state was refused: the forger changes nothing that matters")
			}
		})
	}
}

// houseStep looks at a table from every seat and plays one step; a panic ends the test.
func houseStep(t *testing.T, table game.Table) {
	t.Helper()
	var turns []game.Turn
	table.View(game.Spectator)
	for seat := range game.Seat(table.Seats()) {
		table.View(seat)
		table.Offer(seat)
		if table.Due().Has(seat) {
			turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
		}
	}
	if len(turns) == 0 {
		return
	}
	if _, err := table.Apply(turns); err != nil {
		t.Errorf("the house's step: %v", err)
	}
}
