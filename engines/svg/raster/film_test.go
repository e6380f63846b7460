package raster_test

import (
	"bytes"
	"image"
	"image/draw"
	"image/gif"
	"testing"

	"github.com/molerun/molerun/engines/svg/raster"
)

func TestAFilmHoldsEveryPictureAndWhatChanged(t *testing.T) {
	var pictures []*image.RGBA
	for _, marks := range []string{
		`<rect x="10" y="10" width="10" height="10" fill="#f00"/>`,
		`<rect x="20" y="10" width="10" height="10" fill="#f00"/>`,
		`<rect x="20" y="10" width="10" height="10" fill="#f00"/>`,
		`<circle cx="20" cy="20" r="9" fill="#123456"/><text x="4" y="38">Words</text>`,
	} {
		picture, err := raster.Draw(paper("", marks), raster.Look{})
		if err != nil {
			t.Fatal(err)
		}
		pictures = append(pictures, picture)
	}
	film := raster.NewFilm(image.Pt(50, 40), pictures...)
	for _, picture := range pictures {
		film.Add(picture, 50)
	}
	if film.Len() != 3 || film.Seconds() != 2 {
		t.Errorf("got %d pictures of %g s in all, want 3 of 2 s: two are alike", film.Len(), film.Seconds())
	}
	var file bytes.Buffer
	if err := film.Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := gif.DecodeAll(&file)
	if err != nil {
		t.Fatal(err)
	}
	if want := image.Rect(10, 10, 30, 20); got.Image[1].Bounds() != want {
		t.Errorf("the second picture holds %v, want what changed, %v", got.Image[1].Bounds(), want)
	}
	if got.Delay[1] != 100 {
		t.Errorf("the second is shown for %d, want 100: its and that of the one like it", got.Delay[1])
	}
	screen := image.NewRGBA(image.Rect(0, 0, 50, 40))
	for i, want := range []*image.RGBA{pictures[0], pictures[1], pictures[3]} {
		draw.Draw(screen, got.Image[i].Bounds(), got.Image[i], got.Image[i].Bounds().Min, draw.Over)
		if at := firstApart(screen, want); at != nil {
			t.Errorf("picture %d: pixel %v is %s, want %s", i, at, hex(screen.At(at.X, at.Y)), hex(want.At(at.X, at.Y)))
		}
		if c := hex(screen.At(45, 20)); c != white {
			t.Errorf("picture %d: beside the drawing is %s, want the colour of its corner", i, c)
		}
	}
}

// firstApart returns the first pixel of want that is another in got.
func firstApart(got, want *image.RGBA) *image.Point {
	for y := range want.Bounds().Dy() {
		for x := range want.Bounds().Dx() {
			if got.RGBAAt(x, y) != want.RGBAAt(x, y) {
				return &image.Point{X: x, Y: y}
			}
		}
	}
	return nil
}
