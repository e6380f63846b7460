package gametest

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/molerun/molerun/engines/svg"
)

// LongNames returns forty wide letters for each of ten seats.
func LongNames() []string { return slices.Repeat([]string{strings.Repeat("W", 40)}, 10) }

// Legible refuses a drawing whose words lie outside it, on one another, or are smaller than nine pixels on a phone; or
// stand out too little, in light or dark, from the plain shape under them (WCAG AA).
func Legible(t *testing.T, drawing []byte) {
	t.Helper()
	p, err := readPage(drawing)
	if err != nil {
		t.Fatalf("%v\n%s", err, drawing)
	}
	for i, x := range p.words {
		if x.left < 0 || x.top < 0 || x.right > p.width || x.bottom > p.height {
			t.Errorf("%q lies at %.0f to %.0f, %.0f to %.0f, outside %.0f × %.0f", x.text, x.left, x.right, x.top, x.bottom, p.width, p.height)
		}
		if pixels := x.size * 360 / p.width; pixels < 9 {
			t.Errorf("%q is %.1f pixels high on a phone, want 9", x.text, pixels)
		}
		for mode, c := range x.contrast {
			if c < 4.5 || math.IsNaN(c) {
				t.Errorf("%q stands out by %.1f in mode %d (0 light, 1 dark), want 4.5: %s", x.text, c, mode, x.under)
			}
		}
		for _, y := range p.words[:i] {
			if x.left < y.right && y.left < x.right && x.top < y.bottom && y.top < x.bottom {
				t.Errorf("%q and %q lie on one another at %.0f, %.0f", y.text, x.text, x.left, x.top)
			}
		}
	}
}

// word is a text of a drawing, and the box it needs.
type word struct {
	text                     string
	left, top, right, bottom float64
	size                     float64
	contrast                 [2]float64 // light, dark
	under                    string     // the classes of the shape under it
}

// face is a plain shape with words on it: a box, light and dark.
type face struct {
	left, top, right, bottom float64
	fill                     [2]string
	class                    string
}

// page is what is read of a drawing.
type page struct {
	width, height float64
	words         []word
	faces         []face
	rules         [2]map[string]map[string]string // light, dark: selector → property → value
}

// frame is an element that is open: where it begins, and what its insides inherit.
type frame struct {
	x, y  float64
	attrs map[string]string
	text  bool
}

func readPage(drawing []byte) (*page, error) {
	p := &page{}
	p.readStyle(string(drawing))
	d := xml.NewDecoder(bytes.NewReader(drawing))
	open := []frame{{}}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return p, nil
		}
		if err != nil {
			return nil, fmt.Errorf("the drawing is not well-formed: %w", err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			switch token.Name.Local {
			case "defs", "title", "desc", "style":
				if err := d.Skip(); err != nil {
					return nil, err
				}
				continue
			}
			f := p.enter(token, open[len(open)-1])
			open = append(open, f)
		case xml.CharData:
			if f := open[len(open)-1]; f.text {
				p.write(string(token), f)
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		}
	}
}

var cssRule = regexp.MustCompile(`\n\.\w+ ([.\w]+)\{([^}]*)\}`)

// readStyle reads rules of one class or element each.
func (p *page) readStyle(drawing string) {
	from, to := strings.Index(drawing, "<style>"), strings.Index(drawing, "</style>")
	if from < 0 {
		return
	}
	light, dark, _ := strings.Cut(drawing[from:to], "@media")
	for i, text := range []string{light, light + dark} {
		p.rules[i] = map[string]map[string]string{}
		for _, m := range cssRule.FindAllStringSubmatch(text, -1) {
			if p.rules[i][m[1]] == nil {
				p.rules[i][m[1]] = map[string]string{}
			}
			for _, said := range strings.Split(m[2], ";") {
				key, value, _ := strings.Cut(said, ":")
				p.rules[i][m[1]][key] = value
			}
		}
	}
}

var translate = regexp.MustCompile(`^translate\((-?[\d.]+)[ ,](-?[\d.]+)\)`)

// enter reads an element: where it moves what is in it, and the face that it is.
func (p *page) enter(e xml.StartElement, around frame) frame {
	f := frame{x: around.x, y: around.y, attrs: map[string]string{}, text: e.Name.Local == "text"}
	for _, a := range e.Attr {
		f.attrs[a.Name.Local] = a.Value
	}
	if m := translate.FindStringSubmatch(f.attrs["transform"]); m != nil {
		f.x += number(m[1])
		f.y += number(m[2])
	}
	n := func(key string) float64 { return number(f.attrs[key]) }
	x, y := f.x, f.y
	switch e.Name.Local {
	case "svg":
		p.width, p.height = n("width"), n("height")
		if box := strings.Fields(f.attrs["viewBox"]); len(box) == 4 {
			p.width, p.height = number(box[2]), number(box[3])
		}
	case "rect":
		p.face(f, x+n("x"), y+n("y"), x+n("x")+n("width"), y+n("y")+n("height"))
	case "circle":
		p.face(f, x+n("cx")-n("r"), y+n("cy")-n("r"), x+n("cx")+n("r"), y+n("cy")+n("r"))
	case "polygon":
		p.around(f, f.attrs["points"])
	case "path":
		if d := f.attrs["d"]; strings.Trim(d, "MLCQSz0123456789.- ") == "" { // all of it in absolute places
			p.around(f, d)
		}
	}
	return f
}

var pair = regexp.MustCompile(`(-?[\d.]+)[ ,](-?[\d.]+)`)

// around takes down the face of a shape with these corners.
func (p *page) around(f frame, corners string) {
	left, top, right, bottom := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, m := range pair.FindAllStringSubmatch(corners, -1) {
		x, y := f.x+number(m[1]), f.y+number(m[2])
		left, right = min(left, x), max(right, x)
		top, bottom = min(top, y), max(bottom, y)
	}
	p.face(f, left, top, right, bottom)
}

func number(text string) float64 {
	x, _ := strconv.ParseFloat(text, 64)
	return x
}

// value returns a property of an element in a mode: of its last class that has it, of its name, or its attribute.
func (p *page) value(mode int, name string, f frame, property string) string {
	out := f.attrs[property]
	if v, ok := p.rules[mode][name][property]; ok {
		out = v
	}
	for selector, rule := range p.rules[mode] { // at most one class of an element says a thing
		if v, ok := rule[property]; ok && strings.HasPrefix(selector, ".") && strings.Contains(" "+f.attrs["class"]+" ", " "+selector[1:]+" ") {
			out = v
		}
	}
	return out
}

func (p *page) face(f frame, left, top, right, bottom float64) {
	x := face{left: left, top: top, right: right, bottom: bottom, class: f.attrs["class"]}
	for mode := range x.fill {
		x.fill[mode] = p.value(mode, "", f, "fill")
	}
	if strings.HasPrefix(x.fill[0], "#") {
		p.faces = append(p.faces, x)
	}
}

// write takes down a text.
func (p *page) write(text string, f frame) {
	size := number(strings.TrimSuffix(p.value(0, "text", f, "font-size"), "px"))
	wide := float64(svg.TextWidth(text, 100)) * size / 100
	if p.value(0, "text", f, "font-weight") != "bold" {
		wide *= .88
	}
	x, y := f.x+number(f.attrs["x"]), f.y+number(f.attrs["y"])
	switch p.value(0, "text", f, "text-anchor") {
	case "middle":
		x -= wide / 2
	case "end":
		x -= wide
	}
	if utf8.RuneCountInString(text) == 0 {
		return
	}
	w := word{text: text, left: x, right: x + wide, top: y - .74*size, bottom: y + .2*size, size: size}
	for i := len(p.faces) - 1; i >= 0; i-- {
		under := p.faces[i]
		middleX, middleY := (w.left+w.right)/2, (w.top+w.bottom)/2
		if middleX > under.left && middleX < under.right && middleY > under.top && middleY < under.bottom {
			for mode := range w.contrast {
				w.contrast[mode] = contrast(p.value(mode, "text", f, "fill"), under.fill[mode])
			}
			w.under = under.class + " " + under.fill[0]
			break
		}
	}
	p.words = append(p.words, w)
}

// contrast returns the contrast of two colours as WCAG computes it, 1 to 21.
func contrast(a, b string) float64 {
	x, y := luminance(a), luminance(b)
	return (max(x, y) + .05) / (min(x, y) + .05)
}

// luminance returns that of a colour like #fff or #12ab3f.
func luminance(colour string) float64 {
	hex := strings.TrimPrefix(colour, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 32)
	if err != nil || len(hex) != 6 {
		return math.NaN()
	}
	linear := func(c uint64) float64 {
		x := float64(c&255) / 255
		if x <= .04045 {
			return x / 12.92
		}
		return math.Pow((x+.055)/1.055, 2.4)
	}
	return .2126*linear(n>>16) + .7152*linear(n>>8) + .0722*linear(n)
}
