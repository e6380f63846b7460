package cli_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
)

// screens are the pictures of a film as they are seen, one after the other.
func screens(t *testing.T, file string) (*gif.GIF, [][]byte) {
	t.Helper()
	body, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	film, err := gif.DecodeAll(bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	screen := image.NewRGBA(image.Rect(0, 0, film.Config.Width, film.Config.Height))
	var out [][]byte
	for _, picture := range film.Image {
		draw.Draw(screen, picture.Bounds(), picture, picture.Bounds().Min, draw.Over)
		out = append(out, slices.Clone(screen.Pix))
	}
	return film, out
}

func TestAFilmShowsEveryStepOfARecord(t *testing.T) {
	for _, e := range catalog.All() {
		out := filepath.Join(t.TempDir(), "film.gif")
		code, _, errs := call("", "replay", "film", record(e.Info().ID, "base"), "--from", "3", "--to", "10", "--seconds", "0.5", "--width", "100", "--out", out)
		if code != 0 {
			t.Errorf("%s: exit code %d: %s", e.Info().ID, code, errs)
			continue
		}
		film, seen := screens(t, out)
		if n := len(film.Image); n < 4 || n > 8 {
			t.Errorf("%s: got %d pictures, want one for each of the 8 steps that changes something", e.Info().ID, n)
		}
		if film.Config.Width != 100 {
			t.Errorf("%s: got a width of %d, want 100", e.Info().ID, film.Config.Width)
		}
		long := 0
		for i, hold := range film.Delay {
			if long += hold; i > 0 && bytes.Equal(seen[i], seen[i-1]) {
				t.Errorf("%s: picture %d is the one before it", e.Info().ID, i)
			}
		}
		if last := film.Delay[len(film.Delay)-1]; long < 12*50 || last < 5*50 {
			t.Errorf("%s: %d hundredths of a second, the last %d; want at least 12 times half a second, the last 5 of them", e.Info().ID, long, last)
		}
		if !strings.Contains(errs, out+": ") || !strings.Contains(errs, " kB") {
			t.Errorf("%s: %q does not say how large the film is", e.Info().ID, errs)
		}
	}
}

func TestAFilmIsWhatItsSeatSaw(t *testing.T) {
	var first [2][]byte
	for i, seat := range []string{"-1", "0"} {
		out := filepath.Join(t.TempDir(), "film.gif")
		if code, _, errs := call("", "replay", "film", record("demol", "base"), "--seat", seat, "--to", "1", "--width", "200", "--out", out); code != 0 {
			t.Fatal(errs)
		}
		_, seen := screens(t, out)
		first[i] = seen[0]
	}
	if bytes.Equal(first[0], first[1]) {
		t.Error("a spectator's film is that of a seat that knows its role")
	}
}

func TestWhatIsWrongWithAFilmIsSaidAtOnce(t *testing.T) {
	out := filepath.Join(t.TempDir(), "film.gif")
	code, _, errs := call("", "replay", "film", record("molehill", "base"), "--seat", "7", "--from", "9", "--to", "8", "--seconds", "NaN", "--width", "99", "--out", out)
	if code != 2 {
		t.Errorf("exit code %d, want 2", code)
	}
	for _, flag := range []string{"--seat 7", "--from 9 --to 8", "--seconds NaN", "--width 99"} {
		if !strings.Contains(errs, flag) {
			t.Errorf("%q does not name %s", errs, flag)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("there is a film all the same")
	}
}
