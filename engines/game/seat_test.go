package game_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/molerun/molerun/engines/game"
)

func TestSeatsWriteAscendingListsAndReadThemBack(t *testing.T) {
	for _, row := range []struct {
		seats game.Seats
		want  string
	}{{0, `[]`}, {1, `[0]`}, {0b101, `[0,2]`}, {1 << 15, `[15]`}, {game.FirstSeats(3), `[0,1,2]`}, {game.All, `[0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15]`}} {
		if got := text(row.seats); got != row.want {
			t.Errorf("got %s, want %s", got, row.want)
		}
		var back game.Seats
		if err := json.Unmarshal([]byte(row.want), &back); err != nil || back != row.seats {
			t.Errorf("%s: read back %v (%v)", row.want, back, err)
		}
	}
	for _, list := range []string{`[2,0]`, `[2, 0]`, ` [ 2,0]`} {
		var seats game.Seats
		if err := json.Unmarshal([]byte(list), &seats); err != nil || seats != 0b101 {
			t.Errorf("%s: got %v (%v), want seats 0 and 2", list, seats, err)
		}
	}
}

func TestBadSeatListsAreRefused(t *testing.T) {
	for _, row := range []struct{ in, want string }{
		{`[16]`, "seat 16 is outside 0..15"},
		{`[-1]`, "seat -1 is outside"},
		{`[1,1]`, "seat 1 is named twice"},
		{`null`, "must not be null"},
		{`[null]`, "must not be null"},
		{`"all"`, "wants a list"},
		{`[0.5]`, "wants a whole number"},
		{`{}`, "wants a list"},
		{`3`, "wants a list"},
		{`[99999999999999999999]`, "out of range"},
	} {
		seats := game.Seats(7)
		if err := json.Unmarshal([]byte(row.in), &seats); err == nil || !strings.Contains(err.Error(), row.want) || seats != 7 {
			t.Errorf("%s: got %v, %v; want a refusal with %q and no change", row.in, seats, err, row.want)
		}
	}
}

func TestSeatSets(t *testing.T) {
	m := game.FirstSeats(4).Without(1)
	if m != 0b1101 {
		t.Errorf("got %b, want 1101", m)
	}
	if m.Len() != 3 || m.Lowest() != 0 {
		t.Errorf("got %d seats from %d on, want 3 from 0 on", m.Len(), m.Lowest())
	}
	for seat, want := range map[game.Seat]bool{3: true, 1: false, game.Spectator: false, 15: false} {
		if got := m.Has(seat); got != want {
			t.Errorf("seat %d: got %v, want %v", seat, got, want)
		}
	}
	if m.With(game.Spectator) != m || m.Without(game.Spectator) != m || game.Only(game.Spectator) != 0 {
		t.Error("the spectator sits in no set")
	}
	if game.Seats(0).Lowest() != game.Spectator || game.FirstSeats(0) != 0 || game.FirstSeats(game.MaxSeats) != game.All {
		t.Error("the empty and the full set")
	}
	if got := slices.Collect(m.Each()); !slices.Equal(got, []game.Seat{0, 2, 3}) {
		t.Errorf("Each: got %v", got)
	}
	for range m.Each() {
		break // leaving early is allowed
	}
}
