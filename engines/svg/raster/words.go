package raster

import (
	"fmt"
	"strings"
	"sync"

	"github.com/go-fonts/dejavu/dejavusans"
	"github.com/go-fonts/dejavu/dejavusansbold"
	"golang.org/x/image/font"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// face is a font, with what it takes to read a letter of it.
type face struct {
	font   *sfnt.Font
	buffer sfnt.Buffer
	em     fixed.Int26_6
}

// fonts are the plain and the bold one; each is read once.
var fonts = [2]func() (*sfnt.Font, error){
	sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(dejavusans.TTF) }),
	sync.OnceValues(func() (*sfnt.Font, error) { return sfnt.Parse(dejavusansbold.TTF) }),
}

// faceOf returns a face to draw with.
func faceOf(bold bool) (*face, error) {
	parse := fonts[0]
	if bold {
		parse = fonts[1]
	}
	f, err := parse()
	if err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	return &face{font: f, em: fixed.I(int(f.UnitsPerEm()))}, nil
}

// text paints words.
func (c *canvas) text(n *node, m matrix, s style) error {
	at, err := n.some("x", "y")
	if err != nil {
		return err
	}
	f, err := faceOf(s.bold)
	if err != nil {
		return err
	}
	words := strings.TrimSpace(n.text)
	unit := s.size / float64(f.font.UnitsPerEm())
	p := pen{scale: m.scale() * unit}
	wide, err := f.write(&p, words)
	if err != nil {
		return err
	}
	x := at[0]
	switch s.anchor {
	case "middle":
		x -= wide * unit / 2
	case "end":
		x -= wide * unit
	}
	c.fill(p.lines, m.then(matrix{a: unit, d: unit, e: x, f: at[1]}), s.fill, s.opacity)
	return nil
}

// write draws words from the origin, in units of the font, and returns how wide they are.
func (f *face) write(p *pen, words string) (float64, error) {
	x, before := 0.0, sfnt.GlyphIndex(0)
	for _, letter := range words {
		glyph, err := f.font.GlyphIndex(&f.buffer, letter)
		if err != nil {
			return 0, fmt.Errorf("raster: %w", err)
		}
		if kern, err := f.font.Kern(&f.buffer, before, glyph, f.em, font.HintingNone); before > 0 && err == nil { // a font without such a pair says so by an error
			x += float64(kern) / 64
		}
		segments, err := f.font.LoadGlyph(&f.buffer, glyph, f.em, nil)
		if err != nil {
			return 0, fmt.Errorf("raster: %w", err)
		}
		p.glyph(segments, x)
		wide, err := f.font.GlyphAdvance(&f.buffer, glyph, f.em, font.HintingNone)
		if err != nil {
			return 0, fmt.Errorf("raster: %w", err)
		}
		x, before = x+float64(wide)/64, glyph
	}
	return x, nil
}

// glyph draws a letter that begins at x.
func (p *pen) glyph(segments sfnt.Segments, x float64) {
	at := func(q fixed.Point26_6) point { return point{x + float64(q.X)/64, float64(q.Y) / 64} }
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			p.lines = append(p.lines, line{at: []point{at(s.Args[0])}, closed: true})
		case sfnt.SegmentOpLineTo:
			p.to(at(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			p.quad(at(s.Args[0]), at(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			p.cubic(at(s.Args[0]), at(s.Args[1]), at(s.Args[2]))
		}
	}
}
