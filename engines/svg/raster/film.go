package raster

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/gif"
	"io"
	"slices"
)

// Film is a moving picture in the making: a GIF without an end, of which each picture holds only what changed.
type Film struct {
	file    gif.GIF
	colours map[color.RGBA]uint8 // where in the palette the nearest one is
	palette color.Palette        // the first is transparent: nothing changed there
	now     *image.RGBA
}

// NewFilm begins a film of a size in px. Its 255 colours are chosen for the samples, pictures of the film.
func NewFilm(size image.Point, samples ...*image.RGBA) *Film {
	f := &Film{colours: map[color.RGBA]uint8{}, palette: paletteOf(samples), now: image.NewRGBA(image.Rectangle{Max: size})}
	f.file.Config = image.Config{ColorModel: f.palette, Width: size.X, Height: size.Y}
	return f
}

// Add shows a picture for some hundredths of a second. What it is smaller than the film has the colour of its corner. A picture
// like the one before it lengthens that.
func (f *Film) Add(picture *image.RGBA, hold int) {
	next := image.NewRGBA(f.now.Bounds())
	draw.Draw(next, next.Bounds(), image.NewUniform(picture.RGBAAt(0, 0)), image.Point{}, draw.Src)
	draw.Draw(next, picture.Bounds(), picture, image.Point{}, draw.Src)
	changed := changedIn(f.now, next)
	if changed.Empty() {
		f.file.Delay[len(f.file.Delay)-1] += hold
		return
	}
	out := image.NewPaletted(changed, f.palette)
	for y := changed.Min.Y; y < changed.Max.Y; y++ {
		for x := changed.Min.X; x < changed.Max.X; x++ {
			if c := next.RGBAAt(x, y); c != f.now.RGBAAt(x, y) {
				out.SetColorIndex(x, y, f.index(c))
			}
		}
	}
	f.file.Image, f.file.Delay = append(f.file.Image, out), append(f.file.Delay, hold)
	f.file.Disposal = append(f.file.Disposal, gif.DisposalNone)
	f.now = next
}

// Len returns how many pictures the film has.
func (f *Film) Len() int { return len(f.file.Image) }

// Seconds returns how long the film is.
func (f *Film) Seconds() float64 {
	sum := 0
	for _, hold := range f.file.Delay {
		sum += hold
	}
	return float64(sum) / 100
}

// Write writes the film as a GIF.
func (f *Film) Write(w io.Writer) error {
	if err := gif.EncodeAll(w, &f.file); err != nil {
		return fmt.Errorf("raster: %w", err)
	}
	return nil
}

// index returns where the colour nearest to one is in the palette.
func (f *Film) index(c color.RGBA) uint8 {
	at, ok := f.colours[c]
	if !ok {
		at = uint8(1 + f.palette[1:].Index(c)) // of 255
		f.colours[c] = at
	}
	return at
}

// changedIn returns the least rectangle that holds all changes.
func changedIn(before, after *image.RGBA) image.Rectangle {
	var out image.Rectangle
	size := after.Bounds()
	for y := range size.Dy() {
		row := y * after.Stride
		was, is := before.Pix[row:row+4*size.Dx()], after.Pix[row:row+4*size.Dx()]
		if slices.Equal(was, is) {
			continue
		}
		low, high := 0, len(is)-1
		for was[low] == is[low] {
			low++
		}
		for was[high] == is[high] {
			high--
		}
		out = out.Union(image.Rect(low/4, y, high/4+1, y+1))
	}
	return out
}

// paletteOf chooses colours, after a transparent one: each time the one that most pixels are furthest from.
func paletteOf(samples []*image.RGBA) color.Palette {
	count, order := map[color.RGBA]int{}, []color.RGBA{}
	for _, picture := range samples {
		for i := 0; i < len(picture.Pix); i += 4 {
			c := color.RGBA{picture.Pix[i], picture.Pix[i+1], picture.Pix[i+2], 255}
			if count[c] == 0 {
				order = append(order, c)
			}
			count[c]++
		}
	}
	away := make([]int, len(order)) // the square of the way to the nearest that was chosen
	for i := range away {
		away[i] = 3 * 255 * 255
	}
	out := color.Palette{color.RGBA{}}
	for len(out) < 256 {
		best, most := -1, 0
		for i, c := range order {
			if weight := away[i] * count[c]; weight > most {
				best, most = i, weight
			}
		}
		if best < 0 {
			break
		}
		chosen := order[best]
		out = append(out, chosen)
		for i, c := range order {
			away[i] = min(away[i], distance(c, chosen))
		}
	}
	return out
}

// distance returns the square of how far colours are apart.
func distance(a, b color.RGBA) int {
	red, green, blue := int(a.R)-int(b.R), int(a.G)-int(b.G), int(a.B)-int(b.B)
	return red*red + green*green + blue*blue
}
