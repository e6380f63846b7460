package pictures

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"strings"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

// CardWidth and CardHeight are the size of a card in px: what services that show links expect.
const CardWidth, CardHeight = 1200, 630

// Card says what is written on a picture for links.
type Card struct {
	Title string
	Words string // a sentence or two
}

// All measures are in px.
const (
	edge       = 72
	bar        = 24
	titleSize  = 64
	wordsSize  = 36
	titleLines = 3
	wordsLines = 4
)

var (
	paper = color.RGBA{0xf7, 0xf3, 0xe6, 0xff}
	earth = color.RGBA{0x5a, 0x3d, 0x22, 0xff}
	ink   = color.RGBA{0x26, 0x22, 0x1a, 0xff}
)

// PNG returns the card as a file. Words that do not fit end in an ellipsis.
func (c Card) PNG() ([]byte, error) {
	title, err := newFace(gobold.TTF, titleSize)
	if err != nil {
		return nil, err
	}
	words, err := newFace(goregular.TTF, wordsSize)
	if err != nil {
		return nil, err
	}
	picture := image.NewRGBA(image.Rect(0, 0, CardWidth, CardHeight))
	draw.Draw(picture, picture.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.Draw(picture, image.Rect(0, 0, CardWidth, bar), image.NewUniform(earth), image.Point{}, draw.Src)
	y := bar + edge/2
	for _, line := range wrap(title, c.Title, titleLines) {
		y += titleSize * 6 / 5
		write(picture, title, earth, y, line)
	}
	y += wordsSize
	for _, line := range wrap(words, c.Words, wordsLines) {
		y += wordsSize * 7 / 5
		write(picture, words, ink, y, line)
	}
	write(picture, words, earth, CardHeight-edge/2, "molerun")
	var out bytes.Buffer
	if err := png.Encode(&out, picture); err != nil {
		return nil, fmt.Errorf("pictures: %w", err)
	}
	return out.Bytes(), nil
}

func newFace(file []byte, size float64) (font.Face, error) {
	f, err := opentype.Parse(file)
	if err != nil {
		return nil, fmt.Errorf("pictures: %w", err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72}) // at 72 dpi a point is a pixel
	if err != nil {
		return nil, fmt.Errorf("pictures: %w", err)
	}
	return face, nil
}

func write(picture draw.Image, face font.Face, ink color.Color, y int, line string) {
	d := font.Drawer{Dst: picture, Src: image.NewUniform(ink), Face: face, Dot: fixed.P(edge, y)}
	d.DrawString(line)
}

// wrap breaks text into lines that fit between the edges, at most so many; the last is cut.
func wrap(face font.Face, text string, most int) []string {
	var out []string
	for _, word := range strings.Fields(text) {
		last := len(out) - 1
		if last >= 0 && (fits(face, out[last]+" "+word) || len(out) == most) {
			out[last] += " " + word
			continue
		}
		out = append(out, word)
	}
	for i, line := range out {
		out[i] = cut(face, line)
	}
	return out
}

func fits(face font.Face, line string) bool {
	return font.MeasureString(face, line) <= fixed.I(CardWidth-2*edge)
}

// cut returns a line that fits. A title may be long, so the letters are measured one by one from the beginning instead of all of
// them again for each that is left out.
func cut(face font.Face, line string) string {
	if fits(face, line) {
		return line
	}
	room := fixed.I(CardWidth-2*edge) - font.MeasureString(face, "…")
	for i, letter := range line {
		wide, _ := face.GlyphAdvance(letter)
		if room -= wide; room < 0 {
			return strings.TrimSpace(line[:i]) + "…"
		}
	}
	return line
}
