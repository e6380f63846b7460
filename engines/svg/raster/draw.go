package raster

import (
	"bytes"
	"fmt"
	"image"
	"image/draw"
	"image/png"
	"math"

	"golang.org/x/image/vector"
)

// maxSide is the most pixels that a picture is wide or high.
const maxSide = 4096

// Look is how a drawing becomes a picture.
type Look struct {
	Width int  // px; 0: as many as the drawing has units
	Dark  bool // the dark colours of the drawing
}

// Draw paints a drawing. It fails for anything that is no drawing of ours, or would be larger than MaxSide.
func Draw(drawing []byte, look Look) (*image.RGBA, error) {
	top, err := treeOf(drawing)
	if err != nil {
		return nil, err
	}
	size, scale, err := look.size(top)
	if err != nil {
		return nil, err
	}
	c := &canvas{pixels: image.NewRGBA(image.Rectangle{Max: size}), dark: look.Dark}
	if err := c.document(top, matrix{a: scale, d: scale}, begin); err != nil {
		return nil, err
	}
	return c.pixels, nil
}

// Size returns how large the picture of a drawing is, in px. It fails where [Draw] would for the size.
func Size(drawing []byte, look Look) (image.Point, error) {
	top, err := treeOf(drawing)
	if err != nil {
		return image.Point{}, err
	}
	size, _, err := look.size(top)
	return size, err
}

// size returns how large a picture is, and how many pixels a unit is long.
func (l Look) size(top *node) (image.Point, float64, error) {
	wide, high, err := top.viewBox()
	if err != nil {
		return image.Point{}, 0, err
	}
	scale := 1.0
	if l.Width > 0 {
		scale = float64(l.Width) / wide
	}
	size := image.Pt(int(math.Round(wide*scale)), int(math.Round(high*scale)))
	if max(size.X, size.Y) > maxSide {
		return image.Point{}, 0, fmt.Errorf("raster: %d × %d pixels, at most %d are drawn", size.X, size.Y, maxSide)
	}
	return size, scale, nil
}

// PNG returns a drawing as a PNG file.
func PNG(drawing []byte, look Look) ([]byte, error) {
	picture, err := Draw(drawing, look)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := png.Encode(&b, picture); err != nil {
		return nil, fmt.Errorf("raster: %w", err)
	}
	return b.Bytes(), nil
}

// begin is the style that all begins with.
var begin = style{fill: paint{colour: black, some: true}, width: 1, size: 16}

// canvas is a picture in the making.
type canvas struct {
	pixels   *image.RGBA
	dark     bool
	sheet    []rule
	patterns map[string]*pattern
	vector   vector.Rasterizer
}

// document paints a drawing, or one within another, with a style of its own.
func (c *canvas) document(n *node, m matrix, s style) error {
	inner := canvas{pixels: c.pixels, dark: c.dark, patterns: map[string]*pattern{}}
	for _, child := range n.children {
		if child.name == "style" {
			sheet, err := sheetOf(child.text, c.dark)
			if err != nil {
				return err
			}
			inner.sheet = sheet
		}
	}
	return inner.children(n, m, s)
}

func (c *canvas) children(n *node, m matrix, s style) error {
	for _, child := range n.children {
		if err := c.element(child, m, s); err != nil {
			return err
		}
	}
	return nil
}

// element paints an element and all in it.
func (c *canvas) element(n *node, m matrix, outer style) error {
	switch n.name {
	case "title", "desc", "style":
		return nil
	case "defs":
		return c.define(n)
	case "svg":
		return c.inner(n, m, outer)
	}
	s, err := styleOf(n, outer, c.sheet)
	if err != nil {
		return err
	}
	if m, err = m.transformed(n.attrs["transform"]); err != nil {
		return err
	}
	switch n.name {
	case "g":
		if s.opacity != 1 {
			return fmt.Errorf("raster: a group with an opacity")
		}
		return c.children(n, m, s)
	case "text":
		return c.text(n, m, s)
	}
	p := pen{scale: m.scale()}
	if err := p.shape(n); err != nil {
		return err
	}
	c.fill(p.lines, m, s.fill, s.opacity)
	if s.stroke.some && s.width > 0 {
		c.fill(strokeOf(p.lines, s, p.scale), m, s.stroke, s.opacity)
	}
	return nil
}

// inner paints a drawing within another, as large as it fits its place, in the middle.
func (c *canvas) inner(n *node, m matrix, s style) error {
	place, err := n.some("x", "y", "width", "height")
	if err != nil {
		return err
	}
	wide, high, err := n.viewBox()
	if err != nil {
		return err
	}
	scale := min(place[2]/wide, place[3]/high)
	x, y := place[0]+(place[2]-wide*scale)/2, place[1]+(place[3]-high*scale)/2
	return c.document(n, m.then(matrix{a: scale, d: scale, e: x, f: y}), s)
}

// shape is the outline of an element.
func (p *pen) shape(n *node) error {
	switch n.name {
	case "rect":
		a, err := n.some("x", "y", "width", "height", "rx")
		if err == nil {
			p.rect(a[0], a[1], a[2], a[3], a[4])
		}
		return err
	case "circle":
		a, err := n.some("cx", "cy", "r")
		if err == nil {
			p.ellipse(point{a[0], a[1]}, a[2], a[2])
		}
		return err
	case "ellipse":
		a, err := n.some("cx", "cy", "rx", "ry")
		if err == nil {
			p.ellipse(point{a[0], a[1]}, a[2], a[3])
		}
		return err
	case "polygon":
		a, err := numbers(n.attrs["points"])
		if err != nil || len(a) < 4 || len(a)%2 > 0 {
			return fmt.Errorf("raster: polygon %q", n.attrs["points"])
		}
		l := line{closed: true}
		for i := 0; i < len(a); i += 2 {
			l.at = append(l.at, point{a[i], a[i+1]})
		}
		p.lines = append(p.lines, l)
		return nil
	case "path":
		return p.follow(n.attrs["d"])
	}
	return fmt.Errorf("raster: element <%s>", n.name)
}

// fill paints what lies within some outlines.
func (c *canvas) fill(lines []line, m matrix, p paint, opacity float64) {
	if !p.some || opacity == 0 {
		return
	}
	low, high := point{math.Inf(1), math.Inf(1)}, point{math.Inf(-1), math.Inf(-1)}
	for _, l := range lines {
		for _, at := range l.at {
			at = m.of(at)
			low = point{min(low.x, at.x), min(low.y, at.y)}
			high = point{max(high.x, at.x), max(high.y, at.y)}
		}
	}
	box := image.Rect(int(max(low.x, 0)), int(max(low.y, 0)), int(math.Ceil(min(high.x, maxSide))), int(math.Ceil(min(high.y, maxSide)))).Intersect(c.pixels.Bounds())
	if box.Empty() {
		return
	}
	c.vector.Reset(box.Dx(), box.Dy())
	origin := point{float64(box.Min.X), float64(box.Min.Y)}
	for _, l := range lines {
		for i, at := range l.at {
			at = m.of(at).minus(origin)
			if i == 0 {
				c.vector.MoveTo(float32(at.x), float32(at.y))
			} else {
				c.vector.LineTo(float32(at.x), float32(at.y))
			}
		}
		c.vector.ClosePath()
	}
	c.vector.DrawOp = draw.Over
	c.vector.Draw(c.pixels, box, c.source(p, m, opacity), box.Min)
}
