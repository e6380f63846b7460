package docs_test

import (
	"bytes"
	"flag"
	"image/gif"
	"os"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
)

var update = flag.Bool("update", false, "draw the pictures of the README again")

// filmWeighs is what the README's film may weigh, in bytes: whoever looks at the README waits for it.
const filmWeighs = 400_000

func TestTheFilmOfTheReadmeMovesAndIsLight(t *testing.T) {
	body, err := os.ReadFile(filepath.Join("pictures", "molehill.gif"))
	if err != nil {
		t.Fatal(err)
	}
	if len(body) > filmWeighs {
		t.Errorf("the film weighs %d bytes, want at most %d", len(body), filmWeighs)
	}
	film, err := gif.DecodeAll(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(film.Image); n < 20 {
		t.Errorf("the film has %d pictures, want a round of a match", n)
	}
	if film.LoopCount != 0 {
		t.Errorf("the film ends after %d times, want it to go on", film.LoopCount)
	}
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Contains(readme, []byte("(docs/pictures/molehill.gif)")) {
		t.Error("the README does not show the film")
	}
}

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
		if err != nil {
			t.Fatal(err)
		}
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
		if err != nil {
			t.Fatal(err)
		}
		file := filepath.Join("pictures", p.game+".svg")
		if *update {
			if err := os.WriteFile(file, svg, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if want, err := os.ReadFile(file); err != nil || !bytes.Equal(svg, want) {
			t.Errorf("%s is not what the engine draws (%v): go test ./docs -run Pictures -update, and look at it", file, err)
		}
	}
}
