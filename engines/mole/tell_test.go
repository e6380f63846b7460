package mole_test

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// Every kind of event and every type of action has its sentence. The mole flies onto a mignette too seldom to wait for.
func TestWordsAreAsReviewed(t *testing.T) {
	board := ramped()
	board.NWalls, board.NPosts = 0, 0
	x := lay(t, board, turnO, set{MO: {150, 190}, M1: {150, 255}, M2: {280, 30}}).flick(MO, 90, 700)
	var rare []game.Event
	for i := range x.e {
		rare = append(rare, game.Event{For: game.All, Data: x.e[i].AppendJSON(nil), Value: &x.e[i]})
	}
	got, err := gametest.Words(engine, []gametest.Case{
		{Config: `{"max_rounds":6}`, Seats: 2}, {Config: `{"board":"carnival","max_rounds":6,"noise":"shaky","friction_permille":100,"mignette_max_mm_s":2000}`, Seats: 2},
	}, 20, 1000, rare...)
	must.OK(t, err)
	gametest.Golden(t, "words.txt", got)
}
