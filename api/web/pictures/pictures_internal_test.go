package pictures

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"
	"time"

	"golang.org/x/image/font/gofont/gobold"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
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
	if err != nil {
		t.Fatal(err)
	}
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

func TestStrangersDoNotTakeTheProcessor(t *testing.T) {
	now := func() time.Time { return time.Unix(0, 0) }
	matches, err := live.NewMatches(nil, nil, live.Limits{Bytes: 1 << 20, Steps: httpx.Rate{Count: 2 * cardSteps, Per: time.Minute}, Keys: 9}, now)
	if err != nil {
		t.Fatal(err)
	}
	r := NewRenderer(matches.Replays())
	card := func(caller, title string) ([]byte, error) {
		return r.PNG(t.Context(), httpx.Caller{caller}, Card{Title: title})
	}
	first, err := card("a", "one")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := card("a", "two"); err != nil {
		t.Error(err)
	}
	var wait *httpx.WaitError
	if _, err := card("a", "three"); !errors.As(err, &wait) || wait.Wait != 30*time.Second {
		t.Errorf("a caller beyond their share gets %v, want a refusal that says to wait 30 s", err)
	}
	if _, err := card("b", "three"); err != nil {
		t.Errorf("another caller: %v", err)
	}
	again, err := card("a", "one")
	if err != nil || &again[0] != &first[0] {
		t.Errorf("a card that is kept is drawn again, or refused: %v", err)
	}
}
