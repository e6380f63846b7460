package cia

import (
	"testing"

	"github.com/molerun/molerun/engines/game"
	"github.com/molerun/molerun/internal/gametest"
	"github.com/molerun/molerun/internal/must"
)

// Every kind of event, every type of action and every card has its sentence.
func TestWordsAreAsReviewed(t *testing.T) {
	got, err := gametest.Words(game.Wrap(Rules{}), []gametest.Case{{Config: full, Seats: 4}, {Config: `{"top_secret":true,"track":60,"cards":{"agent_to_ruin":6,"take_free_agent":5,"all_to_church":2}}`, Seats: 5}}, 20, 20000)
	must.OK(t, err)
	gametest.Golden(t, "words.txt", got)
}
