package docs_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/catalog"
	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/replay"
	"github.com/molerun/molerun/internal/must"
)

// The moving picture of the README: which steps of which record it shows, each for how many seconds, and how often a key moment and
// the last step are shown as long as another.
const (
	movingRecord = "../cli/testdata/golden/records/molehill-base.jsonl.gz"
	movingFrom   = 40
	stepSeconds  = .7
	keyTimes     = 3
	lastTimes    = 5
)

// movingBytes bounds the picture: a reader of the README waits for it.
const movingBytes = 400_000

// frame is the drawing of a step: the tag that opens it, its elements, and how many times stepSeconds it is shown.
type frame struct {
	head     string
	elements []string
	times    int
}

func TestTheMovingPictureOfTheReadmeShowsEveryStepOfARound(t *testing.T) {
	frames := framesOf(t)
	if len(frames) < 20 {
		t.Fatalf("the picture has %d steps, want a round of a match", len(frames))
	}
	layers := layersOf(frames)
	for i, f := range frames {
		var shown []string
		for _, l := range layers {
			if l.from <= i && i <= l.to {
				shown = append(shown, l.element)
			}
		}
		if !slices.Equal(shown, f.elements) {
			t.Errorf("step %d of the picture is not the drawing of that step", i)
		}
	}
	picture := animate(frames, layers)
	if len(picture) > movingBytes {
		t.Errorf("the picture weighs %d bytes, want at most %d", len(picture), movingBytes)
	}
	file := filepath.Join("pictures", "molehill-moving.svg")
	if *update {
		must.OK(t, os.WriteFile(file, picture, 0o644))
	}
	if want, err := os.ReadFile(file); err != nil || !bytes.Equal(picture, want) {
		t.Errorf("%s is not what the engine draws (%v): go test ./docs -run Picture -update, and look at it", file, err)
	}
	readme, err := os.ReadFile(filepath.Join("..", "README.md"))
	must.OK(t, err)
	if !bytes.Contains(readme, []byte("(docs/pictures/molehill-moving.svg)")) {
		t.Error("the README does not show the picture")
	}
}

// framesOf draws the steps as a spectator saw them.
func framesOf(t *testing.T) []frame {
	file, err := os.Open(movingRecord)
	must.OK(t, err)
	defer file.Close()
	rec, err := replay.Verify(file, catalog.Find)
	must.OK(t, err)
	var names []string
	for _, seat := range rec.Header.Seats {
		names = append(names, seat.Bot)
	}
	var out []frame
	err = rec.Play(func(p *replay.Player) error {
		if p.Step() < movingFrom {
			return nil
		}
		svg, err := p.Table().Draw(game.Spectator, names)
		if err != nil {
			return err
		}
		f := frame{times: 1}
		if f.head, f.elements, err = elementsOf(svg); err != nil {
			return err
		}
		for _, e := range p.Events() {
			if e.VisibleTo(game.Spectator) && e.Key() != "" {
				f.times = keyTimes
			}
		}
		out = append(out, f)
		return nil
	})
	must.OK(t, err)
	out[len(out)-1].times = lastTimes
	return out
}

// elementsOf splits a drawing into the tag that opens it and its elements. It drops the title and the description, which change
// with every step: the moving picture has its own.
func elementsOf(svg []byte) (head string, elements []string, err error) {
	d := xml.NewDecoder(bytes.NewReader(svg))
	var from int64
	for depth := 0; ; {
		before := d.InputOffset()
		token, err := d.RawToken()
		if errors.Is(err, io.EOF) {
			return head, elements, nil
		}
		if err != nil {
			return "", nil, err
		}
		switch token.(type) {
		case xml.StartElement:
			if depth == 0 {
				head = string(svg[before:d.InputOffset()])
			}
			if depth == 1 {
				from = before
			}
			depth++
		case xml.EndElement:
			depth--
			element := string(svg[from:d.InputOffset()])
			if depth == 1 && !strings.HasPrefix(element, "<title") && !strings.HasPrefix(element, "<desc") {
				elements = append(elements, element)
			}
		}
	}
}

// layer is an element that stands in the drawings of the frames from to to.
type layer struct {
	element  string
	from, to int
}

// layersOf lists the elements of all frames in an order in which those of each frame are painted in their own.
func layersOf(frames []frame) []layer {
	var out []layer
	for i, f := range frames {
		at := 0 // where the next element may go at the earliest
		for k, element := range f.elements {
			next := slices.IndexFunc(out[at:], func(l layer) bool { return l.to == i-1 && l.element == element })
			// An element that stays but would skip another that stays too, and is painted after it, is painted again instead.
			if next >= 0 && !slices.ContainsFunc(out[at:at+next], func(l layer) bool { return l.to == i-1 && slices.Contains(f.elements[k:], l.element) }) {
				at += next
				out[at].to = i
			} else {
				out = slices.Insert(out, at, layer{element, i, i})
			}
			at++
		}
	}
	return out
}

// animate returns the frames as one drawing, in which style sheets alone show and hide what changes. A reader who has asked for less
// motion sees the last frame.
func animate(frames []frame, layers []layer) []byte {
	begins, all := make([]int, len(frames)+1), 0
	for i, f := range frames {
		begins[i] = all
		all += f.times
	}
	begins[len(frames)] = all
	percent := func(i int) float64 { return float64(begins[i]) * 100 / float64(all) }
	var style, body strings.Builder
	fmt.Fprintf(&style, "<style>.moving{visibility:hidden;animation:%gs step-end infinite}\n", float64(all)*stepSeconds)
	seen := map[string]bool{}
	last := len(frames) - 1
	for _, l := range layers {
		if l.from == 0 && l.to == last {
			body.WriteString(l.element)
			continue
		}
		name := fmt.Sprintf("m%d-%d", l.from, l.to)
		if !seen[name] {
			seen[name] = true
			fmt.Fprintf(&style, ".%s{animation-name:%[1]s}@keyframes %[1]s{0%%{visibility:hidden}%.3f%%{visibility:visible}%.3f%%{visibility:hidden}}\n", name, percent(l.from), percent(l.to+1))
		}
		fmt.Fprintf(&body, `<g class="moving %s">%s</g>`, name, l.element)
	}
	style.WriteString("@media (prefers-reduced-motion:reduce){.moving{animation:none}")
	for _, l := range layers {
		if l.from > 0 && l.to == last && seen[fmt.Sprintf("m%d-%d", l.from, l.to)] {
			name := fmt.Sprintf("m%d-%d", l.from, l.to)
			seen[name] = false
			fmt.Fprintf(&style, ".%s{visibility:visible}", name)
		}
	}
	style.WriteString("}</style>")
	const words = `<title id="molehill-t">A round of Mole Hill, step by step</title><desc id="molehill-d">The mole digs, the gardener lays rods.</desc>`
	return []byte(frames[0].head + words + style.String() + body.String() + "</svg>\n")
}
