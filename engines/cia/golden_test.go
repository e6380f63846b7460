package cia

import (
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/engines/game/strict"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// One seed gives these events and state hashes for ever, or Info's Version is raised.
func TestMatchesReplayAsRecorded(t *testing.T) {
	for i, v := range (Rules{}).Info().Variants {
		text, err := gametest.Record(game.Wrap(Rules{}), gametest.Case{Config: string(v.Config), Seats: 3 + i}, gametest.Seed(11))
		must.OK(t, err)
		gametest.Golden(t, "match_"+v.Name+".jsonl", text)
	}
}

// moments returns the pictures and texts that were looked at.
func moments(t *testing.T) map[string]View {
	out := map[string]View{}
	step := 0
	along(t, full, 5, 5, func(table game.Table) {
		var v View
		readView(t, table.View(1), &v)
		switch {
		case step == 0:
			out["start"] = v
		case step == 20 && v.Phase != PhaseOver.String():
			out["middle"] = v
		case v.Phase == PhaseSafe.String() && v.Filed:
			out["filed"] = v
		case v.Phase == PhaseOver.String():
			out["end"] = v
		}
		step++
	})
	along(t, ``, 2, 1, func(table game.Table) {
		var v View
		readView(t, table.View(game.Spectator), &v)
		out["spectator"] = v
	})
	return out
}

func TestDrawingsAndDescriptionsAreAsReviewed(t *testing.T) {
	names := 0
	for name, v := range moments(t) {
		names++
		gametest.Golden(t, "draw_"+name+".svg", Rules{}.Draw(v, nil))
		gametest.Golden(t, "describe_"+name+".txt", []byte(Rules{}.Describe(v)))
	}
	if names != 5 {
		t.Errorf("want 5 moments, got %d", names)
	}
}

// A drawing of a view full of another's words stays a drawing of them.
func TestDrawingEscapesWords(t *testing.T) {
	b := newBoard(t, full, 2, func(b *board) { b.hand(0, SafeAnywhere) })
	v := Rules{}.View(&b.State, 0)
	v.Me.Cards, v.Discard, v.Roll = []string{"<script>"}, []string{`"><b>`}, "<i>"
	if svg := string(Rules{}.Draw(v, nil)); strings.Contains(svg, "<script>") || strings.Contains(svg, "<b>") || strings.Contains(svg, "<i>") {
		t.Error("words of a view became marks of the drawing")
	}
}

// The hand in a drawing says which cards cannot be played yet: those drawn this turn, its last.
func TestADrawingMarksTheCardsDrawnThisTurn(t *testing.T) {
	b := newBoard(t, topSecret, 2, func(b *board) { b.hand(0, SafeAnywhere, AgentToRuin); b.deck(AllToChurch) })
	b.Play(t, "0 move red=2", "0 card agent_to_ruin red")
	svg := string(Rules{}.Draw(Rules{}.View(&b.State, 0), nil))
	for card, want := range map[string]bool{"safe_anywhere": false, "all_to_church": true} {
		_, drawn, there := strings.Cut(svg, `data-at="`+card+`"`)
		drawn, _, _ = strings.Cut(drawn, "</g>")
		if got := strings.Contains(drawn, ">new<"); !there || got != want {
			t.Errorf("%s there: %v; marked: want %v, got %v", card, there, want, got)
		}
	}
}

// The board tells to its end what is to be done, with the whole name of who is to do it.
func TestADrawingTellsWhatIsToBeDone(t *testing.T) {
	names := []string{"guest-e9ba5a1c", "a-name-of-24-characters-"}
	b := newBoard(t, topSecret, 2, func(b *board) { b.hand(0, SafeAnywhere, SafeAnywhere); b.hand(1, SafeAnywhere) })
	tells := func(want string) {
		t.Helper()
		if svg := string(Rules{}.Draw(Rules{}.View(&b.State, game.Spectator), names)); !strings.Contains(svg, ">"+want+"</text>") {
			t.Errorf("the board does not say %q", want)
		}
	}
	tells("guest-e9ba5a1c is to move agents.")
	for _, x := range []struct{ play, want string }{
		{"0 move red=2", "guest-e9ba5a1c plays a card or passes."},
		{"0 card safe_anywhere 1", "guest-e9ba5a1c may play another card."},
		{"0 pass", "a-name-of-24-characters- plays a card or passes."},
	} {
		b.Play(t, x.play)
		tells(x.want)
		tells("Turn 1, reactions")
	}
}

func readView(t *testing.T, text []byte, v *View) {
	t.Helper()
	must.OK(t, strict.Decode(text, v))
}

func TestADescriptionOfARoundTellsWhoIsAsked(t *testing.T) {
	b := newBoard(t, topSecret, 2, func(b *board) { b.hand(0, SafeAnywhere, SafeAnywhere); b.hand(1, SafeAnywhere) })
	for _, x := range []struct{ play, want string }{
		{"0 move red=2", "Reaction round: seat 0 plays a card or passes, 0 passed in a row."},
		{"0 card safe_anywhere 1", "Reaction round: seat 0 may play another card."},
		{"0 pass", "Reaction round: seat 1 plays a card or passes, 0 passed in a row."},
	} {
		b.Play(t, x.play)
		if got := (Rules{}).Describe(Rules{}.View(&b.State, 0)); !strings.Contains(got, x.want) {
			t.Errorf("after %s: want %q in\n%s", x.play, x.want, got)
		}
	}
}

// A description tells of the cards wherever one is, and not without.
func TestADescriptionTellsOfCardsWhereTheyAre(t *testing.T) {
	b := newBoard(t, ``, 2, nil)
	for name, put := range map[string]func(v *View){
		"nowhere":     nil,
		"in the deck": func(v *View) { v.Deck = 1 },
		"discarded":   func(v *View) { v.Discard = []string{"all_to_church"} },
		"in a hand":   func(v *View) { v.Hands = []int8{0, 1} },
	} {
		v := Rules{}.View(&b.State, game.Spectator)
		if put != nil {
			put(&v)
		}
		if got := hasCards(v); got != (put != nil) {
			t.Errorf("%s: got %v", name, got)
		}
	}
}
