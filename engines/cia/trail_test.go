package cia

import "testing"

// The trail begins when it becomes uncertain whether a card that left a hand was drawn this turn: only where drawn cards
// can be played at once, and only while some cards of the hand are known to be fresh and some are not.
func TestATrailBeginsWhenAHandBecomesUncertain(t *testing.T) {
	for _, x := range []struct {
		name          string
		config        string
		shown         int8
		removed, want bool
	}{
		{"one of two is fresh", `{"top_secret":true,"drawn_playable":"at_once"}`, 1, false, true},
		{"none is fresh", `{"top_secret":true,"drawn_playable":"at_once"}`, 0, false, false},
		{"both are fresh", `{"top_secret":true,"drawn_playable":"at_once"}`, 2, false, false},
		{"the card leaves the game face up", `{"top_secret":true,"drawn_playable":"at_once"}`, 1, true, false},
		{"drawn cards wait for the next turn", topSecret, 1, false, false},
	} {
		b := newBoard(t, x.config, 2, func(b *board) { b.hand(1, SafeAnywhere, AllToChurch); b.Shown[1] = x.shown })
		b.trailLeave(1, SafeAnywhere, x.removed)
		if b.Trail.On != x.want {
			t.Errorf("%s: want a trail %v, got %v", x.name, x.want, b.Trail.On)
		}
	}
}

// At a reshuffle a trail that is too long, or of too many decks, is begun again.
func TestATrailIsForgotten(t *testing.T) {
	for _, x := range []struct {
		name    string
		entries int16
		decks   int8
		want    int16 // entries afterwards, the mark included
	}{
		{"as long as may be", longTrail, 1, longTrail + 1},
		{"too long", longTrail + 1, 1, 1},
		{"as many decks as may be", 5, maxDecks - 2, 6},
		{"too many decks", 5, maxDecks - 1, 1},
	} {
		b := newBoard(t, topSecret, 2, nil)
		b.Trail.On, b.Trail.N, b.Trail.Decks = true, x.entries, x.decks
		b.trailReshuffle()
		if b.Trail.N != x.want || !b.Trail.On {
			t.Errorf("%s: want %d entries, got %d", x.name, x.want, b.Trail.N)
		}
	}
}

// The end of a turn is marked once, and only if a card was drawn since the last mark.
func TestATrailMarksTurnsWithADraw(t *testing.T) {
	b := newBoard(t, topSecret, 2, nil)
	b.trailReshuffle()
	b.trailTurn()
	if b.Trail.N != 1 {
		t.Errorf("nothing drawn: want no mark, got %d entries", b.Trail.N)
	}
	b.trailDraw(0, SafeAnywhere)
	b.trailTurn()
	b.trailTurn()
	b.trailLeave(0, SafeAnywhere, false)
	b.trailTurn()
	if got := b.Trail.ops(); len(got) != 4 || got[2] != markTurn {
		t.Errorf("want the reshuffle, a draw, one mark and a card, got %v", got)
	}
}
