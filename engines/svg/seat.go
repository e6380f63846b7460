package svg

import (
	"fmt"
	"slices"
)

// Name returns what a seat is called in a drawing: by names, or by its number where they have none.
func Name(names []string, seat int) string {
	if seat >= 0 && seat < len(names) && names[seat] != "" {
		return names[seat]
	}
	return fmt.Sprintf("seat %d", seat)
}

// Addressed returns the seat that a drawing speaks to, whose name is "you"; -1 if it speaks to nobody.
func Addressed(names []string) int { return slices.Index(names, "you") }

// colours counts the colours of seats; together with the numbers they distinguish ten seats.
const colours = 8

// Token draws the token of a seat, 32 units wide, round a place: its colour, its shape and a mark of one or two letters.
func (d *Document) Token(seat, x, y int, mark string) {
	d.Raw(`<g transform="translate(%d %d)">%s`, x, y, shape(seat))
	d.Text(0, 7, "b m on", mark)
	d.EndGroup()
}

// shape returns the outline of a token: a disc, a square, a hexagon or an octagon, from the fifth seat on with a ring in it.
func shape(seat int) string {
	class := fmt.Sprintf("seat seat%d", seat%colours)
	out := [...]string{
		`<circle r="16" class="%s"/>`,
		`<rect x="-15" y="-15" width="30" height="30" rx="4" class="%s"/>`,
		`<polygon points="0,-18 16,-9 16,9 0,18 -16,9 -16,-9" class="%s"/>`,
		`<polygon points="-7,-17 7,-17 17,-7 17,7 7,17 -7,17 -17,7 -17,-7" class="%s"/>`,
	}[seat%4]
	out = fmt.Sprintf(out, class)
	if seat%colours >= 4 {
		out += `<circle r="13" class="ring"/>`
	}
	return out
}

// Plate draws a name plate: the token of a seat and its name, cut to fit. A plate that is due has a bold edge.
func (d *Document) Plate(x, y, width, height, seat int, mark, name string, due bool) {
	class := "plate"
	if due {
		class = "plate due"
	}
	d.Raw(`<rect x="%d" y="%d" width="%d" height="%d" rx="10" class="%s"/>`, x, y, width, height, class)
	d.Token(seat, x+23, y+23, mark)
	d.Text(x+46, y+30, "b", Fit(name, width-52, 20))
}
