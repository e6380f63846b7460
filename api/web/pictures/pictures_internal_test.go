package pictures

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/gobold"

	"github.com/molerun/molerun/internal/must"
)

func TestACardIsAsLargeAsLinksExpectAndKeepsItsEdges(t *testing.T) {
	files := map[string]bool{}
	for name, c := range map[string]Card{
		"plain":         {Title: "Mole Hill", Words: "A game."},
		"without words": {},
		"of marks":      {Title: `<b>"&`, Words: "</svg><script>"},
		"long":          {Title: strings.Repeat("W", 900), Words: strings.Repeat("word ", 900)},
		"many words":    {Title: strings.Repeat("Wide Words ", 90), Words: strings.Repeat("w", 900)},
	} {
		file, err := c.PNG()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		files[string(file)] = true
		picture, err := png.Decode(bytes.NewReader(file))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := picture.Bounds().Size(); got.X != CardWidth || got.Y != CardHeight {
			t.Errorf("%s: got %v, want %d × %d", name, got, CardWidth, CardHeight)
		}
		for y := bar; y < CardHeight; y++ {
			for _, x := range []int{edge / 2, CardWidth - edge/2} {
				if got := picture.At(x, y); got != paper {
					t.Fatalf("%s: something is drawn at the edge, at %d, %d", name, x, y)
				}
			}
		}
	}
	if len(files) != 5 {
		t.Errorf("five cards make %d pictures", len(files))
	}
}

func TestWordsAreWrappedAndNothingIsLeftOutUnsaid(t *testing.T) {
	face, err := newFace(gobold.TTF, titleSize)
	must.OK(t, err)
	lines := wrap(face, strings.Repeat("seven words that fill more than lines ", 9), 3)
	if len(lines) != 3 || !strings.HasSuffix(lines[2], "…") {
		t.Errorf("got %q, want three lines, the last cut", lines)
	}
	for _, line := range lines {
		if !fits(face, line) {
			t.Errorf("%q is wider than its room", line)
		}
	}
	const text = "Thirty-two bots of nine owners in a Swiss tournament of eleven rounds"
	if got := strings.Join(wrap(face, text, 9), " "); got != text {
		t.Errorf("got %q, want every word", got)
	}
}
