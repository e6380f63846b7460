package raster

import (
	"fmt"
	"image/color"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// style is how an element is painted; its elements inherit all but the opacity.
type style struct {
	fill, stroke paint
	width        float64 // of the stroke
	roundCap     bool
	roundJoin    bool
	dashes       []float64
	opacity      float64
	size         float64 // of letters
	bold         bool
	anchor       string
}

// paint is a colour or the name of a pattern; neither is nothing.
type paint struct {
	colour  color.RGBA
	some    bool
	pattern string
}

// rule is a line of the style: for a class, or for every element of a name.
type rule struct {
	class, element string
	sets           [][2]string
}

var (
	dim     = regexp.MustCompile(`(?s)@media screen and \(prefers-color-scheme:dark\)\{(.*)\}\s*$`)
	oneRule = regexp.MustCompile(`(?:\.[\w-]+ )?(\.?)([\w-]+)\{([^{}]*)\}`)
)

// sheetOf reads the style of a drawing. Rules for an element come first: those for a class go before them.
func sheetOf(css string, dark bool) ([]rule, error) {
	parts := []string{css}
	if at := dim.FindStringSubmatchIndex(css); at != nil {
		parts = []string{css[:at[0]]}
		if dark {
			parts = append(parts, css[at[2]:at[3]])
		}
	}
	var out []rule
	for _, part := range parts {
		if rest := strings.TrimSpace(oneRule.ReplaceAllString(part, "")); rest != "" {
			return nil, fmt.Errorf("raster: style %q", rest)
		}
		for _, m := range oneRule.FindAllStringSubmatch(part, -1) {
			r := rule{element: m[2]}
			if m[1] != "" {
				r = rule{class: m[2]}
			}
			for set := range strings.SplitSeq(m[3], ";") {
				if name, value, ok := strings.Cut(set, ":"); ok {
					r.sets = append(r.sets, [2]string{name, value})
				}
			}
			out = append(out, r)
		}
	}
	slices.SortStableFunc(out, func(a, b rule) int { return min(len(a.class), 1) - min(len(b.class), 1) })
	return out, nil
}

// presentation are the properties that an element may have as attributes.
var presentation = []string{"fill", "stroke", "stroke-width", "stroke-linecap", "stroke-linejoin", "stroke-dasharray", "opacity", "font-size", "font-weight", "text-anchor"}

// styleOf returns the style of an element within another.
func styleOf(n *node, outer style, sheet []rule) (style, error) {
	s := outer
	s.opacity = 1
	for _, name := range presentation {
		if value, ok := n.attrs[name]; ok {
			if err := s.set(name, value); err != nil {
				return s, err
			}
		}
	}
	classes := strings.Fields(n.attrs["class"])
	for _, r := range sheet {
		if r.class == "" && r.element != n.name || r.class != "" && !slices.Contains(classes, r.class) {
			continue
		}
		for _, set := range r.sets {
			if err := s.set(set[0], set[1]); err != nil {
				return s, err
			}
		}
	}
	return s, nil
}

// set changes one property.
func (s *style) set(name, value string) error {
	var err error
	switch name {
	case "fill":
		s.fill, err = paintOf(value)
	case "stroke":
		s.stroke, err = paintOf(value)
	case "stroke-width":
		s.width, err = length(value)
	case "stroke-linecap":
		s.roundCap = value == "round"
	case "stroke-linejoin":
		s.roundJoin = value == "round"
	case "stroke-dasharray":
		s.dashes, err = numbers(value)
	case "opacity":
		s.opacity, err = length(value)
	case "font-size":
		s.size, err = length(value)
	case "font-weight":
		s.bold = value == "bold"
	case "text-anchor":
		s.anchor = value
	case "font-family", "pointer-events": // there is one family, and nobody points
	default:
		err = fmt.Errorf("raster: property %s:%s", name, value)
	}
	return err
}

func length(value string) (float64, error) {
	x, err := strconv.ParseFloat(strings.TrimSuffix(value, "px"), 64)
	if err != nil {
		return 0, fmt.Errorf("raster: %w", err)
	}
	return x, nil
}

// paintOf reads none, #rgb, #rrggbb or url(#pattern).
func paintOf(value string) (paint, error) {
	if value == "none" {
		return paint{}, nil
	}
	if id, ok := strings.CutPrefix(value, "url(#"); ok {
		return paint{some: true, pattern: strings.TrimSuffix(id, ")")}, nil
	}
	hex, ok := strings.CutPrefix(value, "#")
	if len(hex) == 3 {
		hex = string([]byte{hex[0], hex[0], hex[1], hex[1], hex[2], hex[2]})
	}
	n, err := strconv.ParseUint(hex, 16, 24)
	if err != nil || !ok || len(hex) != 6 {
		return paint{}, fmt.Errorf("raster: colour %q", value)
	}
	return paint{some: true, colour: color.RGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}}, nil
}
