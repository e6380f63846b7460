package raster

import (
	"fmt"
	"image"
	"image/color"
	"math"
)

var black = color.RGBA{A: 255}

// source returns what a paint looks like.
func (c *canvas) source(p paint, m matrix, opacity float64) image.Image {
	if p.pattern != "" {
		if tile, ok := c.patterns[p.pattern]; ok {
			return tiled{tile, m.back()}
		}
	}
	part := func(x uint8) uint8 { return uint8(math.Round(float64(x) * opacity)) }
	return image.NewUniform(color.RGBA{part(p.colour.R), part(p.colour.G), part(p.colour.B), part(p.colour.A)})
}

// pattern is a tile that is laid side by side.
type pattern struct {
	pixels        *image.RGBA
	width, height float64 // in units
}

// fine is how many pixels of a pattern are in a unit.
const fine = 4

// define keeps the patterns of a drawing.
func (c *canvas) define(n *node) error {
	for _, child := range n.children {
		if child.name != "pattern" {
			return fmt.Errorf("raster: definition <%s>", child.name)
		}
		size, err := child.some("width", "height")
		if err != nil {
			return err
		}
		if min(size[0], size[1]) < 1 || max(size[0], size[1]) > maxSide/fine {
			return fmt.Errorf("raster: a pattern of %v", size)
		}
		tile := canvas{pixels: image.NewRGBA(image.Rect(0, 0, int(size[0]*fine), int(size[1]*fine))), sheet: c.sheet}
		if err := tile.children(child, matrix{a: fine, d: fine}, begin); err != nil {
			return err
		}
		c.patterns[child.attrs["id"]] = &pattern{tile.pixels, size[0], size[1]}
	}
	return nil
}

// tiled is a plane of tiles, by pixels of the picture.
type tiled struct {
	*pattern
	toUnits matrix
}

// ColorModel is that of a picture.
func (t tiled) ColorModel() color.Model { return color.RGBAModel }

// Bounds is everywhere.
func (t tiled) Bounds() image.Rectangle { return image.Rect(-1e9, -1e9, 1e9, 1e9) }

// At returns the colour of a pixel.
func (t tiled) At(x, y int) color.Color {
	at := t.toUnits.of(point{float64(x) + .5, float64(y) + .5})
	within := func(x, size float64) int { return int((x - math.Floor(x/size)*size) * fine) }
	return t.pixels.RGBAAt(within(at.x, t.width), within(at.y, t.height))
}
