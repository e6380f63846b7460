package raster_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/svg/raster"
)

// paper returns a drawing of 40 × 40 units with a white ground.
func paper(style, marks string) []byte {
	return []byte(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 40 40" class="toy"><style>` + style +
		"\n@media screen and (prefers-color-scheme:dark){\n.toy .a{fill:#0000ff}}</style>" +
		`<rect width="40" height="40" fill="#fff"/>` + marks + `</svg>`)
}

const (
	white = "ffffff"
	red   = "ff0000"
	green = "00ff00"
	blue  = "0000ff"
)

func hex(c color.Color) string {
	r, g, b, _ := c.RGBA()
	return fmt.Sprintf("%02x%02x%02x", r>>8, g>>8, b>>8)
}

func TestWhatADrawingSaysIsPainted(t *testing.T) {
	for _, row := range []struct {
		name, style, marks string
		want               map[image.Point]string
	}{
		{"a fill", "", `<rect x="10" y="10" width="20" height="20" fill="#f00"/>`, map[image.Point]string{{9, 9}: white, {10, 10}: red, {29, 29}: red, {30, 30}: white}},
		{"a class goes before an attribute", "\n.toy .a{fill:#ff0000}", `<rect width="40" height="40" class="a" fill="#0f0"/>`, map[image.Point]string{{20, 20}: red}},
		{"a class goes before an element", "\n.toy .a{fill:#ff0000}\n.toy rect{fill:#00ff00}", `<rect width="40" height="40" class="a"/>`, map[image.Point]string{{20, 20}: red}},
		{"a group hands on its style", "\n.toy .b{fill:#ff0000}", `<g class="b"><rect width="40" height="40"/></g>`, map[image.Point]string{{20, 20}: red}},
		{"nothing", "", `<circle cx="20" cy="20" r="10" fill="none"/>`, map[image.Point]string{{20, 20}: white}},
		{"a circle", "", `<circle cx="20" cy="20" r="10" fill="#f00"/>`, map[image.Point]string{{20, 11}: red, {12, 12}: white, {20, 20}: red}},
		{"an ellipse", "", `<ellipse cx="20" cy="20" rx="18" ry="5" fill="#f00"/>`, map[image.Point]string{{4, 20}: red, {20, 10}: white}},
		{"round corners", "", `<rect width="40" height="40" rx="20" fill="#f00"/>`, map[image.Point]string{{2, 2}: white, {38, 38}: white, {20, 1}: red}},
		{"a polygon", "", `<polygon points="0,0 40,0 0,40" fill="#f00"/>`, map[image.Point]string{{5, 5}: red, {35, 35}: white}},
		{"lines of a path, near and far", "", `<path d="M10 10h20v20h-20zM2 2L8 2V8H2Z" fill="#f00"/>`, map[image.Point]string{{20, 20}: red, {4, 4}: red, {9, 9}: white}},
		{"a quadratic curve", "", `<path d="M0 40Q20 -40 40 40z" fill="#f00"/>`, map[image.Point]string{{20, 5}: red, {4, 5}: white}},
		{"a smooth quadratic curve", "", `<path d="M0 20q10 -20 20 0t20 0" fill="#f00"/>`, map[image.Point]string{{10, 15}: red, {30, 25}: red, {30, 15}: white}},
		{"a cubic curve and a smooth one", "", `<path d="M0 40C0 0 20 0 20 20S40 40 40 0V40z" fill="#f00"/>`, map[image.Point]string{{10, 20}: red, {38, 20}: red, {24, 20}: white}},
		{"an arc", "", `<path d="M10 20A10 10 0 1 1 30 20z" fill="#f00"/>`, map[image.Point]string{{20, 12}: red, {20, 25}: white}},
		{"a large arc", "", `<path d="M20 10A10 10 0 1 0 30 20" fill="#f00"/>`, map[image.Point]string{{14, 24}: red, {27, 13}: white}},
		{"a stroke", "", `<path d="M0 20H40" stroke="#f00" stroke-width="10"/>`, map[image.Point]string{{20, 16}: red, {20, 24}: red, {20, 14}: white}},
		{"no cap", "", `<path d="M10 20H30" stroke="#f00" stroke-width="10"/>`, map[image.Point]string{{8, 20}: white, {11, 20}: red}},
		{"round caps", "", `<path d="M10 20H30" stroke="#f00" stroke-width="10" stroke-linecap="round"/>`, map[image.Point]string{{6, 20}: red, {33, 20}: red, {5, 16}: white}},
		{"a dot", "", `<path d="M20 20h0" stroke="#f00" stroke-width="20" stroke-linecap="round"/>`, map[image.Point]string{{20, 12}: red}},
		{"a move is no dot", "", `<path d="M20 20m10 0h5" stroke="#f00" stroke-width="8" stroke-linecap="round"/>`, map[image.Point]string{{20, 20}: white, {32, 20}: red}},
		{"a sharp corner", "", `<path d="M0 10H30V40" fill="none" stroke="#f00" stroke-width="10"/>`, map[image.Point]string{{34, 6}: red}},
		{"a round corner", "", `<path d="M0 10H30V40" fill="none" stroke="#f00" stroke-width="10" stroke-linejoin="round"/>`, map[image.Point]string{{34, 6}: white, {32, 8}: red}},
		{"a corner that would stand out too far", "", `<path d="M0 18L30 20L0 22" fill="none" stroke="#f00" stroke-width="4"/>`, map[image.Point]string{{35, 20}: white}},
		{"a closed stroke", "", `<path d="M10 10H30V30H10z" fill="none" stroke="#f00" stroke-width="4"/>`, map[image.Point]string{{8, 8}: red, {10, 20}: red, {20, 20}: white}},
		{"dashes", "", `<path d="M0 20H40" stroke="#f00" stroke-width="10" stroke-dasharray="10 10"/>`, map[image.Point]string{{5, 20}: red, {15, 20}: white, {25, 20}: red, {35, 20}: white}},
		{"moved, turned, large", "", `<rect x="-5" width="10" height="5" fill="#f00" transform="translate(20 20) rotate(90) scale(2)"/>`, map[image.Point]string{{15, 12}: red, {15, 28}: red, {25, 20}: white}},
		{"a matrix", "", `<rect width="10" height="10" fill="#f00" transform="matrix(0 1 -1 0 40 0)"/>`, map[image.Point]string{{35, 5}: red, {5, 5}: white}},
		{"half of it shines through", "", `<rect width="40" height="40" fill="#000" opacity=".5"/>`, map[image.Point]string{{20, 20}: "7f7f7f"}},
		{"a pattern", "", `<defs><pattern id="p" width="20" height="20" patternUnits="userSpaceOnUse"><rect width="20" height="20" fill="#0f0"/><rect width="10" height="20" fill="#f00"/></pattern></defs>` +
			`<rect width="40" height="40" fill="url(#p)"/>`, map[image.Point]string{{5, 5}: red, {15, 5}: green, {25, 5}: red, {35, 35}: green}},
		{"over the edge", "", `<circle cx="0" cy="0" r="20" fill="#f00"/><circle cx="45" cy="45" r="20" fill="#f00"/><circle cx="90" cy="20" r="20" fill="#f00"/>`, map[image.Point]string{{1, 1}: red, {39, 39}: red, {39, 20}: white}},
		{"a drawing in a drawing, with a style of its own", "\n.toy .b{fill:#00ff00}",
			`<svg x="20" y="0" width="20" height="40" viewBox="0 0 10 10"><style>` + "\n.in .b{fill:#ff0000}" + `</style><rect width="10" height="10" class="b"/></svg><rect width="5" height="5" class="b"/>`,
			map[image.Point]string{{2, 2}: green, {22, 20}: red, {38, 20}: red, {30, 5}: white, {30, 35}: white}},
	} {
		got, err := raster.Draw(paper(row.style, row.marks), raster.Look{})
		if err != nil {
			t.Errorf("%s: %v", row.name, err)
			continue
		}
		for at, want := range row.want {
			if c := hex(got.At(at.X, at.Y)); c != want {
				t.Errorf("%s: pixel %v is %s, want %s", row.name, at, c, want)
			}
		}
	}
}

func TestDarkColoursAreTakenWhenAsked(t *testing.T) {
	drawing := paper("\n.toy .a{fill:#ff0000}", `<rect width="40" height="40" class="a"/>`)
	for dark, want := range map[bool]string{false: red, true: blue} {
		got, err := raster.Draw(drawing, raster.Look{Dark: dark})
		if err != nil {
			t.Fatal(err)
		}
		if c := hex(got.At(20, 20)); c != want {
			t.Errorf("dark %v: got %s, want %s", dark, c, want)
		}
	}
}

// ink returns where a picture is not white.
func ink(t *testing.T, marks string) image.Rectangle {
	t.Helper()
	got, err := raster.Draw(paper("\n.toy text{font-size:10px}\n.toy .m{text-anchor:middle}\n.toy .e{text-anchor:end}\n.toy .b{font-weight:bold}", marks), raster.Look{Width: 400})
	if err != nil {
		t.Fatal(err)
	}
	var out image.Rectangle
	for y := range 400 {
		for x := range 400 {
			if hex(got.At(x, y)) != white {
				out = out.Union(image.Rect(x, y, x+1, y+1))
			}
		}
	}
	return out
}

func TestWordsStandWhereTheyShould(t *testing.T) {
	begin := ink(t, `<text x="20" y="20">Ho</text>`)
	middle := ink(t, `<text x="20" y="20" class="m">Ho</text>`)
	end := ink(t, `<text x="20" y="20" class="e">Ho</text>`)
	bold := ink(t, `<text x="20" y="20" class="b">Ho</text>`)
	for name, row := range map[string]struct{ got, low, high int }{
		"begins at x":           {begin.Min.X, 200, 215},
		"stands on the line":    {begin.Max.Y, 198, 203},
		"is as high as it says": {begin.Dy(), 70, 80},
		"has x in its middle":   {middle.Min.X + middle.Max.X, 390, 410},
		"ends at x":             {end.Max.X, 185, 200},
		"is wider when bold":    {bold.Dx() - begin.Dx(), 5, 40},
	} {
		if row.got < row.low || row.got > row.high {
			t.Errorf("a word %s: got %d, want %d to %d", name, row.got, row.low, row.high)
		}
	}
	if got := ink(t, `<text x="5" y="20"></text>`); !got.Empty() {
		t.Errorf("no words paint %v", got)
	}
}

func TestWhatItDoesNotKnowIsAnError(t *testing.T) {
	for name, marks := range map[string]string{
		"an element":                  `<image href="x"/>`,
		"a definition":                `<defs><linearGradient/></defs>`,
		"a property":                  "<style>\n.toy .a{filter:blur}</style><rect class=\"a\"/>",
		"a selector":                  "<style>\n.toy .a > .b{fill:#fff}</style>",
		"a colour":                    `<rect fill="crimson"/>`,
		"a short colour":              `<rect fill="#ff"/>`,
		"a transform":                 `<g transform="skewX(3)"/>`,
		"a number":                    `<rect width="1em"/>`,
		"a path":                      `<path d="M1 2R3 4"/>`,
		"a path without begin":        `<path d="L3 4"/>`,
		"too few numbers":             `<path d="M1 2L3"/>`,
		"a polygon":                   `<polygon points="1"/>`,
		"a huge pattern":              `<defs><pattern width="1e9" height="1"/></defs>`,
		"opacity of a group":          `<g opacity=".5"/>`,
		"a drawing without a viewBox": `<svg/>`,
		"no end":                      `<g>`,
	} {
		if marks[:2] == "<s" && !strings.HasPrefix(marks, "<svg") {
			marks = `<svg width="1" height="1" viewBox="0 0 1 1">` + marks + `</svg>`
		}
		if _, err := raster.Draw(paper("", marks), raster.Look{}); err == nil {
			t.Errorf("%s is drawn", name)
		}
	}
	for _, doc := range []string{"", "<p/>", "<svg/>", `<svg viewBox="0 0 0 1"/>`, `<svg viewBox="0 0 9999 1"/>`} {
		if _, err := raster.Draw([]byte(doc), raster.Look{}); err == nil {
			t.Errorf("%q is drawn", doc)
		}
	}
}

// Every game's drawing, at its beginning and some way on, is one that can be painted.
func TestEveryGameIsPainted(t *testing.T) {
	eachBoard(t, []int{0, 25}, func(name string, drawing []byte) {
		for _, dark := range []bool{false, true} {
			file, err := raster.PNG(drawing, raster.Look{Width: 90, Dark: dark})
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			picture, err := png.Decode(bytes.NewReader(file))
			if err != nil {
				t.Errorf("%s: %v", name, err)
				continue
			}
			if w := picture.Bounds().Dx(); w != 90 {
				t.Errorf("%s is %d pixels wide, want 90", name, w)
			}
		}
	})
}

// eachBoard draws every game after some steps, as the first seat sees it.
func eachBoard(t *testing.T, steps []int, do func(name string, drawing []byte)) {
	t.Helper()
	for _, e := range catalog.All() {
		info := e.Info()
		table, _, err := e.New(nil, info.MinSeats, game.Seed{2})
		if err != nil {
			t.Fatal(err)
		}
		for _, step := range steps {
			for table.Step() < step && table.Due() != 0 {
				var turns []game.Turn
				for seat := range table.Due().Each() {
					turns = append(turns, game.Turn{Seat: seat, Action: table.House(seat)})
				}
				if _, err := table.Apply(turns); err != nil {
					t.Fatal(err)
				}
			}
			drawing, err := table.Draw(0, []string{"greedy-badger", "NIGHT_OWL_the_second_and_third_x"})
			if err != nil {
				t.Fatal(err)
			}
			do(fmt.Sprintf("%s at step %d", info.ID, step), drawing)
		}
	}
}
