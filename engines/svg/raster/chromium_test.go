package raster_test

import (
	"bytes"
	"fmt"
	"image"
	"image/png"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/molerun/molerun/engines/svg/raster"
)

// How far a picture may be from Chromium's of the same drawing: of the colours, of 255, on the mean of all pixels; and the
// part of the pixels, in percent, that are off by more than a quarter. They were 1.3 and 0.3 at most: edges of letters.
const (
	meanApart = 2
	farApart  = .6
)

// Chromium paints every drawing as we do: one of them, or, at night, every game at its begin, in its middle and at its end.
func TestChromiumPaintsTheSame(t *testing.T) {
	dir, nightly := t.TempDir(), os.Getenv("MOLERUN_NIGHTLY") == "1"
	steps := []int{30}
	if nightly {
		steps = []int{0, 30, 10_000}
	}
	eachBoard(t, steps, func(name string, drawing []byte) {
		if name != "molehill at step 30" && !nightly {
			return
		}
		ours, err := raster.Draw(drawing, raster.Look{})
		if err != nil {
			t.Fatal(err)
		}
		theirs := chromium(t, dir, drawing, ours.Bounds())
		mean, far := apart(ours, theirs)
		t.Logf("%s: %.2f of 255 on the mean, %.2f %% far", name, mean, far)
		if mean > meanApart {
			t.Errorf("%s: the colours are %.2f apart on the mean, want at most %d", name, mean, meanApart)
		}
		if far > farApart {
			t.Errorf("%s: %.2f %% of the pixels are far from Chromium's, want at most %.1f", name, far, farApart)
		}
	})
}

func chromium(t *testing.T, dir string, drawing []byte, size image.Rectangle) image.Image {
	t.Helper()
	from, to := filepath.Join(dir, "board.svg"), filepath.Join(dir, "board.png")
	if err := os.WriteFile(from, drawing, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--user-data-dir="+dir,
		fmt.Sprintf("--window-size=%d,%d", size.Dx(), size.Dy()), "--screenshot="+to, "file://"+from).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	file, err := os.ReadFile(to)
	if err != nil {
		t.Fatal(err)
	}
	picture, err := png.Decode(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	return picture
}

// apart returns how far two pictures are apart: on the mean of all pixels, of 255, and the pixels that are far apart, in percent.
func apart(a, b image.Image) (mean, far float64) {
	size := a.Bounds()
	for y := range size.Dy() {
		for x := range size.Dx() {
			ar, ag, ab, _ := a.At(x, y).RGBA()
			br, bg, bb, _ := b.At(x, y).RGBA()
			one := 0.0
			for _, pair := range [][2]uint32{{ar, br}, {ag, bg}, {ab, bb}} {
				one += float64(max(pair[0], pair[1])-min(pair[0], pair[1])) / 257 / 3
			}
			mean += one
			if one > 64 {
				far++
			}
		}
	}
	pixels := float64(size.Dx() * size.Dy())
	return mean / pixels, 100 * far / pixels
}
