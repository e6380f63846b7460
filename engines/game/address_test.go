package game_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
)

// A sentence to a seat is in the second person where it speaks of that seat, and nowhere else.
func TestASeatReadsOfItself(t *testing.T) {
	for _, row := range []struct {
		sentence string
		to, by   game.Seat
		want     string
	}{
		{"Seat 2 {leads} now.", game.Spectator, game.Spectator, "Seat 2 leads now."},
		{"Seat 2 {leads} now.", 2, game.Spectator, "You lead now."},
		{"Seat 2 {leads} now.", 1, game.Spectator, "Seat 2 leads now."},
		{"Seat 12 {leads} now.", 1, game.Spectator, "Seat 12 leads now."},
		{"Leader 2 {proposes} seats 0, 2 and 12 for mission 2.", 2, game.Spectator, "You propose seat 0, seat 12 and you for mission 2."},
		{"Leader 0 {proposes} seats 1 and 2.", 2, game.Spectator, "Leader 0 proposes seat 1 and you."},
		{"Seats 1 and 2 approve, seat 0 {rejects}.", 0, game.Spectator, "Seats 1 and 2 approve, you reject."},
		{"Seats 1 and 2 approve, seat 0 {rejects}.", 1, game.Spectator, "Seat 2 and you approve, seat 0 rejects."},
		{"Open Up: seat 3 {shows} {its} role card to seat 2.", 3, game.Spectator, "Open Up: you show your role card to seat 2."},
		{"Open Up: seat 3 {shows} {its} role card to seat 2.", 2, game.Spectator, "Open Up: seat 3 shows its role card to you."},
		{"Seat 3 {looks} at {the role card of seat 2}.", 2, game.Spectator, "Seat 3 looks at your role card."},
		{"Seat 3 {takes} a card from {the pile of seat 2} and {leaves} one there.", 3, game.Spectator, "You take a card from the pile of seat 2 and leave one there."},
		{"Seat 3 {takes} a card from {the pile of seat 2} and {leaves} one there.", 2, game.Spectator, "Seat 3 takes a card from your pile and leaves one there."},
		{"{The home token of seat 2} is worth 1 point.", 2, game.Spectator, "Your home token is worth 1 point."},
		{"Seat 1 {converts} {a mole of seat 2}.", 2, game.Spectator, "Seat 1 converts a mole of yours."},
		{"Seat 2 {has} no claim and {is} out.", 2, game.Spectator, "You have no claim and are out."},
		{`Seat 2 {says} "seat 2 {leads}, \"seat 2\"".`, 2, game.Spectator, `You say "seat 2 {leads}, \"seat 2\"".`},
		{`Seat 2 {says} "{}".`, game.Spectator, game.Spectator, `Seat 2 says "{}".`},
		{"{passes}", 1, 1, "pass"},
		{"{proposes} seats 0 and 1", 1, 1, "propose seat 0 and you"},
		{"{stops} here", game.Spectator, game.Spectator, "stops here"},
	} {
		if got := game.ReadBy(row.sentence, row.to, row.by); got != row.want {
			t.Errorf("%q to %d: got %q, want %q", row.sentence, row.to, got, row.want)
		}
	}
}
