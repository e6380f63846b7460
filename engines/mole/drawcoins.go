package mole

import "math"

// paths draws the last flick: a ring where each coin lay before, its way, solid in the plane and dotted in the air, and an
// arrow on its longest stretch.
func (d *drawing) paths() {
	begun, longest := [1 + Mignettes]bool{}, [1 + Mignettes]float64{}
	long := func(x stroke) float64 {
		dx, dy := d.x(x.To.X)-d.x(x.From.X), d.y(x.To.Y)-d.y(x.From.Y)
		return math.Sqrt(float64(dx*dx) + float64(dy*dy))
	}
	for _, x := range d.v.strokes {
		longest[x.Coin] = max(longest[x.Coin], long(x))
		if !begun[x.Coin] {
			begun[x.Coin] = true
			d.Raw(`<circle cx="%.1f" cy="%.1f" r="%.1f" class="was"/>`, d.x(x.From.X), d.y(x.From.Y), d.size(x.Coin.radius()))
		}
	}
	for _, x := range d.v.strokes {
		class := "path"
		if x.Air {
			class = "path air"
		}
		d.Raw(`<path d="M%.1f %.1fL%.1f %.1f" class="%s"/>`, d.x(x.From.X), d.y(x.From.Y), d.x(x.To.X), d.y(x.To.Y), class)
		if l := long(x); l > 24 && l == longest[x.Coin] {
			longest[x.Coin] = -1 // one arrow is enough
			cos, sin := (d.x(x.To.X)-d.x(x.From.X))/l, (d.y(x.To.Y)-d.y(x.From.Y))/l
			d.Raw(`<path d="M-12 -9L10 0L-12 9L-6 0z" class="tip" transform="matrix(%.2f %.2f %.2f %.2f %.1f %.1f)"/>`, cos, sin, -sin, cos,
				float64((d.x(x.From.X)+d.x(x.To.X))/2), float64((d.y(x.From.Y)+d.y(x.To.Y))/2))
		}
	}
}

// coin draws a coin that lies on the board: shadow, edge and face; a ring round a protected mole; paler once it has played.
func (d *drawing) coin(k int) {
	c := d.v.Coins[k]
	if !c.Alive {
		return
	}
	r := d.size(Coin(k).radius())
	d.Raw(`<g data-piece="%s" data-at="%[1]s" transform="translate(%.1f %.1f)">`, coinNames[k], d.x(c.X), d.y(c.Y))
	defer d.EndGroup()
	d.Raw(`<ellipse cx="3" cy="5" rx="%.1f" ry="%.1f" class="shadow"/>`, r, r)
	if Coin(k) == Mole {
		if d.v.Protected {
			d.Raw(`<circle r="%.1f" class="safe"/>`, r+6)
		}
		d.Raw(`<circle r="%.1f" class="edge-mole"/><circle r="%.1f" class="fur"/>`, r, r-3)
		d.Raw(`<ellipse cy="5" rx="8" ry="6.5" fill="#8d7c74"/><circle cy="2" r="3.6" fill="#f2a0ac"/>` +
			`<circle cx="-6" cy="-5" r="2.4" fill="#fff"/><circle cx="6" cy="-5" r="2.4" fill="#fff"/><circle cx="-5.6" cy="-4.6" r="1.2"/><circle cx="5.6" cy="-4.6" r="1.2"/>`)
		return
	}
	face := "gold"
	if c.Played {
		face = "spent"
		d.Tooltip("has played")
	}
	d.Raw(`<circle r="%.1f" class="edge"/><circle r="%.1f" class="%s"/>`, r, r-2.5, face)
	d.Text(0, 7, "letter", short(coinNames[k]))
}

// gad draws a bar where the rims of the mole and a mignette that it touches meet.
func (d *drawing) gad() {
	mole := d.v.Coins[Mole]
	for _, id := range d.v.Gad {
		for _, c := range d.v.Coins[1:] {
			if c.ID == id {
				const share = float64(moleRadius) / (moleRadius + mignetteRadius) // of the way, where the rims meet
				dx, dy := d.x(c.X)-d.x(mole.X), d.y(c.Y)-d.y(mole.Y)
				d.Raw(`<path d="M%.2f %.2fl%.2f %.2f" class="gad"><title>they touch: Gad</title></path>`,
					d.x(mole.X)+float64(dx*(share-.15)), d.y(mole.Y)+float64(dy*(share-.15)), float64(dx*.3), float64(dy*.3))
			}
		}
	}
}
