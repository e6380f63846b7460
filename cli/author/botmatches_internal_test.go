package author

import (
	"testing"

	"github.com/molerun/molerun/api/wire"
)

func TestAMatchIsLostByWhoDidNotComeFirst(t *testing.T) {
	seats := []wire.MatchSeat{{Seat: 0, BotID: "a"}, {Seat: 1, BotID: "b"}, {Seat: 2, BotID: "c"}}
	for _, row := range []struct {
		rank []int
		lost string
	}{
		{[]int{1, 2, 3}, "bc"}, {[]int{1, 2, 2}, "bc"}, {[]int{1, 1, 1}, ""}, {[]int{3, 1, 1}, "a"}, {nil, ""},
	} {
		got := ""
		for _, bot := range []string{"a", "b", "c", "nobody"} {
			if lost(wire.Match{Seats: seats, Outcome: &wire.Outcome{Rank: row.rank}}, bot) {
				got += bot
			}
		}
		if got != row.lost {
			t.Errorf("ranks %v: %q have lost, want %q", row.rank, got, row.lost)
		}
	}
	if lost(wire.Match{Seats: seats}, "a") {
		t.Error("a match that is not over is lost")
	}
}
