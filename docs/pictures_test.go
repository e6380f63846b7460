package docs_test

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/must"
)

var update = flag.Bool("update", false, "draw the pictures of the README again, and write the examples of the rules")

func TestThePicturesAreWhatTheEnginesDraw(t *testing.T) {
	for _, p := range []struct {
		game  string
		seats int
		steps int
		mole  bool // seen from the seat of a mole; else a spectator's view
	}{
		{"demol", 7, 11, true},
		{"molemajority", 3, 110, false},
	} {
		engine, _ := catalog.Find(p.game)
		table, _, err := engine.New(nil, p.seats, game.Seed{2})
		must.OK(t, err)
		for table.Step() < p.steps {
			var turns []game.Turn
			for seat := range table.Due().Each() {
				turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
			}
			if _, err := table.Apply(turns); err != nil {
				t.Fatalf("%s is over after %d steps: choose another seed: %v", p.game, table.Step(), err)
			}
		}
		seat := game.Spectator
		for i, team := range table.Teams() {
			if p.mole && team == "mole" {
				seat = game.Seat(i)
				break
			}
		}
		svg, err := table.Draw(seat, nil)
		must.OK(t, err)
		file := filepath.Join("pictures", p.game+".svg")
		if *update {
			must.OK(t, os.WriteFile(file, svg, 0o644))
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(svg, want) {
			t.Errorf("%s is not what the engine draws (%v): go test ./docs -run Pictures -update, and look at it", file, err)
		}
	}
}
