package pictures

import (
	"bytes"
	"errors"
	"image/png"
	"strings"
	"testing"
	"time"

	"github.com/molerun/molerun/api/httpx"
	"github.com/molerun/molerun/api/live"
	"github.com/molerun/molerun/engines/svg"
	"github.com/molerun/molerun/engines/svg/raster"
)

const board = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 20" width="10" height="20"><rect width="10" height="20" fill="#f00"/></svg>`

func TestACardIsAsLargeAsLinksExpectAndHoldsItsBoard(t *testing.T) {
	for name, c := range map[string]Card{
		"plain":         {Title: "Mole Hill", Words: "A game."},
		"with a board":  {Title: "Mole Hill", Words: "A game.", Board: []byte(board)},
		"without words": {},
		"of marks":      {Title: `<b>"&`, Words: "</svg><script>"},
		"long":          {Title: strings.Repeat("W", 900), Words: strings.Repeat("word ", 900), Board: []byte(board)},
		"no drawing":    {Title: "x", Board: []byte("<svg>")},
	} {
		picture, err := raster.Draw(c.Draw(), raster.Look{})
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := picture.Bounds().Size(); got.X != CardWide || got.Y != CardHigh {
			t.Errorf("%s: got %v, want %d × %d", name, got, CardWide, CardHigh)
		}
		r, _, b, _ := picture.At(boardWide/2+cardEdge/3, CardHigh/2).RGBA()
		if red, want := r > 0xf000 && b < 0x1000, string(c.Board) == board; red != want {
			t.Errorf("%s: the board is seen %v, want %v", name, red, want)
		}
		for y := range CardHigh {
			if got, want := picture.At(CardWide-4, y), picture.At(CardWide-4, 0); got != want {
				t.Errorf("%s: something stands at the right edge, at %d", name, y)
				break
			}
		}
	}
}

func TestWordsAreWrappedAndNothingIsLeftOutUnsaid(t *testing.T) {
	lines := wrap("one two three four five six seven eight nine ten", 100, 20, 3)
	if len(lines) != 3 || !strings.HasSuffix(lines[2], "…") {
		t.Errorf("got %q, want three lines, the last cut", lines)
	}
	for _, line := range lines {
		if svg.TextWidth(line, 20) > 100 {
			t.Errorf("%q is wider than its room", line)
		}
	}
	if got := strings.Join(wrap("one two three", 80, 20, 9), " "); got != "one two three" {
		t.Errorf("got %q, want every word", got)
	}
}

func TestStrangersDoNotTakeTheProcessor(t *testing.T) {
	now := func() time.Time { return time.Unix(0, 0) }
	matches, err := live.NewMatches(nil, nil, live.Limits{Bytes: 1 << 20, Steps: httpx.Rate{Count: 2 * pictureSteps, Per: time.Minute}, Keys: 9}, now)
	if err != nil {
		t.Fatal(err)
	}
	p := NewPress(matches.Replays())
	paint := func(who, colour string) ([]byte, error) {
		return p.PNG(t.Context(), httpx.Caller{who}, []byte(strings.Replace(board, "#f00", colour, 1)))
	}
	first, err := paint("a", "#f00")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := png.Decode(bytes.NewReader(first)); err != nil {
		t.Fatal(err)
	}
	if _, err := paint("a", "#0f0"); err != nil {
		t.Error(err)
	}
	var wait *httpx.WaitError
	if _, err := paint("a", "#00f"); !errors.As(err, &wait) || wait.Wait != 30*time.Second {
		t.Errorf("whose share is used up gets %v, want a refusal that says to wait 30 s", err)
	}
	if _, err := paint("b", "#00f"); err != nil {
		t.Errorf("another caller: %v", err)
	}
	again, err := paint("a", "#f00")
	if err != nil || &again[0] != &first[0] {
		t.Errorf("a picture that is kept is painted again, or refused: %v", err)
	}
}
